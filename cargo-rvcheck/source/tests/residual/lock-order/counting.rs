//! Semaphores of more than one permit are no locks.
//@ proved: lock-order

use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;

const MOST: usize = 250;

static DOORS: Semaphore = Semaphore::const_new(4);

pub struct Log(Vec<String>);

pub struct Server {
    connections: Arc<Semaphore>,
    log: Mutex<Log>,
}

impl Server {
    pub fn new() -> Server {
        Server { connections: Arc::new(Semaphore::new(MOST)), log: Mutex::new(Log(Vec::new())) }
    }

    pub async fn serve(&self) {
        let connections = self.connections.clone();
        let _connection = connections.acquire().await.unwrap();
        let _door = DOORS.acquire().await.unwrap();
    }

    pub fn lines(&self) -> usize {
        self.log.lock().unwrap().0.len() //~ lock-order orphan
    }
}
