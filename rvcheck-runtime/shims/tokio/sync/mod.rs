//! `tokio::sync`.

pub use real::sync::*;

mod barrier;
pub mod broadcast;
mod channel;
mod erased;
mod guards;
pub mod mpsc;
mod mutex;
mod notify;
mod once_cell;
pub mod oneshot;
mod rwlock;
mod semaphore;
#[cfg(rv_tokio_1_47)]
mod set_once;
pub mod watch;

pub use barrier::Barrier;
pub use mutex::{MappedMutexGuard, Mutex, MutexGuard, OwnedMappedMutexGuard, OwnedMutexGuard};
pub use notify::Notify;
pub use once_cell::OnceCell;
pub use rwlock::{
    OwnedRwLockMappedWriteGuard, OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock, RwLockMappedWriteGuard,
    RwLockReadGuard, RwLockWriteGuard,
};
pub use semaphore::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
#[cfg(rv_tokio_1_47)]
pub use set_once::SetOnce;

/// Named future types.
pub mod futures {
    pub use real::sync::futures::*;

    pub use super::notify::Notified;
    #[cfg(rv_tokio_1_47)]
    pub use super::notify::OwnedNotified;
}
