//! After a class of bugs seen in async Rust code with `Notify`: `notify_one` where several tasks wait for the same
//! change.
//!
//! The café opens and tells one of three guests; the other two never find out.
//!
//! expect: lost-wakeup, also partial-deadlock; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use tokio::sync::Notify;

    #[derive(Default)]
    pub struct Cafe {
        open: AtomicBool,
        opened: Notify,
        pub served: AtomicU32,
    }

    impl Cafe {
        pub fn open(&self) {
            self.open.store(true, Ordering::Release);
            self.opened.notify_one();
        }

        async fn order(&self) {
            while !self.open.load(Ordering::Acquire) {
                self.opened.notified().await; // stuck here
            }
            self.served.fetch_add(1, Ordering::Relaxed);
        }

        pub fn guests(self: &Arc<Self>, count: usize) {
            for _ in 0..count {
                let cafe = Arc::clone(self);
                tokio::spawn(async move { cafe.order().await });
            }
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use tokio::sync::watch;

    #[derive(Default)]
    pub struct Cafe {
        open: watch::Sender<bool>,
        pub served: AtomicU32,
    }

    impl Cafe {
        pub fn open(&self) {
            self.open.send_replace(true);
        }

        async fn order(&self) {
            let mut open = self.open.subscribe();
            if open.wait_for(|open| *open).await.is_ok() {
                self.served.fetch_add(1, Ordering::Relaxed);
            }
        }

        pub fn guests(self: &Arc<Self>, count: usize) {
            for _ in 0..count {
                let cafe = Arc::clone(self);
                tokio::spawn(async move { cafe.order().await });
            }
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
    async fn stuck_cafe_orders() {
        let cafe = Arc::new(super::stuck::Cafe::default());
        cafe.guests(3);
        sleep(Duration::from_millis(5)).await;
        cafe.open();
        sleep(Duration::from_millis(5)).await;
        assert!(cafe.served.load(Ordering::Relaxed) >= 1);
    }

    #[tokio::test]
    async fn fixed_cafe_orders() {
        let cafe = Arc::new(super::fixed::Cafe::default());
        cafe.guests(3);
        sleep(Duration::from_millis(5)).await;
        cafe.open();
        sleep(Duration::from_millis(5)).await;
        assert!(cafe.served.load(Ordering::Relaxed) >= 1);
    }
}
