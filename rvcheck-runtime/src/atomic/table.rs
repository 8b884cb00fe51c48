//! Who has stored into which atomic last.

use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use super::UNKNOWN;
use crate::head;

/// How many atomics can be followed, as a power of two.
const BITS: u32 = 14;
/// How many places an address can have.
const PLACES: usize = 16;

static TABLE: [Slot; 1 << BITS] = [const { Slot::free() }; 1 << BITS];

/// What is known of the atomic at an address. Where one atomic comes to the place of another, the two are one.
pub(super) struct Slot {
    /// 0 where there is none.
    address: AtomicUsize,
    /// A [`LastStore`].
    last_store: AtomicU64,
    /// What was stored last.
    value: AtomicU64,
    /// Its id in the trace; 0 where nothing was recorded yet.
    id: AtomicU32,
    /// How many records there are of it.
    count: AtomicU32,
}

/// Whose store was the last.
#[derive(Clone, Copy)]
pub(super) struct LastStore {
    /// The task; 0 for none.
    task: u32,
    /// The value was made of what another task had stored.
    is_shared: bool,
    /// Counts the stores that were recorded.
    pub(super) version: u32,
}

impl LastStore {
    /// Whether that is, or depends on, what another task has stored.
    #[inline]
    pub(super) fn concerns(self, task: u32) -> bool {
        self.is_shared || (self.task != task && self.task != 0)
    }

    #[inline]
    const fn of(bits: u64) -> LastStore {
        LastStore { task: (bits >> 33) as u32, is_shared: bits >> 32 & 1 != 0, version: bits as u32 }
    }

    #[inline]
    const fn bits(self) -> u64 {
        (self.task as u64) << 33 | (self.is_shared as u64) << 32 | self.version as u64
    }
}

/// The places that an address can have.
#[inline]
fn places(address: usize) -> impl Iterator<Item = &'static Slot> {
    let mixed = (address as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - BITS);
    (0..PLACES).map(move |it| &TABLE[(mixed as usize + it) & ((1 << BITS) - 1)])
}

/// What is known of the atomic at this address; `None` where nobody has stored there.
#[inline]
pub(super) fn find(address: usize) -> Option<&'static Slot> {
    for slot in places(address) {
        match slot.address.load(Ordering::Acquire) {
            0 => return None,
            it if it == address => return Some(slot),
            _ => {}
        }
    }
    None
}

/// The place of this address; `None` where there is no room.
#[inline]
pub(super) fn take(address: usize) -> Option<&'static Slot> {
    places(address).find(|slot| match slot.address.load(Ordering::Acquire) {
        0 => match slot.address.compare_exchange(0, address, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => true,
            Err(other) => other == address,
        },
        other => other == address,
    })
}

impl Slot {
    const fn free() -> Slot {
        Slot {
            address: AtomicUsize::new(0),
            last_store: AtomicU64::new(0),
            value: AtomicU64::new(UNKNOWN),
            id: AtomicU32::new(0),
            count: AtomicU32::new(0),
        }
    }

    /// Its number in the table.
    #[inline]
    pub(super) fn index(&self) -> u32 {
        let bytes = core::ptr::from_ref(self) as usize - TABLE.as_ptr() as usize;
        (bytes / size_of::<Slot>()) as u32
    }

    /// Whose store was the last.
    #[inline]
    pub(super) fn last_store(&self) -> LastStore {
        LastStore::of(self.last_store.load(Ordering::Acquire))
    }

    /// Whether that may have stored this value.
    #[inline]
    pub(super) fn holds(&self, value: u64) -> bool {
        let last = self.value.load(Ordering::Acquire);
        last == value || last == UNKNOWN
    }

    /// A task stores this value, made of the one before if it `combines`, and that was recorded if it `is_new`. The store before.
    #[inline]
    pub(super) fn stores(&self, task: u32, value: u64, combines: bool, is_new: bool) -> LastStore {
        self.value.store(value, Ordering::Release);
        let next = |bits: u64| {
            let before = LastStore::of(bits);
            let is_shared = combines && before.concerns(task);
            Some(LastStore { task, is_shared, version: before.version.wrapping_add(is_new.into()) }.bits())
        };
        match self.last_store.fetch_update(Ordering::AcqRel, Ordering::Acquire, next) {
            Ok(bits) | Err(bits) => LastStore::of(bits),
        }
    }

    /// Its id in the trace, and whether it has just got it.
    #[inline]
    pub(super) fn object(&self) -> (u32, bool) {
        match self.id.load(Ordering::Relaxed) {
            0 => {
                let fresh = head::next_object();
                match self.id.compare_exchange(0, fresh, Ordering::Relaxed, Ordering::Relaxed) {
                    Ok(_) => (fresh, true),
                    Err(other) => (other, false),
                }
            }
            id => (id, false),
        }
    }

    /// The next position in its order.
    #[inline]
    pub(super) fn next(&self) -> u32 {
        self.count.fetch_add(1, Ordering::AcqRel).wrapping_add(1)
    }
}
