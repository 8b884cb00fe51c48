//! Where the memory comes from: pages of the system's. Not even the C library is asked for it, since a signal may arrive while that
//! allocates, and its handler may be recorded.

use core::alloc::Layout;
use core::ptr::NonNull;
use std::alloc::handle_alloc_error;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{pages, switch};

/// Pieces have sizes of powers of two, from 16 bytes on. What is larger than the last of these gets pages of its own.
const SIZES: usize = 12;
const SMALLEST: usize = 16;
const LARGEST: usize = SMALLEST << (SIZES - 1);
/// What is asked of the system for pieces.
const BLOCK: usize = 1 << 18;

/// What the next pieces are made of.
struct Arena {
    next: usize,
    end: usize,
    /// By their sizes, the first of the pieces that were given back; each of them begins with the address of the next.
    free: [usize; SIZES],
}

static ARENA: Mutex<Arena> = Mutex::new(Arena { next: 0, end: 0, free: [0; SIZES] });

fn arena() -> MutexGuard<'static, Arena> {
    ARENA.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Memory for this. The caller is at work, so that the thread does not hold the lock already.
pub(super) fn take(layout: Layout) -> NonNull<u8> {
    match piece_for(layout) {
        Some(size) => arena().take(size),
        None => pages::take(layout.size()),
    }
    .unwrap_or_else(|| handle_alloc_error(layout))
}

/// Memory for this, which is never given back.
pub(super) fn keep(layout: Layout) -> NonNull<u8> {
    if layout.size() > LARGEST { pages::take(layout.size()) } else { arena().cut(layout.size()) }
        .unwrap_or_else(|| handle_alloc_error(layout))
}

/// Gives memory back.
///
/// # Safety
///
/// It must come from [`take`] with the same layout, and is gone then.
pub(super) unsafe fn give(memory: NonNull<u8>, layout: Layout) {
    let Some(size) = piece_for(layout) else {
        // SAFETY: as the caller says, these are pages of their own.
        unsafe { pages::give(memory, layout.size()) };
        return;
    };
    // In a forked child the lock may be held for ever.
    if switch::on() {
        let first = &mut arena().free[size];
        // SAFETY: nobody uses the piece, which has room for an address.
        unsafe { memory.cast().write(*first) };
        *first = memory.as_ptr() as usize;
    }
}

/// The number of the size of a piece that has room for this.
fn piece_for(layout: Layout) -> Option<usize> {
    debug_assert!(layout.align() <= SMALLEST);
    let size = layout.size().max(SMALLEST).next_power_of_two();
    (size <= LARGEST).then(|| (size / SMALLEST).trailing_zeros() as usize)
}

impl Arena {
    fn take(&mut self, size: usize) -> Option<NonNull<u8>> {
        let Some(first) = NonNull::new(self.free[size] as *mut u8) else { return self.cut(SMALLEST << size) };
        // SAFETY: the piece was given back, and begins with the address of the next one.
        self.free[size] = unsafe { first.cast().read() };
        Some(first)
    }

    fn cut(&mut self, length: usize) -> Option<NonNull<u8>> {
        let length = length.next_multiple_of(SMALLEST);
        if self.end - self.next < length {
            let block = pages::take(BLOCK)?;
            self.next = block.as_ptr() as usize;
            self.end = self.next + BLOCK;
        }
        let piece = self.next;
        self.next += length;
        NonNull::new(piece as *mut u8)
    }
}
