//! After dpkp/kafka-python#1464: one side took the client lock and then the coordinator lock, the other side the same
//! two the other way round.
//!
//! Lending locks the shelf and then the reader's card, returning locks the card and then the shelf; each looks
//! something up in between.
//!
//! expect: lock-order; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::sync::Mutex;
    use tokio::time::sleep;

    #[derive(Default)]
    pub struct Desk {
        shelf: Mutex<u32>,
        card: Mutex<u32>,
    }

    impl Desk {
        pub fn lend(self: &Arc<Self>) {
            let desk = Arc::clone(self);
            tokio::spawn(async move {
                let mut shelf = desk.shelf.lock().await;
                sleep(Duration::from_millis(5)).await; // finds the book
                let mut card = desk.card.lock().await; // stuck here
                (*shelf, *card) = (shelf.saturating_sub(1), *card + 1);
            });
        }

        pub fn take_back(self: &Arc<Self>) {
            let desk = Arc::clone(self);
            tokio::spawn(async move {
                let mut card = desk.card.lock().await;
                sleep(Duration::from_millis(5)).await; // finds the reader
                let mut shelf = desk.shelf.lock().await; // stuck here
                (*shelf, *card) = (*shelf + 1, card.saturating_sub(1));
            });
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::sync::Mutex;
    use tokio::time::sleep;

    #[derive(Default)]
    pub struct Desk {
        shelf: Mutex<u32>,
        card: Mutex<u32>,
    }

    impl Desk {
        pub fn lend(self: &Arc<Self>) {
            let desk = Arc::clone(self);
            tokio::spawn(async move {
                let mut shelf = desk.shelf.lock().await;
                sleep(Duration::from_millis(5)).await; // finds the book
                let mut card = desk.card.lock().await;
                (*shelf, *card) = (shelf.saturating_sub(1), *card + 1);
            });
        }

        pub fn take_back(self: &Arc<Self>) {
            let desk = Arc::clone(self);
            tokio::spawn(async move {
                let mut shelf = desk.shelf.lock().await;
                let mut card = desk.card.lock().await;
                sleep(Duration::from_millis(5)).await; // finds the reader
                (*shelf, *card) = (*shelf + 1, card.saturating_sub(1));
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_loan_desk() {
        let desk = Arc::new(super::stuck::Desk::default());
        desk.lend();
        desk.take_back();
        sleep(Duration::from_millis(30)).await;
    }

    #[tokio::test]
    async fn fixed_loan_desk() {
        let desk = Arc::new(super::fixed::Desk::default());
        desk.lend();
        desk.take_back();
        sleep(Duration::from_millis(30)).await;
    }
}
