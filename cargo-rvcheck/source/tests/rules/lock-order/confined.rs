//! Locks of values that no two threads can refer to at the same time, since their type is not `Sync`.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};

/// Whoever moves something to another thread moves all of it.
pub struct Ledger {
    open: Mutex<Vec<u64>>,
    done: Mutex<Vec<u64>>,
    turns: Cell<u32>,
}

impl Ledger {
    pub fn close(&self) {
        let mut open = self.open.lock().unwrap();
        self.done.lock().unwrap().append(&mut open);
        self.turns.set(self.turns.get() + 1);
    }

    pub fn reopen(&self) {
        let mut done = self.done.lock().unwrap();
        self.open.lock().unwrap().append(&mut done);
    }

    pub fn take_from(&self, other: &Ledger) {
        let mut own = self.open.lock().unwrap();
        own.append(&mut other.open.lock().unwrap());
    }
}

/// The same by a mark, and by what a part of it has.
pub struct OfOneThread(PhantomData<*const ()>);

pub struct Desk {
    left: RwLock<u32>,
    right: parking_lot::Mutex<u32>,
    here: OfOneThread,
}

impl Desk {
    pub fn one(&self) -> u32 {
        let left = self.left.write().unwrap();
        *left + *self.right.lock()
    }

    pub fn other(&self) -> u32 {
        let right = self.right.lock();
        *right + *self.left.write().unwrap()
    }
}

/// What is counted without atomics stays in its thread, a lock around it or not.
pub struct Tree {
    leaves: Mutex<Vec<Rc<u32>>>,
    roots: Mutex<Vec<u32>>,
}

impl Tree {
    pub fn one(&self) -> usize {
        let leaves = self.leaves.lock().unwrap();
        leaves.len() + self.roots.lock().unwrap().len()
    }

    pub fn other(&self) -> usize {
        let roots = self.roots.lock().unwrap();
        roots.len() + self.leaves.lock().unwrap().len()
    }
}

/// The locks are behind handles that another thread may have, too.
#[derive(Clone)]
pub struct Shared {
    left: Arc<Mutex<u32>>,
    right: Arc<Mutex<u32>>,
    calls: Cell<u32>,
}

impl Shared {
    pub fn one(&self) -> u32 {
        let left = self.left.lock().unwrap();
        self.calls.set(1);
        *left + *self.right.lock().unwrap()
    }

    pub fn other(&self) -> u32 {
        let right = self.right.lock().unwrap();
        *right + *self.left.lock().unwrap() //~ lock-order warning
    }
}

/// A lock makes what is in it fit for several threads.
pub struct Locked {
    left: Mutex<RefCell<u32>>,
    right: Mutex<u32>,
}

impl Locked {
    pub fn one(&self) -> u32 {
        let left = self.left.lock().unwrap();
        *left.borrow() + *self.right.lock().unwrap()
    }

    pub fn other(&self) -> u32 {
        let right = self.right.lock().unwrap();
        *right + *self.left.lock().unwrap().borrow() //~ lock-order warning
    }
}

/// Its author says that threads may share it.
pub struct Claimed {
    left: Mutex<u32>,
    right: Mutex<u32>,
    raw: *mut u32,
}

unsafe impl Sync for Claimed {}

impl Claimed {
    pub fn one(&self) -> u32 {
        let left = self.left.lock().unwrap();
        *left + *self.right.lock().unwrap() + self.raw as u32
    }

    pub fn other(&self) -> u32 {
        let right = self.right.lock().unwrap();
        *right + *self.left.lock().unwrap() //~ lock-order warning
    }
}

/// Tasks of one thread meet at locks that they await.
pub struct Awaited {
    left: tokio::sync::Mutex<u32>,
    right: tokio::sync::Mutex<u32>,
    calls: Cell<u32>,
}

impl Awaited {
    pub async fn one(&self) -> u32 {
        let left = self.left.lock().await;
        self.calls.set(1);
        *left + *self.right.lock().await
    }

    pub async fn other(&self) -> u32 {
        let right = self.right.lock().await;
        *right + *self.left.lock().await //~ lock-order warning
    }
}
