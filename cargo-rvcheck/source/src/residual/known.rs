//! What is known of std and of other crates: what waits for nothing, and what does.

use super::class::is_opaque;
use crate::flow::text::referent;
use crate::flow::{Callee, Program};

/// Whether that is the name of a type of std that has nothing in it but what its arguments say.
pub(super) fn is_known_of_std(name: &str) -> bool {
    STD_TYPES.contains(&name)
}

/// The types of std that the compiler writes by their last segment.
const STD_TYPES: &[&str] = &[
    "Arc",
    "Argument",
    "Arguments",
    "AtomicBool",
    "AtomicI16",
    "AtomicI32",
    "AtomicI64",
    "AtomicI8",
    "AtomicIsize",
    "AtomicPtr",
    "AtomicU16",
    "AtomicU32",
    "AtomicU64",
    "AtomicU8",
    "AtomicUsize",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "Box",
    "Cell",
    "Chain",
    "Chars",
    "Cloned",
    "Context",
    "ControlFlow",
    "Copied",
    "Cow",
    "Drain",
    "Duration",
    "Entry",
    "Enumerate",
    "Error",
    "Filter",
    "FilterMap",
    "FlatMap",
    "Flatten",
    "Formatter",
    "Fuse",
    "HashMap",
    "HashSet",
    "Infallible",
    "Instant",
    "IntoIter",
    "Iter",
    "IterMut",
    "Keys",
    "Lines",
    "Map",
    "MaybeUninit",
    "MutexGuard",
    "NonNull",
    "NonZero",
    "Option",
    "Ordering",
    "OsStr",
    "OsString",
    "Path",
    "PathBuf",
    "Peekable",
    "PhantomData",
    "Pin",
    "PoisonError",
    "Poll",
    "Range",
    "RangeFrom",
    "RangeFull",
    "RangeInclusive",
    "RangeTo",
    "Rc",
    "Ref",
    "RefCell",
    "RefMut",
    "Result",
    "Rev",
    "RwLockReadGuard",
    "RwLockWriteGuard",
    "Saturating",
    "Skip",
    "Split",
    "SplitWhitespace",
    "StepBy",
    "String",
    "SystemTime",
    "Take",
    "TakeWhile",
    "Utf8Error",
    "Values",
    "ValuesMut",
    "Vec",
    "VecDeque",
    "Waker",
    "Weak",
    "Wrapping",
    "Zip",
];

/// Whether what is called is a part of std that waits for nothing and calls only what it is given.
pub(super) fn is_of_std(program: &Program, callee: &Callee, path: &str) -> bool {
    if let Some(ty) = callee.self_type.as_deref() {
        let bare = referent(ty).unwrap_or(ty);
        let head = program.head(bare);
        // What a guard guards may be of a type that is not known.
        let of_guard = crate::flow::kind_of(&head).is_some();
        if of_guard && callee.of_trait.as_deref().is_some_and(|it| matches!(it, "Deref" | "DerefMut")) {
            return true;
        }
        if is_opaque(program, bare) {
            return false;
        }
        if callee.of_trait.as_deref().is_some_and(|it| OF_VALUES.contains(&it)) {
            return true;
        }
        return head.starts_with("std::")
            || STD_TYPES.contains(&head.as_str())
            || !head.starts_with(char::is_uppercase) && !head.contains("::")
            || crate::flow::kind_of(&head).is_some();
    }
    let of = path.split("::").next().unwrap_or_default();
    of == "std"
        || STD_TYPES.contains(&of)
        || of.starts_with(['[', '('])
        || PRIMITIVES.contains(&of)
        || of.is_empty()
}

/// The traits of plain values: to compare, copy, hash, add or convert them waits for nothing, of whatever crate they are.
const OF_VALUES: &[&str] = &[
    "Add",
    "AddAssign",
    "AsMut",
    "AsRef",
    "Borrow",
    "Clone",
    "Debug",
    "Default",
    "Deref",
    "DerefMut",
    "Display",
    "Eq",
    "From",
    "Hash",
    "Index",
    "IndexMut",
    "Into",
    "Mul",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Sub",
    "SubAssign",
    "ToOwned",
    "ToString",
];

const PRIMITIVES: &[&str] = &[
    "str",
    "char",
    "bool",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "f32",
    "f64",
    "slice",
    "ptr",
    "panicking",
    "begin_panic",
    "format",
    "must_use",
    "drop",
];

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
            | "spawn_blocking"
            | "spawn_local"
    )
}

/// What other crates do at once, without waiting and without calling anything back.
pub(super) fn is_harmless(path: &str) -> bool {
    let (of, name) = path.rsplit_once("::").unwrap_or(("", path));
    HARMLESS.iter().any(|(types, names)| types.contains(&of) && (names.is_empty() || names.contains(&name)))
}

/// What other crates do at once, by type and name; all functions of a type where there are no names.
const HARMLESS: &[(&[&str], &[&str])] = &[
    (&["tokio::sync::Notify"], &["new", "notified", "notify_one", "notify_waiters"]),
    (&["tokio::sync::mpsc::Sender"], &["capacity", "is_closed", "try_send"]),
    (&["tokio::sync::mpsc::UnboundedSender", "tokio::sync::oneshot::Sender"], &["is_closed", "send"]),
    (&["tokio::sync::mpsc::Receiver", "tokio::sync::mpsc::UnboundedReceiver"], &["close", "try_recv"]),
    (&["tokio::sync::broadcast::Sender"], &["new", "receiver_count", "send", "subscribe"]),
    (&["tokio::sync::watch::Sender"], &["send", "send_replace", "subscribe"]),
    (&["tokio::sync::mpsc", "tokio::sync::oneshot"], &["channel", "unbounded_channel"]),
    (&["tokio::sync::watch", "tokio::sync::broadcast"], &["channel"]),
    (
        &["tokio::sync::Semaphore"],
        &["add_permits", "available_permits", "close", "new", "try_acquire", "try_acquire_owned"],
    ),
    (&["tokio::task::JoinHandle", "tokio::task::AbortHandle"], &["abort", "abort_handle", "is_finished"]),
    (&["tokio::time::Instant"], &[]),
    (&["lock_api::Mutex", "tokio::sync::Mutex"], &["get_mut", "into_inner", "is_locked", "new", "try_lock"]),
    (
        &["lock_api::RwLock", "tokio::sync::RwLock"],
        &["get_mut", "into_inner", "new", "try_read", "try_write"],
    ),
    (&["lock_api::Condvar", "parking_lot::Condvar"], &["new", "notify_all", "notify_one"]),
    (
        &["flume::Sender", "flume::Receiver", "async_channel::Sender", "async_channel::Receiver"],
        &["len", "try_recv", "try_send"],
    ),
];
