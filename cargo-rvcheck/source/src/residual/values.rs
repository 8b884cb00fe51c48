//! What there is in values: what runs when they are dropped, and when std compares, shows, copies or calls them.
//!
//! A type is taken apart down to what is known: types of the workspace by the types of their fields, types of std and of some other
//! crates by their names. Whatever else there is, is not known.

use super::erased::Erased;
use super::known::{Manner, manner_of, types_in};
use crate::flow::Meaning;
use crate::flow::text::{arguments, canonical, last, referent, segments};
use crate::flow::{Callee, Function, FunctionId, Kind, Program, Slot};
use crate::mir::{Local, Operand, Place, Projection, Statement, Terminator};
use crate::outline::meanings::Written;
use std::collections::BTreeSet;

/// What is done with values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Use {
    /// They are dropped.
    Drop,
    /// They are compared, copied, hashed, converted, called or dropped.
    Any,
    /// They are shown, or any of that.
    Show,
}

/// What there is in values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Values {
    /// The types of the workspace.
    pub(super) types: BTreeSet<String>,
    /// The closures and functions that may be called.
    pub(super) runs: BTreeSet<FunctionId>,
    /// What is not known, if anything.
    pub(super) unknown: Option<String>,
}

impl Values {
    /// What there is in values of these types, as the compiler writes them.
    pub(super) fn of<'a>(
        program: &'a Program,
        erased: Erased,
        how: Use,
        types: impl IntoIterator<Item = &'a str>,
    ) -> Values {
        let mut walk = Walk { program, erased, found: Values::default(), seen: BTreeSet::new() };
        for ty in types {
            walk.ty(ty, None, how);
        }
        walk.found
    }
}

struct Walk<'a> {
    program: &'a Program,
    erased: Erased,
    found: Values,
    seen: BTreeSet<(&'a str, Option<&'a Written>, Use)>,
}

impl<'a> Walk<'a> {
    fn unknown(&mut self, what: impl Into<String>) {
        self.found.unknown.get_or_insert_with(|| what.into());
    }

    /// Takes in a type; `of` is where it stands in the sources, unless the compiler wrote it.
    fn ty(&mut self, ty: &'a str, of: Option<&'a Written>, how: Use) {
        let ty = ty.trim();
        if self.found.unknown.is_some() || is_nothing(ty) || !self.seen.insert((ty, of, how)) {
            return;
        }
        if let Some(inner) = referent(ty) {
            if how != Use::Drop {
                self.ty(inner, of, how);
            }
            return;
        }
        if ty.starts_with(['(', '[']) {
            return arguments(ty).into_iter().for_each(|it| self.ty(it, of, how));
        }
        if ty.starts_with('{') {
            return self.body(ty, how);
        }
        if let Some(function) = function_type(ty) {
            return match function {
                _ if how == Use::Drop => {}
                Some(name) => self.function(name, how),
                None => self.unknown("a function pointer"),
            };
        }
        if ty.starts_with('<') || ["dyn ", "impl "].iter().any(|it| ty.starts_with(it)) || ty.contains('!') {
            return self.unknown(format!("a `{ty}`"));
        }
        match of {
            None => self.compiled(ty, how),
            Some(of) => self.written(ty, of, how),
        }
    }

    /// A path as the compiler writes it.
    fn compiled(&mut self, ty: &'a str, how: Use) {
        let path = canonical(ty);
        let name = last(&path).to_owned();
        let program = self.program;
        if path == name && (program.is_parameter(&name) || name == "Self") {
            return self.unknown(format!("a `{name}`"));
        }
        if program.knows_type(&name) && !program.is_of_another_crate(&path) {
            return self.own(&name, arguments(ty), None, how);
        }
        let full = if path == name && !program.is_of_root(&name) { program.head(ty) } else { path };
        if full.contains("::") {
            self.foreign(&full, arguments(ty), None, how);
        } else if !program.is_of_root(&name) && !OF_SEVERAL.contains(&name.as_str()) {
            self.std(&name, arguments(ty), None, how);
        } else {
            self.unknown(format!("a `{name}`"));
        }
    }

    /// A path as it stands in the sources.
    fn written(&mut self, ty: &'a str, of: &'a Written, how: Use) {
        let path = path_of(ty);
        if of.parameters.contains(&path) || path == "Self" {
            // What it stands for is among the arguments of the type that it is a parameter of.
            return;
        }
        if path.split("::").next().is_some_and(|it| of.parameters.contains(it) || it == "Self") {
            return self.unknown(format!("a `{path}`"));
        }
        let program = self.program;
        for meaning in program.meanings(&path) {
            match meaning {
                Meaning::Own(name) => self.own(&name, arguments(ty), Some(of), how),
                Meaning::Alias(alias) => {
                    arguments(ty).into_iter().for_each(|it| self.ty(it, Some(of), how));
                    self.ty(&alias.text, Some(alias), how);
                }
                Meaning::Path(path) => self.foreign(&canonical(&path), arguments(ty), Some(of), how),
                Meaning::Prelude(name) => self.std(&name, arguments(ty), Some(of), how),
                Meaning::Unknown => self.unknown(format!("a `{path}`")),
            }
        }
    }

    fn own(&mut self, name: &str, arguments: Vec<&'a str>, of: Option<&'a Written>, how: Use) {
        arguments.into_iter().for_each(|it| self.ty(it, of, how));
        if self.found.types.insert(name.to_owned()) || how != Use::Drop {
            let program = self.program;
            for field in program.fields(name) {
                self.ty(&field.text, Some(field), how);
            }
        }
    }

    /// A type of std or of another crate, by its full path.
    fn foreign(&mut self, path: &str, arguments: Vec<&'a str>, of: Option<&'a Written>, how: Use) {
        if crate::flow::kind_of(path).is_some() {
            // What is guarded is shown with its guard, and may be dropped with one that owns its lock.
            let owns =
                last(path).contains("Owned") || last(path).contains("Arc") || last(path).contains("Permit");
            if owns || how == Use::Show {
                arguments.into_iter().for_each(|it| self.ty(it, of, how));
            }
            return;
        }
        let name = last(path);
        let is_erased = match path {
            "std::io::Error" | "std::io::error::Error" | "std::io::Result" => Some(self.erased.errors),
            "std::thread::JoinHandle" => Some(self.erased.panics),
            "bytes::Bytes" | "bytes::BytesMut" => Some(self.erased.bytes),
            _ if path.starts_with("std::thread::") && !matches!(name, "Thread" | "ThreadId") => Some(true),
            _ if path.starts_with("std::process::") => Some(true),
            _ => None,
        };
        match is_erased {
            Some(true) => return self.unknown(format!("a `{path}`")),
            Some(false) => return arguments.into_iter().for_each(|it| self.ty(it, of, how)),
            None => {}
        }
        if path.starts_with("std::") {
            return self.std(name, arguments, of, how);
        }
        let of_crate = path.split("::").next().unwrap_or_default();
        let known =
            FOREIGN.iter().find(|(crates, names)| crates.contains(&of_crate) && names.contains(&name));
        if known.is_none() || self.erased.wakers && WAKING.contains(&name) {
            return self.unknown(format!("a `{path}`"));
        }
        arguments.into_iter().for_each(|it| self.ty(it, of, how));
    }

    /// A type of std by its name.
    fn std(&mut self, name: &str, arguments: Vec<&'a str>, of: Option<&'a Written>, how: Use) {
        // What shows that a lock is poisoned does not show what is in it.
        let how = if matches!(name, "PoisonError" | "TryLockError") { how.min(Use::Any) } else { how };
        if EMPTY.contains(&name) {
            return;
        }
        if HIDING.contains(&name) {
            let mut inner = Walk {
                program: self.program,
                erased: self.erased,
                found: Values::default(),
                seen: BTreeSet::new(),
            };
            arguments.into_iter().for_each(|it| inner.ty(it, of, how));
            self.found.runs.extend(inner.found.runs);
            if let Some(what) = inner.found.unknown {
                self.unknown(what);
            } else if let Some(ty) = inner.found.types.first() {
                self.unknown(format!("what a `{name}` of a `{ty}` has in it"));
            }
            return;
        }
        let is_shown = matches!(name, "Arguments" | "Argument" | "Context") && how == Use::Drop;
        if !is_shown && !STD.contains(&name) {
            return self.unknown(format!("a `{name}`"));
        }
        arguments.into_iter().for_each(|it| self.ty(it, of, how));
    }

    /// A closure or state machine.
    fn body(&mut self, ty: &'a str, how: Use) {
        let Some(id) = self.program.body_of(ty) else {
            let of_std = ["std::", "core::", "alloc::", "rvstd::"];
            let place = ty.strip_prefix("{closure@").unwrap_or_default();
            if let Some(name) = ty.strip_prefix("{async fn body of ").and_then(|it| it.strip_suffix("()}"))
                && is_of_known_crate(name)
            {
                return types_in(name).into_iter().for_each(|it| self.ty(it, None, how));
            }
            if !of_std.iter().any(|it| place.starts_with(it)) || ty.contains(".rs:") {
                self.unknown(format!("a `{ty}`"));
            }
            return;
        };
        let function = self.program.function(id);
        if how != Use::Drop && function.kind == Kind::Closure {
            self.found.runs.insert(id);
        }
        for ty in kept(function) {
            self.ty(ty, None, Use::Drop);
        }
        // An iterator may keep what a closure gives.
        if function.kind == Kind::Closure {
            self.ty(function.body.type_of(Local(0)), None, how);
        }
    }

    /// A function that is a value.
    fn function(&mut self, name: &'a str, how: Use) {
        if let Some(id) = self.program.function_named(name) {
            self.found.runs.insert(id);
            return;
        }
        let callee = Callee::read(name);
        if callee.name().starts_with(char::is_uppercase) {
            return;
        }
        match manner_of(self.program, &callee, &callee.path) {
            Some(Manner::Moves) => {}
            Some(Manner::Uses) => {
                types_in(name).into_iter().for_each(|it| self.ty(it, None, how.max(Use::Any)))
            }
            Some(Manner::Shows) => types_in(name).into_iter().for_each(|it| self.ty(it, None, Use::Show)),
            Some(Manner::Drops) => types_in(name).into_iter().for_each(|it| self.ty(it, None, Use::Drop)),
            Some(Manner::Writes) | None => self.unknown(format!("`{name}`")),
        }
    }
}

/// Whether an `async fn` of that name is one of a crate whose functions keep nothing but what they are given.
fn is_of_known_crate(name: &str) -> bool {
    let path = Callee::read(name).path;
    let of = path.split("::").next().unwrap_or_default();
    of == "std" || FOREIGN.iter().any(|(crates, _)| crates.contains(&of))
}

/// What is dropped with a closure or state machine: what it has captured, and what a state machine keeps.
fn kept(function: &Function) -> Vec<&str> {
    let mut found = Vec::new();
    let is_machine = function.kind == Kind::Coroutine;
    let own =
        |it: &Place| is_machine || function.captured(&Slot::at(it)).is_some_and(|(_, rest)| rest.is_empty());
    for (_, it) in &function.body.variables {
        if own(it) {
            found.extend(it.stated_type());
        }
    }
    if is_machine {
        found.extend(function.body.locals.iter().map(String::as_str));
    }
    for (_, block) in function.blocks() {
        for statement in &block.statements {
            if let Statement::Assign(into, value) = statement {
                for it in value.places().chain([into]) {
                    collect(function, it, is_machine, &mut found);
                }
            }
        }
        match &block.terminator {
            Terminator::Call(call) => {
                collect(function, &call.into, is_machine, &mut found);
                for it in call.arguments.iter().filter_map(Operand::place) {
                    collect(function, it, is_machine, &mut found);
                }
            }
            Terminator::Drop { place, .. } => collect(function, place, is_machine, &mut found),
            _ => {}
        }
    }
    found
}

/// Takes in the type of the part of a state machine or closure that a place begins with.
fn collect<'a>(function: &'a Function, place: &'a Place, is_machine: bool, found: &mut Vec<&'a str>) {
    let first = place.projections.iter().find_map(|it| match it {
        Projection::Field(_, ty) => Some(ty.as_str()),
        _ => None,
    });
    let slot = Slot::at(place);
    let is_own = if is_machine { function.root(&slot) > 0 } else { function.captured(&slot).is_some() };
    found.extend(first.filter(|_| is_own));
}

/// Whether nothing is in a type: a primitive, a lifetime, or the argument for a constant.
fn is_nothing(ty: &str) -> bool {
    const PRIMITIVES: [&str; 20] = [
        "str", "char", "bool", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
        "isize", "f32", "f64", "!", "_", "true",
    ];
    ty.is_empty()
        || ty.starts_with(|it: char| it.is_ascii_digit() || it == '\'' || it == '-')
        || PRIMITIVES.contains(&ty)
        || ty == "false"
        || ty.starts_with("{ ") // A constant.
        || ty.starts_with("const ")
}

/// The name of the function that a type of functions is of, `None` for a pointer; and `None` where it is no such type.
fn function_type(ty: &str) -> Option<Option<&str>> {
    let mut rest = ty;
    if rest.starts_with("for<") {
        rest = rest.split_once("> ")?.1;
    }
    rest = rest.strip_prefix("unsafe ").unwrap_or(rest);
    if rest.starts_with("extern ") {
        rest = &rest[rest.find("fn(")?..];
    }
    if !rest.starts_with("fn(") {
        return None;
    }
    let name = rest.strip_suffix('}').and_then(|it| it.rsplit_once(" {")).map(|it| it.1);
    let is_closure = |it: &str| ["closure@", "async", "coroutine"].iter().any(|word| it.starts_with(word));
    Some(name.filter(|it| !is_closure(it)))
}

/// The path of a type in the sources, without arguments.
fn path_of(ty: &str) -> String {
    let names = segments(ty).into_iter().filter(|it| !it.starts_with('<'));
    let plain = names.map(|it| it.split('<').next().unwrap_or_default().trim());
    plain.collect::<Vec<_>>().join("::")
}

/// Whether std has a type of that name alone that is known.
pub(super) fn is_known_of_std(name: &str) -> bool {
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

/// Types of std that have something in them that is told by their arguments, but is none of them.
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
    (&["rvcheck_runtime", "rvcheck_injected"], &["Awaited"]),
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
