//! An allocator that can be forbidden to a thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::Write;

thread_local! {
    static FORBIDDEN: Cell<bool> = const { Cell::new(false) };
}

pub(crate) struct Monitored;

#[global_allocator]
static ALLOCATOR: Monitored = Monitored;

pub(crate) fn forbid(yes: bool) {
    FORBIDDEN.set(yes);
}

// SAFETY: all of it is done by the system's allocator.
unsafe impl GlobalAlloc for Monitored {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if FORBIDDEN.replace(false) {
            let _ = std::io::stderr().write_all(b"allocated while that is forbidden\n");
            eprintln!("{}", std::backtrace::Backtrace::force_capture());
            std::process::abort();
        }
        // SAFETY: as the caller says.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as the caller says.
        unsafe { System.dealloc(place, layout) }
    }
}
