//! What functions of std and of other crates do with what they are given, as far as it matters whether code of others runs and whether
//! they wait.
//!
//! Of primitives their rows say it, of ordinary values the adapters. What stands nowhere there is not known.

use super::names::{PRIMITIVES, TRAITS, is_of_values};
use crate::adapter;

/// What a function that is known does with the values that it is given. None waits for anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// It only moves them or looks at them. It calls what it has a type parameter of its own for.
    Moves,
    /// It may compare, copy, hash, convert, call or drop them.
    Uses,
    /// It may show them, too.
    Shows,
    /// It drops them.
    Drops,
    /// It writes to where something is shown or hashed.
    Writes,
}

/// What a method of a trait is called on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct On<'a> {
    /// The path of its type in the one form.
    pub head: &'a str,
    /// The last segment of that, or nothing where it is not known what it means.
    pub name: &'a str,
    /// Whether std has that type.
    pub of_std: bool,
    /// Whether it is a guard.
    pub is_guard: bool,
    /// Whether it is behind a reference.
    pub is_reference: bool,
}

/// What a function of std that is known does: by the path of its type or module, the last segment of that, and its name.
pub fn manner(of: &str, owner: &str, name: &str) -> Manner {
    if matches!(of, "std::mem" | "mem" | "std::ptr" | "ptr") && matches!(name, "drop" | "drop_in_place") {
        return Manner::Drops;
    }
    if owner == "Formatter" || owner.starts_with("Debug") {
        return Manner::Writes;
    }
    let shows = matches!(name, "unwrap" | "expect" | "unwrap_err" | "expect_err") && owner == "Result"
        || of.starts_with("std::fmt")
        || matches!(owner, "Argument" | "panicking" | "rt");
    if owner == "Arguments"
        && matches!(name, "new" | "from_str" | "from_str_nonconst" | "new_const" | "as_str")
        || adapter(owner, name).is_some_and(|it| it.only_moves)
    {
        return Manner::Moves;
    }
    if shows { Manner::Shows } else { Manner::Uses }
}

/// What a method of a trait of std does, if that is known.
pub fn manner_of_method(of_trait: &str, method: &str, on: On<'_>) -> Option<Manner> {
    if matches!(of_trait, "Deref" | "DerefMut") {
        let plain = on.is_guard
            || on.of_std
                && matches!(
                    on.name,
                    "Arc"
                        | "Rc"
                        | "Box"
                        | "Vec"
                        | "String"
                        | "Ref"
                        | "RefMut"
                        | "ManuallyDrop"
                        | "PathBuf"
                        | "OsString"
                        | "CString"
                );
        return if plain {
            Some(Manner::Moves)
        } else if on.name.starts_with("Lazy") {
            None
        } else {
            Some(Manner::Uses)
        };
    }
    let moves = on.of_std
        && !on.head.starts_with("std::sync::mpsc::Iter")
        && !on.head.starts_with("std::sync::mpsc::IntoIter")
        && match of_trait {
            "Clone" => matches!(on.name, "Arc" | "Rc" | "Weak" | "Sender" | "SyncSender") || on.is_reference,
            "Try" => matches!(on.name, "Option" | "Result" | "ControlFlow" | "Poll"),
            "FromResidual" => on.name == "Option",
            "Iterator" => {
                matches!(method, "next" | "size_hint" | "next_back")
                    && (is_iterator(on.name) || on.name == "ValuesMut")
            }
            "IntoIterator" => {
                is_iterator(on.name)
                    || matches!(
                        on.name,
                        "Vec" | "VecDeque" | "HashMap" | "BTreeMap" | "HashSet" | "BTreeSet" | "Option"
                    )
            }
            "Index" | "IndexMut" => matches!(on.name, "Vec" | "VecDeque"),
            "AsRef" | "AsMut" => matches!(on.name, "Arc" | "Rc" | "Box" | "Vec"),
            _ => false,
        };
    if moves {
        return Some(Manner::Moves);
    }
    match of_trait {
        "Display" | "Debug" | "ToString" | "LowerHex" | "UpperHex" | "Binary" | "Octal" | "LowerExp"
        | "Pointer" | "Error" => Some(Manner::Shows),
        "Hasher" => Some(Manner::Writes),
        "Write" if on.of_std && on.name == "Formatter" => Some(Manner::Writes),
        "Write" if on.of_std && matches!(on.name, "String" | "Vec") => Some(Manner::Shows),
        _ => TRAITS.contains(&of_trait).then_some(Manner::Uses),
    }
}

/// What a function of std does that is named by its last segment alone. No other crate has one of its name then.
pub fn manner_of_name(name: &str) -> Option<Manner> {
    match name {
        "drop" | "drop_in_place" => Some(Manner::Drops),
        "must_use"
        | "exchange_malloc"
        | "box_new"
        | "size_of"
        | "size_of_val"
        | "align_of"
        | "needs_drop"
        | "forget"
        | "type_name"
        | "type_name_of_val"
        | "identity"
        | "black_box"
        | "unreachable_unchecked"
        | "catch_unwind"
        | "panicking"
        | "box_assume_init_into_vec_unsafe"
        | "from_fn"
        | "successors"
        | "from_ref"
        | "spin_loop" => Some(Manner::Moves),
        "panic"
        | "panic_fmt"
        | "panic_display"
        | "panic_explicit"
        | "panic_str_2015"
        | "assert_failed"
        | "begin_panic"
        | "unreachable_display"
        | "format"
        | "_print"
        | "_eprint"
        | "panic_bounds_check"
        | "unwrap_failed"
        | "expect_failed" => Some(Manner::Shows),
        _ => None,
    }
}

/// Whether the compiler writes the functions of that primitive type or module of std by this segment alone.
pub fn is_primitive(owner: &str) -> bool {
    PRIMITIVES.contains(&owner)
}

/// Whether the functions of the type or module of that path are about ordinary values.
pub fn is_about_values(path: &str) -> bool {
    is_of_values(path)
}

/// Whether std has a trait of that name that it calls itself.
pub fn is_of_std(of_trait: &str) -> bool {
    TRAITS.contains(&of_trait)
        || matches!(
            of_trait,
            "Debug" | "Display" | "Drop" | "Error" | "Hasher" | "Read" | "ToString" | "Write"
        )
}

/// Whether a type is an iterator of `std` that only moves what it gives.
fn is_iterator(owner: &str) -> bool {
    matches!(owner, "Range" | "RangeInclusive" | "Iter" | "IterMut" | "IntoIter" | "Keys" | "Values")
}

/// The standard streams, by the functions behind the macros that show something on them.
const STREAMS: [(&str, &str); 2] = [("_print", "std::io::Stdout"), ("_eprint", "std::io::Stderr")];

/// The standard stream on which the function of that path shows something, while it holds the lock of that.
pub fn stream_of(path: &str) -> Option<&'static str> {
    let (of, name) = path.rsplit_once("::").unwrap_or(("", path));
    let is_std = matches!(of, "" | "std::io" | "std::io::stdio");
    STREAMS.iter().find(|it| is_std && it.0 == name).map(|it| it.1)
}

/// Whether that is the path of a standard stream.
pub fn is_stream(path: &str) -> bool {
    STREAMS.iter().any(|it| it.1 == path)
}

/// What holds or frees a lock without a guard.
pub fn is_trick(path: &str) -> bool {
    let name = last(path);
    let raw =
        matches!(path.rsplit_once("::").map_or("", |it| last(it.0)), "Mutex" | "RwLock" | "ReentrantMutex")
            && name == "raw";
    raw || matches!(
        name,
        "force_unlock"
            | "force_unlock_fair"
            | "force_unlock_read"
            | "force_unlock_write"
            | "make_guard_unchecked"
            | "make_read_guard_unchecked"
            | "make_write_guard_unchecked"
    )
}

/// Whether what a function is given may never be dropped, or as something else.
pub fn keeps_from_dropping(path: &str) -> bool {
    last(path) == "leak"
        || matches!(
            path,
            "std::mem::forget"
                | "forget"
                | "std::mem::ManuallyDrop::new"
                | "ManuallyDrop::new"
                | "std::mem::transmute"
                | "transmute"
        )
}

/// Whether what a function is given is kept where no value has it: as a raw pointer, or by what others call at any time.
pub fn keeps_unseen(path: &str) -> bool {
    keeps_from_dropping(path)
        || matches!(last(path), "into_raw" | "set_hook")
        || super::call_effect(path) == Some(super::CallEffect::Registers)
}

/// Whether what implements a trait is called by others at any time, though nobody is given it.
pub fn is_called_back(of_trait: &str) -> bool {
    matches!(of_trait, "GlobalAlloc" | "Wake" | "ArcWake")
}

/// Whether what implements a trait says what a lock is.
pub fn is_lock_of_its_own(of_trait: &str) -> bool {
    matches!(of_trait, "RawMutex" | "RawRwLock")
}

/// The last segment of a path.
fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}
