//! `tokio::sync`.
//!
//! Each group of types can be left out by a cfg, where it does not fit into a program: then the glob gives the real ones.

pub use real::sync::*;

#[cfg(not(rv_no_barrier))]
mod barrier;
#[cfg(not(rv_no_broadcast))]
pub mod broadcast;
mod channel;
#[cfg(any(all(rv_tokio_1_5, not(rv_no_rwlock)), not(rv_no_mutex)))]
mod erased;
#[cfg(not(rv_no_mpsc))]
pub mod mpsc;
#[cfg(not(rv_no_mutex))]
mod mutex;
#[cfg(not(rv_no_notify))]
mod notify;
#[cfg(all(rv_tokio_1_5, not(rv_no_once)))]
mod once_cell;
#[cfg(not(rv_no_oneshot))]
pub mod oneshot;
#[cfg(not(rv_no_rwlock))]
mod rwlock;
#[cfg(not(rv_no_semaphore))]
mod semaphore;
#[cfg(all(rv_tokio_1_47, not(rv_no_once)))]
mod set_once;
#[cfg(not(rv_no_watch))]
pub mod watch;

#[cfg(not(rv_no_barrier))]
pub use barrier::Barrier;
#[cfg(all(rv_tokio_1_6, not(rv_no_mutex)))]
pub use mutex::MappedMutexGuard;
#[cfg(all(rv_tokio_1_26, not(rv_no_mutex)))]
pub use mutex::OwnedMappedMutexGuard;
#[cfg(not(rv_no_mutex))]
pub use mutex::{Mutex, MutexGuard, OwnedMutexGuard};
#[cfg(not(rv_no_notify))]
pub use notify::Notify;
#[cfg(all(rv_tokio_1_5, not(rv_no_once)))]
pub use once_cell::OnceCell;
#[cfg(all(rv_tokio_1_3, not(rv_no_rwlock)))]
pub use rwlock::RwLockMappedWriteGuard;
#[cfg(all(rv_tokio_1_5, not(rv_no_rwlock)))]
pub use rwlock::{OwnedRwLockMappedWriteGuard, OwnedRwLockReadGuard, OwnedRwLockWriteGuard};
#[cfg(not(rv_no_rwlock))]
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
#[cfg(not(rv_no_semaphore))]
pub use semaphore::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
#[cfg(all(rv_tokio_1_47, not(rv_no_once)))]
pub use set_once::SetOnce;

/// Named future types.
#[cfg(all(rv_tokio_1_7, not(rv_no_notify)))]
pub mod futures {
    pub use real::sync::futures::*;

    pub use super::notify::Notified;
    #[cfg(rv_tokio_1_47)]
    pub use super::notify::OwnedNotified;
}
