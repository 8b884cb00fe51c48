//! Deadlocks that the tests do not have, because somebody comes late.

pub mod tasks {
    use tokio::sync::Mutex;

    #[derive(Default)]
    pub struct Desk {
        pub inbox: Mutex<Vec<u32>>,
        pub outbox: Mutex<Vec<u32>>,
    }

    impl Desk {
        pub async fn work(&self) {
            let mut inbox = self.inbox.lock().await; // work: inbox
            let mut outbox = self.outbox.lock().await; // work: outbox
            outbox.append(&mut inbox);
        }

        pub async fn undo(&self) {
            let mut outbox = self.outbox.lock().await; // undo: outbox
            let mut inbox = self.inbox.lock().await; // undo: inbox
            inbox.append(&mut outbox);
        }
    }
}

pub mod threads {
    use std::sync::Mutex;

    #[derive(Default)]
    pub struct Shop {
        pub stock: Mutex<u32>,
        pub till: Mutex<u32>,
    }

    impl Shop {
        pub fn sell(&self) {
            let mut stock = self.stock.lock().unwrap(); // sell: stock
            let mut till = self.till.lock().unwrap(); // sell: till
            *stock = stock.saturating_sub(1);
            *till += 1;
        }

        pub fn refund(&self) {
            let mut till = self.till.lock().unwrap(); // refund: till
            let mut stock = self.stock.lock().unwrap(); // refund: stock
            *till = till.saturating_sub(1);
            *stock += 1;
        }
    }
}
