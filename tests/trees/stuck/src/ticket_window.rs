//! After tokio-rs/tokio#2134: `notify_one` was called without the mutex under which the waiter checks and begins to
//! wait, and the notification was lost.
//!
//! The flag is an atomic, so `open` needs no lock to set it. When it comes between the check and the wait, the customer
//! sleeps forever.
//!
//! expect: lost-wakeup; shown by: schedule

pub mod stuck {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Condvar, Mutex};
    use std::thread;

    #[derive(Default)]
    pub struct Window {
        open: AtomicBool,
        queue: Mutex<u32>,
        opened: Condvar,
    }

    impl Window {
        pub fn open(&self) {
            self.open.store(true, Ordering::SeqCst);
            self.opened.notify_all();
        }

        fn buy(&self) -> u32 {
            let mut queue = self.queue.lock().unwrap();
            while !self.open.load(Ordering::SeqCst) {
                queue = self.opened.wait(queue).unwrap(); // stuck here
            }
            *queue += 1;
            *queue
        }

        pub fn customer(self: &Arc<Self>) {
            let window = Arc::clone(self);
            thread::spawn(move || println!("ticket {}", window.buy()));
        }
    }
}

pub mod fixed {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Condvar, Mutex};
    use std::thread;

    #[derive(Default)]
    pub struct Window {
        open: AtomicBool,
        queue: Mutex<u32>,
        opened: Condvar,
    }

    impl Window {
        pub fn open(&self) {
            let _queue = self.queue.lock().unwrap();
            self.open.store(true, Ordering::SeqCst);
            self.opened.notify_all();
        }

        fn buy(&self) -> u32 {
            let mut queue = self.queue.lock().unwrap();
            while !self.open.load(Ordering::SeqCst) {
                queue = self.opened.wait(queue).unwrap();
            }
            *queue += 1;
            *queue
        }

        pub fn customer(self: &Arc<Self>) {
            let window = Arc::clone(self);
            thread::spawn(move || println!("ticket {}", window.buy()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_ticket_window() {
        let window = Arc::new(super::stuck::Window::default());
        window.customer();
        thread::sleep(Duration::from_millis(10));
        window.open();
        thread::sleep(Duration::from_millis(10));
    }

    #[test]
    fn fixed_ticket_window() {
        let window = Arc::new(super::fixed::Window::default());
        window.customer();
        thread::sleep(Duration::from_millis(10));
        window.open();
        thread::sleep(Duration::from_millis(10));
    }
}
