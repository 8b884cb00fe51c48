//! After CppMicroServices/CppMicroServices#210: at shutdown the framework joined the threads of its bundles while it
//! held the lock of its list of threads, and a bundle that stopped needed that lock.
//!
//! `close` joins each clerk under the roster's lock, and every clerk signs out of the roster at the end.
//!
//! expect: partial-deadlock, also lock-order, also channel-deadlock; shown by: run

pub mod stuck {
    use parking_lot::Mutex;
    use std::sync::Arc;
    use std::thread::{self, JoinHandle};
    use std::time::Duration;

    #[derive(Default)]
    pub struct Roster {
        clerks: Mutex<Vec<(u32, Option<JoinHandle<()>>)>>,
    }

    impl Roster {
        pub fn sign_in(self: &Arc<Self>, number: u32) {
            let roster = Arc::clone(self);
            let clerk = thread::spawn(move || {
                thread::sleep(Duration::from_millis(10)); // works
                roster.clerks.lock().retain(|(other, _)| *other != number); // stuck here
            });
            self.clerks.lock().push((number, Some(clerk)));
        }

        fn close(&self) {
            for (number, clerk) in self.clerks.lock().iter_mut() {
                if let Some(clerk) = clerk.take() {
                    clerk.join().unwrap(); // stuck here
                    println!("{number} went home");
                }
            }
        }

        pub fn close_later(self: &Arc<Self>) {
            let roster = Arc::clone(self);
            thread::spawn(move || roster.close());
        }
    }
}

pub mod fixed {
    use parking_lot::Mutex;
    use std::sync::Arc;
    use std::thread::{self, JoinHandle};
    use std::time::Duration;

    #[derive(Default)]
    pub struct Roster {
        clerks: Mutex<Vec<(u32, Option<JoinHandle<()>>)>>,
    }

    impl Roster {
        pub fn sign_in(self: &Arc<Self>, number: u32) {
            let roster = Arc::clone(self);
            let clerk = thread::spawn(move || {
                thread::sleep(Duration::from_millis(10)); // works
                roster.clerks.lock().retain(|(other, _)| *other != number);
            });
            self.clerks.lock().push((number, Some(clerk)));
        }

        fn close(&self) {
            let clerks = std::mem::take(&mut *self.clerks.lock());
            for (number, clerk) in clerks {
                if let Some(clerk) = clerk {
                    clerk.join().unwrap();
                    println!("{number} went home");
                }
            }
        }

        pub fn close_later(self: &Arc<Self>) {
            let roster = Arc::clone(self);
            thread::spawn(move || roster.close());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_shift_roster() {
        let roster = Arc::new(super::stuck::Roster::default());
        roster.sign_in(4);
        roster.close_later();
        thread::sleep(Duration::from_millis(40));
    }

    #[test]
    fn fixed_shift_roster() {
        let roster = Arc::new(super::fixed::Roster::default());
        roster.sign_in(4);
        roster.close_later();
        thread::sleep(Duration::from_millis(40));
    }
}
