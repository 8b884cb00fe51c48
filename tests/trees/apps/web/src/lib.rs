//! A counter behind a web framework and its middleware: the handlers run in tasks that these spawn.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::error_handling::HandleErrorLayer;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::routing::{get, post};
use axum::{BoxError, Router};
use tokio::sync::oneshot;
use tower::ServiceBuilder;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;

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

/// The application. The buffer in front of the handlers is a task of its own, behind a channel.
pub fn app(counter: Counter) -> Router {
    let refused = |_: BoxError| async { StatusCode::SERVICE_UNAVAILABLE };
    let middleware = ServiceBuilder::new()
        .layer(HandleErrorLayer::new(refused))
        .buffer(8)
        .concurrency_limit(4)
        .layer(RequestBodyLimitLayer::new(1024))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, Duration::from_secs(60)))
        .layer(SetResponseHeaderLayer::overriding(header::SERVER, HeaderValue::from_static("counter")));
    Router::new()
        .route("/hit", post(hit))
        .route("/total", get(total))
        .route("/twice", post(twice))
        .layer(middleware)
        .with_state(counter)
}

/// Serves until it is told to stop.
pub async fn serve(listener: tokio::net::TcpListener, counter: Counter, stop: oneshot::Receiver<()>) -> std::io::Result<()> {
    axum::serve(listener, app(counter))
        .with_graceful_shutdown(async {
            let _ = stop.await;
        })
        .await
}
