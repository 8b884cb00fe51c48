//! Where the data of a mapped guard are.

use std::marker::PhantomData;

/// Where a part of the data is of which this guard is a shared reference.
pub(crate) struct Shared<'a, T: ?Sized> {
    data: *const T,
    marker: PhantomData<&'a T>,
}

// SAFETY: it is as good as a reference.
unsafe impl<T: ?Sized + Sync> Send for Shared<'_, T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Sync> Sync for Shared<'_, T> {}

impl<T: ?Sized> Shared<'_, T> {
    #[inline]
    pub(crate) fn pointer(&self) -> *mut T {
        self.data.cast_mut()
    }
}

impl<T: ?Sized> From<&T> for Shared<'_, T> {
    #[inline]
    fn from(data: &T) -> Self {
        Shared { data, marker: PhantomData }
    }
}

/// Where a part of the data is of which this guard is the only reference. Before 0.5, that is minded where a closure may unwind.
pub(crate) struct Alone<'a, T: ?Sized> {
    data: *mut T,
    #[cfg(not(rv_lock_api_0_5))]
    marker: PhantomData<&'a mut T>,
    #[cfg(rv_lock_api_0_5)]
    marker: PhantomData<&'a ()>,
}

// SAFETY: it is as good as an exclusive reference.
unsafe impl<T: ?Sized + Send> Send for Alone<'_, T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Sync> Sync for Alone<'_, T> {}

impl<T: ?Sized> Alone<'_, T> {
    #[inline]
    pub(crate) fn pointer(&self) -> *mut T {
        self.data
    }
}

impl<T: ?Sized> From<&mut T> for Alone<'_, T> {
    #[inline]
    fn from(data: &mut T) -> Self {
        Alone { data, marker: PhantomData }
    }
}
