//! Which guards may be sent to other threads and shared between them. Since 0.5, what they are made of says so.

use real::RawMutex;

#[cfg(feature = "arc_lock")]
use super::ArcMutexGuard;
use super::{MappedMutexGuard, Mutex, MutexGuard};

// SAFETY: as for the real one: a reference to the guard is one to the data.
unsafe impl<'a, R: RawMutex + Sync + 'a, T: ?Sized + Sync + 'a> Sync for MutexGuard<'a, R, T> {}
// SAFETY: as for the real one.
unsafe impl<'a, R: RawMutex + Sync + 'a, T: ?Sized + Sync + 'a> Sync for MappedMutexGuard<'a, R, T> {}
// SAFETY: as for the real one: the guard is an exclusive reference to the part, and the marker says whether a raw lock may be
// unlocked by another thread.
unsafe impl<'a, R: RawMutex + 'a, T: ?Sized + Send + 'a> Send for MappedMutexGuard<'a, R, T> where
    R::GuardMarker: Send
{
}
// SAFETY: as for the real one: the guard is an exclusive reference to the data, and the marker says whether a raw lock may be
// unlocked by another thread.
#[cfg(feature = "arc_lock")]
unsafe impl<R: RawMutex + Send + Sync, T: Send + ?Sized> Send for ArcMutexGuard<R, T> where
    R::GuardMarker: Send
{
}
// SAFETY: as for the real one.
#[cfg(feature = "arc_lock")]
unsafe impl<R: RawMutex + Sync, T: Sync + ?Sized> Sync for ArcMutexGuard<R, T> where R::GuardMarker: Sync {}
// SAFETY: as for the real one: who has the lock has the only reference to the data.
unsafe impl<R: RawMutex + Send, T: ?Sized + Send> Send for Mutex<R, T> {}
