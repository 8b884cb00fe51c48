//! Guards that functions of the workspace return are followed to where they are used.

use std::sync::{Mutex, MutexGuard};

pub struct Pool {
    short: Mutex<u32>,
    long: Mutex<u64>,
    shared: Mutex<u8>,
}

async fn pause() {
    std::future::ready(()).await;
}

impl Pool {
    fn short(&self) -> MutexGuard<'_, u32> {
        self.short.lock().unwrap() //~ guard-across-await orphan
    }

    pub async fn add(&self) {
        *self.short() += 1;
        pause().await;
    }

    fn long(&self) -> MutexGuard<'_, u64> {
        self.long.lock().unwrap() //~ guard-across-await monitored
    }

    fn through(&self) -> MutexGuard<'_, u64> {
        self.long()
    }

    pub async fn held(&self) {
        let mut guard = self.through();
        pause().await;
        *guard += 1;
    }

    /// Others may call it.
    fn shared(&self) -> MutexGuard<'_, u8> {
        self.shared.lock().unwrap() //~ guard-across-await monitored
    }
}

pub struct Told(Mutex<u16>);

static TOLD: fn(&Told) -> MutexGuard<'_, u16> = Told::told;

impl Told {
    /// A static has it, too.
    fn told(&self) -> MutexGuard<'_, u16> {
        self.0.lock().unwrap() //~ guard-across-await monitored
    }

    pub async fn through_a_pointer(&self) {
        let guard = TOLD(self);
        pause().await;
        drop(guard);
    }
}

pub trait Counts {
    fn count(&self) -> u8;
}

impl Counts for Pool {
    fn count(&self) -> u8 {
        let of: fn(&Pool) -> MutexGuard<'_, u8> = Pool::shared;
        *of(self)
    }
}
