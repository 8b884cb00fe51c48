//! The same without a deadlock in any schedule.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{Mutex, Notify, RwLock, Semaphore, mpsc, oneshot};
use tokio::task::JoinHandle;

/// A lock-order inversion behind a third lock.
#[derive(Default)]
pub struct Gated {
    gate: Mutex<()>,
    inbox: Mutex<Vec<u32>>,
    outbox: Mutex<Vec<u32>>,
}

impl Gated {
    pub async fn work(&self) {
        let _gate = self.gate.lock().await;
        let mut inbox = self.inbox.lock().await;
        self.outbox.lock().await.append(&mut inbox);
    }

    pub async fn undo(&self) {
        let _gate = self.gate.lock().await;
        let mut outbox = self.outbox.lock().await;
        self.inbox.lock().await.append(&mut outbox);
    }
}

/// A lock-order inversion of which one lock is not waited for.
#[derive(Default)]
pub struct Tried {
    inbox: Mutex<Vec<u32>>,
    outbox: Mutex<Vec<u32>>,
}

impl Tried {
    pub async fn work(&self) {
        let mut inbox = self.inbox.lock().await;
        self.outbox.lock().await.append(&mut inbox);
    }

    pub async fn undo(&self) {
        let mut outbox = self.outbox.lock().await;
        if let Ok(mut inbox) = self.inbox.try_lock() {
            inbox.append(&mut outbox);
        }
    }
}

/// A lock that is read once and handed on.
#[derive(Default)]
pub struct Prices {
    all: RwLock<Vec<u32>>,
}

impl Prices {
    pub async fn sum(&self) -> u32 {
        let all = self.all.read().await;
        all.iter().sum::<u32>() + first(&all)
    }

    pub async fn add(&self, price: u32) {
        self.all.write().await.push(price);
    }
}

fn first(all: &[u32]) -> u32 {
    all.first().copied().unwrap_or(0)
}

/// The end of the writer is awaited without its lock.
#[derive(Default)]
pub struct Log {
    lines: Arc<Mutex<Vec<u32>>>,
}

impl Log {
    pub fn write(&self, line: u32) -> JoinHandle<()> {
        let lines = Arc::clone(&self.lines);
        tokio::spawn(async move {
            lines.lock().await.push(line);
        })
    }

    pub async fn close(&self, writer: JoinHandle<()>) -> usize {
        writer.await.unwrap();
        self.lines.lock().await.len()
    }
}

/// Both permits at once.
pub async fn cook(pans: &Semaphore) {
    let _both = pans.acquire_many(2).await.unwrap();
}

/// The lock is given back before the wait for room.
pub async fn meter() -> u32 {
    let (sender, mut receiver) = mpsc::channel::<u32>(1);
    let count = Arc::new(Mutex::new(0));
    let own = Arc::clone(&count);
    let arriving = tokio::spawn(async move {
        while let Some(number) = receiver.recv().await {
            *own.lock().await += number;
        }
    });
    for number in 0..4 {
        *count.lock().await += 1;
        sender.send(number).await.unwrap();
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(sender);
    arriving.await.unwrap();
    *count.lock().await
}

pub enum Call {
    Agree(oneshot::Sender<u32>),
    Say(oneshot::Sender<u32>),
}

pub type Line = mpsc::Sender<Call>;

/// Two that serve on while they wait.
pub fn pair() -> (Line, Line) {
    let (left, calls_left) = mpsc::channel(4);
    let (right, calls_right) = mpsc::channel(4);
    tokio::spawn(serve(calls_left, right.clone()));
    tokio::spawn(serve(calls_right, left.clone()));
    (left, right)
}

async fn serve(mut calls: mpsc::Receiver<Call>, other: Line) {
    while let Some(call) = calls.recv().await {
        match call {
            Call::Say(answer) => answer.send(1).unwrap(),
            Call::Agree(answer) => {
                let other = other.clone();
                tokio::spawn(async move {
                    let (word, said) = oneshot::channel();
                    other.send(Call::Say(word)).await.unwrap();
                    answer.send(said.await.unwrap() + 1).unwrap();
                });
            }
        }
    }
}

pub async fn agree(line: &Line) -> u32 {
    let (answer, agreed) = oneshot::channel();
    line.send(Call::Agree(answer)).await.unwrap();
    agreed.await.unwrap()
}

/// Waits before it looks.
#[derive(Default)]
pub struct Door {
    is_open: AtomicBool,
    opened: Notify,
}

impl Door {
    pub async fn pass(&self) {
        loop {
            let mut opened = std::pin::pin!(self.opened.notified());
            opened.as_mut().enable();
            if self.is_open.load(Ordering::Acquire) {
                return;
            }
            opened.await;
        }
    }

    pub fn open(&self) {
        self.is_open.store(true, Ordering::Release);
        self.opened.notify_waiters();
    }
}
