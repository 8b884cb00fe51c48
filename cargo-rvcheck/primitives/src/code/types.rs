//! Types of std and of other crates of which it is known what is in them.

/// What a type may have behind it that its arguments do not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hidden {
    /// Whatever an error was made of.
    Error,
    /// Whatever a panic was made of.
    Panic,
    /// Whatever bytes were made of.
    Bytes,
    /// The messages that it waits for.
    Messages,
    /// It is not known what.
    Anything,
}

/// What is behind the type of that path, if anything.
pub fn hidden(path: &str) -> Option<Hidden> {
    let last = path.rsplit("::").next().unwrap_or(path);
    Some(match path {
        "std::io::Error" | "std::io::error::Error" | "std::io::Result" => Hidden::Error,
        "std::thread::JoinHandle" => Hidden::Panic,
        "bytes::Bytes" | "bytes::BytesMut" => Hidden::Bytes,
        _ if path.starts_with("std::thread::") && !matches!(last, "Thread" | "ThreadId") => Hidden::Anything,
        "std::sync::mpsc::Iter" | "std::sync::mpsc::IntoIter" => Hidden::Messages,
        _ if path.starts_with("std::process::") => Hidden::Anything,
        _ => return None,
    })
}

/// What a type of std keeps in the thread that has its value, whatever it is made with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Confined {
    /// References to it: it is not `Sync`.
    References,
    /// Itself and references to it: it is neither `Send` nor `Sync`.
    Values,
}

/// What the type of that path keeps in its thread, if anything.
pub fn confined(path: &str) -> Option<Confined> {
    let (of, path) = path.split_once("::")?;
    if !matches!(of, "std" | "core" | "alloc") {
        return None;
    }
    Some(match path {
        "cell::Cell"
        | "cell::RefCell"
        | "cell::UnsafeCell"
        | "cell::OnceCell"
        | "cell::LazyCell"
        | "sync::mpsc::Receiver" => Confined::References,
        "rc::Rc" | "rc::Weak" | "ptr::NonNull" => Confined::Values,
        _ => return None,
    })
}

/// Whether std has a type of that name alone that is known.
pub fn is_known_of_std(name: &str) -> bool {
    STD.contains(&name)
        || HIDING.contains(&name)
        || EMPTY.contains(&name)
        || matches!(
            name,
            "Arguments"
                | "Argument"
                | "Context"
                | "Waker"
                | "MutexGuard"
                | "RwLockReadGuard"
                | "RwLockWriteGuard"
        )
}

/// Whether a type of std has nothing in it, of its arguments, that is ever dropped or used.
pub fn is_empty(name: &str) -> bool {
    EMPTY.contains(&name)
}

/// Whether a type of std has something in it that is recognised by its arguments, but is none of them.
pub fn hides(name: &str) -> bool {
    HIDING.contains(&name)
}

/// Whether a type, by its last segment, is no pointer that shares, and drops what it is made with.
pub fn is_container(name: &str) -> bool {
    CONTAINERS.contains(&name)
}

/// Whether several types of std have that name.
pub fn is_of_several(name: &str) -> bool {
    OF_SEVERAL.contains(&name)
}

/// Whether a type of std has nothing in it but what its arguments say.
pub fn is_of_its_arguments(name: &str) -> bool {
    STD.contains(&name)
}

/// Whether a type of another crate has nothing of the workspace in it but what its arguments say.
pub fn is_foreign_of_its_arguments(of_crate: &str, name: &str) -> bool {
    FOREIGN.iter().any(|(crates, names)| crates.contains(&of_crate) && names.contains(&name))
}

/// Whether types and futures of that path have no end of a channel, no signal, no permits and no handle of a task, but in what they are made
/// with.
pub fn has_no_ends(path: &str) -> bool {
    WITHOUT_ENDS.iter().any(|it| path.strip_prefix(it).is_some_and(|rest| rest.starts_with("::")))
}

/// What a type of std has in it that lets others go on, where neither a row nor its arguments say so.
pub fn ends_in(path: &str, name: &str) -> Ends {
    match name {
        "Thread" => Ends::Handle,
        // The one lives while somebody is polled, and the other is what all types of atomics are.
        "Context" | "Atomic" => Ends::None,
        "Weak" | "ManuallyDrop" | "MaybeUninit" | "NonNull" | "AtomicPtr" => Ends::Unknown,
        _ if is_of_its_arguments(name) || is_empty(name) || has_no_ends(path) => Ends::None,
        _ => Ends::Unknown,
    }
}

/// See [`ends_in`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends {
    /// Nothing.
    None,
    /// The handle of a thread, which unparks it.
    Handle,
    /// That is not known.
    Unknown,
}

/// Whether some types of that crate are known.
pub fn is_known_crate(of: &str) -> bool {
    FOREIGN.iter().any(|(crates, _)| crates.contains(&of))
}

/// Whether values of that type of another crate wake tasks.
pub fn wakes(name: &str) -> bool {
    WAKING.contains(&name)
}

/// Whether values of a type have no guard in them but those whose types are known, by its path and the last segment of that.
pub fn has_no_other_guard(path: &str, last: &str) -> bool {
    match path.split_once("::") {
        Some(("std", _)) => true,
        Some((of, _)) => KNOWN_CRATES.contains(&of) && KNOWN_TYPES.contains(&last),
        None if AMBIGUOUS.contains(&last) => false,
        None => is_known_of_std(last) || KNOWN_TYPES.contains(&last),
    }
}

/// Types that drop what they are made with.
const CONTAINERS: &[&str] = &[
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "Box",
    "Cell",
    "HashMap",
    "HashSet",
    "IndexMap",
    "LinkedList",
    "LruCache",
    "Mutex",
    "OnceCell",
    "OnceLock",
    "Option",
    "Poll",
    "RefCell",
    "Result",
    "RwLock",
    "Slab",
    "SmallVec",
    "Vec",
    "VecDeque",
];

/// Types of std that have nothing of their arguments in them that is ever dropped or used.
const EMPTY: &[&str] = &[
    "AtomicPtr",
    "Discriminant",
    "ManuallyDrop",
    "MaybeUninit",
    "NonNull",
    "PhantomData",
    "PhantomPinned",
    "Weak",
];

/// Types of std that have something in them that is recognised by their arguments, but is none of them.
const HIDING: &[&str] = &["Cow", "FlatMap", "Flatten", "Peekable", "Scan", "Intersperse"];

/// Names that several types of std have, so that the compiler writes them in full.
const OF_SEVERAL: &[&str] = &[
    "Chain",
    "Drain",
    "Entry",
    "Error",
    "IntoIter",
    "IntoKeys",
    "IntoValues",
    "Iter",
    "IterMut",
    "Keys",
    "Lines",
    "OccupiedEntry",
    "Range",
    "Ref",
    "Split",
    "Take",
    "VacantEntry",
    "Values",
    "ValuesMut",
    "Weak",
];

/// Types of std that have nothing in them but what their arguments say.
const STD: &[&str] = &[
    "Arc",
    "AssertUnwindSafe",
    "AtomicBool",
    "AtomicI16",
    "AtomicI32",
    "AtomicI64",
    "AtomicI8",
    "AtomicIsize",
    "AtomicU16",
    "AtomicU32",
    "AtomicU64",
    "AtomicU8",
    "AtomicUsize",
    "BTreeMap",
    "BTreeSet",
    "Barrier",
    "BinaryHeap",
    "Bound",
    "Box",
    "CString",
    "CStr",
    "Cell",
    "Chain",
    "CharIndices",
    "Chars",
    "Chunks",
    "ChunksExact",
    "ChunksMut",
    "Cloned",
    "Condvar",
    "ControlFlow",
    "Copied",
    "Cycle",
    "DefaultHasher",
    "Drain",
    "Duration",
    "Empty",
    "Entry",
    "Enumerate",
    "Error",
    "ErrorKind",
    "Filter",
    "FilterMap",
    "Formatter",
    "FromUtf8Error",
    "Fuse",
    "HashMap",
    "HashSet",
    "Infallible",
    "Inspect",
    "Instant",
    "IntoIter",
    "IntoKeys",
    "IntoValues",
    "IpAddr",
    "Ipv4Addr",
    "Ipv6Addr",
    "Iter",
    "IterMut",
    "Keys",
    "Layout",
    "LazyCell",
    "LazyLock",
    "Lines",
    "Location",
    "Map",
    "MapWhile",
    "Mutex",
    "NonZero",
    "OccupiedEntry",
    "Once",
    "OnceCell",
    "OnceLock",
    "Option",
    "Ordering",
    "OsStr",
    "OsString",
    "ParseFloatError",
    "ParseIntError",
    "Path",
    "PathBuf",
    "Pin",
    "PoisonError",
    "Poll",
    "RandomState",
    "Range",
    "RangeFrom",
    "RangeFull",
    "RangeInclusive",
    "RangeTo",
    "RangeToInclusive",
    "Rc",
    "Ready",
    "Receiver",
    "RecvError",
    "Ref",
    "RefCell",
    "RefMut",
    "Repeat",
    "Result",
    "Rev",
    "Reverse",
    "RwLock",
    "Saturating",
    "SendError",
    "Sender",
    "Skip",
    "SkipWhile",
    "SocketAddr",
    "SocketAddrV4",
    "SocketAddrV6",
    "Split",
    "SplitN",
    "SplitWhitespace",
    "StepBy",
    "String",
    "Successors",
    "SyncSender",
    "SyncUnsafeCell",
    "SystemTime",
    "Take",
    "TakeWhile",
    "Thread",
    "ThreadId",
    "TryFromIntError",
    "TryLockError",
    "TryRecvError",
    "TrySendError",
    "TypeId",
    "UnsafeCell",
    "Utf8Error",
    "VacantEntry",
    "Values",
    "ValuesMut",
    "Vec",
    "VecDeque",
    "Windows",
    "Wrapping",
    "Zip",
];

/// Types of other crates that have nothing of the workspace in them but what their arguments say, by their crates.
const FOREIGN: &[(&[&str], &[&str])] = &[
    (
        &["tokio", "async_channel", "flume", "crossbeam_channel", "futures_channel"],
        &[
            "AbortHandle",
            "Acquire",
            "AcquireError",
            "Elapsed",
            "Instant",
            "Interval",
            "JoinHandle",
            "Mutex",
            "Notified",
            "Notify",
            "OnceCell",
            "Receiver",
            "RecvError",
            "RwLock",
            "Semaphore",
            "SendError",
            "Sender",
            "Sleep",
            "TryRecvError",
            "TrySendError",
            "UnboundedReceiver",
            "UnboundedSender",
        ],
    ),
    (
        &["lock_api", "parking_lot", "async_lock", "futures_util"],
        &[
            "Condvar",
            "Mutex",
            "RawFairMutex",
            "RawMutex",
            "RawRwLock",
            "ReentrantMutex",
            "RwLock",
            "WaitTimeoutResult",
        ],
    ),
    (&["bytes"], &["Bytes", "BytesMut"]),
];

/// Modules in which nothing is that lets others go on.
const WITHOUT_ENDS: &[&str] = &[
    "std::collections",
    "std::env",
    "std::ffi",
    "std::fmt",
    "std::fs",
    "std::future",
    "std::io",
    "std::iter",
    "std::net",
    "std::num",
    "std::ops",
    "std::option",
    "std::path",
    "std::process",
    "std::result",
    "std::slice",
    "std::str",
    "std::string",
    "std::time",
    "std::vec",
    "tokio::fs",
    "tokio::io",
    "tokio::net",
    "tokio::process",
    "tokio::signal",
    "tokio::time",
];

/// Those that wake tasks.
const WAKING: &[&str] = &[
    "Acquire",
    "JoinHandle",
    "Mutex",
    "Notified",
    "Notify",
    "Receiver",
    "RwLock",
    "Semaphore",
    "Sender",
    "UnboundedReceiver",
    "UnboundedSender",
];

/// Names that types of std have, and guards of other crates, too.
const AMBIGUOUS: &[&str] =
    &["Drain", "Entry", "Iter", "IterMut", "Keys", "MutexGuard", "Ref", "RefMut", "Values", "ValuesMut"];

/// The crates of which some types are known.
const KNOWN_CRATES: &[&str] =
    &["tokio", "flume", "futures", "futures_util", "futures_channel", "rvcheck_runtime", "rvcheck_injected"];

/// Types of std and of the crates with shims that have no guard in them but those that are known.
const KNOWN_TYPES: &[&str] = &[
    "Acquire",
    "AcquireError",
    "AddrParseError",
    "Awaited",
    "Debug",
    "Display",
    "Elapsed",
    "Err",
    "Fn",
    "FnMut",
    "FnOnce",
    "Future",
    "Handle",
    "IntoFuture",
    "Iterator",
    "JoinError",
    "JoinHandle",
    "JoinSet",
    "Mutex",
    "Notified",
    "Notify",
    "None",
    "Ok",
    "OwnedSemaphorePermit",
    "Ready",
    "Receiver",
    "RecvError",
    "RwLock",
    "Self",
    "Semaphore",
    "SemaphorePermit",
    "Send",
    "SendError",
    "Sender",
    "Sleep",
    "Some",
    "Sync",
    "Timeout",
    "TryRecvError",
    "TrySendError",
    "UnboundedReceiver",
    "UnboundedSender",
];
