//! Senders of replies that stay in a shared map when the loop that answers has ended, and ones that do not.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Duration, timeout};

type Pending = Arc<Mutex<HashMap<u64, oneshot::Sender<String>>>>;

pub struct Client {
    pending: Pending,
}

impl Client {
    pub fn start(mut frames: mpsc::Receiver<(u64, String)>) -> Client {
        let pending = Pending::default();
        let answers = pending.clone();
        tokio::spawn(async move {
            while let Some((id, text)) = frames.recv().await {
                if let Some(reply) = answers.lock().unwrap().remove(&id) {
                    let _ = reply.send(text);
                }
            }
        });
        Client { pending }
    }

    pub async fn ask(&self, id: u64) -> Option<String> {
        let (reply, answer) = oneshot::channel();
        self.pending.lock().unwrap().insert(id, reply);
        answer.await.ok() //~ channel-deadlock warning
    }

    pub async fn ask_and_take_back(&self, id: u64, requests: mpsc::Sender<u64>) -> Option<String> {
        let (reply, answer) = oneshot::channel();
        self.pending.lock().unwrap().insert(id, reply);
        if requests.send(id).await.is_err() {
            self.pending.lock().unwrap().remove(&id);
            return None;
        }
        answer.await.ok() //~ channel-deadlock warning
    }

    pub async fn ask_for_a_while(&self, id: u64) -> Option<String> {
        let (reply, answer) = oneshot::channel();
        self.pending.lock().unwrap().insert(id, reply);
        timeout(Duration::from_secs(1), answer).await.ok()?.ok()
    }
}

pub struct Cleared {
    pending: Mutex<HashMap<u64, oneshot::Sender<String>>>,
}

impl Cleared {
    async fn answer(self: Arc<Self>, mut frames: mpsc::Receiver<(u64, String)>) {
        while let Some((id, text)) = frames.recv().await {
            if let Some(reply) = self.pending.lock().unwrap().remove(&id) {
                let _ = reply.send(text);
            }
        }
        self.pending.lock().unwrap().clear();
    }

    pub async fn ask(&self, id: u64) -> Option<String> {
        let (reply, answer) = oneshot::channel();
        self.pending.lock().unwrap().insert(id, reply);
        answer.await.ok()
    }
}

pub async fn cleared(it: Arc<Cleared>, frames: mpsc::Receiver<(u64, String)>) {
    tokio::spawn(it.answer(frames));
}

pub struct Replaced {
    pending: Mutex<HashMap<u64, oneshot::Sender<String>>>,
}

impl Replaced {
    async fn answer(self: Arc<Self>, mut frames: mpsc::Receiver<(u64, String)>) {
        while let Some((id, text)) = frames.recv().await {
            if let Some(reply) = self.pending.lock().unwrap().remove(&id) {
                let _ = reply.send(text);
            }
        }
        *self.pending.lock().unwrap() = HashMap::new();
    }

    pub async fn ask(&self, id: u64) -> Option<String> {
        let (reply, answer) = oneshot::channel();
        self.pending.lock().unwrap().insert(id, reply);
        answer.await.ok()
    }
}

pub struct Endless {
    pending: Mutex<HashMap<u64, oneshot::Sender<String>>>,
}

impl Endless {
    async fn answer(self: Arc<Self>, mut frames: mpsc::Receiver<(u64, String)>) {
        loop {
            let Some((id, text)) = frames.recv().await else { continue }; //~ cancel-unresponsive
            if let Some(reply) = self.pending.lock().unwrap().remove(&id) {
                let _ = reply.send(text);
            }
        }
    }

    pub async fn ask(&self, id: u64) -> Option<String> {
        let (reply, answer) = oneshot::channel();
        self.pending.lock().unwrap().insert(id, reply);
        answer.await.ok()
    }
}

/// The loop ends when nobody is left who could ask.
pub struct Actor {
    requests: mpsc::Sender<u64>,
    pending: Pending,
}

impl Actor {
    pub fn start() -> Actor {
        let (requests, mut inbox) = mpsc::channel::<u64>(8);
        let pending = Pending::default();
        let answers = pending.clone();
        tokio::spawn(async move {
            while let Some(id) = inbox.recv().await {
                if let Some(reply) = answers.lock().unwrap().remove(&id) {
                    let _ = reply.send(String::new());
                }
            }
        });
        Actor { requests, pending }
    }

    pub async fn ask(&self, id: u64) -> Option<String> {
        let (reply, answer) = oneshot::channel();
        self.pending.lock().unwrap().insert(id, reply);
        self.requests.send(id).await.ok()?;
        answer.await.ok()
    }
}

/// The map is the loop's own, and goes with it.
pub async fn of_its_own(mut requests: mpsc::Receiver<(u64, oneshot::Sender<String>)>, mut done: mpsc::Receiver<u64>) {
    let mut pending = HashMap::new();
    while let Some((id, reply)) = requests.recv().await {
        pending.insert(id, reply);
        if let Some(done) = done.recv().await {
            if let Some(reply) = pending.remove(&done) {
                let _ = reply.send(String::new());
            }
        }
    }
}
