//! A count that goes down to nothing ends the wait of all, and one of them is notified.

use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use tokio::sync::Notify;

/// Horses that wait until all riders are there.
pub struct Gate {
    missing: Mutex<usize>,
    opened: Condvar,
}

impl Gate {
    pub fn arrive(&self) {
        let mut missing = self.missing.lock().unwrap();
        *missing -= 1;
        if *missing == 0 {
            self.opened.notify_one(); //~ lost-wakeup warning
        }
    }

    pub fn wait(&self) {
        let mut missing = self.missing.lock().unwrap();
        while *missing > 0 {
            missing = self.opened.wait(missing).unwrap();
        }
    }
}

pub fn run_race(gate: &Arc<Gate>, horses: usize) {
    for _ in 0..horses {
        let gate = Arc::clone(gate);
        thread::spawn(move || gate.wait());
    }
}

/// The same, where all are notified.
pub struct Door {
    missing: Mutex<usize>,
    opened: Condvar,
}

impl Door {
    pub fn arrive(&self) {
        let mut missing = self.missing.lock().unwrap();
        *missing -= 1;
        if *missing == 0 {
            self.opened.notify_all();
        }
    }

    pub fn wait(&self) {
        let mut missing = self.missing.lock().unwrap();
        while *missing > 0 {
            missing = self.opened.wait(missing).unwrap();
        }
    }
}

pub fn open_shop(door: &Arc<Door>, guests: usize) {
    for _ in 0..guests {
        let door = Arc::clone(door);
        thread::spawn(move || door.wait());
    }
}

/// Tasks wait for the count.
pub struct Launch {
    missing: Mutex<usize>,
    ready: Notify,
}

impl Launch {
    pub fn check_off(&self) {
        let mut missing = self.missing.lock().unwrap();
        *missing -= 1;
        if *missing == 0 {
            self.ready.notify_one(); //~ lost-wakeup warning
        }
    }

    pub async fn cleared(&self) {
        loop {
            let ready = self.ready.notified();
            if *self.missing.lock().unwrap() == 0 {
                return;
            }
            ready.await;
        }
    }
}

pub fn board(launch: &Arc<Launch>, crew: usize) {
    for _ in 0..crew {
        let launch = Arc::clone(launch);
        tokio::spawn(async move {
            launch.cleared().await;
        });
    }
}

/// Only one waits.
pub struct Landing {
    missing: Mutex<usize>,
    ready: Notify,
}

impl Landing {
    pub fn check_off(&self) {
        let mut missing = self.missing.lock().unwrap();
        *missing -= 1;
        if *missing == 0 {
            self.ready.notify_one();
        }
    }

    pub async fn cleared(&self) {
        loop {
            let ready = self.ready.notified();
            if *self.missing.lock().unwrap() == 0 {
                return;
            }
            ready.await;
        }
    }
}

pub fn land(landing: &Arc<Landing>) {
    let landing = Arc::clone(landing);
    tokio::spawn(async move {
        landing.cleared().await;
    });
}

/// Each passes the notification on to the next.
pub struct Relay {
    missing: Mutex<usize>,
    ready: Notify,
}

impl Relay {
    pub fn check_off(&self) {
        let mut missing = self.missing.lock().unwrap();
        *missing -= 1;
        if *missing == 0 {
            self.ready.notify_one();
        }
    }

    pub async fn cleared(&self) {
        loop {
            let ready = self.ready.notified();
            if *self.missing.lock().unwrap() == 0 {
                self.ready.notify_one();
                return;
            }
            ready.await;
        }
    }
}

pub fn relay(relay: &Arc<Relay>, crew: usize) {
    for _ in 0..crew {
        let relay = Arc::clone(relay);
        tokio::spawn(async move {
            relay.cleared().await;
        });
    }
}

/// A limit: whoever has waited counts up again.
pub struct Lanes {
    swimming: Mutex<usize>,
    left: Notify,
}

impl Lanes {
    pub fn leave(&self) {
        *self.swimming.lock().unwrap() -= 1;
        self.left.notify_one();
    }

    async fn wait_for_lane(&self) {
        loop {
            let left = self.left.notified();
            if *self.swimming.lock().unwrap() < 4 {
                return;
            }
            left.await;
        }
    }

    pub async fn enter(&self) {
        self.wait_for_lane().await;
        *self.swimming.lock().unwrap() += 1;
    }
}

pub fn swim(lanes: &Arc<Lanes>, swimmers: usize) {
    for _ in 0..swimmers {
        let lanes = Arc::clone(lanes);
        tokio::spawn(async move {
            lanes.enter().await;
        });
    }
}
