use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use web::{Counter, serve};

async fn ask(address: std::net::SocketAddr, method: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer.rsplit("\r\n").next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hits_are_counted() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let server = tokio::spawn(serve(listener, Counter::default(), stopped));
    assert_eq!(ask(address, "POST", "/hit").await, "1");
    let asking: Vec<_> = (0..4).map(|_| tokio::spawn(async move { ask(address, "POST", "/hit").await })).collect();
    for asked in asking {
        asked.await.unwrap();
    }
    assert_eq!(ask(address, "POST", "/twice").await, "2");
    assert_eq!(ask(address, "GET", "/total").await, "7");
    stop.send(()).unwrap();
    server.await.unwrap().unwrap();
}
