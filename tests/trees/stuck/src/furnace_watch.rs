//! After ethereum/go-ethereum#95: closing the miner blocked on a send to its quit channel.
//!
//! The watch ends by itself when the furnace is cold. `shut_down` then hands a message to nobody, because the furnace
//! keeps the receiver for the next watch.
//!
//! expect: partial-deadlock, also channel-deadlock; shown by: run

pub mod stuck {
    use crossbeam_channel::{Receiver, Sender, bounded};
    use std::sync::Arc;
    use std::thread;

    pub struct Furnace {
        quit: (Sender<()>, Receiver<()>),
    }

    impl Furnace {
        pub fn install() -> Arc<Self> {
            Arc::new(Furnace { quit: bounded(0) })
        }

        pub fn watch(self: &Arc<Self>, mut degrees: u32) {
            let furnace = Arc::clone(self);
            thread::spawn(move || {
                while degrees > 20 && furnace.quit.1.try_recv().is_err() {
                    degrees -= 1;
                }
            });
        }

        pub fn shut_down(self: &Arc<Self>) {
            let furnace = Arc::clone(self);
            thread::spawn(move || furnace.quit.0.send(()).unwrap()); // stuck here
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    #[derive(Default)]
    pub struct Furnace {
        quit: AtomicBool,
    }

    impl Furnace {
        pub fn watch(self: &Arc<Self>, mut degrees: u32) {
            let furnace = Arc::clone(self);
            thread::spawn(move || {
                while degrees > 20 && !furnace.quit.load(Ordering::Acquire) {
                    degrees -= 1;
                }
            });
        }

        pub fn shut_down(&self) {
            self.quit.store(true, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_furnace_watch() {
        let furnace = super::stuck::Furnace::install();
        furnace.watch(60);
        thread::sleep(Duration::from_millis(10));
        furnace.shut_down();
        thread::sleep(Duration::from_millis(10));
    }

    #[test]
    fn fixed_furnace_watch() {
        let furnace = Arc::new(super::fixed::Furnace::default());
        furnace.watch(60);
        thread::sleep(Duration::from_millis(10));
        furnace.shut_down();
        thread::sleep(Duration::from_millis(10));
    }
}
