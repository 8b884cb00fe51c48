//! `LazyLock`.

use core::cell::Cell;
use real::fmt;
use real::ops::{Deref, DerefMut};
use real::panic::{RefUnwindSafe, UnwindSafe};

use super::OnceLock;

/// A value that is made when it is first asked for, and records who makes it.
///
/// The real type cannot tell when its closure begins and ends, so this one is made of a [`OnceLock`] and the closure.
pub struct LazyLock<T, F = fn() -> T> {
    value: OnceLock<T>,
    /// Taken by whoever makes the value; if there is no value then, the closure panicked.
    closure: Cell<Option<F>>,
}

// SAFETY: the closure is touched only through a unique reference or by the one initialiser that `OnceLock` lets in.
unsafe impl<T: Sync + Send, F: Send> Sync for LazyLock<T, F> {}
impl<T: RefUnwindSafe + UnwindSafe, F: UnwindSafe> RefUnwindSafe for LazyLock<T, F> {}
impl<T: UnwindSafe, F: UnwindSafe> UnwindSafe for LazyLock<T, F> {}

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    /// A value that the closure will make.
    #[track_caller]
    #[inline]
    pub const fn new(f: F) -> LazyLock<T, F> {
        LazyLock { value: OnceLock::new(), closure: Cell::new(Some(f)) }
    }

    /// The value, made now if it was not.
    ///
    /// # Panics
    ///
    /// When the closure does, or did before.
    #[track_caller]
    #[inline]
    pub fn force(this: &LazyLock<T, F>) -> &T {
        this.value.get_or_init(|| made_by(this.closure.take()))
    }

    /// The value, made now if it was not, for whoever has the lock to itself.
    ///
    /// # Panics
    ///
    /// When the closure does, or did before.
    #[track_caller]
    #[inline]
    pub fn force_mut(this: &mut LazyLock<T, F>) -> &mut T {
        LazyLock::force(this);
        this.value.get_mut().expect("the value was just made")
    }
}

#[inline]
fn made_by<T, F: FnOnce() -> T>(closure: Option<F>) -> T {
    match closure {
        Some(closure) => closure(),
        None => panic!("LazyLock instance has previously been poisoned"),
    }
}

impl<T, F> LazyLock<T, F> {
    /// The value, if it was made, for whoever has the lock to itself.
    #[inline]
    pub fn get_mut(this: &mut LazyLock<T, F>) -> Option<&mut T> {
        this.value.get_mut()
    }

    /// The value, if it was made.
    #[inline]
    pub fn get(this: &LazyLock<T, F>) -> Option<&T> {
        this.value.get()
    }
}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;

    #[track_caller]
    #[inline]
    fn deref(&self) -> &T {
        LazyLock::force(self)
    }
}

impl<T, F: FnOnce() -> T> DerefMut for LazyLock<T, F> {
    #[track_caller]
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        LazyLock::force_mut(self)
    }
}

recorder::forwards! {
    [T: Default] LazyLock<T>: Default = LazyLock::new(T::default);
}

impl<T: fmt::Debug, F> fmt::Debug for LazyLock<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tuple = f.debug_tuple("LazyLock");
        match self.value.get() {
            Some(value) => tuple.field(value),
            None => tuple.field(&format_args!("<uninit>")),
        };
        tuple.finish()
    }
}
