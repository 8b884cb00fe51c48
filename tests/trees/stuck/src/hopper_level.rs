//! After a class of bugs seen in blocking queues: consumers are notified only when the queue was empty, and two items
//! come before the first consumer has run.
//!
//! Two millers wait for grain. A second sack that falls on the first one wakes nobody, and one miller sleeps beside it.
//!
//! expect: lost-wakeup, also partial-deadlock; shown by: schedule

pub mod stuck {
    use std::collections::VecDeque;
    use std::sync::{Arc, Condvar, Mutex};
    use std::thread;
    use std::time::Duration;

    #[derive(Default)]
    pub struct Hopper {
        sacks: Mutex<VecDeque<u32>>,
        filled: Condvar,
    }

    impl Hopper {
        fn fill(&self, sack: u32) {
            let mut sacks = self.sacks.lock().unwrap();
            sacks.push_back(sack);
            if sacks.len() == 1 {
                self.filled.notify_one();
            }
        }

        fn take(&self) -> u32 {
            let mut sacks = self.sacks.lock().unwrap();
            loop {
                match sacks.pop_front() {
                    Some(sack) => return sack,
                    None => sacks = self.filled.wait(sacks).unwrap(), // stuck here
                }
            }
        }

        pub fn mill(self: &Arc<Self>) {
            for _ in 0..2 {
                let hopper = Arc::clone(self);
                thread::spawn(move || println!("milled {}", hopper.take()));
            }
        }

        pub fn deliver(&self, sacks: [u32; 2]) {
            for sack in sacks {
                thread::sleep(Duration::from_millis(10)); // weighs it
                self.fill(sack);
            }
        }
    }
}

pub mod fixed {
    use std::collections::VecDeque;
    use std::sync::{Arc, Condvar, Mutex};
    use std::thread;
    use std::time::Duration;

    #[derive(Default)]
    pub struct Hopper {
        sacks: Mutex<VecDeque<u32>>,
        filled: Condvar,
    }

    impl Hopper {
        fn fill(&self, sack: u32) {
            self.sacks.lock().unwrap().push_back(sack);
            self.filled.notify_one();
        }

        fn take(&self) -> u32 {
            let mut sacks = self.sacks.lock().unwrap();
            loop {
                match sacks.pop_front() {
                    Some(sack) => return sack,
                    None => sacks = self.filled.wait(sacks).unwrap(),
                }
            }
        }

        pub fn mill(self: &Arc<Self>) {
            for _ in 0..2 {
                let hopper = Arc::clone(self);
                thread::spawn(move || println!("milled {}", hopper.take()));
            }
        }

        pub fn deliver(&self, sacks: [u32; 2]) {
            for sack in sacks {
                thread::sleep(Duration::from_millis(10)); // weighs it
                self.fill(sack);
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
    fn stuck_hopper_level() {
        let hopper = Arc::new(super::stuck::Hopper::default());
        hopper.mill();
        hopper.deliver([20, 25]);
        thread::sleep(Duration::from_millis(10));
    }

    #[test]
    fn fixed_hopper_level() {
        let hopper = Arc::new(super::fixed::Hopper::default());
        hopper.mill();
        hopper.deliver([20, 25]);
        thread::sleep(Duration::from_millis(10));
    }
}
