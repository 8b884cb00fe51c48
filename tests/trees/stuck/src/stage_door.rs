//! After tokio-rs/tokio#6952: a notification that was given before `notified()` was awaited did not reach the waiter.
//!
//! The visitor checks the door and then creates `notified()`. On another worker the door may open in between.
//!
//! expect: lost-wakeup; shown by: schedule

pub mod stuck {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use tokio::sync::Notify;

    #[derive(Default)]
    pub struct Door {
        open: AtomicBool,
        opened: Notify,
    }

    impl Door {
        pub fn open(&self) {
            self.open.store(true, Ordering::SeqCst);
            self.opened.notify_waiters();
        }

        async fn enter(&self) {
            while !self.open.load(Ordering::SeqCst) {
                self.opened.notified().await; // stuck here
            }
        }

        pub fn visitor(self: &Arc<Self>) {
            let door = Arc::clone(self);
            tokio::spawn(async move { door.enter().await });
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use tokio::sync::Notify;

    #[derive(Default)]
    pub struct Door {
        open: AtomicBool,
        opened: Notify,
    }

    impl Door {
        pub fn open(&self) {
            self.open.store(true, Ordering::SeqCst);
            self.opened.notify_waiters();
        }

        async fn enter(&self) {
            loop {
                let opened = self.opened.notified();
                if self.open.load(Ordering::SeqCst) {
                    return;
                }
                opened.await;
            }
        }

        pub fn visitor(self: &Arc<Self>) {
            let door = Arc::clone(self);
            tokio::spawn(async move { door.enter().await });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn stuck_stage_door() {
        let door = Arc::new(super::stuck::Door::default());
        door.visitor();
        sleep(Duration::from_millis(10)).await;
        door.open();
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn fixed_stage_door() {
        let door = Arc::new(super::fixed::Door::default());
        door.visitor();
        sleep(Duration::from_millis(10)).await;
        door.open();
        sleep(Duration::from_millis(10)).await;
    }
}
