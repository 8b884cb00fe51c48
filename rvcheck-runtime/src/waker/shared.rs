//! Values with several owners.

use core::mem::ManuallyDrop;
use core::ops::Deref;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering, fence};

use crate::at_work;
use crate::memory::{from_raw, into_raw};

/// An owner of a value. Owners can be on any thread.
#[derive(Debug)]
pub(crate) struct Shared<T>(NonNull<Owned<T>>);

/// A value, and how many owners it has.
#[derive(Debug)]
pub(crate) struct Owned<T> {
    owners: AtomicUsize,
    value: T,
}

// SAFETY: it is used as an `Arc` is.
unsafe impl<T: Send + Sync> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// The first owner of the value. `None` if the thread is busy, so that there is no memory to be had.
    pub(crate) fn new(value: T) -> Option<Shared<T>> {
        let _work = at_work::enter()?;
        NonNull::new(into_raw(Owned { owners: AtomicUsize::new(1), value })).map(Shared)
    }

    /// Where the value is. No owner more.
    pub(crate) const fn place(&self) -> NonNull<Owned<T>> {
        self.0
    }

    /// This owner as a place, from which it has to be made again.
    pub(crate) fn into_place(self) -> NonNull<Owned<T>> {
        ManuallyDrop::new(self).0
    }

    /// The owner at that place.
    ///
    /// # Safety
    ///
    /// It comes from [`Shared::into_place`]; or from [`Shared::place`], the owner still is there, and this one is never dropped.
    pub(crate) const unsafe fn at(place: NonNull<Owned<T>>) -> Shared<T> {
        Shared(place)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the value lives as long as it has owners.
        unsafe { &self.0.as_ref().value }
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Shared<T> {
        // SAFETY: as above.
        unsafe { self.0.as_ref() }.owners.fetch_add(1, Ordering::Relaxed);
        Shared(self.0)
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        // SAFETY: as above.
        if unsafe { self.0.as_ref() }.owners.fetch_sub(1, Ordering::Release) > 1 {
            return;
        }
        fence(Ordering::Acquire);
        // Who is busy leaves it where it is. What the value does when it is dropped is no hook's work.
        // SAFETY: this was the last owner.
        let value = at_work::enter().map(|_work| unsafe { from_raw(self.0.as_ptr()) });
        drop(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn the_last_owner_drops_the_value() {
        let value = Arc::new(());
        let one = Shared::new(Arc::clone(&value)).expect("the thread is not busy");
        let other = one.clone();
        // SAFETY: it comes from there.
        drop(unsafe { Shared::at(one.into_place()) });
        assert_eq!(Arc::strong_count(&other), 2);
        drop(other);
        assert_eq!(Arc::strong_count(&value), 1);
    }
}
