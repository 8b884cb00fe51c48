//! A guard of the real crate whose lifetime is not part of its type.
//!
//! The real owned guards hold an `Arc` of the real lock. Ours hold one of our lock, and beside it the real guard that
//! borrows from it; no lifetime can say so.

use std::mem::{self, ManuallyDrop, MaybeUninit};
use std::ptr;

/// Room for any guard of the real crate: with `tracing` they carry a span.
#[cfg(all(tokio_unstable, feature = "tracing"))]
const WORDS: usize = 16;
#[cfg(not(all(tokio_unstable, feature = "tracing")))]
const WORDS: usize = 4;

type Room = MaybeUninit<[usize; WORDS]>;

/// Some guard. Dropping this drops it.
pub(super) struct Erased {
    drop: unsafe fn(*mut Room),
    room: Room,
}

impl Erased {
    /// Hides the type of the guard.
    ///
    /// # Safety
    ///
    /// What the guard borrows must live until this is dropped, and may not move.
    #[inline]
    pub(super) unsafe fn new<G>(guard: G) -> Erased {
        const {
            assert!(mem::size_of::<G>() <= mem::size_of::<Room>());
            assert!(mem::align_of::<G>() <= mem::align_of::<Room>());
        }
        let mut room = Room::uninit();
        // SAFETY: it fits, as was just asserted.
        unsafe { ptr::write(room.as_mut_ptr().cast::<G>(), guard) };
        Erased { drop: drop_as::<G>, room }
    }

    /// The guard itself.
    ///
    /// # Safety
    ///
    /// `G` must be the type that this was made of, but for its lifetime.
    #[inline]
    pub(super) unsafe fn into_guard<G>(self) -> G {
        let this = ManuallyDrop::new(self);
        // SAFETY: there is a `G`, and nobody drops it here.
        unsafe { ptr::read(this.room.as_ptr().cast::<G>()) }
    }
}

impl Drop for Erased {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: `drop` belongs to the type that is in the room.
        unsafe { (self.drop)(&mut self.room) }
    }
}

/// # Safety
///
/// There must be a `G` in the room.
unsafe fn drop_as<G>(room: *mut Room) {
    // SAFETY: as the caller says.
    unsafe { ptr::drop_in_place(room.cast::<G>()) }
}
