//! Strings: each text that a record names gets a number, and is defined in the trace once.

use core::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rvcheck_event::id::StringId;

use crate::at_work::{self, AtWork};
use crate::ids::Ids;
use crate::memory::{Table, hash, keep, keep_text};
use crate::output;

static STRINGS: Ids = Ids::new();
static KNOWN: Mutex<Known> = Mutex::new(Known { strings: Table::new(), texts: 0 });

struct Known {
    strings: Table<&'static Name>,
    /// How many texts of programs were numbered.
    texts: u32,
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
pub(crate) fn lasting(text: &'static str) -> u32 {
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

/// How many different texts of a program's get a number. They stay in memory, so there has to be an end.
const TEXTS: u32 = 1_048_576;

/// The number of these texts, put together.
pub(crate) fn joined(parts: &[&str]) -> u32 {
    let Some((_at_work, mut known)) = known() else { return 0 };
    match known.find(parts) {
        Some(name) => name.id,
        None => known.add(keep_text(parts)).id,
    }
}

/// The number of a text of the program's. `None` once there were too many.
pub(crate) fn text(text: &str) -> Option<u32> {
    let at_work = at_work::enter()?;
    text_at_work(&at_work, &[text])
}

/// The same of these texts, put together, for who is at work.
pub(crate) fn text_at_work(_: &AtWork, parts: &[&str]) -> Option<u32> {
    let mut known = lock();
    if let Some(name) = known.find(parts) {
        return Some(name.id);
    }
    if known.texts == TEXTS {
        return None;
    }
    known.texts += 1;
    if known.texts == TEXTS {
        output::note("the program names more than 1048576 different texts; further ones are absent");
    }
    Some(known.add(keep_text(parts)).id)
}

/// Whether these texts, put together, have no number yet; they get one.
pub(crate) fn is_new(parts: &[&str]) -> bool {
    let Some((_at_work, mut known)) = known() else { return false };
    let is_new = known.find(parts).is_none();
    if is_new {
        known.add(keep_text(parts));
    }
    is_new
}

impl Known {
    /// The string that these parts are, put together.
    fn find(&mut self, parts: &[&str]) -> Option<&'static Name> {
        let is_it = |it: &&'static Name| {
            let mut rest = it.text;
            let begins = |part: &&str| {
                rest.strip_prefix(part).is_some_and(|behind| {
                    rest = behind;
                    true
                })
            };
            parts.iter().all(begins) && rest.is_empty()
        };
        self.strings.find(hash(parts, 0), is_it).copied()
    }

    fn number_of(&mut self, text: &'static str) -> &'static Name {
        self.find(&[text]).unwrap_or_else(|| self.add(text))
    }

    /// Gives a string a number that has none.
    fn add(&mut self, text: &'static str) -> &'static Name {
        let id = STRINGS.next();
        output::string(StringId(id), text);
        let name = keep(Name { text, id });
        self.strings.insert(hash(&[text], 0), name);
        name
    }
}

/// What is known. `None` if the thread is busy: it may be the one that holds the lock.
fn known() -> Option<(AtWork, MutexGuard<'static, Known>)> {
    let at_work = at_work::enter()?;
    Some((at_work, lock()))
}

fn lock() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}
