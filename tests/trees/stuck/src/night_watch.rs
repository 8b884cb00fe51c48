//! After feldera/feldera#4496: `thread::park` was used to wait for one event, and another `park` in the same thread had
//! consumed the token of that event.
//!
//! The watchman pauses by `park` between two rounds. Both calls that end the pause come during the first round and leave one
//! token, so the second pause never ends.
//!
//! expect: lost-wakeup, also partial-deadlock; shown by: run

pub mod stuck {
    use std::thread::{self, Thread};
    use std::time::Duration;

    pub struct Watchman {
        thread: Thread,
    }

    impl Watchman {
        pub fn hire(rounds: usize) -> Self {
            let hired = thread::spawn(move || {
                for round in 0..rounds {
                    thread::sleep(Duration::from_millis(10)); // walks the round
                    thread::park(); // stuck here
                    println!("round {round} is signed");
                }
            });
            Watchman { thread: hired.thread().clone() }
        }

        pub fn sign(&self) {
            self.thread.unpark();
        }
    }
}

pub mod fixed {
    use crossbeam_channel::{Sender, unbounded};
    use std::thread;
    use std::time::Duration;

    pub struct Watchman {
        signatures: Sender<()>,
    }

    impl Watchman {
        pub fn hire(rounds: usize) -> Self {
            let (signatures, signed) = unbounded();
            thread::spawn(move || {
                for round in 0..rounds {
                    thread::sleep(Duration::from_millis(10)); // walks the round
                    if signed.recv().is_err() {
                        return;
                    }
                    println!("round {round} is signed");
                }
            });
            Watchman { signatures }
        }

        pub fn sign(&self) {
            let _ = self.signatures.send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_night_watch() {
        let watchman = super::stuck::Watchman::hire(2);
        watchman.sign();
        watchman.sign();
        thread::sleep(Duration::from_millis(40));
    }

    #[test]
    fn fixed_night_watch() {
        let watchman = super::fixed::Watchman::hire(2);
        watchman.sign();
        watchman.sign();
        thread::sleep(Duration::from_millis(40));
    }
}
