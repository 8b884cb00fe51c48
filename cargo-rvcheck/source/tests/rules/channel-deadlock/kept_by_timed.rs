//! Loops around receives that wait for a while, and that only the end of all senders ends.

use crossbeam_channel as crossing;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

pub enum Sack {
    Grain(u32),
    Again,
}

/// A mill that pours what is left into its own hopper.
pub struct Mill {
    hopper: mpsc::Sender<Sack>,
    stone: JoinHandle<u32>,
}

impl Mill {
    pub fn start() -> Mill {
        let (hopper, sacks) = mpsc::channel();
        let own = hopper.clone();
        let stone = thread::spawn(move || {
            let mut ground = 0;
            loop {
                match sacks.recv_timeout(Duration::from_millis(20)) { //~ channel-deadlock warning
                    Ok(Sack::Grain(it)) => {
                        ground += it;
                        if it == 7 {
                            own.send(Sack::Again).unwrap();
                        }
                    }
                    Ok(Sack::Again) => ground += 1,
                    Err(mpsc::RecvTimeoutError::Timeout) => continue,
                    Err(mpsc::RecvTimeoutError::Disconnected) => return ground,
                }
            }
        });
        Mill { hopper, stone }
    }

    pub fn stop(self) -> u32 {
        drop(self.hopper);
        self.stone.join().unwrap()
    }
}

/// A mill that looks whether to stop when nothing comes.
pub struct Windmill {
    hopper: mpsc::Sender<u32>,
    is_over: Arc<AtomicBool>,
    stone: JoinHandle<u32>,
}

impl Windmill {
    pub fn start() -> Windmill {
        let (hopper, sacks) = mpsc::channel::<u32>();
        let is_over = Arc::new(AtomicBool::new(false));
        let (own, over) = (hopper.clone(), is_over.clone());
        let stone = thread::spawn(move || {
            let mut ground = 0;
            loop {
                match sacks.recv_timeout(Duration::from_millis(20)) {
                    Ok(it) => {
                        ground += it;
                        if it == 7 {
                            own.send(3).unwrap();
                        }
                    }
                    Err(mpsc::RecvTimeoutError::Timeout) => {
                        if over.load(Ordering::Relaxed) {
                            return ground;
                        }
                    }
                    Err(mpsc::RecvTimeoutError::Disconnected) => return ground,
                }
            }
        });
        Windmill { hopper, is_over, stone }
    }

    pub fn stop(self) -> u32 {
        self.is_over.store(true, Ordering::Relaxed);
        drop(self.hopper);
        self.stone.join().unwrap()
    }
}

pub fn sifts(rounds: u32) -> (crossing::Sender<u32>, JoinHandle<u32>) {
    let (coarse, sieve) = crossing::unbounded::<u32>();
    let again = coarse.clone();
    let sifting = thread::spawn(move || {
        let mut fine = 0;
        loop {
            match sieve.recv_timeout(Duration::from_secs(1)) { //~ channel-deadlock warning
                Ok(it) if it > rounds => again.send(it / 2).unwrap(),
                Ok(it) => fine += it,
                Err(crossing::RecvTimeoutError::Timeout) => {}
                Err(crossing::RecvTimeoutError::Disconnected) => break,
            }
        }
        fine
    });
    (coarse, sifting)
}

/// Whoever waits long enough has had all.
pub fn sifts_for_a_while(rounds: u32) -> (crossing::Sender<u32>, JoinHandle<u32>) {
    let (coarse, sieve) = crossing::unbounded::<u32>();
    let again = coarse.clone();
    let sifting = thread::spawn(move || {
        let mut fine = 0;
        while let Ok(it) = sieve.recv_timeout(Duration::from_secs(1)) {
            if it > rounds {
                again.send(it / 2).unwrap();
            } else {
                fine += it;
            }
        }
        fine
    });
    (coarse, sifting)
}
