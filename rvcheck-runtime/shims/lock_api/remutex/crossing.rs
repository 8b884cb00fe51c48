//! Which guards may be sent to other threads and shared between them. Since 0.5, what they are made of says so.

use real::{GetThreadId, RawMutex};

use super::{MappedReentrantMutexGuard, ReentrantMutex, ReentrantMutexGuard};

// SAFETY: as for the real one: a reference to the guard is one to the data.
unsafe impl<'a, R: RawMutex + Sync + 'a, G: GetThreadId + Sync + 'a, T: ?Sized + Sync + 'a> Sync
    for ReentrantMutexGuard<'a, R, G, T>
{
}
// SAFETY: as for the real one.
unsafe impl<'a, R: RawMutex + Sync + 'a, G: GetThreadId + Sync + 'a, T: ?Sized + Sync + 'a> Sync
    for MappedReentrantMutexGuard<'a, R, G, T>
{
}
// SAFETY: as for the real one: only the thread that has the lock has references to the data.
unsafe impl<R: RawMutex + Send, G: GetThreadId + Send, T: ?Sized + Send> Send for ReentrantMutex<R, G, T> {}
