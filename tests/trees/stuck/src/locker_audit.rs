//! After a class of bugs seen in async Rust services: an async mutex is not re-entrant either, and a helper that is
//! awaited under the guard takes it again.
//!
//! `rent` holds the lockers while the fee asks how many of them are rented.
//!
//! expect: double-lock; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use tokio::sync::Mutex;

    #[derive(Default)]
    pub struct Lockers {
        rented: Mutex<Vec<u32>>,
    }

    impl Lockers {
        async fn fee(&self) -> u32 {
            let rented = self.rented.lock().await; // stuck here
            5 + rented.len() as u32
        }

        pub async fn rent(&self, locker: u32) -> u32 {
            let mut rented = self.rented.lock().await;
            let fee = if rented.contains(&locker) { 0 } else { self.fee().await };
            rented.push(locker);
            fee
        }

        pub fn open(self: &Arc<Self>, locker: u32) {
            let lockers = Arc::clone(self);
            tokio::spawn(async move { println!("costs {}", lockers.rent(locker).await) });
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use tokio::sync::Mutex;

    #[derive(Default)]
    pub struct Lockers {
        rented: Mutex<Vec<u32>>,
    }

    fn fee(rented: &[u32]) -> u32 {
        5 + rented.len() as u32
    }

    impl Lockers {
        pub async fn rent(&self, locker: u32) -> u32 {
            let mut rented = self.rented.lock().await;
            let fee = if rented.contains(&locker) { 0 } else { fee(&rented) };
            rented.push(locker);
            fee
        }

        pub fn open(self: &Arc<Self>, locker: u32) {
            let lockers = Arc::clone(self);
            tokio::spawn(async move { println!("costs {}", lockers.rent(locker).await) });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_locker_audit() {
        Arc::new(super::stuck::Lockers::default()).open(12);
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test]
    async fn fixed_locker_audit() {
        Arc::new(super::fixed::Lockers::default()).open(12);
        sleep(Duration::from_millis(10)).await;
    }
}
