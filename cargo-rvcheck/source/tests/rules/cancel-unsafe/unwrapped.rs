//! What is taken out of its wrapping while it is taken out of a queue, and is lost all the same.

use std::collections::BinaryHeap;
use std::sync::{Arc, Mutex};
use tokio::sync::{Notify, Semaphore};

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Ticket {
    number: u64,
    order: String,
}

#[derive(Default)]
struct Rail {
    tickets: Mutex<BinaryHeap<Ticket>>,
    hung: Notify,
}

impl Rail {
    fn try_take(&self) -> Option<String> {
        self.tickets.lock().unwrap().pop().map(|ticket| ticket.order)
    }

    async fn take(&self) -> String {
        loop {
            if let Some(order) = self.try_take() {
                return order;
            }
            self.hung.notified().await;
        }
    }
}

struct Kitchen {
    rail: Rail,
    stoves: Arc<Semaphore>,
    bell: Notify,
}

impl Kitchen {
    async fn next(&self) -> String {
        let order = self.rail.take().await;
        self.stoves.acquire().await.unwrap().forget();
        order
    }

    async fn cooks(self: Arc<Self>) {
        loop {
            tokio::select! {
                _ = self.bell.notified() => { println!("rings"); }
                order = self.next() => { println!("{order}"); self.stoves.add_permits(1); } //~ cancel-unsafe warning
            }
        }
    }
}

pub async fn opens(kitchen: Kitchen) {
    let kitchen = Arc::new(kitchen);
    kitchen.rail.hung.notify_one();
    kitchen.cooks().await;
}
