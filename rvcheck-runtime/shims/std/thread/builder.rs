//! `spawn` and `Builder`.

use real::io;
use real::panic::Location;
use real::thread as std;

use super::{body, spawned, JoinHandle, Scope, ScopedJoinHandle};

/// Spawns a thread.
///
/// # Panics
///
/// When the system refuses.
#[track_caller]
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let location = Location::caller();
    let id = spawned::<T>(location, None);
    JoinHandle::new(std::spawn(body(id, f)), id)
}

/// How to spawn a thread.
#[must_use = "must eventually spawn the thread"]
pub struct Builder {
    real: std::Builder,
    name: Option<String>,
}

impl Builder {
    /// A thread without a name and of the usual stack size.
    #[inline]
    pub fn new() -> Builder {
        Builder { real: std::Builder::new(), name: None }
    }

    /// Names the thread.
    #[inline]
    pub fn name(self, name: String) -> Builder {
        Builder { real: self.real.name(name.clone()), name: Some(name) }
    }

    /// Sets the size of its stack, in bytes.
    #[inline]
    pub fn stack_size(self, size: usize) -> Builder {
        Builder { real: self.real.stack_size(size), name: self.name }
    }

    /// Spawns the thread.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let location = Location::caller();
        let id = spawned::<T>(location, self.name.as_deref());
        Ok(JoinHandle::new(self.real.spawn(body(id, f))?, id))
    }

    /// Spawns the thread, whose closure may borrow.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    ///
    /// # Safety
    ///
    /// Whatever the closure and its result borrow must live until the thread is joined.
    #[track_caller]
    pub unsafe fn spawn_unchecked<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send,
        T: Send,
    {
        let location = Location::caller();
        let id = spawned::<T>(location, self.name.as_deref());
        // SAFETY: the caller vouches for the closure, and nothing here borrows.
        Ok(JoinHandle::new(unsafe { self.real.spawn_unchecked(body(id, f)) }?, id))
    }

    /// Spawns the thread in a scope.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    #[track_caller]
    pub fn spawn_scoped<'scope, 'env, F, T>(
        self,
        scope: &'scope Scope<'scope, 'env>,
        f: F,
    ) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let location = Location::caller();
        let id = spawned::<T>(location, self.name.as_deref());
        recorder::control::scoped(core::ptr::from_ref(scope).addr(), id);
        Ok(ScopedJoinHandle::new(self.real.spawn_scoped(scope.real(), body(id, f))?, id))
    }
}

recorder::forwards! {
    [] Builder: Debug;
}

recorder::exchanged_functions! {
    spawn::<fn(), ()> => std::spawn::<fn(), ()>;
}
