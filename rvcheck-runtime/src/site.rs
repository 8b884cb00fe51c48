//! Sites: each `Location` that reaches a hook gets a number, and is defined in the trace once. So is each text.

use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rvcheck_event::id::{SiteId, StringId};

use crate::at_work::{self, AtWork};
use crate::memory::{Table, hash, keep, keep_text};
use crate::output::{self, Ids};
use crate::thread::{self, State};
use crate::words::Word;
use crate::{Loc, behalf, start};

/// A direct-mapped cache from address to site. An entry is: bits 34..64 the address without its low 17 bits,
/// bit 33 valid, bit 32 own, bits 0..32 the id.
static CACHE: [AtomicU64; 1 << SLOT_BITS] = [const { AtomicU64::new(0) }; 1 << SLOT_BITS];
const SLOT_BITS: u32 = 14;
const VALID: u64 = 1 << 33;
const OWN: u64 = 1 << 32;

static SITES: Ids = Ids::new();
static STRINGS: Ids = Ids::new();
static KNOWN: Mutex<Known> =
    Mutex::new(Known { places: Table::new(), strings: Table::new(), said: Table::new(), texts: 0 });

struct Known {
    places: Table<Place>,
    strings: Table<&'static Name>,
    /// What programs said, by the word and the name.
    said: Table<(&'static str, [u32; WORDS])>,
    /// How many texts of programs were numbered.
    texts: u32,
}

/// A place that has a site.
#[derive(Clone, Copy)]
struct Place {
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
    if site.own { site } else { behalf::site_of(site) }
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
    if start::on() && !of(location).own { other } else { location }
}

#[cold]
#[inline(never)]
fn intern(location: Loc, slot: usize) -> Site {
    let site = of_place(location.file(), location.line(), location.column());
    if site.id == 0 {
        return site;
    }
    let tag = (core::ptr::from_ref(location) as u64) >> (3 + SLOT_BITS) << 34;
    let own = if site.own { OWN } else { 0 };
    CACHE[slot].store(tag | VALID | own | u64::from(site.id), Ordering::Relaxed);
    site
}

/// The site of a place that is not known as a `Location`, such as a panic's.
pub(crate) fn of_place(file: &str, line: u32, column: u32) -> Site {
    let Some((_at_work, mut known)) = known() else { return Site::NONE };
    let hash = hash(file, u64::from(line) << 32 | u64::from(column));
    let places = &mut known.places;
    if let Some(place) = places.find(hash, |it| (it.file, it.line, it.column) == (file, line, column)) {
        return place.site;
    }
    let site = Site { id: SITES.next(), own: is_own(file) };
    output::site(SiteId(site.id), line, column, site.own, file);
    places.insert(hash, Place { file: keep_text(&[file]), line, column, site });
    site
}

/// Recently numbered strings, by where they are in memory. Entries live for ever.
static NAMES: [AtomicPtr<Name>; 1 << NAME_BITS] =
    [const { AtomicPtr::new(core::ptr::null_mut()) }; 1 << NAME_BITS];
const NAME_BITS: u32 = 10;

/// A numbered string.
#[derive(Clone, Copy)]
struct Name {
    text: &'static str,
    id: u32,
}

/// The number of a string that lives for ever, such as a type's name.
#[inline]
pub(crate) fn string(text: &'static str) -> u32 {
    let address = text.as_ptr() as usize;
    let slot = &NAMES[(address ^ address >> NAME_BITS) & ((1 << NAME_BITS) - 1)];
    // SAFETY: null or an entry, and entries are never freed.
    match unsafe { slot.load(Ordering::Acquire).as_ref() } {
        Some(name) if core::ptr::eq(name.text, text) => name.id,
        _ => number(text, slot),
    }
}

#[cold]
#[inline(never)]
fn number(text: &'static str, slot: &AtomicPtr<Name>) -> u32 {
    let Some((_at_work, mut known)) = known() else { return 0 };
    let name = known.number_of(text);
    slot.store(core::ptr::from_ref::<Name>(name).cast_mut(), Ordering::Release);
    name.id
}

/// How many words there are.
const WORDS: usize = Word::Remove as usize + 1;

/// How many different texts of a program's get a number. They stay in memory, so there has to be an end.
const TEXTS: u32 = 1_048_576;

/// The number of the name by which traces know what is said: that of an event, or `set NAME` and the like.
pub(crate) fn said(word: Word, name: &str) -> u32 {
    let Some((_at_work, mut known)) = known() else { return 0 };
    let hash = hash(name, 0);
    if let Some((_, numbers)) = known.said.find(hash, |it| it.0 == name)
        && numbers[word as usize] != 0
    {
        return numbers[word as usize];
    }
    let text = written(word, name);
    let number = known.number_of(text).id;
    if let Some((_, numbers)) = known.said.find(hash, |it| it.0 == name) {
        numbers[word as usize] = number;
    } else {
        let mut numbers = [0; WORDS];
        numbers[word as usize] = number;
        known.said.insert(hash, (&text[text.len() - name.len()..], numbers));
    }
    number
}

fn written(word: Word, name: &str) -> &'static str {
    let verb = match word {
        Word::Event => "",
        Word::Set => "set ",
        Word::Clear => "clear ",
        Word::Check => "check ",
        Word::CheckTail => "check-tail ",
        Word::Remove => "remove ",
    };
    keep_text(&[verb, name])
}

/// The number of a text of the program's. `None` once there were too many.
pub(crate) fn text(text: &str) -> Option<u32> {
    let (_at_work, mut known) = known()?;
    if let Some(name) = known.strings.find(hash(text, 0), |it| it.text == text) {
        return Some(name.id);
    }
    if known.texts == TEXTS {
        return None;
    }
    known.texts += 1;
    if known.texts == TEXTS {
        output::note("the program names more than 1048576 different texts; further ones are absent");
    }
    Some(known.number_of(keep_text(&[text])).id)
}

/// Whether this text has no number yet; it gets one.
pub(crate) fn is_new(text: &'static str) -> bool {
    let Some((_at_work, mut known)) = known() else { return false };
    let is_new = known.strings.find(hash(text, 0), |it| it.text == text).is_none();
    known.number_of(text);
    is_new
}

impl Known {
    fn number_of(&mut self, text: &'static str) -> &'static Name {
        let hash = hash(text, 0);
        if let Some(name) = self.strings.find(hash, |it| it.text == text) {
            return name;
        }
        let id = STRINGS.next();
        output::string(StringId(id), text);
        let name = keep(Name { text, id });
        self.strings.insert(hash, name);
        name
    }
}

/// What is known. `None` if the thread is busy: it may be the one that holds the lock.
fn known() -> Option<(AtWork, std::sync::MutexGuard<'static, Known>)> {
    let at_work = at_work::enter()?;
    Some((at_work, KNOWN.lock().unwrap_or_else(PoisonError::into_inner)))
}

fn is_own(file: &str) -> bool {
    !file.starts_with('/')
        || start::settings().is_some_and(|it| it.own.iter().any(|own| file.starts_with(own.as_str())))
}
