//! How much memory a piece of work takes at its worst.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// What this thread has taken and not given back, and the most of that, in bytes.
    static TAKEN: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

fn count(bytes: isize) {
    // A thread that ends may have no counter any more.
    let _ = TAKEN.try_with(|it| {
        let (now, most) = it.get();
        it.set((now + bytes, most.max(now + bytes)));
    });
}

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract of this function, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// What `work` gives, and how many bytes it held at once at most.
pub(crate) fn most_during<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = TAKEN.get().0;
    TAKEN.set((before, before));
    let value = work();
    (value, (TAKEN.get().1 - before) as usize)
}
