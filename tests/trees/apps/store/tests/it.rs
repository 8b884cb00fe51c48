use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use store::{Store, serve};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

/// One request on a connection of its own.
async fn ask(address: SocketAddr, method: Method, path: &str, text: &str) -> (StatusCode, String) {
    let stream = TcpStream::connect(address).await.unwrap();
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
    let connection = tokio::spawn(connection);
    let body = Full::new(Bytes::copy_from_slice(text.as_bytes()));
    let request = Request::builder().method(method).uri(path).header("host", "store").body(body).unwrap();
    let response = sender.send_request(request).await.unwrap();
    let status = response.status();
    let text = response.into_body().collect().await.unwrap().to_bytes();
    drop(sender);
    connection.await.unwrap().unwrap();
    (status, String::from_utf8(text.to_vec()).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn texts_are_kept() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (store, actor) = Store::start();
    let stop = CancellationToken::new();
    let server = tokio::spawn(serve(listener, store, stop.clone()));
    let writers: Vec<_> = (0..3)
        .map(|n| tokio::spawn(async move { ask(address, Method::PUT, &format!("/{n}"), &n.to_string()).await }))
        .collect();
    for writer in writers {
        assert_eq!(writer.await.unwrap().0, StatusCode::CREATED);
    }
    assert_eq!(ask(address, Method::GET, "/2", "").await, (StatusCode::OK, "2".to_owned()));
    assert_eq!(ask(address, Method::GET, "/x", "").await.0, StatusCode::NOT_FOUND);
    stop.cancel();
    assert_eq!(server.await.unwrap(), 5);
    assert_eq!(actor.await.unwrap(), 3);
}
