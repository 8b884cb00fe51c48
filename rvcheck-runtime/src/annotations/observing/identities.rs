//! Identities by address: each pair of a type and an address gets a text, such as `Worker#1`.
//!
//! The type belongs to it because a struct and its first field can have one address. Texts are numbered by the short name of the type, so
//! that those of types with the same short name differ.

use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::memory::{Short, Table, hash, keep};
use crate::{at_work, strings, switch};

static KNOWN: Mutex<Known> = Mutex::new(Known { identities: Table::new(), counts: Table::new() });

struct Known {
    identities: Table<&'static Identity>,
    /// How many there are by the short names of types.
    counts: Table<(&'static str, u32)>,
}

/// What has an identity.
#[derive(Clone, Copy)]
struct Identity {
    type_name: &'static str,
    address: usize,
    /// The number of its text.
    text: u32,
}

/// Identities that were asked for a moment ago. Entries live for ever.
static RECENT: [AtomicPtr<Identity>; 1 << RECENT_BITS] =
    [const { AtomicPtr::new(ptr::null_mut()) }; 1 << RECENT_BITS];
const RECENT_BITS: u32 = 12;

/// The number of the text by which a value of this type at this address is called. `None` if nothing records or the thread is busy, or
/// once the program has named too many texts.
#[inline]
pub(super) fn of(type_name: &'static str, address: usize) -> Option<u32> {
    let slot = &RECENT[slot_of(address)];
    // SAFETY: null or an entry, and entries are never freed.
    match unsafe { slot.load(Ordering::Acquire).as_ref() } {
        Some(it) if it.address == address && ptr::eq(it.type_name, type_name) => Some(it.text),
        _ => find(type_name, address, slot),
    }
}

/// Values lie 8 bytes apart or more, often by a power of two.
#[inline]
fn slot_of(address: usize) -> usize {
    (address >> 3 ^ address >> (3 + RECENT_BITS)) & ((1 << RECENT_BITS) - 1)
}

#[cold]
#[inline(never)]
fn find(type_name: &'static str, address: usize, slot: &AtomicPtr<Identity>) -> Option<u32> {
    // In a forked child another thread of the parent may hold the lock for ever.
    let at_work = switch::on().then(at_work::enter)??;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = hash(&[type_name], address as u64);
    let is_it = |it: &&'static Identity| it.address == address && it.type_name == type_name;
    let identity = match known.identities.find(key, is_it) {
        Some(it) => *it,
        None => {
            let name = short_name(type_name);
            let count = known.count(name);
            let text = strings::text_at_work(&at_work, &[name, "#", &Short::of(format_args!("{count}"))])?;
            let identity = keep(Identity { type_name, address, text });
            known.identities.insert(key, identity);
            identity
        }
    };
    // The same name may stand in several places; the one that is asked for is found quickly.
    if ptr::eq(identity.type_name, type_name) {
        slot.store(NonNull::from_ref(identity).as_ptr(), Ordering::Release);
    }
    Some(identity.text)
}

impl Known {
    /// One more of this name; how many there are then.
    fn count(&mut self, name: &'static str) -> u32 {
        let key = hash(&[name], 0);
        let Some((_, count)) = self.counts.find(key, |it| it.0 == name) else {
            self.counts.insert(key, (name, 1));
            return 1;
        };
        *count = count.saturating_add(1);
        *count
    }
}

/// The last segment of a type's path, without parameters: `Worker` of `shop::Worker<'_, shop::Item>` and of `dyn shop::Worker + Send`.
/// What has no path is called as it is.
fn short_name(type_name: &'static str) -> &'static str {
    let name = type_name.strip_prefix("dyn ").unwrap_or(type_name);
    if !name.starts_with(|it: char| it.is_alphabetic() || it == '_') {
        return name;
    }
    let path = name.find(['<', '(', ' ', '#']).map_or(name, |end| &name[..end]);
    path.rsplit("::").next().unwrap_or(path).trim_matches(['{', '}'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_called_by_the_last_segment_of_its_path() {
        let names = [
            ("shop::Worker", "Worker"),
            ("shop::Worker<'_, shop::Item<u8>>", "Worker"),
            ("Worker", "Worker"),
            ("dyn shop::Worker<Item = u8> + core::marker::Send", "Worker"),
            ("shop::größe::Größe", "Größe"),
            ("shop::main::{{closure}}", "closure"),
            ("shop::main::{closure#0}", "closure"),
            ("[shop::Item]", "[shop::Item]"),
            ("(u8, shop::Item)", "(u8, shop::Item)"),
            ("fn(shop::Item) -> u8", "fn"),
            ("str", "str"),
            ("", ""),
        ];
        for (name, expected) in names {
            assert_eq!(short_name(name), expected, "{name}");
        }
    }
}
