//! After a class of bugs seen in Java code with one monitor for several conditions: `notify` wakes a thread that waits
//! for something else, and that thread goes back to sleep.
//!
//! The kiln tells one potter that plates are ready, and wakes the one who came first and waits for cups. The cups wake
//! the other one later.
//!
//! expect: lost-wakeup, also partial-deadlock; shown by: run

pub mod stuck {
    use parking_lot::{Condvar, Mutex};
    use std::sync::Arc;
    use std::thread;

    #[derive(Clone, Copy, PartialEq)]
    pub enum Ware {
        Cup,
        Plate,
    }

    #[derive(Default)]
    pub struct Kiln {
        ready: Mutex<Vec<Ware>>,
        changed: Condvar,
    }

    impl Kiln {
        pub fn unload(&self, ware: Ware) {
            self.ready.lock().push(ware);
            self.changed.notify_one();
        }

        fn take(&self, ware: Ware) {
            let mut ready = self.ready.lock();
            loop {
                if let Some(at) = ready.iter().position(|other| *other == ware) {
                    ready.remove(at);
                    return;
                }
                self.changed.wait(&mut ready); // stuck here
            }
        }

        pub fn collect(self: &Arc<Self>, ware: Ware) {
            let kiln = Arc::clone(self);
            thread::spawn(move || kiln.take(ware));
        }
    }
}

pub mod fixed {
    use parking_lot::{Condvar, Mutex};
    use std::sync::Arc;
    use std::thread;

    #[derive(Clone, Copy, PartialEq)]
    pub enum Ware {
        Cup,
        Plate,
    }

    #[derive(Default)]
    pub struct Kiln {
        ready: Mutex<Vec<Ware>>,
        changed: Condvar,
    }

    impl Kiln {
        pub fn unload(&self, ware: Ware) {
            self.ready.lock().push(ware);
            self.changed.notify_all();
        }

        fn take(&self, ware: Ware) {
            let mut ready = self.ready.lock();
            loop {
                if let Some(at) = ready.iter().position(|other| *other == ware) {
                    ready.remove(at);
                    return;
                }
                self.changed.wait(&mut ready);
            }
        }

        pub fn collect(self: &Arc<Self>, ware: Ware) {
            let kiln = Arc::clone(self);
            thread::spawn(move || kiln.take(ware));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_kiln_batches() {
        use super::stuck::{Kiln, Ware};
        let kiln = Arc::new(Kiln::default());
        for ware in [Ware::Cup, Ware::Plate] {
            kiln.collect(ware);
            thread::sleep(Duration::from_millis(10));
        }
        for ware in [Ware::Plate, Ware::Cup] {
            kiln.unload(ware);
            thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn fixed_kiln_batches() {
        use super::fixed::{Kiln, Ware};
        let kiln = Arc::new(Kiln::default());
        for ware in [Ware::Cup, Ware::Plate] {
            kiln.collect(ware);
            thread::sleep(Duration::from_millis(10));
        }
        for ware in [Ware::Plate, Ware::Cup] {
            kiln.unload(ware);
            thread::sleep(Duration::from_millis(10));
        }
    }
}
