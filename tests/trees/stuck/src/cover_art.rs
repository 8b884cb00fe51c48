//! After milvus-io/talon#162: the task that fetches for all others is cancelled, the mark that the fetch is in flight
//! stays, and everybody who comes later waits for its end.
//!
//! The first viewer gives up while the cover is loading. The second one finds `loading` and waits to be notified.
//!
//! expect: cancel-unsafe, also partial-deadlock, also lost-wakeup, also task-leak; shown by: run

pub mod stuck {
    use std::collections::HashSet;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;
    use tokio::sync::Notify;
    use tokio::time::{sleep, timeout};

    #[derive(Default)]
    pub struct Covers {
        loading: Mutex<HashSet<u32>>,
        loaded: Notify,
    }

    impl Covers {
        pub async fn cover(&self, album: u32) -> u32 {
            if self.loading.lock().unwrap().insert(album) {
                sleep(Duration::from_millis(8)).await; // loads it
                self.loading.lock().unwrap().remove(&album);
                self.loaded.notify_waiters();
            } else {
                self.loaded.notified().await; // stuck here
            }
            album * 100
        }

        pub fn view(self: &Arc<Self>, album: u32, patience: Option<Duration>) {
            let covers = Arc::clone(self);
            tokio::spawn(async move {
                match patience {
                    Some(patience) => println!("{:?}", timeout(patience, covers.cover(album)).await),
                    None => println!("{}", covers.cover(album).await),
                }
            });
        }
    }
}

pub mod fixed {
    use std::collections::HashMap;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;
    use tokio::sync::OnceCell;
    use tokio::time::{sleep, timeout};

    #[derive(Default)]
    pub struct Covers {
        covers: Mutex<HashMap<u32, Arc<OnceCell<u32>>>>,
    }

    impl Covers {
        pub async fn cover(&self, album: u32) -> u32 {
            let cell = Arc::clone(self.covers.lock().unwrap().entry(album).or_default());
            let load = || async {
                sleep(Duration::from_millis(8)).await; // loads it
                album * 100
            };
            *cell.get_or_init(load).await // the next one loads if this one is dropped
        }

        pub fn view(self: &Arc<Self>, album: u32, patience: Option<Duration>) {
            let covers = Arc::clone(self);
            tokio::spawn(async move {
                match patience {
                    Some(patience) => println!("{:?}", timeout(patience, covers.cover(album)).await),
                    None => println!("{}", covers.cover(album).await),
                }
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
    async fn stuck_cover_art() {
        let covers = Arc::new(super::stuck::Covers::default());
        covers.view(4, Some(Duration::from_millis(3)));
        sleep(Duration::from_millis(6)).await;
        covers.view(4, None);
        sleep(Duration::from_millis(20)).await;
    }

    #[tokio::test]
    async fn fixed_cover_art() {
        let covers = Arc::new(super::fixed::Covers::default());
        covers.view(4, Some(Duration::from_millis(3)));
        sleep(Duration::from_millis(6)).await;
        covers.view(4, None);
        sleep(Duration::from_millis(20)).await;
    }
}
