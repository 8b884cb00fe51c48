//! After hashicorp/hcat#8: the watcher was stopped, and a goroutine that waited inside it was never told.
//!
//! The indexer waits for work of the shelf that it holds itself. When the last owner drops the shelf, nobody can give
//! it any, and nobody tells it to end.
//!
//! expect: partial-deadlock, also task-leak, also lost-wakeup; shown by: run

pub mod stuck {
    use std::sync::{Arc, Mutex};
    use tokio::sync::Notify;

    #[derive(Default)]
    pub struct Shelf {
        fresh: Mutex<Vec<String>>,
        added: Notify,
    }

    impl Shelf {
        async fn index(self: Arc<Self>) {
            let mut letters = 0;
            loop {
                self.added.notified().await; // stuck here
                for title in self.fresh.lock().unwrap().drain(..) {
                    letters += title.len();
                }
                println!("{letters} letters are indexed");
            }
        }

        pub fn set_up() -> Arc<Self> {
            let shelf = Arc::<Self>::default();
            tokio::spawn(Arc::clone(&shelf).index());
            shelf
        }

        pub fn add(&self, title: &str) {
            self.fresh.lock().unwrap().push(title.into());
            self.added.notify_one();
        }
    }
}

pub mod fixed {
    use tokio::sync::mpsc;

    pub struct Shelf {
        fresh: mpsc::UnboundedSender<String>,
    }

    async fn index(mut fresh: mpsc::UnboundedReceiver<String>) {
        let mut letters = 0;
        while let Some(title) = fresh.recv().await {
            letters += title.len();
            println!("{letters} letters are indexed");
        }
    }

    impl Shelf {
        pub fn set_up() -> Self {
            let (fresh, added) = mpsc::unbounded_channel();
            tokio::spawn(index(added));
            Shelf { fresh }
        }

        pub fn add(&self, title: &str) {
            let _ = self.fresh.send(title.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_idle_indexer() {
        let shelf = super::stuck::Shelf::set_up();
        shelf.add("Knots");
        drop(shelf);
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test]
    async fn fixed_idle_indexer() {
        let shelf = super::fixed::Shelf::set_up();
        shelf.add("Knots");
        drop(shelf);
        sleep(Duration::from_millis(10)).await;
    }
}
