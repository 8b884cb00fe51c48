//! Atomics: what a task that looks at one comes after.
//!
//! The rewriter puts [`RvAtomic::__rv_atomic`] or [`RvAtomic::__rv_asked`] before the dot of `flag.load(…)`, `count.fetch_add(…)` and
//! the like. The atomics themselves stay what they are, so that they can be given to any other crate; what is known of each is in a
//! table by its address ([`table`]).
//!
//! Atomics are hot. So a store is recorded only if its task has recorded something else since its last one there, and a
//! load only if it sees a store of another task's that its task has not seen before. What comes after the load then comes after all
//! that was recorded of stores before. A store is noted before it is done, and a load after it, so that no order is missed; only an
//! exchange is not known to be a store until it is done, and whoever sees its value earlier looks again for a moment.
//!
//! A program may count in its allocator, which works for the recorder, too. So nothing here allocates or takes a lock, there is no site to
//! be found, and a thread that has not recorded anything yet does not begin here: it has nothing for others to come after.

mod kinds;
mod table;

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rvcheck_event::kind::{EventKind, ObjectKind};
use rvcheck_event::record::{Record, code, flag};

use crate::Head;
use crate::thread::{self, Look, State};
use table::{LastStore, Slot};

pub use kinds::RvAtomic;

/// Atomics are followed.
static FOLLOWED: AtomicBool = AtomicBool::new(false);

/// How many records of atomics there were, as far as threads have reported them.
static RECORDS: AtomicU32 = AtomicU32::new(0);

/// How many there are at most: 16 MiB of them.
const MOST_RECORDS: u32 = 1 << 20;

/// After how many records, a power of two, a thread reports them, since a count that all threads share costs more than a record.
const REPORTED_AT_ONCE: u32 = 16;

/// Stands for a value that is not known.
const UNKNOWN: u64 = 0xA70_11C5_0F7E_1175;

/// How often a load looks again for the store that it has seen.
const LOOKS: u32 = 40;

/// What the table says of something that is made once, when it is there.
const MADE: u64 = 1;

/// The thing with this head, which is made once, is about to be there. To be called when whoever makes it does nothing more for that.
/// Signals inside dependencies are such things, too.
#[inline]
pub fn made_once(head: &Head) {
    if followed() {
        storing(core::ptr::from_ref(head).addr(), MADE, false);
    }
}

/// The thing with this head is there. The acting task comes after who has made it, though it did not wait for that.
#[inline]
pub fn found_made(head: &Head) {
    if followed() {
        loaded(core::ptr::from_ref(head).addr(), MADE, flag::DECIDES | flag::MADE_ONCE);
    }
}

/// From now on atomics are followed.
pub(crate) fn begin() {
    FOLLOWED.store(true, Ordering::Relaxed);
}

/// The process does not record any more.
pub(crate) fn stop() {
    FOLLOWED.store(false, Ordering::Relaxed);
}

#[inline(always)]
fn followed() -> bool {
    FOLLOWED.load(Ordering::Relaxed)
}

/// There is more than can be followed. From now on nothing is known of atomics, and that is recorded.
#[cold]
fn end(state: &State) {
    if FOLLOWED.swap(false, Ordering::Relaxed) {
        state.push(Record::event(EventKind::AtomicLoad, 0, 0, 0, 0));
    }
}

/// The acting task is about to store this value, made of the one before if it `combines`. The store before, and to whom this one
/// belongs.
#[inline(never)]
fn storing(address: usize, value: u64, combines: bool) -> Option<(&'static Slot, LastStore, u32)> {
    thread::with(|state| {
        if !state.may_follow() {
            // What it does now is not recorded, and orders nobody.
            if let Some(slot) = table::find(address) {
                slot.stores(0, value, combines, false);
            }
            return None;
        }
        let Some(slot) = table::take(address) else {
            end(state);
            return None;
        };
        let task = state.acting();
        let is_new = state.atomics.stores(slot.index(), task, state.mark());
        if is_new {
            record(state, slot, EventKind::AtomicStore, 0);
        }
        let before = slot.stores(task, value, combines, is_new);
        if is_new && state.atomics.look(slot.index(), task, before.version) == Some(Look::Decided) {
            // Its own store is nothing new to it.
            state.atomics.looks(slot.index(), task, before.version.wrapping_add(1), Look::Decided);
        }
        Some((slot, before, task))
    })
}

/// The acting task has found this value. It comes after what other tasks have stored there, if the `flags` say that it decides; if not,
/// that may not matter.
#[inline(never)]
fn loaded(address: usize, value: u64, flags: u8) {
    let decides = flags & flag::DECIDES != 0;
    let Some(slot) = table::find(address) else { return };
    thread::with(|state| {
        let mut last = slot.last_store();
        let task = state.acting();
        let before = state.atomics.look(slot.index(), task, last.version);
        let is_old = before == Some(Look::Decided) || before == Some(Look::Noted) && !decides;
        if is_old || !last.concerns(task) || !state.may_follow() {
            return;
        }
        let mut looks = if before == Some(Look::Missed) { 1 } else { LOOKS };
        while !slot.holds(value) {
            looks -= 1;
            if looks == 0 {
                // Another atomic was there before, or somebody stores unseen.
                return state.atomics.looks(slot.index(), task, last.version, Look::Missed);
            }
            core::hint::spin_loop();
            last = slot.last_store();
        }
        if last.concerns(task) {
            see(state, slot, last.version, task, flags);
        }
    });
}

/// The acting task has found, in the same step as it stored, what had been stored `before`. It decides by that.
fn found(slot: &Slot, before: LastStore, task: u32) {
    let now = slot.last_store();
    if !before.concerns(task) && !now.concerns(task) {
        return;
    }
    thread::with(|state| {
        let is_old = state.atomics.look(slot.index(), task, now.version) == Some(Look::Decided);
        if !is_old && state.may_follow() {
            see(state, slot, now.version, task, flag::DECIDES);
        }
    });
}

fn see(state: &State, slot: &Slot, version: u32, task: u32, flags: u8) {
    let look = if flags & flag::DECIDES != 0 { Look::Decided } else { Look::Noted };
    state.atomics.looks(slot.index(), task, version, look);
    record(state, slot, EventKind::AtomicLoad, flags);
}

fn record(state: &State, slot: &Slot, kind: EventKind, flags: u8) {
    let is_reported = state.atomics.counts() & (REPORTED_AT_ONCE - 1) == 0;
    if is_reported && RECORDS.fetch_add(REPORTED_AT_ONCE, Ordering::Relaxed) >= MOST_RECORDS {
        return end(state);
    }
    let before = state.mark();
    let (object, is_new) = slot.object();
    if is_new {
        let flags = ObjectKind::StdAtomic as u8;
        state.push(Record { code: code::OBJECT, flags, object, ..Record::default() });
    }
    state.push(Record::event(kind, flags, 0, object, slot.next()));
    if kind == EventKind::AtomicStore {
        state.atomics.leave_out(state.mark().wrapping_sub(before));
    }
}
