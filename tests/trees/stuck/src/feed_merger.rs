//! After a class of bugs seen in async Rust services that merge several sources: the sender that was cloned for the
//! sources lives as long as the loop that waits for all senders to be gone.
//!
//! `merge` clones `items` for each feed and forgets to drop the first one before its loop.
//!
//! expect: channel-deadlock, also partial-deadlock; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use tokio::sync::mpsc;

    #[derive(Default)]
    pub struct Merger {
        pub seen: AtomicU32,
        pub rounds: AtomicU32,
    }

    impl Merger {
        async fn merge(&self, feeds: u32) {
            let (items, mut merged) = mpsc::channel(8);
            for feed in 0..feeds {
                let items = items.clone();
                tokio::spawn(async move { items.send(feed).await });
            }
            loop {
                let Some(item) = merged.recv().await else { break }; // stuck here
                self.seen.fetch_add(item, Ordering::Relaxed);
            }
            self.rounds.fetch_add(1, Ordering::Relaxed);
        }

        pub fn start(self: &Arc<Self>, feeds: u32) {
            let merger = Arc::clone(self);
            tokio::spawn(async move { merger.merge(feeds).await });
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use tokio::sync::mpsc;

    #[derive(Default)]
    pub struct Merger {
        pub seen: AtomicU32,
        pub rounds: AtomicU32,
    }

    impl Merger {
        async fn merge(&self, feeds: u32) {
            let (items, mut merged) = mpsc::channel(8);
            for feed in 0..feeds {
                let items = items.clone();
                tokio::spawn(async move { items.send(feed).await });
            }
            drop(items);
            while let Some(item) = merged.recv().await {
                self.seen.fetch_add(item, Ordering::Relaxed);
            }
            self.rounds.fetch_add(1, Ordering::Relaxed);
        }

        pub fn start(self: &Arc<Self>, feeds: u32) {
            let merger = Arc::clone(self);
            tokio::spawn(async move { merger.merge(feeds).await });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::Ordering;
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_feed_merger() {
        let merger = Arc::new(super::stuck::Merger::default());
        merger.start(4);
        sleep(Duration::from_millis(20)).await;
        assert_eq!(merger.seen.load(Ordering::Relaxed), 6);
    }

    #[tokio::test]
    async fn fixed_feed_merger() {
        let merger = Arc::new(super::fixed::Merger::default());
        merger.start(4);
        sleep(Duration::from_millis(20)).await;
        assert_eq!(merger.seen.load(Ordering::Relaxed), 6);
    }
}
