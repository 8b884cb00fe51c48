//! After softprops/waitout#2: the counter notified one waiter when it reached zero, and every other waiter stayed.
//!
//! Three visitors wait for the gate; opening it wakes one of them.
//!
//! expect: lost-wakeup, also partial-deadlock; shown by: run

pub mod stuck {
    use parking_lot::{Condvar, Mutex};
    use std::sync::Arc;
    use std::thread;

    #[derive(Default)]
    pub struct Gate {
        open: Mutex<bool>,
        opened: Condvar,
    }

    impl Gate {
        pub fn open(&self) {
            *self.open.lock() = true;
            self.opened.notify_one();
        }

        pub fn pass(&self) {
            let mut open = self.open.lock();
            while !*open {
                self.opened.wait(&mut open); // stuck here
            }
        }

        pub fn admit(self: &Arc<Self>, visitors: usize) {
            for _ in 0..visitors {
                let gate = Arc::clone(self);
                thread::spawn(move || gate.pass());
            }
        }
    }
}

pub mod fixed {
    use parking_lot::{Condvar, Mutex};
    use std::sync::Arc;
    use std::thread;

    #[derive(Default)]
    pub struct Gate {
        open: Mutex<bool>,
        opened: Condvar,
    }

    impl Gate {
        pub fn open(&self) {
            *self.open.lock() = true;
            self.opened.notify_all();
        }

        pub fn pass(&self) {
            let mut open = self.open.lock();
            while !*open {
                self.opened.wait(&mut open);
            }
        }

        pub fn admit(self: &Arc<Self>, visitors: usize) {
            for _ in 0..visitors {
                let gate = Arc::clone(self);
                thread::spawn(move || gate.pass());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_gate_opening() {
        let gate = Arc::new(super::stuck::Gate::default());
        gate.admit(3);
        thread::sleep(Duration::from_millis(20));
        gate.open();
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_gate_opening() {
        let gate = Arc::new(super::fixed::Gate::default());
        gate.admit(3);
        thread::sleep(Duration::from_millis(20));
        gate.open();
        thread::sleep(Duration::from_millis(20));
    }
}
