//! After containerd/ttrpc-rust#227: `notify_waiters` was called before the waiter had created its `notified()` future,
//! and it was called once only.
//!
//! The job checks whether the printer is warm, fetches its font and waits then; the printer became warm meanwhile.
//!
//! expect: lost-wakeup; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;
    use tokio::sync::Notify;
    use tokio::time::sleep;

    #[derive(Default)]
    pub struct Printer {
        warm: AtomicBool,
        warmed: Notify,
    }

    impl Printer {
        pub fn warm_up(&self) {
            self.warm.store(true, Ordering::Release);
            self.warmed.notify_waiters();
        }

        pub fn submit(self: &Arc<Self>) {
            let printer = Arc::clone(self);
            tokio::spawn(async move {
                if !printer.warm.load(Ordering::Acquire) {
                    sleep(Duration::from_millis(10)).await; // fetches the font
                    printer.warmed.notified().await; // stuck here
                }
                println!("printing");
            });
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;
    use tokio::sync::Notify;
    use tokio::time::sleep;

    #[derive(Default)]
    pub struct Printer {
        warm: AtomicBool,
        warmed: Notify,
    }

    impl Printer {
        pub fn warm_up(&self) {
            self.warm.store(true, Ordering::Release);
            self.warmed.notify_waiters();
        }

        pub fn submit(self: &Arc<Self>) {
            let printer = Arc::clone(self);
            tokio::spawn(async move {
                let warmed = printer.warmed.notified();
                if !printer.warm.load(Ordering::Acquire) {
                    sleep(Duration::from_millis(10)).await; // fetches the font
                    warmed.await;
                }
                println!("printing");
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
    async fn stuck_printer_queue() {
        let printer = Arc::new(super::stuck::Printer::default());
        printer.submit();
        sleep(Duration::from_millis(3)).await;
        printer.warm_up();
        sleep(Duration::from_millis(30)).await;
    }

    #[tokio::test]
    async fn fixed_printer_queue() {
        let printer = Arc::new(super::fixed::Printer::default());
        printer.submit();
        sleep(Duration::from_millis(3)).await;
        printer.warm_up();
        sleep(Duration::from_millis(30)).await;
    }
}
