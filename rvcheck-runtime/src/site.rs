//! Sites: each `Location` that reaches a hook gets a number, and is defined in the trace once. So is each text.

use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use rvcheck_event::id::{SiteId, StringId};

use crate::output::{self, Ids};
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
static KNOWN: OnceLock<Mutex<Known>> = OnceLock::new();

#[derive(Default)]
struct Known {
    places: HashMap<(String, u32, u32), Site>,
    strings: HashMap<&'static str, &'static Name>,
    /// What programs said, by the word and the name.
    said: HashMap<&'static str, [u32; WORDS]>,
    /// How many texts of programs were numbered.
    texts: u32,
}

/// A numbered site.
#[derive(Clone, Copy)]
pub(crate) struct Site {
    /// Its id.
    pub(crate) id: u32,
    /// It lies in the program's own crates, not in a dependency.
    pub(crate) own: bool,
}

/// The site at which an operation counts as done: its own, or that on behalf of which a dependency does it.
#[inline]
pub(crate) fn of(location: Loc) -> Site {
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
    let tag = (core::ptr::from_ref(location) as u64) >> (3 + SLOT_BITS) << 34;
    let own = if site.own { OWN } else { 0 };
    CACHE[slot].store(tag | VALID | own | u64::from(site.id), Ordering::Relaxed);
    site
}

/// The site of a place that is not known as a `Location`, such as a panic's.
pub(crate) fn of_place(file: &str, line: u32, column: u32) -> Site {
    let mut known = known();
    let key = (file.to_owned(), line, column);
    if let Some(site) = known.places.get(&key) {
        return *site;
    }
    let site = Site { id: SITES.next(), own: is_own(file) };
    output::site(SiteId(site.id), line, column, site.own, file);
    known.places.insert(key, site);
    site
}

/// Recently numbered strings, by where they are in memory. Entries live for ever.
static NAMES: [AtomicPtr<Name>; 1 << NAME_BITS] =
    [const { AtomicPtr::new(core::ptr::null_mut()) }; 1 << NAME_BITS];
const NAME_BITS: u32 = 10;

/// A numbered string.
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
    let name = known().number_of(text);
    slot.store(core::ptr::from_ref::<Name>(name).cast_mut(), Ordering::Release);
    name.id
}

/// How many words there are.
const WORDS: usize = Word::Remove as usize + 1;

/// How many different texts of a program's get a number. They stay in memory, so there has to be an end.
const TEXTS: u32 = 1 << 20;

/// The number of the name by which traces know what is said: that of an event, or `set NAME` and the like.
pub(crate) fn said(word: Word, name: &str) -> u32 {
    let known = &mut *known();
    if let Some(numbers) = known.said.get(name)
        && numbers[word as usize] != 0
    {
        return numbers[word as usize];
    }
    let text: &'static str = Box::leak(written(word, name).into_boxed_str());
    let number = known.number_of(text).id;
    let key: &'static str = &text[text.len() - name.len()..];
    known.said.entry(key).or_default()[word as usize] = number;
    number
}

fn written(word: Word, name: &str) -> String {
    let verb = match word {
        Word::Event => return name.to_owned(),
        Word::Set => "set",
        Word::Clear => "clear",
        Word::Check => "check",
        Word::CheckTail => "check-tail",
        Word::Remove => "remove",
    };
    format!("{verb} {name}")
}

/// The number of a text of the program's. `None` once there were too many.
pub(crate) fn text(text: &str) -> Option<u32> {
    let known = &mut *known();
    if let Some(name) = known.strings.get(text) {
        return Some(name.id);
    }
    if known.texts == TEXTS {
        return None;
    }
    known.texts += 1;
    if known.texts == TEXTS {
        output::note(&format!(
            "the program names more than {TEXTS} different texts; further ones are absent"
        ));
    }
    let text = Box::leak(text.to_owned().into_boxed_str());
    Some(known.number_of(text).id)
}

/// Whether this text has no number yet; it gets one.
pub(crate) fn is_new(text: &'static str) -> bool {
    let known = &mut *known();
    let before = known.strings.len();
    known.number_of(text);
    known.strings.len() > before
}

impl Known {
    fn number_of(&mut self, text: &'static str) -> &'static Name {
        self.strings.entry(text).or_insert_with(|| {
            let id = STRINGS.next();
            output::string(StringId(id), text);
            Box::leak(Box::new(Name { text, id }))
        })
    }
}

fn known() -> std::sync::MutexGuard<'static, Known> {
    KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_own(file: &str) -> bool {
    !file.starts_with('/')
        || start::settings().is_some_and(|it| it.own.iter().any(|own| file.starts_with(own.as_str())))
}
