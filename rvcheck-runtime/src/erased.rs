//! A value whose lifetime is not part of its type.
//!
//! The owned guards of other crates hold an `Arc` of the real lock. Those of a shim hold one of the lock that it puts
//! around that, and beside it the real guard that borrows from it; no lifetime can say so.

use core::mem::{self, ManuallyDrop, MaybeUninit};
use core::{fmt, ptr};

/// Some value of at most so many words. Dropping this drops it.
pub struct Erased<const WORDS: usize> {
    drop: unsafe fn(*mut [usize; WORDS]),
    room: MaybeUninit<[usize; WORDS]>,
}

impl<const WORDS: usize> Erased<WORDS> {
    /// Hides the type of the value.
    ///
    /// # Safety
    ///
    /// What the value borrows must live until this is dropped, and may not move. Whether this may be sent to other threads, or
    /// shared with them, is for the owner to say.
    #[inline]
    pub unsafe fn new<V>(value: V) -> Erased<WORDS> {
        const {
            assert!(mem::size_of::<V>() <= mem::size_of::<[usize; WORDS]>());
            assert!(mem::align_of::<V>() <= mem::align_of::<[usize; WORDS]>());
        }
        let mut room = MaybeUninit::<[usize; WORDS]>::uninit();
        // SAFETY: it fits, as was just asserted.
        unsafe { ptr::write(room.as_mut_ptr().cast::<V>(), value) };
        Erased { drop: drop_as::<V, WORDS>, room }
    }

    /// The value itself.
    ///
    /// # Safety
    ///
    /// `V` must be the type that this was made of, but for its lifetime.
    #[inline]
    pub unsafe fn into_inner<V>(self) -> V {
        let this = ManuallyDrop::new(self);
        // SAFETY: there is a `V`, and nobody drops it here.
        unsafe { ptr::read(this.room.as_ptr().cast::<V>()) }
    }

    /// The value, for whoever borrows this.
    ///
    /// # Safety
    ///
    /// As for [`Erased::into_inner`].
    #[inline]
    pub unsafe fn get<V>(&self) -> &V {
        // SAFETY: there is a `V`.
        unsafe { &*self.room.as_ptr().cast::<V>() }
    }

    /// The value, for whoever borrows this exclusively.
    ///
    /// # Safety
    ///
    /// As for [`Erased::into_inner`].
    #[inline]
    pub unsafe fn get_mut<V>(&mut self) -> &mut V {
        // SAFETY: there is a `V`.
        unsafe { &mut *self.room.as_mut_ptr().cast::<V>() }
    }
}

impl<const WORDS: usize> Drop for Erased<WORDS> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: `drop` belongs to the type that is in the room.
        unsafe { (self.drop)(self.room.as_mut_ptr()) }
    }
}

impl<const WORDS: usize> fmt::Debug for Erased<WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Erased").finish_non_exhaustive()
    }
}

/// # Safety
///
/// There must be a `V` in the room.
unsafe fn drop_as<V, const WORDS: usize>(room: *mut [usize; WORDS]) {
    // SAFETY: as the caller says.
    unsafe { ptr::drop_in_place(room.cast::<V>()) }
}
