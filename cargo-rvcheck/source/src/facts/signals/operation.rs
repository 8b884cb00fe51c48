//! What calls do to signals: become one of those who are notified, wait, notify.

use crate::body::text::{arguments, last, referent};
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::mir::{BlockId, Call, Operand, Place, Projection, Rvalue, Statement};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use std::collections::BTreeSet;

/// What is done to a signal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Act {
    /// From here on a notification reaches the waiter.
    Register,
    /// The thread waits.
    Wait,
    /// Waiters are notified.
    Notify {
        /// All of them, not one.
        everyone: bool,
        /// It is kept for a waiter that comes later.
        stored: bool,
    },
}

/// What sort of signal it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Sort {
    /// A condition variable.
    Condvar,
    /// A `tokio::sync::Notify`.
    Notify,
    /// An `event_listener::Event`.
    Event,
    /// A waker, in an `AtomicWaker` or kept by hand.
    Waker,
    /// A sender of `watch` or `broadcast`, whose receivers are made late.
    Subscription,
    /// Senders of `oneshot` channels or threads in a collection.
    Listed,
    /// A thread that parks.
    Thread,
    /// The permits of a semaphore that begins without any.
    Permits,
}

/// Something that a call does to a signal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Operation {
    /// The block whose call does it, or calls what does.
    pub(crate) block: BlockId,
    /// What is done.
    pub(crate) act: Act,
    /// To what sort of signal.
    pub(crate) sort: Sort,
    /// To which.
    pub(crate) object: Option<AbstractObject>,
    /// The body and block that do it.
    pub(crate) made: (FunctionId, BlockId),
    /// How many calls are in between.
    pub(super) hops: u8,
}

impl Operation {
    /// Whether it notifies.
    pub(crate) const fn notifies(&self) -> bool {
        matches!(self.act, Act::Notify { .. })
    }
}

/// Methods through which an element of a collection, or what an option has in it, is reached.
const THROUGH: [&str; 42] = [
    "entry",
    "or_default",
    "or_insert",
    "or_insert_with",
    "get",
    "get_mut",
    "get_or_insert_with",
    "iter",
    "iter_mut",
    "values",
    "values_mut",
    "into_values",
    "drain",
    "next",
    "take",
    "replace",
    "remove",
    "swap_remove",
    "pop",
    "pop_front",
    "pop_back",
    "last_mut",
    "first_mut",
    "as_deref",
    "peek",
    "map",
    "flatten",
    "filter_map",
    "flat_map",
    "thread",
    "split_off",
    "index",
    "index_mut",
    "ok",
    "filter",
    "cloned",
    "copied",
    "collect",
    "rev",
    "enumerate",
    "inspect",
    "pop_first",
];

/// The object that a place is, or is an element of. What a guard is of after a wait for a condition variable is what it was of before.
pub(crate) fn base(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    place: &Place,
) -> Option<AbstractObject> {
    based(program, objects, id, place, 12)
}

fn based(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    place: &Place,
    depth: usize,
) -> Option<AbstractObject> {
    let found = objects.object(id, place)?;
    let AbstractObject::Value(of, slot) = &found else { return Some(found) };
    if depth == 0 {
        return Some(found);
    }
    let function = program.function(*of);
    let mut others = BTreeSet::new();
    for definition in function.definitions(slot) {
        let from = match definition {
            Definition::Called(block) => {
                let Some((call, callee)) = function.call(*block) else { continue };
                let number = match callee.name() {
                    name if name.starts_with("wait") => 1,
                    name if THROUGH.contains(&name) => 0,
                    "unwrap" | "expect" | "unwrap_or_else" | "lock" | "read" | "write" => 0,
                    name if callee.hands_on() || name == "clone" => 0,
                    _ => return Some(found),
                };
                call.arguments.get(number).and_then(Operand::place)
            }
            Definition::Assigned(..) => match function.assigned(*definition) {
                Some(Rvalue::Use(Operand::Place(from)) | Rvalue::Reference(from, _)) => Some(from),
                _ => return Some(found),
            },
        };
        let Some(from) = from else { return Some(found) };
        let other = based(program, objects, *of, from, depth - 1);
        others.extend(other.filter(|it| *it != found));
    }
    let mut others = others.into_iter();
    match (others.next(), others.next()) {
        (Some(one), None) => Some(one),
        _ => Some(found),
    }
}

/// What a type is without references and smart pointers around it.
pub(crate) fn bare<'a>(program: &Program, ty: &'a str) -> &'a str {
    let mut ty = ty.trim();
    for _ in 0..8 {
        if let Some(inner) = referent(ty) {
            ty = inner;
        } else if matches!(last(&program.head(ty)), "Arc" | "Rc" | "Box" | "Pin")
            && let Some(inner) = arguments(ty).first()
        {
            ty = inner;
        } else {
            break;
        }
    }
    ty
}

/// What the call at the end of a block does to a signal by itself.
pub(super) fn direct(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    block: BlockId,
) -> Option<(Act, Sort, Option<AbstractObject>)> {
    let function = program.function(id);
    let (call, callee) = function.call(block)?;
    if parks(program, function, block) {
        return Some((Act::Wait, Sort::Thread, None));
    }
    let on = call.arguments.first()?.place()?;
    if let Some((act, sort)) = handed_to(call) {
        return Some((act, sort, base(program, objects, id, on)));
    }
    let ty = bare(program, function.type_of(on)?);
    let head = program.head(ty);
    let one = Act::Notify { everyone: false, stored: false };
    let all = Act::Notify { everyone: true, stored: false };
    let stored = Act::Notify { everyone: false, stored: true };
    let (act, sort) = match (last(&head), callee.name()) {
        (
            "Condvar",
            "wait" | "wait_while" | "wait_timeout" | "wait_timeout_while" | "wait_for" | "wait_until"
            | "wait_while_for",
        ) => (Act::Wait, Sort::Condvar),
        ("Condvar", "notify_one") => (one, Sort::Condvar),
        ("Condvar", "notify_all") => (all, Sort::Condvar),
        ("Notify", "notified" | "notified_owned") => (Act::Register, Sort::Notify),
        ("Notify", "notify_waiters") => (all, Sort::Notify),
        ("Notify", "notify_one" | "notify_last") => (stored, Sort::Notify),
        ("Event", "listen") if head.starts_with("event_listener") => (Act::Register, Sort::Event),
        ("Event", "notify" | "notify_relaxed" | "notify_additional" | "notify_additional_relaxed")
            if head.starts_with("event_listener") =>
        {
            let is_one = matches!(call.arguments.get(1), Some(Operand::Constant(it)) if it.starts_with("1_"));
            (if is_one { one } else { all }, Sort::Event)
        }
        ("EventListener", "wait") => (Act::Wait, Sort::Event),
        ("AtomicWaker", "register" | "register_by_ref") => (Act::Register, Sort::Waker),
        ("AtomicWaker", "wake" | "take" | "take_waker") => (all, Sort::Waker),
        ("Waker", "wake" | "wake_by_ref") => (one, Sort::Waker),
        ("Thread" | "Unparker", "unpark") => (stored, Sort::Thread),
        ("Parker", "park") => (Act::Wait, Sort::Thread),
        ("Sender", "subscribe") if of_many(&head) => (Act::Register, Sort::Subscription),
        ("Sender", "send" | "send_replace" | "send_modify" | "send_if_modified") if of_many(&head) => {
            (all, Sort::Subscription)
        }
        ("Sender", "send") if head.contains("oneshot") => (one, Sort::Listed),
        ("Semaphore", "acquire" | "acquire_owned" | "acquire_many") => (Act::Register, Sort::Permits),
        ("Semaphore", "add_permits" | "close") => {
            (Act::Notify { everyone: true, stored: true }, Sort::Permits)
        }
        (_, "push" | "push_back" | "push_front" | "insert") => (Act::Register, listed(program, ty)?),
        _ => return None,
    };
    Some((act, sort, base(program, objects, id, on)))
}

fn of_many(head: &str) -> bool {
    head.contains("watch::") || head.contains("broadcast::")
}

/// Whether a block parks its thread by the function of std.
fn parks(program: &Program, function: &Function, block: BlockId) -> bool {
    let own = program.called(function, block).is_some();
    function.call(block).is_some_and(|(call, callee)| {
        callee.name() == "park" && call.arguments.is_empty() && callee.of_trait.is_none() && !own
    })
}

/// What a function that a call is handed by its name does to each signal: `wakers.into_iter().for_each(Waker::wake)`.
fn handed_to(call: &Call) -> Option<(Act, Sort)> {
    call.arguments.iter().skip(1).find_map(|it| {
        let Operand::Constant(text) = it else { return None };
        let path = crate::body::text::canonical(text);
        let (of, name) = path.rsplit_once("::")?;
        match (last(of), name) {
            ("Waker", "wake" | "wake_by_ref") => {
                Some((Act::Notify { everyone: true, stored: false }, Sort::Waker))
            }
            ("Thread", "unpark") => Some((Act::Notify { everyone: true, stored: true }, Sort::Thread)),
            _ => None,
        }
    })
}

/// What a collection lists, if its elements are those who wait: each itself, or as a field of a type of the workspace.
pub(super) fn listed(program: &Program, ty: &str) -> Option<Sort> {
    let (collection, of) = ty.split_once('<')?;
    if matches!(last(collection), "Option" | "Mutex" | "Arc") || of.contains("Condvar") {
        return None;
    }
    let by_type = |ty: &str| {
        let is_word = |it: char| it.is_alphanumeric() || it == '_' || it == ':';
        ty.split(|it: char| !is_word(it)).find_map(|it| match last(it) {
            "Waker" => Some(Sort::Waker),
            "Thread" => Some(Sort::Thread),
            "Sender" if it.contains("oneshot") => Some(Sort::Listed),
            _ => None,
        })
    };
    let of_fields = || {
        let element = arguments(ty).into_iter().next_back()?;
        let name = program.head(element);
        let fields = program.fields(last(&name));
        fields.map(|it| it.text.as_str()).find_map(|it| {
            let inner = it.strip_prefix("Option<").and_then(|it| it.strip_suffix('>')).unwrap_or(it);
            if inner.contains('<') && !inner.contains("oneshot") { None } else { by_type(inner) }
        })
    };
    by_type(of).or_else(of_fields)
}

/// Whether a block keeps a waker behind a pointer by an assignment, and where.
pub(super) fn keeps_waker(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    block: BlockId,
) -> Option<(Act, Sort, Option<AbstractObject>)> {
    let function = program.function(id);
    let body = function.body.block(block)?;
    let is_kept = |into: &Place| {
        let slot = Slot::at(into);
        let behind = slot.steps.len() > function.root(&slot) && into.projections.contains(&Projection::Deref);
        behind && is_waker(function, into)
    };
    let none = |value: &Rvalue| match value {
        Rvalue::Use(Operand::Constant(_)) => true,
        Rvalue::Made(_, parts) => parts.is_empty(),
        Rvalue::Use(Operand::Place(from)) => match function.definition(&Slot::at(from)) {
            Some(it) => match function.assigned(it) {
                Some(Rvalue::Made(_, parts)) => parts.is_empty(),
                Some(Rvalue::Use(Operand::Constant(_))) => true,
                _ => false,
            },
            None => false,
        },
        _ => false,
    };
    let stated = body.statements.iter().find_map(|it| match it {
        Statement::Assign(into, value) if is_kept(into) && !none(value) => Some(into),
        _ => None,
    });
    let called = || {
        let (call, callee) = function.call(block)?;
        let on = call.arguments.first()?.place()?;
        let given = call.arguments.get(1)?.place()?;
        let puts = matches!(callee.name(), "replace" | "insert" | "clone_from" | "set" | "get_or_insert");
        let on_option = function.type_of(on).is_some_and(|it| it.starts_with('&') && it.contains("Waker"));
        (puts && on_option && is_waker(function, given)).then_some(on)
    };
    let into = stated.or_else(called)?;
    Some((Act::Register, Sort::Waker, base(program, objects, id, into)))
}

fn is_waker(function: &Function, place: &Place) -> bool {
    function.type_of(place).is_some_and(|it| {
        let inner = arguments(it).first().copied().unwrap_or(it);
        let inner = referent(inner).unwrap_or(inner);
        last(&crate::body::text::head(inner)) == "Waker"
    })
}
