//! After a class of bugs seen in Java code that calls `notify` and `wait` without a flag: the notification comes while
//! the other thread still prepares, and nothing remembers it.
//!
//! The ferry docks at once; the car first buys its ticket and then waits for a notification that has been given.
//!
//! expect: lost-wakeup; shown by: run

pub mod stuck {
    use std::sync::{Arc, Condvar, Mutex};
    use std::thread;
    use std::time::Duration;

    #[derive(Default)]
    pub struct Pier {
        tickets: Mutex<u32>,
        docked: Condvar,
    }

    impl Pier {
        pub fn dock(&self) {
            self.docked.notify_all();
        }

        pub fn queue_car(self: &Arc<Self>) {
            let pier = Arc::clone(self);
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(10)); // the ticket machine is slow
                let mut tickets = pier.tickets.lock().unwrap();
                *tickets += 1;
                let tickets = pier.docked.wait(tickets).unwrap(); // stuck here
                println!("{} cars have boarded", *tickets);
            });
        }
    }
}

pub mod fixed {
    use std::sync::{Arc, Condvar, Mutex};
    use std::thread;
    use std::time::Duration;

    #[derive(Default)]
    pub struct Pier {
        /// Tickets sold, and whether the ferry is here.
        state: Mutex<(u32, bool)>,
        docked: Condvar,
    }

    impl Pier {
        pub fn dock(&self) {
            self.state.lock().unwrap().1 = true;
            self.docked.notify_all();
        }

        pub fn queue_car(self: &Arc<Self>) {
            let pier = Arc::clone(self);
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(10)); // the ticket machine is slow
                let mut state = pier.state.lock().unwrap();
                state.0 += 1;
                let state = pier.docked.wait_while(state, |state| !state.1).unwrap();
                println!("{} cars have boarded", state.0);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_ferry_boarding() {
        let pier = Arc::new(super::stuck::Pier::default());
        pier.queue_car();
        pier.dock();
        thread::sleep(Duration::from_millis(30));
    }

    #[test]
    fn fixed_ferry_boarding() {
        let pier = Arc::new(super::fixed::Pier::default());
        pier.queue_car();
        pier.dock();
        thread::sleep(Duration::from_millis(30));
    }
}
