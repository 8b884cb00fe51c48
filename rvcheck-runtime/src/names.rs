//! The names of exchanged types and functions: a program that asks for one is told that of the real one.

use core::ops::Range;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::memory::{Table, Text, hash, keep_text};
use crate::{at_work, switch};

/// Types or functions of one shim. A shim makes one with [`exchanged!`](crate::exchanged) or
/// [`exchanged_functions!`](crate::exchanged_functions).
#[derive(Debug)]
pub struct Exchanged {
    /// What gives the name of each and that of the real one, both with some arguments.
    pairs: &'static [Pair],
    /// The one that was made known before.
    next: AtomicPtr<Exchanged>,
}

/// What gives a name, and what gives that of the real one.
type Pair = (fn() -> &'static str, fn() -> &'static str);

static FIRST: AtomicPtr<Exchanged> = AtomicPtr::new(ptr::null_mut());

/// Names that have been asked for, with what was the answer.
static ANSWERS: Mutex<Table<(&'static str, &'static str)>> = Mutex::new(Table::new());

impl Exchanged {
    /// These types.
    pub const fn new(pairs: &'static [Pair]) -> Exchanged {
        Exchanged { pairs, next: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Makes them known. To be called once, before `main`.
    pub fn make_known(&'static self) {
        self.next.store(FIRST.load(Ordering::Acquire), Ordering::Relaxed);
        FIRST.store(ptr::from_ref(self).cast_mut(), Ordering::Release);
    }

    /// All that are known.
    fn all() -> impl Iterator<Item = &'static Exchanged> {
        // SAFETY: null, or a static.
        let known = |it: &AtomicPtr<Exchanged>| unsafe { it.load(Ordering::Acquire).as_ref() };
        core::iter::successors(known(&FIRST), move |it| known(&it.next))
    }
}

/// What the compiler calls a type, with the names of the real types in it. All exchanged ones are in crates that begin with `rv`.
#[inline]
pub fn real_name(name: &'static str) -> &'static str {
    if name.contains("rv") { answer(name) } else { name }
}

#[cold]
fn answer(name: &'static str) -> &'static str {
    let mut parts: [&str; PARTS] = [""; PARTS];
    let Some(count) = replaced(name, &mut parts) else { return name };
    let parts = &parts[..count];
    if switch::is_forked_off() {
        // Another thread of the parent may hold the locks for ever.
        return Box::leak(parts.concat().into_boxed_str());
    }
    let Some(_at_work) = at_work::enter() else { return name };
    let mut answers = ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    let hash = hash(&[name], 0);
    if let Some((_, answer)) = answers.find(hash, |it| it.0 == name) {
        return answer;
    }
    let answer = keep_text(&[&Text::of(parts)]);
    answers.insert(hash, (name, answer));
    answer
}

/// A name of more parts stays as it is.
const PARTS: usize = 64;

/// The parts of the name with all exchanged types and functions replaced, and how many these are. `None` if there is nothing to be
/// replaced.
fn replaced<'n>(name: &'n str, parts: &mut [&'n str; PARTS]) -> Option<usize> {
    let mut found = Taken { of: name, parts, count: 0, done: 0 };
    let mut at = 0;
    let mut closing = None;
    while at < name.len() {
        let rest = &name[at..];
        if closing == Some(at) {
            found.replace(at..at + 1, "")?;
        }
        let path = path_in(rest);
        if path.is_empty() {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let inside = at + path.len() + BLOCK.len();
        let is_block = path.ends_with("::") && rest[path.len()..].starts_with(BLOCK);
        if is_block && path.starts_with("rv") && real_path(path_in(&name[inside..])).is_some() {
            // The real method stands in a block beside its type, whose name says nothing of the block.
            closing = Some(inside + end_of_arguments(&name[inside..])).filter(|it| *it < name.len());
            found.replace(at..inside, "")?;
            at = inside;
            continue;
        }
        if let Some((length, real)) = path.starts_with("rv").then(|| real_path(path)).flatten() {
            found.replace(at..at + length, real)?;
        }
        at += path.len();
    }
    found.end()
}

/// What stands before the type whose methods are in a block elsewhere, as in `a::b::<impl c::D>::method`.
const BLOCK: &str = "<impl ";

/// A name that is taken apart.
struct Taken<'n, 'p> {
    of: &'n str,
    parts: &'p mut [&'n str; PARTS],
    count: usize,
    /// How far it is in the parts.
    done: usize,
}

impl<'n> Taken<'n, '_> {
    fn replace(&mut self, range: Range<usize>, with: &'n str) -> Option<()> {
        let slots = self.parts.get_mut(self.count..self.count + 2)?;
        slots.copy_from_slice(&[&self.of[self.done..range.start], with]);
        self.count += 2;
        self.done = range.end;
        Some(())
    }

    fn end(self) -> Option<usize> {
        if self.count == 0 {
            return None;
        }
        *self.parts.get_mut(self.count)? = &self.of[self.done..];
        Some(self.count + 1)
    }
}

/// The path that a text begins with.
fn path_in(text: &str) -> &str {
    let is_in_path = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':');
    &text[..text.find(|it| !is_in_path(it)).unwrap_or(text.len())]
}

/// Where the `>` is that closes what was opened before this text.
fn end_of_arguments(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' if text[..at].ends_with('-') => {}
            '>' if depth == 0 => return at,
            '>' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// How much of a path names something exchanged, and the real name. What is in it keeps its own: `Notify::notified`.
fn real_path(path: &str) -> Option<(usize, &'static str)> {
    let without = |name: &'static str| name.split('<').next().unwrap_or(name);
    Exchanged::all().flat_map(|it| it.pairs).find_map(|(ours, real)| {
        let ours = without(ours());
        let behind = path.strip_prefix(ours)?;
        (behind.is_empty() || behind.starts_with("::")).then(|| (ours.len(), without(real())))
    })
}

/// Makes known which types of a shim stand for which real ones, each with some arguments.
#[macro_export]
macro_rules! exchanged {
    ($($(#[$when:meta])* $ours:ty => $real:ty;)*) => {
        $crate::known_names! {
            $($(#[$when])* (::core::any::type_name::<$ours>, ::core::any::type_name::<$real>),)*
        }
    };
}

/// Makes known which functions of a shim stand for which real ones, each with some arguments.
#[macro_export]
macro_rules! exchanged_functions {
    ($($(#[$when:meta])* $ours:path => $real:path;)*) => {
        $crate::known_names! {
            $($(#[$when])* (|| ::core::any::type_name_of_val(&$ours), || ::core::any::type_name_of_val(&$real)),)*
        }
    };
}

/// Makes known what gives names of a shim, and what gives the real ones.
#[doc(hidden)]
#[macro_export]
macro_rules! known_names {
    ($($(#[$when:meta])* ($ours:expr, $real:expr),)*) => {
        const _: () = {
            static TYPES: $crate::Exchanged = $crate::Exchanged::new(&[$($(#[$when])* ($ours, $real),)*]);

            extern "C" fn make_known() {
                TYPES.make_known();
            }

            #[used]
            #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
            #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
            static BEFORE_MAIN: extern "C" fn() = make_known;
        };
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs() -> &'static Exchanged {
        fn lock() -> &'static str {
            "rvkit::lock::Lock<()>"
        }
        fn real_lock() -> &'static str {
            "kit::sync::deep::Lock<()>"
        }
        fn sleep() -> &'static str {
            "rvkit::sleep"
        }
        fn real_sleep() -> &'static str {
            "kit::time::functions::sleep"
        }
        static PAIRS: Exchanged = Exchanged::new(&[(lock, real_lock), (sleep, real_sleep)]);
        &PAIRS
    }

    #[test]
    fn names_are_those_of_the_real_items() {
        pairs().make_known();
        let cases = [
            ("rvkit::lock::Lock<u8>", "kit::sync::deep::Lock<u8>"),
            ("rvkit::sleep", "kit::time::functions::sleep"),
            ("core::option::Option<rvkit::sleep>", "core::option::Option<kit::time::functions::sleep>"),
            ("rvkit::sleep::{{closure}}", "kit::time::functions::sleep::{{closure}}"),
            (
                "rvkit::lock::Lock<rvkit::lock::Lock<u8>>::lock",
                "kit::sync::deep::Lock<kit::sync::deep::Lock<u8>>::lock",
            ),
            (
                "rvkit::ways::<impl rvkit::lock::Lock<fn() -> u8>>::try_lock",
                "kit::sync::deep::Lock<fn() -> u8>::try_lock",
            ),
            (
                "rvmine::ways::<impl rvmine::Lock<rvkit::sleep>>::lock",
                "rvmine::ways::<impl rvmine::Lock<kit::time::functions::sleep>>::lock",
            ),
        ];
        for (name, expected) in cases {
            assert_eq!(real_name(name), expected);
        }
        for name in ["rvkit::sleepy", "my::rvkit::sleep", "rvmine::sleep", "u8"] {
            assert_eq!(real_name(name), name);
        }
    }
}
