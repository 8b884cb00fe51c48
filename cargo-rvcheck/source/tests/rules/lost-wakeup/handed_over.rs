//! Notifications that go to waiters that are gone.

use std::collections::VecDeque;
use std::sync::Mutex;
use tokio::sync::oneshot;

#[derive(Default)]
pub struct Ferry {
    berths: Mutex<u32>,
    queue: Mutex<VecDeque<oneshot::Sender<()>>>,
}

impl Ferry {
    pub async fn board(&self) {
        let receiver = {
            let mut queue = self.queue.lock().unwrap();
            let (sender, receiver) = oneshot::channel();
            queue.push_back(sender);
            receiver
        };
        let _ = receiver.await;
    }

    pub fn call_one(&self) {
        let next = self.queue.lock().unwrap().pop_front();
        if let Some(next) = next {
            let _ = next.send(()); //~ lost-wakeup warning
        }
    }

    pub fn call_one_that_is_there(&self) {
        while let Some(next) = self.queue.lock().unwrap().pop_front() {
            if next.send(()).is_ok() {
                return;
            }
        }
        *self.berths.lock().unwrap() += 1;
    }

    pub fn call_all(&self) {
        for it in self.queue.lock().unwrap().drain(..) {
            let _ = it.send(());
        }
    }

    pub fn call_one_or_count(&self) {
        if let Some(next) = self.queue.lock().unwrap().pop_front()
            && next.send(()).is_err()
        {
            *self.berths.lock().unwrap() += 1;
        }
    }
}

/// A seat that goes to the next one who wants it, whoever drops it.
pub struct Seat {
    row: std::sync::Arc<Row>,
}

#[derive(Default)]
pub struct Row {
    wanting: Mutex<VecDeque<oneshot::Sender<Seat>>>,
    empty: Mutex<u32>,
}

impl Row {
    pub async fn sit(&self) -> Option<Seat> {
        let receiver = {
            let (sender, receiver) = oneshot::channel();
            self.wanting.lock().unwrap().push_back(sender);
            receiver
        };
        receiver.await.ok()
    }

    fn give_back(self: &std::sync::Arc<Self>) {
        let next = self.wanting.lock().unwrap().pop_front();
        match next {
            Some(next) => {
                let _ = next.send(Seat { row: self.clone() });
            }
            None => *self.empty.lock().unwrap() += 1,
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.row.give_back();
    }
}

/// A ticket that is lost with the one that it was for.
pub struct Ticket {
    number: u32,
    shown: std::sync::Arc<Mutex<Vec<u32>>>,
}

#[derive(Default)]
pub struct Booth {
    wanting: Mutex<VecDeque<oneshot::Sender<Ticket>>>,
    shown: std::sync::Arc<Mutex<Vec<u32>>>,
}

impl Booth {
    pub async fn queue(&self) -> Option<Ticket> {
        let receiver = {
            let (sender, receiver) = oneshot::channel();
            self.wanting.lock().unwrap().push_back(sender);
            receiver
        };
        receiver.await.ok()
    }

    pub fn sell(&self, number: u32) {
        let next = self.wanting.lock().unwrap().pop_front();
        if let Some(next) = next {
            let _ = next.send(Ticket { number, shown: self.shown.clone() }); //~ lost-wakeup warning
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.shown.lock().unwrap().push(self.number);
    }
}
