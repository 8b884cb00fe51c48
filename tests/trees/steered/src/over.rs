//! A lock that is held over a wait for somebody who takes it, too.

use std::sync::Arc;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;

/// Counts what it sends, and what has arrived.
pub struct Meter {
    count: Arc<Mutex<u32>>,
    sender: mpsc::Sender<u32>,
}

impl Meter {
    pub fn start() -> (Meter, JoinHandle<()>) {
        let (sender, mut receiver) = mpsc::channel::<u32>(1);
        let count = Arc::new(Mutex::new(0));
        let own = Arc::clone(&count);
        let arriving = tokio::spawn(async move {
            while let Some(number) = receiver.recv().await {
                *own.lock().await += number; // arriving: takes
            }
        });
        (Meter { count, sender }, arriving)
    }

    pub async fn send(&self, number: u32) {
        let mut count = self.count.lock().await; // send: holds
        *count += 1;
        self.sender.send(number).await.unwrap(); // send: waits for room
    }
}

/// Asks its helper for what it has to write down.
pub struct Clerk {
    book: Arc<Mutex<Vec<u32>>>,
    helper: mpsc::UnboundedSender<Task>,
}

enum Task {
    Find(oneshot::Sender<u32>),
    Tidy,
}

impl Clerk {
    pub fn start() -> Clerk {
        let book = Arc::new(Mutex::new(vec![3, 1, 2]));
        let (helper, mut tasks) = mpsc::unbounded_channel();
        let own = Arc::clone(&book);
        tokio::spawn(async move {
            while let Some(task) = tasks.recv().await {
                match task {
                    Task::Find(answer) => answer.send(4).unwrap(),
                    Task::Tidy => own.lock().await.sort_unstable(), // tidy: takes
                }
            }
        });
        Clerk { book, helper }
    }

    pub fn tidy(&self) {
        let _ = self.helper.send(Task::Tidy);
    }

    pub async fn note(&self) {
        let mut book = self.book.lock().await; // note: holds
        let (answer, found) = oneshot::channel();
        let _ = self.helper.send(Task::Find(answer));
        book.push(found.await.unwrap()); // note: waits
    }
}
