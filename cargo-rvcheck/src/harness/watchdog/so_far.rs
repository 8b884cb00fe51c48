//! A trace as far as it is written.

use camino::Utf8Path;
use memmap2::Mmap;
use rvcheck_event::observer::Observer;
use rvcheck_event::trace::{merge, read};
use rvcheck_event::world::World;
use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};

/// A trace that grows is read as a whole only up to this size, in bytes.
pub(in crate::harness) const LARGEST: u64 = 64 << 20;
/// After how many events who reads a trace asks whether it is still of use.
const ASK_EVERY: u64 = 4096;

/// Tells the observer all events that are written, and gives the world after the last one; `None` where it is no trace, or `gone` says that
/// nobody has to know any more.
pub(in crate::harness) fn observed(
    path: &Utf8Path,
    observer: &mut impl Observer,
    gone: &AtomicBool,
) -> Option<World> {
    let file = File::open(path).ok()?;
    // SAFETY: of the bytes that others write meanwhile each can be anything, and a trace may hold anything.
    let map = unsafe { Mmap::map(&file) }.ok()?;
    let trace = read::read(&map).ok()?;
    let mut merge = merge::events(&trace);
    let mut events = 0_u64;
    while let Some(event) = merge.next() {
        if events.is_multiple_of(ASK_EVERY) && gone.load(Ordering::Relaxed) {
            return None;
        }
        events += 1;
        observer.observe(&event, merge.world());
    }
    Some(merge.world().clone())
}
