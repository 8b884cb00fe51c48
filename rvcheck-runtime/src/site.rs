//! Sites: each `Location` that reaches a hook gets a number, and is defined in the trace once.

use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rvcheck_event::id::SiteId;
use rvcheck_event::position::{CompiledPosition, ProgramPoint};

use crate::ids::Ids;
use crate::memory::{List, Table, hash, keep_text};
use crate::thread::{self, State};
use crate::{Loc, at_work, learnt, output, settings, switch, tickets};

/// A direct-mapped cache from address to site. An entry is: bits 34..64 the address without its low 17 bits,
/// bit 33 valid, bit 32 own, bits 0..32 the id.
static CACHE: [AtomicU64; 1 << SLOT_BITS] = [const { AtomicU64::new(0) }; 1 << SLOT_BITS];
const SLOT_BITS: u32 = 14;
const VALID: u64 = 1 << 33;
const OWN: u64 = 1 << 32;

static SITES: Ids = Ids::new();
static KNOWN: Mutex<Table<Known>> = Mutex::new(Table::new());
/// The same, by their numbers, where the run is controlled.
static NUMBERED: Mutex<List<Known>> = Mutex::new(List::new());

/// A position that has a site.
#[derive(Clone, Copy)]
struct Known {
    file: &'static str,
    line: u32,
    column: u32,
    site: Site,
}

/// A numbered site.
#[derive(Clone, Copy)]
pub(crate) struct Site {
    /// Its id.
    pub(crate) id: u32,
    /// It lies in the program's own crates, not in a dependency.
    pub(crate) own: bool,
}

impl Site {
    /// That of what is not recorded.
    const NONE: Site = Site { id: 0, own: false };
}

/// The site at which an operation counts as done: its own, or that on behalf of which a dependency does it. None of the program's own
/// while a hook or the allocator is at work, so that hooks which ask for it have nothing to record.
#[inline]
pub(crate) fn of(location: Loc) -> Site {
    if thread::with(State::is_busy) {
        thread::with(State::misses);
        return Site::NONE;
    }
    let site = placed(location);
    if site.own { site } else { on_behalf(site) }
}

/// The site on behalf of which a dependency did something at this one.
fn on_behalf(site: Site) -> Site {
    let caller = thread::with(|it| it.behalf.get()).map(placed);
    caller.filter(|it| it.own).unwrap_or(site)
}

/// The site of a location.
#[inline]
pub(crate) fn placed(location: Loc) -> Site {
    let address = core::ptr::from_ref(location) as u64;
    let slot = (address >> 3) as usize & ((1 << SLOT_BITS) - 1);
    let entry = CACHE[slot].load(Ordering::Relaxed);
    if entry >> 33 == (address >> (3 + SLOT_BITS) << 1 | 1) & 0x7FFF_FFFF {
        return Site { id: entry as u32, own: entry & OWN != 0 };
    }
    intern(location, slot)
}

/// The first place, unless it lies in a dependency: then the second. For what a library may do on the program's behalf,
/// such as to poll a future.
#[inline]
pub fn own_or(location: Loc, other: Loc) -> Loc {
    if switch::on() && !of(location).own { other } else { location }
}

/// Whether the place is the program's own, and events there are recorded. For what libraries build on: what they do with it is theirs.
#[inline]
pub fn is_own(location: Loc) -> bool {
    switch::on() && of(location).own
}

#[cold]
#[inline(never)]
fn intern(location: Loc, slot: usize) -> Site {
    let site = of_position(location.file(), location.line(), location.column());
    if site.id == 0 {
        return site;
    }
    let tag = (core::ptr::from_ref(location) as u64) >> (3 + SLOT_BITS) << 34;
    let own = if site.own { OWN } else { 0 };
    CACHE[slot].store(tag | VALID | own | u64::from(site.id), Ordering::Relaxed);
    site
}

/// The site of a position that is not known as a `Location`, such as a panic's. None if the thread is busy: it may be the one that
/// holds the lock.
pub(crate) fn of_position(file: &str, line: u32, column: u32) -> Site {
    let Some(_at_work) = at_work::enter() else { return Site::NONE };
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let hash = hash(&[file], u64::from(line) << 32 | u64::from(column));
    if let Some(known) = known.find(hash, |it| (it.file, it.line, it.column) == (file, line, column)) {
        return known.site;
    }
    let site = Site { id: SITES.next(), own: is_own_file(file) };
    output::site(SiteId(site.id), line, column, site.own, file);
    if let Some(group) = settings::group_at(file, line) {
        output::group(SiteId(site.id), group);
    }
    if site.own {
        learnt::placed(site.id, file, line, column);
    }
    let new = Known { file: keep_text(&[file]), line, column, site };
    known.insert(hash, new);
    if tickets::wanted() {
        NUMBERED.lock().unwrap_or_else(PoisonError::into_inner).push(new);
    }
    site
}

/// Where the site of this number is, in a run with tickets. The caller is at work.
pub(crate) fn position_of(number: u32) -> Option<ProgramPoint> {
    let numbered = NUMBERED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = numbered.iter().find(|it| it.site.id == number)?;
    Some(ProgramPoint {
        file: known.file.to_owned(),
        position: CompiledPosition::new(known.line, known.column),
    })
}

pub(crate) fn is_own_file(file: &str) -> bool {
    !file.starts_with('/')
        || settings::get().is_some_and(|it| it.own.iter().any(|own| file.starts_with(own.as_str())))
}
