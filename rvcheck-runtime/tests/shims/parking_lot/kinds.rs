//! Locks of each kind, taken one after the other.

// Raw locks whose guards may be sent.
#[cfg_attr(not(rv_lock_api_0_5), path = "traits/marked.rs")]
#[cfg_attr(rv_lock_api_0_5, path = "traits/stateful.rs")]
#[allow(dead_code)]
mod raw;

use parking_lot::{Mutex, ReentrantMutex, RwLock};

fn main() {
    drop(Mutex::new(1).lock());
    drop(RwLock::new(1).write());
    drop(ReentrantMutex::new(1).lock());
    drop(lock_api::Mutex::<raw::Sent, _>::new(1).lock());
    drop(lock_api::RwLock::<raw::SentRw, _>::new(1).read());
    #[cfg(rv_parking_lot_0_13)]
    drop(parking_lot::RecursiveRwLock::new(1).read());
}
