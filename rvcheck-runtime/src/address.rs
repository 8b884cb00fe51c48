//! Objects that have no room for a head: their address is their identity, until they are dropped.

use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use rvcheck_event::kind::ObjectKind;

use crate::{Head, Loc, start};

/// A head with the address that it stands for. Slots are never freed, only used again, so that a stale pointer in the
/// cache is harmless.
struct Slot {
    head: Head,
    address: AtomicUsize,
}

#[derive(Default)]
struct Table {
    slots: HashMap<usize, &'static Slot>,
    free: Vec<&'static Slot>,
}

const CACHE_BITS: u32 = 12;
static CACHE: [AtomicPtr<Slot>; 1 << CACHE_BITS] =
    [const { AtomicPtr::new(core::ptr::null_mut()) }; 1 << CACHE_BITS];
static TABLE: OnceLock<Mutex<Table>> = OnceLock::new();
/// What every address is, while nothing is recorded.
static UNWATCHED: Head = Head::unborn(ObjectKind::OtherLock);

/// The head of the object at this address: the same one each time, until [`forget`]. `born` counts at the first call.
#[inline]
pub fn head(address: *const (), kind: ObjectKind, born: Option<Loc>) -> &'static Head {
    if !start::on() {
        return &UNWATCHED;
    }
    let cached = CACHE[cache_slot(address)].load(Ordering::Acquire);
    // SAFETY: null or a slot, and slots live for ever.
    if let Some(slot) = unsafe { cached.as_ref() }
        && slot.address.load(Ordering::Relaxed) == address as usize
    {
        return &slot.head;
    }
    look_up(address, kind, born)
}

/// The object at this address is gone.
pub fn forget(address: *const ()) {
    if !start::on() {
        return;
    }
    let mut table = table();
    let Some(slot) = table.slots.remove(&(address as usize)) else { return };
    slot.address.store(0, Ordering::Relaxed);
    let cache = &CACHE[cache_slot(address)];
    let _ = cache.compare_exchange(
        core::ptr::from_ref(slot).cast_mut(),
        core::ptr::null_mut(),
        Ordering::AcqRel,
        Ordering::Relaxed,
    );
    slot.head.recycle(ObjectKind::OtherLock, None);
    table.free.push(slot);
}

#[cold]
#[inline(never)]
fn look_up(address: *const (), kind: ObjectKind, born: Option<Loc>) -> &'static Head {
    let mut table = table();
    let slot = match table.slots.get(&(address as usize)) {
        Some(slot) => *slot,
        None => {
            let slot = table.free.pop().unwrap_or_else(|| {
                Box::leak(Box::new(Slot { head: Head::unborn(kind), address: AtomicUsize::new(0) }))
            });
            slot.head.recycle(kind, born);
            slot.address.store(address as usize, Ordering::Relaxed);
            table.slots.insert(address as usize, slot);
            slot
        }
    };
    CACHE[cache_slot(address)].store(core::ptr::from_ref(slot).cast_mut(), Ordering::Release);
    &slot.head
}

#[inline]
fn cache_slot(address: *const ()) -> usize {
    // Locks are a few words long at least, so the low four bits say little.
    let bits = address as usize >> 4;
    (bits ^ bits >> CACHE_BITS) & ((1 << CACHE_BITS) - 1)
}

fn table() -> std::sync::MutexGuard<'static, Table> {
    TABLE.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}
