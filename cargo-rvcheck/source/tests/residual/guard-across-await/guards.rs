//! Guards that are gone before an await, and guards that nobody can be sure of.

use std::sync::{Mutex, MutexGuard};

async fn other() {
    tokio::task::yield_now().await;
}

pub struct Desk {
    state: Mutex<Vec<u32>>,
    fast: parking_lot::Mutex<u32>,
}

static mut KEPT: Option<MutexGuard<'static, u32>> = None;

impl Desk {
    pub async fn before(&self) -> usize {
        let count = self.state.lock().unwrap().len(); //~ guard-across-await orphan
        other().await;
        count
    }

    pub async fn dropped(&self) {
        let mut state = self.state.lock().unwrap(); //~ guard-across-await orphan
        state.push(1);
        drop(state);
        other().await;
    }

    pub async fn held(&self) {
        let mut state = self.state.lock().unwrap(); //~ guard-across-await monitored
        other().await;
        state.push(1);
    }

    pub async fn held_on_one_way(&self, early: bool) {
        let state = self.fast.lock(); //~ guard-across-await monitored
        if early {
            drop(state);
        }
        other().await;
    }

    pub async fn held_unless_left_early(&self, stop: &std::sync::atomic::AtomicBool) {
        let _state = self.fast.lock(); //~ guard-across-await monitored
        if stop.load(std::sync::atomic::Ordering::SeqCst) {
            return;
        }
        other().await;
    }

    pub fn in_no_task(&self) -> u32 {
        *self.fast.lock() //~ guard-across-await orphan
    }

    pub fn returned(&self) -> MutexGuard<'_, Vec<u32>> {
        self.state.lock().unwrap() //~ guard-across-await monitored
    }

    pub fn forgotten(&self) {
        std::mem::forget(self.fast.lock()); //~ guard-across-await monitored
    }

    pub fn boxed(&self) -> usize {
        let boxed = Box::new(self.fast.lock()); //~ guard-across-await monitored
        **boxed as usize
    }

    pub fn pushed<'a>(&'a self, all: &mut Vec<MutexGuard<'a, Vec<u32>>>) {
        all.push(self.state.lock().unwrap()); //~ guard-across-await monitored
    }

    pub fn stored<'a>(&'a self, slot: &mut Option<MutexGuard<'a, Vec<u32>>>) {
        *slot = Some(self.state.lock().unwrap()); //~ guard-across-await monitored
    }

    pub fn mapped(&self) -> u32 {
        *parking_lot::MutexGuard::map(self.fast.lock(), |it| it) //~ guard-across-await orphan
    }
}

pub fn kept_for_ever(lock: &'static Mutex<u32>) {
    let guard = lock.lock().unwrap(); //~ guard-across-await monitored
    unsafe { KEPT = Some(guard) };
}

pub fn moved_into_a_future(lock: &Mutex<u32>) -> impl Future<Output = u32> {
    let guard = lock.lock().unwrap(); //~ guard-across-await monitored
    async move {
        other().await;
        *guard
    }
}
