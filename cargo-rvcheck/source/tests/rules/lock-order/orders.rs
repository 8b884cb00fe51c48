//! Orders of two locks of one object.

use std::sync::{Arc, Mutex, RwLock};

pub struct Bank {
    accounts: Mutex<Vec<u64>>,
    audit: parking_lot::Mutex<Vec<String>>,
}

impl Bank {
    pub fn transfer(&self) {
        let mut accounts = self.accounts.lock().unwrap();
        accounts[0] -= 1;
        self.audit.lock().push("moved".to_owned());
    }

    pub fn report(&self) -> usize {
        let audit = self.audit.lock();
        audit.len() + self.accounts.lock().unwrap().len() //~ lock-order warning
    }
}

pub struct Ordered {
    first: Mutex<u32>,
    second: Mutex<u32>,
}

impl Ordered {
    pub fn one(&self) -> u32 {
        let first = self.first.lock().unwrap();
        *first + *self.second.lock().unwrap()
    }

    pub fn other(&self) -> u32 {
        let first = self.first.lock().unwrap();
        *first + *self.second.lock().unwrap()
    }

    pub fn alone(&self) -> u32 {
        let second = *self.second.lock().unwrap();
        second + *self.first.lock().unwrap()
    }
}

pub struct Gated {
    gate: Mutex<()>,
    left: Mutex<u32>,
    right: Mutex<u32>,
}

impl Gated {
    pub fn one(&self) -> u32 {
        let _gate = self.gate.lock().unwrap();
        let left = self.left.lock().unwrap();
        *left + *self.right.lock().unwrap()
    }

    pub fn other(&self) -> u32 {
        let _gate = self.gate.lock().unwrap();
        let right = self.right.lock().unwrap();
        *right + *self.left.lock().unwrap()
    }
}

pub struct Tried {
    left: parking_lot::Mutex<u32>,
    right: parking_lot::Mutex<u32>,
}

impl Tried {
    pub fn one(&self) -> u32 {
        let left = self.left.lock();
        *left + *self.right.lock()
    }

    pub fn other(&self) -> u32 {
        let right = self.right.lock();
        *right + self.left.try_lock().map_or(0, |it| *it)
    }
}

pub struct Readers {
    left: RwLock<u32>,
    right: RwLock<u32>,
}

impl Readers {
    pub fn one(&self) -> u32 {
        let left = self.left.read().unwrap();
        *left + *self.right.read().unwrap()
    }

    pub fn other(&self) -> u32 {
        let right = self.right.read().unwrap();
        *right + *self.left.read().unwrap()
    }
}

pub struct Through {
    state: Mutex<u32>,
    waiting: Mutex<Vec<u32>>,
}

impl Through {
    fn wake(&self) {
        self.waiting.lock().unwrap().pop();
    }

    pub fn set(&self) {
        let mut state = self.state.lock().unwrap();
        *state += 1;
        self.wake();
    }

    fn ready(&self) -> bool {
        *self.state.lock().unwrap() > 0 //~ lock-order
    }

    pub fn wait(&self) {
        let mut waiting = self.waiting.lock().unwrap();
        if !self.ready() {
            waiting.push(1);
        }
    }
}

pub struct Exclusive {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

impl Exclusive {
    pub fn shared(&self) -> u32 {
        let left = self.left.lock().unwrap();
        *left + *self.right.lock().unwrap()
    }

    pub fn alone(&mut self) -> u32 {
        let right = self.right.lock().unwrap();
        *right + *self.left.lock().unwrap()
    }
}

pub struct Mixed {
    sessions: tokio::sync::Mutex<Vec<u32>>,
    stats: Mutex<u32>,
}

impl Mixed {
    pub async fn login(&self) {
        let mut sessions = self.sessions.lock().await;
        sessions.push(1);
        *self.stats.lock().unwrap() += 1;
    }

    pub fn export(&self) -> usize {
        let stats = self.stats.lock().unwrap();
        *stats as usize + self.sessions.blocking_lock().len() //~ lock-order
    }
}

pub struct Peer {
    state: Mutex<u32>,
    other: Option<Arc<Peer>>,
}

impl Peer {
    pub fn meet(&self) -> u32 {
        let state = self.state.lock().unwrap();
        *state + self.other.as_ref().map_or(0, |it| *it.state.lock().unwrap())
    }
}

static LEFT: Mutex<u32> = Mutex::new(0);
static RIGHT: Mutex<u32> = Mutex::new(0);

pub fn statics() -> u32 {
    let left = LEFT.lock().unwrap();
    *left + *RIGHT.lock().unwrap()
}

pub fn statics_in_the_other_order() -> u32 {
    let right = RIGHT.lock().unwrap();
    *right + *LEFT.lock().unwrap() //~ lock-order
}

pub struct Ring {
    a: Mutex<u32>,
    b: Mutex<u32>,
    c: Mutex<u32>,
}

impl Ring {
    pub fn ab(&self) -> u32 {
        let a = self.a.lock().unwrap();
        *a + *self.b.lock().unwrap()
    }

    pub fn bc(&self) -> u32 {
        let b = self.b.lock().unwrap();
        *b + *self.c.lock().unwrap()
    }

    pub fn ca(&self) -> u32 {
        let c = self.c.lock().unwrap();
        *c + *self.a.lock().unwrap() //~ lock-order
    }
}
