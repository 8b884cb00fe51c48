//! After a class of bugs seen in services with a timer: a request waits on an unbuffered channel for a reader that has served its
//! last one, and a task that only waits for a timer is there as well.
//!
//! The counter serves once and two customers ask. The chime, which strikes later, has nothing to do with them.
//!
//! expect: channel-deadlock, also partial-deadlock; shown by: schedule

pub mod stuck {
    use crossbeam_channel::{Receiver, Sender, bounded};
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    pub struct Counter {
        asked: Sender<u32>,
        served: Receiver<u32>,
    }

    impl Counter {
        pub fn open() -> Arc<Self> {
            let (asked, served) = bounded(0);
            Arc::new(Counter { asked, served })
        }

        pub fn customer(self: &Arc<Self>, number: u32) {
            let counter = Arc::clone(self);
            thread::spawn(move || {
                counter.asked.send(number).unwrap(); // stuck here
            });
        }

        pub fn serve(&self) {
            println!("customer {}", self.served.recv().unwrap());
        }
    }

    pub fn chime() {
        thread::spawn(|| {
            thread::sleep(Duration::from_millis(400));
            println!("noon");
        });
    }
}

pub mod fixed {
    use crossbeam_channel::{Receiver, Sender, bounded};
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    pub struct Counter {
        asked: Sender<u32>,
        served: Receiver<u32>,
    }

    impl Counter {
        pub fn open() -> Arc<Self> {
            let (asked, served) = bounded(0);
            Arc::new(Counter { asked, served })
        }

        pub fn customer(self: &Arc<Self>, number: u32) {
            let counter = Arc::clone(self);
            thread::spawn(move || {
                counter.asked.send(number).unwrap();
            });
        }

        pub fn serve(&self, customers: u32) {
            for _ in 0..customers {
                println!("customer {}", self.served.recv().unwrap());
            }
        }
    }

    pub fn chime() {
        thread::spawn(|| {
            thread::sleep(Duration::from_millis(400));
            println!("noon");
        });
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn stuck_noon_counter() {
        use super::stuck::{Counter, chime};
        let counter = Counter::open();
        counter.customer(1);
        counter.customer(2);
        chime();
        counter.serve();
    }

    #[test]
    fn fixed_noon_counter() {
        use super::fixed::{Counter, chime};
        let counter = Counter::open();
        counter.customer(1);
        counter.customer(2);
        chime();
        counter.serve(2);
    }
}
