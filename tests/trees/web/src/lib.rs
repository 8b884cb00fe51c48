//! A counter behind a web framework: its handlers run in tasks that the framework spawns.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::routing::{get, post};
use tokio::sync::oneshot;

/// What the handlers share.
#[derive(Clone, Default)]
pub struct Counter {
    hits: Arc<Mutex<u64>>,
    log: Arc<tokio::sync::Mutex<Vec<u64>>>,
}

async fn hit(State(counter): State<Counter>) -> String {
    let hits = {
        let mut hits = counter.hits.lock().unwrap();
        *hits += 1;
        *hits
    };
    counter.log.lock().await.push(hits);
    hits.to_string()
}

async fn total(State(counter): State<Counter>) -> String {
    tokio::task::yield_now().await;
    counter.log.lock().await.len().to_string()
}

/// A handler that spawns a task of its own and waits for it.
async fn twice(State(counter): State<Counter>) -> String {
    let first = tokio::spawn(hit(State(counter.clone())));
    let second = tokio::spawn(hit(State(counter)));
    let (first, second) = (first.await.unwrap(), second.await.unwrap());
    format!("{}", first.len() + second.len())
}

/// The application.
pub fn app(counter: Counter) -> Router {
    Router::new().route("/hit", post(hit)).route("/total", get(total)).route("/twice", post(twice)).with_state(counter)
}

/// Serves until it is told to stop.
pub async fn serve(listener: tokio::net::TcpListener, counter: Counter, stop: oneshot::Receiver<()>) -> std::io::Result<()> {
    axum::serve(listener, app(counter))
        .with_graceful_shutdown(async {
            let _ = stop.await;
        })
        .await
}
