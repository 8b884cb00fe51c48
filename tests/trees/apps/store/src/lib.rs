//! A store of texts over HTTP, straight on hyper: an actor owns the texts, and every connection is a task.

use std::collections::BTreeMap;
use std::convert::Infallible;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What the actor is asked to do.
enum Order {
    Put(String, Bytes),
    Get(String, oneshot::Sender<Option<Bytes>>),
}

/// A way to the actor.
#[derive(Clone)]
pub struct Store(mpsc::Sender<Order>);

impl Store {
    /// Starts the actor. It ends with the last way to it.
    pub fn start() -> (Store, tokio::task::JoinHandle<usize>) {
        let (sender, mut orders) = mpsc::channel(4);
        let actor = tokio::spawn(async move {
            let mut texts = BTreeMap::new();
            while let Some(order) = orders.recv().await {
                match order {
                    Order::Put(key, text) => {
                        texts.insert(key, text);
                    }
                    Order::Get(key, reply) => {
                        let _ = reply.send(texts.get(&key).cloned());
                    }
                }
            }
            texts.len()
        });
        (Store(sender), actor)
    }

    async fn answer(self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
        let key = request.uri().path().to_owned();
        let (status, text) = match *request.method() {
            Method::PUT => match request.into_body().collect().await {
                Ok(body) => {
                    let sent = self.0.send(Order::Put(key, body.to_bytes())).await;
                    (if sent.is_ok() { StatusCode::CREATED } else { StatusCode::GONE }, Bytes::new())
                }
                Err(_) => (StatusCode::BAD_REQUEST, Bytes::new()),
            },
            Method::GET => {
                let (reply, answer) = oneshot::channel();
                let sent = self.0.send(Order::Get(key, reply)).await;
                match (sent, answer.await) {
                    (Ok(()), Ok(Some(text))) => (StatusCode::OK, text),
                    _ => (StatusCode::NOT_FOUND, Bytes::new()),
                }
            }
            _ => (StatusCode::METHOD_NOT_ALLOWED, Bytes::new()),
        };
        let mut response = Response::new(Full::new(text));
        *response.status_mut() = status;
        Ok(response)
    }
}

/// Serves until the token is cancelled, and then until the last connection is closed. Gives how many there were.
pub async fn serve(listener: TcpListener, store: Store, stop: CancellationToken) -> usize {
    let connections = TaskTracker::new();
    let mut count = 0;
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(_) => continue,
            },
            () = stop.cancelled() => break,
        };
        count += 1;
        let store = store.clone();
        connections.spawn(async move {
            let service = service_fn(move |request| store.clone().answer(request));
            let served = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            if let Err(error) = served.await {
                eprintln!("a connection broke: {error}");
            }
        });
    }
    connections.close();
    connections.wait().await;
    count
}
