//! Scoped threads.

use real::panic::Location;
use real::thread as std;

use recorder::task::Handle;
use recorder::{TaskId, What};

use super::join::joined;
use super::{body, spawned, Result, Thread};

/// Runs the closure, and waits for the threads that it spawned in the scope.
///
/// # Panics
///
/// When the closure does, or a thread whose handle was not joined.
#[track_caller]
pub fn scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let location = Location::caller();
    let (mut _blocking, mut _real_join) = (None, None);
    std::scope(|scope| {
        let result = f(Scope::of(scope));
        // From here on the scope only waits.
        _blocking = Some(recorder::block(What::Join, location));
        recorder::control::join_scope(core::ptr::from_ref(scope).addr(), location);
        _real_join = Some(recorder::control::real_join());
        result
    })
}

/// Where threads can be spawned that borrow.
#[repr(transparent)]
pub struct Scope<'scope, 'env: 'scope> {
    real: std::Scope<'scope, 'env>,
}

impl<'scope, 'env> Scope<'scope, 'env> {
    fn of(real: &'scope std::Scope<'scope, 'env>) -> &'scope Scope<'scope, 'env> {
        // SAFETY: `Scope` is a transparent wrapper of the real one.
        unsafe { &*core::ptr::from_ref(real).cast() }
    }

    pub(super) fn real(&'scope self) -> &'scope std::Scope<'scope, 'env> {
        &self.real
    }

    /// Spawns a thread that ends before the scope does.
    ///
    /// # Panics
    ///
    /// When the system refuses.
    #[track_caller]
    pub fn spawn<F, T>(&'scope self, f: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let location = Location::caller();
        let id = spawned::<T>(location, None);
        recorder::control::scoped(core::ptr::from_ref(self).addr(), id);
        ScopedJoinHandle::new(self.real.spawn(body(id, f)), id)
    }
}

recorder::forwards! {
    [] Scope<'_, '_>: Debug;
}

/// The right to wait for a thread of a scope.
pub struct ScopedJoinHandle<'scope, T> {
    owned: Owned,
    real: std::ScopedJoinHandle<'scope, T>,
}

impl<'scope, T> ScopedJoinHandle<'scope, T> {
    pub(super) fn new(real: std::ScopedJoinHandle<'scope, T>, id: TaskId) -> ScopedJoinHandle<'scope, T> {
        ScopedJoinHandle { owned: Owned(Handle::new(id)), real }
    }

    /// Waits for the end of the thread.
    ///
    /// # Errors
    ///
    /// With the payload of its panic.
    #[track_caller]
    pub fn join(self) -> Result<T> {
        let ScopedJoinHandle { mut owned, real } = self;
        joined(
            &mut owned.0,
            real,
            std::ScopedJoinHandle::is_finished,
            std::ScopedJoinHandle::join,
            Location::caller(),
        )
    }

    /// Whether the thread is done.
    #[track_caller]
    #[inline]
    pub fn is_finished(&self) -> bool {
        let is_finished = self.real.is_finished();
        if is_finished {
            self.owned.0.found_ended(Location::caller());
        }
        is_finished
    }
}

recorder::forwards! {
    ['scope, T] ScopedJoinHandle<'scope, T> {
        #[must_use] pub fn thread(&self) -> &Thread;
    }
    [T] ScopedJoinHandle<'_, T>: Debug;
}

/// The handle of a thread that its scope waits for anyway.
struct Owned(Handle);

impl Drop for Owned {
    fn drop(&mut self) {
        self.0.detached_by_owner();
    }
}

recorder::exchanged_functions! {
    scope::<for<'s> fn(&'s Scope<'s, 'static>), ()> => std::scope::<for<'s> fn(&'s std::Scope<'s, 'static>), ()>;
}
