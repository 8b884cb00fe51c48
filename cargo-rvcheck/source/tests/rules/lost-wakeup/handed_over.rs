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
