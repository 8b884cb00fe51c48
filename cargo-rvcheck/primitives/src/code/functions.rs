//! What functions of std and of other crates do with what they are given, as far as it matters whether code of others runs and whether
//! they wait.
//!
//! What stands in no list here is not known.

use crate::action::Action;
use crate::operation::Waits;
use crate::owner::Is;
use crate::row;

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
        || MOVES.iter().any(|(owners, names)| owners.contains(&owner) && names.contains(&name))
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

/// Whether functions in a module of std are known: what comes behind `std::` in their path.
pub fn is_known_module(rest: &str, name: &str) -> bool {
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

/// Whether std has a trait of that name that it calls itself.
pub fn is_of_std(of_trait: &str) -> bool {
    TRAITS.contains(&of_trait)
        || matches!(
            of_trait,
            "Debug" | "Display" | "Drop" | "Error" | "Hasher" | "Read" | "ToString" | "Write"
        )
}

/// Whether a function may wait, be it for a while or until what a cell is filled with is made.
pub fn may_wait(path: &str) -> bool {
    row(path).is_some_and(|it| {
        let waits = it.operation.waits == Waits::Thread && it.owner.is != Is::Map;
        let makes_way = matches!(it.operation.action, Action::Initialise | Action::Yield);
        waits || makes_way && it.operation.waits != Waits::Task
    })
}

/// What other crates run in another task or thread.
pub fn is_spawn(path: &str) -> bool {
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
pub fn is_harmless(path: &str) -> bool {
    let (of, name) = path.rsplit_once("::").unwrap_or(("", path));
    HARMLESS.iter().any(|(types, names)| types.contains(&of) && (names.is_empty() || names.contains(&name)))
}

/// Whether something of another crate may wake tasks.
pub fn wakes(path: &str) -> bool {
    !matches!(
        last(path),
        "new" | "channel" | "unbounded_channel" | "capacity" | "is_closed" | "len" | "is_locked"
    )
}

/// Whether a type is an iterator of `std` that only moves what it gives.
fn is_iterator(owner: &str) -> bool {
    matches!(owner, "Range" | "RangeInclusive" | "Iter" | "IterMut" | "IntoIter" | "Keys" | "Values")
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

/// Whether what implements a trait is called by others at any time.
pub fn is_called_back(of_trait: &str) -> bool {
    matches!(
        of_trait,
        "GlobalAlloc" | "Log" | "Subscriber" | "Layer" | "Wake" | "ArcWake" | "RawMutex" | "RawRwLock"
    )
}

/// Whether a function has something called by others at any time.
pub fn sets_callback(name: &str) -> bool {
    matches!(name, "set_hook" | "set_logger" | "set_boxed_logger" | "set_global_default")
}

/// The last segment of a path.
fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// Modules of std whose functions wait for nothing and call only what they are given.
const MODULES: &[&str] = &[
    "alloc",
    "any",
    "array",
    "ascii",
    "borrow",
    "boxed",
    "cell",
    "char",
    "clone",
    "cmp",
    "collections",
    "convert",
    "default",
    "error",
    "ffi",
    "fmt",
    "hash",
    "hint",
    "intrinsics",
    "iter",
    "marker",
    "mem",
    "num",
    "ops",
    "option",
    "panicking",
    "path",
    "pin",
    "ptr",
    "range",
    "rc",
    "result",
    "rt",
    "slice",
    "str",
    "string",
    "time",
    "vec",
];

/// Traits of std whose methods wait for nothing and call only what their types have.
const TRAITS: &[&str] = &[
    "Add",
    "AddAssign",
    "Any",
    "AsMut",
    "AsRef",
    "BitAnd",
    "BitAndAssign",
    "BitOr",
    "BitOrAssign",
    "BitXor",
    "BitXorAssign",
    "Borrow",
    "BorrowMut",
    "BuildHasher",
    "Clone",
    "Concat",
    "Default",
    "Div",
    "DivAssign",
    "DoubleEndedIterator",
    "Eq",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "FromResidual",
    "FromStr",
    "Hash",
    "Index",
    "IndexMut",
    "Into",
    "IntoIterator",
    "Iterator",
    "Join",
    "Mul",
    "MulAssign",
    "Neg",
    "Not",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Pattern",
    "Product",
    "RangeBounds",
    "Rem",
    "RemAssign",
    "Residual",
    "Shl",
    "ShlAssign",
    "Shr",
    "ShrAssign",
    "SliceIndex",
    "SpecToString",
    "Step",
    "Sub",
    "SubAssign",
    "Sum",
    "ToOwned",
    "ToSocketAddrs",
    "Try",
    "TryFrom",
    "TryInto",
];

/// Primitive types and modules of std whose functions the compiler writes by their last segment.
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
    "mem",
    "panicking",
    "array",
];

/// Functions of std that only move what they are given, by their types and names.
const MOVES: &[(&[&str], &[&str])] = &[
    (
        &["Option"],
        &[
            "as_mut",
            "as_pin_mut",
            "as_ref",
            "as_slice",
            "copied",
            "expect",
            "flatten",
            "is_none",
            "is_some",
            "iter",
            "iter_mut",
            "ok_or",
            "replace",
            "take",
            "unwrap",
            "unzip",
            "zip",
        ],
    ),
    (&["Result"], &["as_mut", "as_ref", "is_err", "is_ok", "iter", "copied"]),
    (
        &["Vec", "VecDeque", "LinkedList", "slice", "array"],
        &[
            "append",
            "as_mut_ptr",
            "as_mut_slice",
            "as_ptr",
            "as_slice",
            "back",
            "back_mut",
            "capacity",
            "first",
            "first_mut",
            "front",
            "front_mut",
            "get",
            "get_mut",
            "insert",
            "into_boxed_slice",
            "is_empty",
            "iter",
            "iter_mut",
            "last",
            "last_mut",
            "len",
            "new",
            "pop",
            "pop_back",
            "pop_front",
            "push_back",
            "push_front",
            "remove",
            "reserve",
            "reverse",
            "shrink_to_fit",
            "split_at",
            "split_off",
            "swap",
            "swap_remove",
            "with_capacity",
        ],
    ),
    (&["Vec"], &["push"]),
    (&["BinaryHeap"], &["capacity", "is_empty", "iter", "len", "new", "with_capacity"]),
    (
        &["HashMap", "BTreeMap", "HashSet", "BTreeSet"],
        &[
            "capacity",
            "into_iter",
            "is_empty",
            "iter",
            "iter_mut",
            "keys",
            "len",
            "new",
            "reserve",
            "values",
            "values_mut",
            "with_capacity",
        ],
    ),
    (
        &["Arc", "Rc", "Weak"],
        &[
            "as_ptr",
            "clone",
            "downgrade",
            "get_mut",
            "new",
            "ptr_eq",
            "strong_count",
            "upgrade",
            "weak_count",
        ],
    ),
    (
        &["Box", "Pin"],
        &[
            "as_mut",
            "as_ref",
            "get_mut",
            "get_ref",
            "get_unchecked_mut",
            "into_pin",
            "into_raw",
            "leak",
            "new",
            "new_unchecked",
            "pin",
        ],
    ),
    (
        &["Cell", "RefCell", "OnceCell", "OnceLock"],
        &["borrow", "borrow_mut", "get", "get_mut", "into_inner", "new", "try_borrow", "try_borrow_mut"],
    ),
    (&["Cell"], &["replace"]),
    (&["mem"], &["align_of", "forget", "needs_drop", "replace", "size_of", "swap"]),
    (&["ptr"], &["addr_of", "eq", "read", "swap", "write", "null", "null_mut"]),
    (&["Poll"], &["is_pending", "is_ready"]),
    (&["Mutex", "RwLock"], &["get_mut", "is_poisoned", "new", "try_lock", "try_read", "try_write"]),
    (&["PoisonError"], &["into_inner", "get_ref", "get_mut", "new"]),
    (&["ManuallyDrop", "MaybeUninit"], &["new", "uninit"]),
    (&["panic"], &["catch_unwind"]),
    (&["mpsc"], &["channel", "sync_channel"]),
    (&["Context"], &["waker", "from_waker"]),
    (&["Waker"], &["will_wake", "noop"]),
];

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
