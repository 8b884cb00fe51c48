//! `Lazy`.

use std::cell::Cell;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::RefUnwindSafe;

use super::OnceCell;

/// A value that is made when it is first asked for, and records who makes it.
///
/// The real type cannot tell when its closure begins and ends, so this one is made of a [`OnceCell`] and the closure.
pub struct Lazy<T, F = fn() -> T> {
    value: OnceCell<T>,
    /// Taken by whoever makes the value; if there is no value then, the closure panicked.
    closure: Cell<Option<F>>,
}

// SAFETY: the closure is touched only through a unique reference or by the one initialiser that the cell lets in.
unsafe impl<T, F: Send> Sync for Lazy<T, F> where OnceCell<T>: Sync {}
impl<T, F: RefUnwindSafe> RefUnwindSafe for Lazy<T, F> where OnceCell<T>: RefUnwindSafe {}

fn poisoned() -> ! {
    panic!("Lazy instance has previously been poisoned")
}

impl<T, F> Lazy<T, F> {
    /// A value that the closure will make.
    #[track_caller]
    #[inline]
    pub const fn new(f: F) -> Lazy<T, F> {
        Lazy { value: OnceCell::new(), closure: Cell::new(Some(f)) }
    }

    /// The value, for whoever owns it.
    ///
    /// # Errors
    ///
    /// Gives the closure back if the value was not made.
    ///
    /// # Panics
    ///
    /// When the closure panicked before.
    #[inline]
    pub fn into_value(this: Lazy<T, F>) -> Result<T, F> {
        let closure = this.closure;
        this.value.into_inner().ok_or_else(|| closure.take().unwrap_or_else(|| poisoned()))
    }
}

impl<T, F: FnOnce() -> T> Lazy<T, F> {
    /// The value, made now if it was not.
    ///
    /// # Panics
    ///
    /// When the closure does, or did before.
    #[track_caller]
    #[inline]
    pub fn force(this: &Lazy<T, F>) -> &T {
        this.value.get_or_init(|| this.closure.take().map_or_else(|| poisoned(), |it| it()))
    }

    /// The value, made now if it was not, for whoever has it to itself.
    ///
    /// # Panics
    ///
    /// When the closure does, or did before.
    #[track_caller]
    #[inline]
    pub fn force_mut(this: &mut Lazy<T, F>) -> &mut T {
        Lazy::force(this);
        this.value.get_mut().expect("the value was just made")
    }

    /// The value, if it was made.
    #[inline]
    pub fn get(this: &Lazy<T, F>) -> Option<&T> {
        this.value.get()
    }

    /// The value, if it was made, for whoever has it to itself.
    #[inline]
    pub fn get_mut(this: &mut Lazy<T, F>) -> Option<&mut T> {
        this.value.get_mut()
    }
}

impl<T, F: FnOnce() -> T> Deref for Lazy<T, F> {
    type Target = T;

    #[track_caller]
    #[inline]
    fn deref(&self) -> &T {
        Lazy::force(self)
    }
}

impl<T, F: FnOnce() -> T> DerefMut for Lazy<T, F> {
    #[track_caller]
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        Lazy::force(self);
        self.value.get_mut().expect("the value was just made")
    }
}

rt::forwards! {
    [T: Default] Lazy<T>: Default = Lazy::new(T::default);
}

impl<T: fmt::Debug, F> fmt::Debug for Lazy<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lazy").field("cell", &self.value).field("init", &"..").finish()
    }
}
