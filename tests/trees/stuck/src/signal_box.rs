//! After a class of bugs seen in hand-written blocking primitives: the waiter announces itself after it has looked at
//! the flag, and whoever sets the flag in between sees no waiter.
//!
//! The driver looks at the signal, enters the box as waiting and parks. Usually the signalman clears it after that.
//!
//! expect: lost-wakeup; shown by: schedule

pub mod stuck {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex};
    use std::thread::{self, Thread};

    #[derive(Default)]
    pub struct Signal {
        clear: AtomicBool,
        waiting: Mutex<Option<Thread>>,
    }

    impl Signal {
        pub fn clear(&self) {
            self.clear.store(true, Ordering::SeqCst);
            if let Some(driver) = self.waiting.lock().unwrap().take() {
                driver.unpark();
            }
        }

        fn pass(&self) {
            while !self.clear.load(Ordering::SeqCst) {
                *self.waiting.lock().unwrap() = Some(thread::current());
                thread::park(); // stuck here
            }
        }

        pub fn approach(self: &Arc<Self>) {
            let signal = Arc::clone(self);
            thread::spawn(move || signal.pass());
        }
    }
}

pub mod fixed {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex};
    use std::thread::{self, Thread};

    #[derive(Default)]
    pub struct Signal {
        clear: AtomicBool,
        waiting: Mutex<Option<Thread>>,
    }

    impl Signal {
        pub fn clear(&self) {
            self.clear.store(true, Ordering::SeqCst);
            if let Some(driver) = self.waiting.lock().unwrap().take() {
                driver.unpark();
            }
        }

        fn pass(&self) {
            *self.waiting.lock().unwrap() = Some(thread::current());
            while !self.clear.load(Ordering::SeqCst) {
                thread::park();
            }
        }

        pub fn approach(self: &Arc<Self>) {
            let signal = Arc::clone(self);
            thread::spawn(move || signal.pass());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_signal_box() {
        let signal = Arc::new(super::stuck::Signal::default());
        signal.approach();
        thread::sleep(Duration::from_millis(10));
        signal.clear();
        thread::sleep(Duration::from_millis(10));
    }

    #[test]
    fn fixed_signal_box() {
        let signal = Arc::new(super::fixed::Signal::default());
        signal.approach();
        thread::sleep(Duration::from_millis(10));
        signal.clear();
        thread::sleep(Duration::from_millis(10));
    }
}
