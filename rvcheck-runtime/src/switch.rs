//! The recorder's switch: whether this process records, and how. One byte, which is zero in a process that was not started by the
//! tool, and in one that was only forked off.
//!
//! A forked child shares the trace with its parent and must not write into it. The C library tells of its own `fork`, but not of
//! the system call, so the byte stands in a page that the system empties in every child.

use core::sync::atomic::{AtomicPtr, AtomicU8, Ordering};

use crate::pages;

/// There is a trace to be written to.
const OPEN: u8 = 1;
/// Hooks record.
const ON: u8 = 2;
/// Records have tickets.
const TICKETS: u8 = 4;

/// The whole of it where nothing is recorded.
pub(crate) const OFF: u8 = 0;
/// The whole of it where records are written as they are.
pub(crate) const PLAIN: u8 = OPEN | ON;

/// Where the byte stands until there is a page for it, or where the system has none to give.
static FIRST: AtomicU8 = AtomicU8::new(OFF);
static MODE: AtomicPtr<AtomicU8> = AtomicPtr::new((&raw const FIRST).cast_mut());

#[inline(always)]
fn byte() -> &'static AtomicU8 {
    // SAFETY: the static, or a page that is never unmapped; both are only accessed atomically.
    unsafe { &*MODE.load(Ordering::Relaxed) }
}

/// The whole of it.
#[inline(always)]
pub(crate) fn get() -> u8 {
    byte().load(Ordering::Relaxed)
}

/// Whether this process records. Two relaxed loads.
#[inline(always)]
pub fn on() -> bool {
    get() & ON != 0
}

/// Whether there is a trace to be written to.
pub(crate) fn is_open() -> bool {
    get() & OPEN != 0
}

/// Whether this process was forked off one that records.
pub(crate) fn is_forked_off() -> bool {
    !core::ptr::eq(byte(), &raw const FIRST) && get() == OFF
}

/// Whether records have tickets.
#[inline(always)]
pub(crate) fn has_tickets() -> bool {
    get() & TICKETS != 0
}

/// There is a trace to be written to. To be called once, before [`begin`].
pub(crate) fn open() {
    if let Some(page) = page() {
        MODE.store(page, Ordering::Release);
    }
    byte().store(OPEN, Ordering::Release);
}

/// From now on hooks record.
pub(crate) fn begin(tickets: bool) {
    byte().store(if tickets { PLAIN | TICKETS } else { PLAIN }, Ordering::Release);
}

/// Nothing is written any more, by nobody.
pub(crate) fn end() {
    byte().store(OFF, Ordering::Relaxed);
}

/// A page that is empty in a forked child. Where the system cannot do that it is a page like any other.
fn page() -> Option<*mut AtomicU8> {
    /// Longer than a page is on any system.
    const LENGTH: usize = 1 << 16;
    let page = pages::take(LENGTH)?.as_ptr();
    #[cfg(target_os = "linux")]
    {
        const WIPE_ON_FORK: i32 = 18;
        unsafe extern "C" {
            fn madvise(address: *mut u8, length: usize, advice: i32) -> i32;
        }
        // SAFETY: the range is the map.
        unsafe { madvise(page, LENGTH, WIPE_ON_FORK) };
    }
    Some(page.cast())
}
