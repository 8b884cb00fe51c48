//! After aio-libs/aiopg#113: callers acquired a connection of the pool and then a second one, and when there were as many
//! callers as connections, each of them held one.
//!
//! A charter takes a boat for the guests and one for the luggage. Two charters at once share two boats.
//!
//! expect: semaphore, also partial-deadlock; shown by: schedule

pub mod stuck {
    use std::sync::Arc;
    use tokio::sync::{Semaphore, SemaphorePermit};

    pub struct Harbour {
        boats: Semaphore,
    }

    impl Harbour {
        pub fn with(boats: usize) -> Arc<Self> {
            Arc::new(Harbour { boats: Semaphore::new(boats) })
        }

        async fn boat(&self) -> SemaphorePermit<'_> {
            self.boats.acquire().await.unwrap() // stuck here
        }

        async fn sail(&self, guests: u32) {
            let _people = self.boat().await;
            let _luggage = self.boat().await;
            println!("{guests} guests sail");
        }

        pub fn charter(self: &Arc<Self>, guests: u32) {
            let harbour = Arc::clone(self);
            tokio::spawn(async move { harbour.sail(guests).await });
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use tokio::sync::{Semaphore, SemaphorePermit};

    pub struct Harbour {
        boats: Semaphore,
    }

    impl Harbour {
        pub fn with(boats: usize) -> Arc<Self> {
            Arc::new(Harbour { boats: Semaphore::new(boats) })
        }

        async fn boats(&self, count: u32) -> SemaphorePermit<'_> {
            self.boats.acquire_many(count).await.unwrap()
        }

        async fn sail(&self, guests: u32) {
            let _people_and_luggage = self.boats(2).await;
            println!("{guests} guests sail");
        }

        pub fn charter(self: &Arc<Self>, guests: u32) {
            let harbour = Arc::clone(self);
            tokio::spawn(async move { harbour.sail(guests).await });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn stuck_charter_boats() {
        let harbour = super::stuck::Harbour::with(2);
        harbour.charter(6);
        harbour.charter(9);
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn fixed_charter_boats() {
        let harbour = super::fixed::Harbour::with(2);
        harbour.charter(6);
        harbour.charter(9);
        sleep(Duration::from_millis(10)).await;
    }
}
