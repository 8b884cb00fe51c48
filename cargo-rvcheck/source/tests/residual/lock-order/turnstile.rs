//! A semaphore of one permit in a static, beside one of many.

use std::sync::Mutex;
use tokio::sync::Semaphore;

static TURN: Semaphore = Semaphore::const_new(1);

pub struct Log(Vec<String>);

pub struct Server {
    connections: Semaphore,
    log: Mutex<Log>,
}

impl Server {
    pub fn new() -> Server {
        Server { connections: Semaphore::new(250), log: Mutex::new(Log(Vec::new())) }
    }

    pub async fn serve(&self) {
        let _turn = TURN.acquire().await.unwrap();
        let _connection = self.connections.acquire().await.unwrap();
    }

    pub fn lines(&self) -> usize {
        self.log.lock().unwrap().0.len() //~ lock-order orphan
    }
}
