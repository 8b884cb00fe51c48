//! The names of exchanged types: a program that asks for one is told that of the real type.

use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::memory::{Table, Text, hash, keep_text};
use crate::{at_work, switch};

/// The types of one shim. A shim makes one with [`exchanged!`](crate::exchanged).
#[derive(Debug)]
pub struct Exchanged {
    /// What gives the name of a type and that of the real one, both with some arguments.
    pairs: &'static [Pair],
    /// The one that was made known before.
    next: AtomicPtr<Exchanged>,
}

/// What gives the name of a type, and what gives that of the real one.
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

/// The parts of the name with all exchanged types replaced, and how many these are. `None` if there is nothing to be replaced.
fn replaced<'n>(name: &'n str, parts: &mut [&'n str; PARTS]) -> Option<usize> {
    let (mut count, mut done, mut at) = (0, 0, 0);
    while at < name.len() {
        let rest = &name[at..];
        let is_in_path = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':');
        let path = &rest[..rest.find(|it| !is_in_path(it)).unwrap_or(rest.len())];
        if path.is_empty() {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        if let Some(real) = path.starts_with("rv").then(|| real_path(path)).flatten() {
            let slots = parts.get_mut(count..count + 2)?;
            slots.copy_from_slice(&[&name[done..at], real]);
            count += 2;
            done = at + path.len();
        }
        at += path.len();
    }
    if count == 0 {
        return None;
    }
    *parts.get_mut(count)? = &name[done..];
    Some(count + 1)
}

fn real_path(path: &str) -> Option<&'static str> {
    let without = |name: &'static str| name.split('<').next().unwrap_or(name);
    let mut pairs = Exchanged::all().flat_map(|it| it.pairs);
    pairs.find(|(ours, _)| without(ours()) == path).map(|(_, real)| without(real()))
}

/// Makes known which types of a shim stand for which real ones, each with some arguments.
#[macro_export]
macro_rules! exchanged {
    ($($(#[$when:meta])* $ours:ty => $real:ty;)*) => {
        const _: () = {
            static TYPES: $crate::Exchanged = $crate::Exchanged::new(&[
                $($(#[$when])* (::core::any::type_name::<$ours>, ::core::any::type_name::<$real>),)*
            ]);

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
