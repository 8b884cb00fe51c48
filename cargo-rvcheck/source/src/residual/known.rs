//! What is known of std and of other crates: what waits for nothing, and what does.
//!
//! What stands in no list here is not known, whatever crate it is of.

use super::functions::{HARMLESS, MODULES, MOVES, PRIMITIVES, TRAITS};
use super::types::is_known_of_std;
use crate::flow::text::{last, segments};
use crate::flow::{Callee, Program};
use crate::mir::scan::{find_outside, parts};

/// What a function that is known does with the values that it is given. None waits for anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Manner {
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

/// What the function of that path does, if that is known.
pub(super) fn manner_of(program: &Program, callee: &Callee, path: &str) -> Option<Manner> {
    if let (Some(of), Some(of_trait)) = (&callee.self_type, &callee.trait_path) {
        return of_trait_of_std(program, of, of_trait, callee.name());
    }
    let (of, name) = path.rsplit_once("::").unwrap_or(("", path));
    if of.is_empty() {
        return free(program, name);
    }
    let owner = if of.starts_with(['[', '(']) { "slice" } else { last(of) };
    let is_std = match of.split_once("::") {
        Some(("std", rest)) => is_known_module(rest, name),
        // What stands around an operation on an atomic.
        Some(("rvcheck_runtime" | "rvcheck_injected", _)) => return Some(Manner::Moves),
        Some(_) => false,
        None => {
            PRIMITIVES.contains(&owner)
                || is_known_of_std(owner) && !program.knows_type(owner) && !program.is_of_root(owner)
        }
    };
    if !is_std {
        return None;
    }
    if matches!(of, "std::mem" | "mem" | "std::ptr" | "ptr") && matches!(name, "drop" | "drop_in_place") {
        return Some(Manner::Drops);
    }
    if owner == "Formatter" || owner.starts_with("Debug") {
        return Some(Manner::Writes);
    }
    let shows = matches!(name, "unwrap" | "expect" | "unwrap_err" | "expect_err") && owner == "Result"
        || of.starts_with("std::fmt")
        || matches!(owner, "Argument" | "panicking" | "rt");
    if owner == "Arguments"
        && matches!(name, "new" | "from_str" | "from_str_nonconst" | "new_const" | "as_str")
        || MOVES.iter().any(|(owners, names)| owners.contains(&owner) && names.contains(&name))
    {
        return Some(Manner::Moves);
    }
    Some(if shows { Manner::Shows } else { Manner::Uses })
}

/// The types that the text of a callee names: its own, that of its trait, and what it is made with.
pub(super) fn types_in(callee: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for segment in segments(callee) {
        let Some(inner) = segment.strip_prefix('<').and_then(|it| it.strip_suffix('>')) else { continue };
        if let Some(at) = find_outside(inner, |it| it.starts_with(" as ")) {
            found.push(&inner[..at]);
            found.extend(crate::flow::text::arguments(&inner[at + 4..]));
        } else if let Some(of) = inner.strip_prefix("impl ").filter(|it| !it.contains(' ')) {
            found.push(of);
        } else {
            found.extend(parts(inner));
        }
    }
    found
}

/// The types that a function itself is made with.
pub(super) fn own_types_in(callee: &str) -> Vec<&str> {
    let all = segments(callee);
    let inner = all.last().filter(|_| all.len() > 1).and_then(|it| it.strip_prefix('<')?.strip_suffix('>'));
    inner.map(parts).unwrap_or_default()
}

/// Whether functions in a module of std are known: what comes behind `std::` in their path.
fn is_known_module(rest: &str, name: &str) -> bool {
    let first = rest.split("::").next().unwrap_or_default();
    MODULES.contains(&first) && !matches!(rest, "cell::LazyCell" | "ptr::read_volatile")
        || matches!(
            rest,
            "sync::Arc" | "sync::Weak" | "sync::PoisonError" | "sync::TryLockError" | "task::Poll"
        )
        || rest.starts_with("sync::atomic")
        || matches!(rest, "sync::Mutex" | "sync::RwLock")
            && matches!(
                name,
                "new"
                    | "get_mut"
                    | "into_inner"
                    | "try_lock"
                    | "try_read"
                    | "try_write"
                    | "is_poisoned"
                    | "clear_poison"
            )
        || matches!(rest, "sync::MutexGuard" | "sync::RwLockReadGuard" | "sync::RwLockWriteGuard")
        || rest == "sync::Condvar" && matches!(name, "new" | "notify_one" | "notify_all")
        || rest == "sync::OnceLock"
            && matches!(name, "new" | "get" | "get_mut" | "set" | "into_inner" | "take")
        || rest == "sync::mpsc" && matches!(name, "channel" | "sync_channel")
        || rest == "sync::mpsc::Sender" && name == "send"
        || rest == "sync::mpsc::Receiver" && name == "try_recv"
        || rest == "task::Context" && matches!(name, "waker" | "from_waker")
        || rest == "task::Waker" && matches!(name, "will_wake" | "noop")
        || rest == "panic" && matches!(name, "catch_unwind" | "panic_any" | "resume_unwind")
        || rest.starts_with("panic::Location")
        || rest == "thread" && matches!(name, "current" | "panicking")
        || matches!(rest, "thread::Thread" | "thread::ThreadId")
        || rest == "io" && matches!(name, "_print" | "_eprint")
        || rest == "io::stdio" && matches!(name, "_print" | "_eprint")
        || matches!(rest, "io::Error" | "io::error::Error" | "io::ErrorKind")
        || rest.starts_with("net::")
            && !["TcpStream", "TcpListener", "UdpSocket"].iter().any(|it| rest.contains(it))
            && rest.contains("Addr")
}

/// What a method of a trait does, if the trait is one of std that is known.
fn of_trait_of_std(program: &Program, of: &str, of_trait: &str, method: &str) -> Option<Manner> {
    let name = last(of_trait);
    let is_std = of_trait.starts_with("std::") || of_trait == name && !program.knows_trait(name);
    if !is_std {
        return None;
    }
    let bare = crate::flow::text::referent(of).unwrap_or(of);
    let head = program.head(bare);
    let owner = if program.is_of_root(&head) { "" } else { last(&head) };
    let of_std = !program.knows_type(owner) && (head.starts_with("std::") || is_known_of_std(&head));
    let of_guard = crate::flow::kind_of(&head).is_some();
    if matches!(name, "Deref" | "DerefMut") {
        let plain = of_guard
            || of_std
                && matches!(
                    owner,
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
        } else if owner.starts_with("Lazy") {
            None
        } else {
            Some(Manner::Uses)
        };
    }
    let moves = of_std
        && !head.starts_with("std::sync::mpsc::Iter")
        && !head.starts_with("std::sync::mpsc::IntoIter")
        && match name {
            "Clone" => {
                matches!(owner, "Arc" | "Rc" | "Weak" | "Sender" | "SyncSender") || of.starts_with('&')
            }
            "Try" => matches!(owner, "Option" | "Result" | "ControlFlow" | "Poll"),
            "FromResidual" => owner == "Option",
            "Iterator" => {
                matches!(method, "next" | "size_hint" | "next_back")
                    && (is_iterator(owner) || owner == "ValuesMut")
            }
            "IntoIterator" => {
                is_iterator(owner)
                    || matches!(
                        owner,
                        "Vec" | "VecDeque" | "HashMap" | "BTreeMap" | "HashSet" | "BTreeSet" | "Option"
                    )
            }
            "Index" | "IndexMut" => matches!(owner, "Vec" | "VecDeque"),
            "AsRef" | "AsMut" => matches!(owner, "Arc" | "Rc" | "Box" | "Vec"),
            _ => false,
        };
    if moves {
        return Some(Manner::Moves);
    }
    match name {
        "Display" | "Debug" | "ToString" | "LowerHex" | "UpperHex" | "Binary" | "Octal" | "LowerExp"
        | "Pointer" | "Error" => Some(Manner::Shows),
        "Hasher" => Some(Manner::Writes),
        "Write" if of_std && owner == "Formatter" => Some(Manner::Writes),
        "Write" if of_std && matches!(owner, "String" | "Vec") => Some(Manner::Shows),
        _ => TRAITS.contains(&name).then_some(Manner::Uses),
    }
}

/// Whether std has a trait of that name that it calls itself.
pub(super) fn is_of_std(of_trait: &str) -> bool {
    TRAITS.contains(&of_trait)
        || matches!(
            of_trait,
            "Debug" | "Display" | "Drop" | "Error" | "Hasher" | "Read" | "ToString" | "Write"
        )
}

/// What a function of std does that is named by its last segment alone. No other crate has one of its name then.
fn free(program: &Program, name: &str) -> Option<Manner> {
    if program.knows_function(name) {
        return None;
    }
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

/// What waits, besides what blocks its thread for a time that nobody knows.
pub(super) fn waits_besides(path: &str) -> bool {
    let (of, name) = path.rsplit_once("::").unwrap_or(("", path));
    match of {
        "std::sync::mpsc::SyncSender" | "flume::Sender" | "crossbeam_channel::Sender" => {
            name.starts_with("send")
        }
        "std::sync::Once" | "std::sync::OnceLock" | "std::sync::LazyLock" | "std::cell::LazyCell" => {
            name.starts_with("call_once") || name.starts_with("get_or") || matches!(name, "wait" | "force")
        }
        "std::thread" => matches!(name, "scope" | "yield_now"),
        _ => matches!(name, "try_lock_for" | "try_lock_until" | "try_read_for" | "try_write_for"),
    }
}

/// What other crates run in another task or thread.
pub(super) fn is_spawn(path: &str) -> bool {
    matches!(
        path,
        "tokio::spawn"
            | "tokio::task::spawn"
            | "tokio::task::spawn_blocking"
            | "tokio::task::spawn_local"
            | "tokio::runtime::Handle::spawn"
            | "tokio::runtime::Runtime::spawn"
            | "std::thread::spawn"
    )
}

/// What other crates do at once, without waiting and without calling anything back.
pub(super) fn is_harmless(path: &str) -> bool {
    let (of, name) = path.rsplit_once("::").unwrap_or(("", path));
    HARMLESS.iter().any(|(types, names)| types.contains(&of) && (names.is_empty() || names.contains(&name)))
}

/// Whether something of another crate may wake tasks.
pub(super) fn wakes(path: &str) -> bool {
    !matches!(
        last(path),
        "new" | "channel" | "unbounded_channel" | "capacity" | "is_closed" | "len" | "is_locked"
    )
}

/// Whether a type is an iterator of `std` that only moves what it gives.
fn is_iterator(owner: &str) -> bool {
    matches!(owner, "Range" | "RangeInclusive" | "Iter" | "IterMut" | "IntoIter" | "Keys" | "Values")
}
