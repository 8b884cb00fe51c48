//! The end of a channel that a future works with.

use std::ops::Deref;
use std::sync::Arc;

/// An end that is borrowed, or owned and at a place that does not change.
pub(super) enum Owner<'a, E> {
    /// Somebody else's.
    Borrowed(&'a E),
    /// This one's alone; nobody else has a share of the `Arc`.
    Owned(Arc<E>),
}

impl<'a, E> Owner<'a, E> {
    pub(super) fn of(end: E) -> Owner<'a, E> {
        Owner::Owned(Arc::new(end))
    }

    /// The end, for a real future that borrows it.
    ///
    /// # Safety
    ///
    /// What borrows it has to be dropped before this.
    #[inline]
    pub(super) unsafe fn end(&self) -> &'a E {
        match self {
            Owner::Borrowed(end) => end,
            // SAFETY: the end lives as long as this, and is only ever shared.
            Owner::Owned(end) => unsafe { &*Arc::as_ptr(end) },
        }
    }
}

impl<E> Deref for Owner<'_, E> {
    type Target = E;

    #[inline]
    fn deref(&self) -> &E {
        match self {
            Owner::Borrowed(end) => end,
            Owner::Owned(end) => end,
        }
    }
}

impl<E: Clone> Clone for Owner<'_, E> {
    fn clone(&self) -> Self {
        match self {
            Owner::Borrowed(end) => Owner::Borrowed(end),
            Owner::Owned(end) => Owner::of(E::clone(end)),
        }
    }
}
