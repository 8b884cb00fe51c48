//! Guards that functions of the workspace return are followed to where they are used.

use std::sync::{Mutex, MutexGuard};

pub struct Slots(u32);
pub struct Log(u32);
pub struct Index(u32);
pub struct Names(u32);

/// A lock that does not tell of panics.
pub struct Quiet<T>(Mutex<T>);

pub struct Pool {
    slots: Mutex<Slots>,
    log: Mutex<Log>,
    index: Mutex<Index>,
    names: Mutex<Names>,
}

impl Pool {
    fn slots(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap() //~ lock-order ordered
    }

    pub fn count(&self) -> u32 {
        self.slots().0
    }

    pub fn add(&self) {
        let mut slots = self.slots();
        slots.0 += 1;
        self.log.lock().unwrap().0 += slots.0; //~ lock-order orphan
    }

    /// Anybody may be given this one.
    fn index(&self) -> MutexGuard<'_, Index> {
        self.index.lock().unwrap() //~ lock-order monitored
    }

    pub fn by_name(&self) -> u32 {
        std::iter::once(self).map(Pool::index).map(|it| it.0).sum()
    }

    fn names(&self) -> MutexGuard<'_, Names> {
        self.names.lock().unwrap() //~ lock-order monitored
    }

    /// One of its callers keeps it.
    pub fn kept(&self) -> Box<dyn std::any::Any + '_> {
        todo(self.names())
    }
}

fn todo(_: MutexGuard<'_, Names>) -> ! {
    loop {}
}
