//! After lightningdevkit/rust-lightning#2006: a method that held a fair read lock called another one that takes the same
//! read lock, and in production a writer was queued in between.
//!
//! `search` reads the catalog and asks `available`, which reads it, too, while a librarian may want to write.
//!
//! expect: double-lock, also lock-order; shown by: schedule

pub mod stuck {
    use std::sync::Arc;
    use tokio::sync::RwLock;

    #[derive(Default)]
    pub struct Library {
        catalog: RwLock<Vec<(String, bool)>>,
    }

    impl Library {
        async fn available(&self, at: usize) -> bool {
            self.catalog.read().await.get(at).is_some_and(|(_, lent)| !lent) // stuck here
        }

        async fn search(&self, word: &str) -> usize {
            let catalog = self.catalog.read().await;
            let mut found = 0;
            for (at, (title, _)) in catalog.iter().enumerate() {
                if title.contains(word) && self.available(at).await {
                    found += 1;
                }
            }
            found
        }

        pub async fn add(&self, title: &str) {
            self.catalog.write().await.push((title.into(), false)); // stuck here
        }

        pub fn busy_hour(self: &Arc<Self>) {
            let (reader, librarian) = (Arc::clone(self), Arc::clone(self));
            tokio::spawn(async move { println!("{}", reader.search("Sea").await) });
            tokio::spawn(async move { librarian.add("Seals").await });
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use tokio::sync::RwLock;

    #[derive(Default)]
    pub struct Library {
        catalog: RwLock<Vec<(String, bool)>>,
    }

    impl Library {
        async fn search(&self, word: &str) -> usize {
            let catalog = self.catalog.read().await;
            catalog.iter().filter(|(title, lent)| title.contains(word) && !lent).count()
        }

        pub async fn add(&self, title: &str) {
            self.catalog.write().await.push((title.into(), false));
        }

        pub fn busy_hour(self: &Arc<Self>) {
            let (reader, librarian) = (Arc::clone(self), Arc::clone(self));
            tokio::spawn(async move { println!("{}", reader.search("Sea").await) });
            tokio::spawn(async move { librarian.add("Seals").await });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn stuck_library_search() {
        let library = Arc::new(super::stuck::Library::default());
        library.add("Sea birds").await;
        library.busy_hour();
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn fixed_library_search() {
        let library = Arc::new(super::fixed::Library::default());
        library.add("Sea birds").await;
        library.busy_hour();
        sleep(Duration::from_millis(10)).await;
    }
}
