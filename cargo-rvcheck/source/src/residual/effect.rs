//! What running a piece of code can do to locks: which classes it may request, whether it may wait, and whether it may run code that is
//! not known.
//!
//! A class is a type of lock, with every path in it shortened to its last segment, so that one lock is never taken for two. A lock of a
//! type that depends on a parameter is of every class that it may be.

use crate::flow::blocking::wait_of;
use crate::flow::locks::{Waits, request_of};
use crate::flow::text::{arguments, head, last, referent};
use crate::flow::{Callee, Definition, Function, FunctionId, Program, owner};
use crate::mir::{BlockId, Call, Operand, Terminator};
use std::collections::{BTreeMap, BTreeSet};

/// A class of locks, such as `Mutex<Vec<Entry>>`; without arguments where they depend on a parameter.
pub(super) type Class = String;

/// What running some code can do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Effect {
    /// The classes that it may request.
    pub(super) requests: BTreeSet<Class>,
    /// What else it may wait for, if anything.
    pub(super) waits: Option<String>,
    /// What it calls that is not known, if anything.
    pub(super) open: Option<String>,
}

impl Effect {
    fn opened(by: impl Into<String>) -> Effect {
        Effect { open: Some(by.into()), ..Effect::default() }
    }

    fn waiting(on: impl Into<String>) -> Effect {
        Effect { waits: Some(on.into()), ..Effect::default() }
    }

    /// Takes in what other code can do. Whether anything changed.
    pub(super) fn join(&mut self, other: &Effect) -> bool {
        let before = (self.requests.len(), self.waits.is_some(), self.open.is_some());
        self.requests.extend(other.requests.iter().cloned());
        self.waits = self.waits.take().or_else(|| other.waits.clone());
        self.open = self.open.take().or_else(|| other.open.clone());
        before != (self.requests.len(), self.waits.is_some(), self.open.is_some())
    }
}

/// What one call or drop does by itself, and which bodies it runs.
#[derive(Clone, Debug, Default)]
struct Step {
    own: Effect,
    runs: Vec<FunctionId>,
    /// It may run what the workspace implements for these traits.
    traits: Traits,
}

/// Which methods of traits some other code may call.
#[derive(Clone, Debug, Default)]
enum Traits {
    /// None.
    #[default]
    None,
    /// Those of these types of the workspace; those that show a value only where that is `true`.
    Of(BTreeSet<String>, bool),
    /// All.
    All,
}

/// What each body of a program can do.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    steps: Vec<Vec<Step>>,
    bodies: Vec<Effect>,
    /// What the methods of traits can do, by type, and whether they show a value; those of a type that is not known under an empty
    /// name.
    traits: BTreeMap<(String, bool), Effect>,
}

impl Effects {
    pub(super) fn of(program: &Program) -> Effects {
        let steps: Vec<Vec<Step>> = program
            .functions()
            .map(|(_, function)| function.blocks().map(|(block, _)| step(program, function, block)).collect())
            .collect();
        let mut effects =
            Effects { bodies: vec![Effect::default(); steps.len()], steps, traits: BTreeMap::new() };
        let implementing: Vec<FunctionId> =
            program.functions().map(|(id, _)| id).filter(|id| program.implements_foreign(*id)).collect();
        loop {
            let mut changed = false;
            for at in 0..effects.bodies.len() {
                let mut effect = std::mem::take(&mut effects.bodies[at]);
                for block in 0..effects.steps[at].len() {
                    let step = effects.step(at, block);
                    changed |= effect.join(&step);
                }
                effects.bodies[at] = effect;
            }
            for id in &implementing {
                let effect = effects.bodies[id.0 as usize].clone();
                let of = program.type_of(*id).unwrap_or_default().to_owned();
                let shows = program.trait_of(*id).is_some_and(|it| matches!(it, "Debug" | "Display"));
                changed |= effects.traits.entry((of, shows)).or_default().join(&effect);
            }
            if !changed {
                return effects;
            }
        }
    }

    /// Whether the call at the end of a block is of something of which nothing is known.
    pub(super) fn is_foreign(&self, id: FunctionId, block: BlockId) -> bool {
        let step = self.steps.get(id.0 as usize).and_then(|it| it.get(block.0 as usize));
        step.is_none_or(|it| it.own.open.is_some())
    }

    /// What the terminator of a block can do.
    pub(super) fn at(&self, id: FunctionId, block: BlockId) -> Effect {
        self.step(id.0 as usize, block.0 as usize)
    }

    fn step(&self, body: usize, block: usize) -> Effect {
        let Some(step) = self.steps.get(body).and_then(|it| it.get(block)) else {
            return Effect::opened("a block that is not there");
        };
        let mut effect = step.own.clone();
        for id in &step.runs {
            effect.join(&self.bodies[id.0 as usize]);
        }
        let called = self.traits.iter().filter(|((of, shows), _)| match &step.traits {
            Traits::None => false,
            Traits::Of(types, to_show) => (of.is_empty() || types.contains(of)) && (*to_show || !shows),
            Traits::All => true,
        });
        for (_, other) in called {
            effect.join(other);
        }
        effect
    }
}

fn step(program: &Program, function: &Function, block: BlockId) -> Step {
    let harmless = Step::default();
    let Some(of) = function.body.block(block) else { return harmless };
    match &of.terminator {
        Terminator::Drop { place, .. } => dropping(program, function.type_of(place)),
        Terminator::Call(call) => function
            .call(block)
            .map_or(harmless, |(_, callee)| calling(program, function, block, call, callee)),
        _ => harmless,
    }
}

fn dropping(program: &Program, ty: Option<&str>) -> Step {
    let Some(ty) = ty else {
        return Step { own: Effect::opened("a drop of something"), ..Step::default() };
    };
    if crate::flow::kind_of(&program.head(ty)).is_some() {
        return Step::default();
    }
    let opened = || Step { own: Effect::opened(format!("the drop of a `{ty}`")), ..Step::default() };
    if is_opaque(program, ty) {
        return opened();
    }
    // What a closure or state machine has captured or kept is dropped with it.
    let mut kept = vec![ty];
    for inner in closures_in(ty) {
        match program.body_of(inner) {
            Some(id) => {
                let body = &program.function(id).body;
                kept.extend(body.variables.iter().filter_map(|(_, place)| place.stated_type()));
                kept.extend(body.locals.iter().map(String::as_str));
            }
            None if is_of_others(program, inner) => {}
            None => return opened(),
        }
    }
    let traits = program.types_within(kept).map_or(Traits::All, |it| Traits::Of(it, false));
    Step { traits, ..Step::default() }
}

fn calling(program: &Program, function: &Function, block: BlockId, call: &Call, callee: &Callee) -> Step {
    let opened = |by: &str| Step { own: Effect::opened(by), ..Step::default() };
    if callee.hands_on() {
        return Step::default();
    }
    if callee.is_trait("Future", "poll") {
        return polling(program, function, block);
    }
    let path = program.callee_path(function, block);
    match request_of(&path) {
        Some((_, Waits::Thread)) => {
            let requests = class_of(program, function, call).into_iter().collect();
            return Step { own: Effect { requests, ..Effect::default() }, ..Step::default() };
        }
        // It is requested when it is polled.
        Some((_, Waits::Task)) => return Step::default(),
        None => {}
    }
    if path.is_empty() {
        return opened("a function pointer");
    }
    let is_lazy = callee.of_trait.as_deref() == Some("Deref")
        && callee.self_type.as_deref().is_some_and(|it| last(&head(it)).starts_with("Lazy"));
    if wait_of(&path).is_some() || waits_besides(&path) || is_lazy {
        return Step { own: Effect::waiting(path), ..Step::default() };
    }
    if let Some(id) = program.called(function, block) {
        return Step { runs: vec![id], ..Step::default() };
    }
    if is_spawn(&path) {
        return Step::default();
    }
    if !is_of_std(program, callee, &path) && !is_harmless(&path) {
        return opened(&format!("`{path}`"));
    }
    // What it is given to call, it may call.
    let mut texts = vec![call.callee.as_str()];
    for argument in &call.arguments {
        match argument {
            Operand::Place(place) => match function.type_of(place) {
                Some(ty) => texts.push(ty),
                None => return opened(&format!("`{path}`, with what is not known")),
            },
            Operand::Constant(text) if is_function(text) => {
                return opened(&format!("`{text}`, which `{path}` is given"));
            }
            Operand::Constant(text) => texts.push(text),
        }
    }
    let mut runs = Vec::new();
    for text in &texts[1..] {
        if ["fn(", "dyn ", "impl "].iter().any(|it| text.contains(it)) {
            return opened(&format!("`{path}`, with a `{text}`"));
        }
    }
    for ty in texts.iter().flat_map(|it| closures_in(it)) {
        match program.body_of(ty) {
            Some(id) => runs.push(id),
            None => return opened(&format!("a closure that `{path}` is given")),
        }
    }
    let types = call
        .arguments
        .iter()
        .filter_map(Operand::place)
        .chain([&call.into])
        .filter_map(|it| function.type_of(it));
    // An inherent method of a type of another crate, such as a slice.
    let callee_text = call.callee.replace("<impl ", "<");
    // What a closure has captured is dropped with it.
    let captured = runs.iter().flat_map(|it| {
        program.function(*it).body.variables.iter().filter_map(|(_, place)| place.stated_type())
    });
    let types = program.types_within(types.chain(captured).chain([callee_text.as_str()]));
    let traits = types.map_or(Traits::All, |it| Traits::Of(it, shows(call, &path)));
    Step { own: Effect::default(), runs, traits }
}

/// What the `poll` at the end of a block does.
fn polling(program: &Program, function: &Function, block: BlockId) -> Step {
    let Some(slot) = function.polled(block) else {
        return Step { own: Effect::waiting("a future that is not known"), ..Step::default() };
    };
    if let Some(Definition::Called(made)) = function.producer(&slot)
        && let Some((call, _)) = function.call(made)
        && request_of(&program.callee_path(function, made)).is_some_and(|(_, it)| it == Waits::Task)
    {
        let requests = class_of(program, function, call).into_iter().collect();
        return Step { own: Effect { requests, ..Effect::default() }, ..Step::default() };
    }
    match program.machine_in(function, &slot) {
        Some(id) => Step { runs: vec![id], ..Step::default() },
        None => Step { own: Effect::waiting("a future of another crate"), ..Step::default() },
    }
}

/// The class of the lock that a call is about.
pub(super) fn class_of(program: &Program, function: &Function, call: &Call) -> Option<Class> {
    let mut ty = function.type_of(call.arguments.first()?.place()?)?;
    loop {
        if let Some(inner) = referent(ty) {
            ty = inner;
        } else if matches!(last(&head(ty)), "Arc" | "Rc" | "Pin" | "Box") {
            ty = arguments(ty).first().copied()?;
        } else {
            break;
        }
    }
    Some(class(program, ty))
}

/// The classes of the locks that a type names.
pub(super) fn classes_in(program: &Program, ty: &str) -> BTreeSet<Class> {
    let mut found = BTreeSet::new();
    let mut todo = vec![ty];
    while let Some(ty) = todo.pop() {
        let ty = referent(ty).unwrap_or(ty);
        let head = program.head(ty);
        if ["lock", "read"].iter().any(|it| request_of(&format!("{head}::{it}")).is_some()) {
            found.insert(class(program, ty));
        }
        todo.extend(arguments(ty));
    }
    found
}

/// The class of a type of lock.
fn class(program: &Program, ty: &str) -> Class {
    let short = shortened(ty);
    if is_opaque(program, ty) {
        return short.split('<').next().unwrap_or_default().to_owned();
    }
    short
}

/// A type without lifetimes, each of its paths shortened to the last segment.
fn shortened(ty: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let mut chars = ty.chars().peekable();
    while let Some(char) = chars.next() {
        if char.is_alphanumeric() || char == '_' {
            word.push(char);
        } else if char == ':' {
            word.clear();
        } else if char == '\'' {
            while chars.peek().is_some_and(|it| it.is_alphanumeric() || *it == '_') {
                chars.next();
            }
        } else {
            out.push_str(&std::mem::take(&mut word));
            if char != ' ' {
                out.push(char);
            }
        }
    }
    out.push_str(&word);
    out.replace("<,", "<")
}

/// Whether a state machine is that of an `async fn` of another crate.
fn is_of_others(program: &Program, ty: &str) -> bool {
    let path = ty.strip_prefix("{async fn body of ").and_then(|it| it.strip_suffix("()}"));
    path.is_some_and(|it| !program.knows_function(Callee::read(it).name()))
}

/// The types of closures and state machines that a text names.
fn closures_in(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('{').map(|it| at + it) {
        let mut depth = 0;
        let mut end = text.len();
        for (offset, char) in text[open..].char_indices() {
            depth += i32::from(char == '{') - i32::from(char == '}');
            if depth == 0 {
                end = open + offset + 1;
                break;
            }
        }
        let ty = &text[open..end];
        if ["{closure@", "{async", "{coroutine", "{gen"].iter().any(|it| ty.starts_with(it)) {
            found.push(ty);
        }
        at = end.max(open + 1);
    }
    found
}

/// Whether it cannot be told from a type what it is: it is or has a trait object or a type parameter in it.
pub(super) fn is_opaque(program: &Program, ty: &str) -> bool {
    if ["dyn ", "impl ", "fn(", "<"].iter().any(|it| ty.starts_with(it))
        || ty.contains("dyn ")
        || ty.contains("impl ")
    {
        return true;
    }
    let words = ty.split(|it: char| !(it.is_alphanumeric() || it == '_' || it == ':' || it == '\''));
    words.filter(|it| !it.is_empty() && !it.contains(':') && !it.starts_with('\'')).any(|it| {
        let is_known = program.knows_type(it) || STD_TYPES.contains(&it);
        it.starts_with(|it: char| it.is_uppercase()) && (!is_known || program.is_parameter(it))
    })
}

/// Whether that is the name of a type of std that has nothing in it but what its arguments say.
pub(super) fn is_known_of_std(name: &str) -> bool {
    STD_TYPES.contains(&name)
}

/// The types of std that the compiler writes by their last segment.
const STD_TYPES: &[&str] = &[
    "Arc",
    "Argument",
    "Arguments",
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
fn is_of_std(program: &Program, callee: &Callee, path: &str) -> bool {
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
fn waits_besides(path: &str) -> bool {
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
fn is_harmless(path: &str) -> bool {
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
    (&["parking_lot::Condvar"], &["new", "notify_all", "notify_one"]),
    (
        &["flume::Sender", "flume::Receiver", "async_channel::Sender", "async_channel::Receiver"],
        &["len", "try_recv", "try_send"],
    ),
];

/// Whether a function of std may show what it is given, in a message or elsewhere. That of a poisoned lock does not show the value.
fn shows(call: &Call, path: &str) -> bool {
    let unwraps = matches!(last(path), "unwrap" | "expect" | "unwrap_err" | "expect_err");
    unwraps && !call.callee.contains("PoisonError<")
        || ["fmt", "format", "print", "panic", "Formatter", "Argument", "to_string"]
            .iter()
            .any(|it| path.contains(it))
}

/// Whether a constant is the name of a function.
pub(super) fn is_function(text: &str) -> bool {
    let is_value =
        text.starts_with(|it: char| it.is_ascii_digit() || matches!(it, '"' | '\'' | '-' | '(' | '{' | '['));
    !is_value
        && !matches!(text, "true" | "false")
        && !text.contains(": ")
        && text.contains("::")
        && !text.contains("::{constant")
        && text.rsplit("::").next().is_some_and(|it| it.starts_with(char::is_lowercase))
}

/// What holds or frees a lock without a guard, or keeps one from being dropped.
pub(super) fn is_trick(path: &str) -> bool {
    let name = last(path);
    let raw = matches!(owner(path), "Mutex" | "RwLock" | "ReentrantMutex") && name == "raw";
    raw || matches!(
        name,
        "force_unlock"
            | "force_unlock_fair"
            | "force_unlock_read"
            | "force_unlock_write"
            | "make_guard_unchecked"
            | "make_read_guard_unchecked"
            | "make_write_guard_unchecked"
            | "leak"
    ) || matches!(
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
pub(super) fn is_called_back(of_trait: &str) -> bool {
    matches!(
        of_trait,
        "GlobalAlloc" | "Log" | "Subscriber" | "Layer" | "Wake" | "ArcWake" | "RawMutex" | "RawRwLock"
    )
}
