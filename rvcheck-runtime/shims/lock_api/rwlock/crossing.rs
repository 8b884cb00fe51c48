//! Which guards may be sent to other threads and shared between them. Since 0.5, what they are made of says so.

use real::{RawRwLock, RawRwLockUpgrade};

use super::{
    MappedRwLockReadGuard, MappedRwLockWriteGuard, RwLock, RwLockReadGuard, RwLockUpgradableReadGuard,
    RwLockWriteGuard,
};

// SAFETY: as for the real one: a reference to the guard is one to the data.
unsafe impl<R: RawRwLock + Sync, T: Sync + ?Sized> Sync for RwLockReadGuard<'_, R, T> {}
// SAFETY: as for the real one.
unsafe impl<'a, R: RawRwLock + 'a, T: ?Sized + Sync + 'a> Sync for MappedRwLockReadGuard<'a, R, T> {}
// SAFETY: as for the real one: the guard is a reference to the part, and the marker says whether a raw lock may be unlocked by
// another thread.
unsafe impl<'a, R: RawRwLock + 'a, T: ?Sized + Sync + 'a> Send for MappedRwLockReadGuard<'a, R, T> where
    R::GuardMarker: Send
{
}
// SAFETY: as for the real one: a reference to the guard is one to the data.
unsafe impl<R: RawRwLock + Sync, T: Sync + ?Sized> Sync for RwLockWriteGuard<'_, R, T> {}
// SAFETY: as for the real one.
unsafe impl<'a, R: RawRwLock + 'a, T: ?Sized + Sync + 'a> Sync for MappedRwLockWriteGuard<'a, R, T> {}
// SAFETY: as for the real one: the guard is an exclusive reference to the part, and the marker says whether a raw lock may be
// unlocked by another thread.
unsafe impl<'a, R: RawRwLock + 'a, T: ?Sized + Send + 'a> Send for MappedRwLockWriteGuard<'a, R, T> where
    R::GuardMarker: Send
{
}
// SAFETY: as for the real one: a reference to the guard is one to the data.
unsafe impl<'a, R: RawRwLockUpgrade + 'a, T: ?Sized + Sync + 'a> Sync
    for RwLockUpgradableReadGuard<'a, R, T>
{
}
// SAFETY: as for the real one: readers share the data, a writer has them alone.
unsafe impl<R: RawRwLock + Send, T: ?Sized + Send> Send for RwLock<R, T> {}
