//! What calls do to signals: become one of those who are notified, wait, notify.

use crate::body::{Callee, Definition, Function, FunctionId, Slot};
use crate::mir::{BlockId, Call, Local, Operand, Place, Projection, Rvalue, Statement};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::library::{is_waker, is_waker_type, mentions, mentions_waker};
use crate::ty::Ty;
use rvcheck_primitives::{Action, Ending, Holds, Is, Operation as Primitive, Owner, owners_of};
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

/// Whether the result of a method of that name is, guards or goes over what it is called on, an element of it, or what is in it.
fn leads_on(callee: Callee) -> bool {
    let to_element = callee.reaches() || callee.finds() || callee.iterates() || callee.takes();
    let leads = callee.leads_on() || to_element || callee.adapts_iterator();
    leads || matches!(callee.name(), "thread" | "flat_map" | "collect")
}

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
                if let Some(other) = given_back(program, objects, (*of, *block), depth) {
                    others.insert(other);
                    continue;
                }
                let number = match callee.name() {
                    name if name.starts_with("wait") => 1,
                    _ if leads_on(callee) || callee.hands_on() => 0,
                    _ => return Some(found),
                };
                call.place(number)
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

/// What a helper of the workspace gives back a part of, or a handle to, as its caller sees it.
fn given_back(
    program: &Program,
    objects: &AbstractObjects<'_>,
    (id, block): (FunctionId, BlockId),
    depth: usize,
) -> Option<AbstractObject> {
    let function = program.function(id);
    let (call, _) = function.call(block)?;
    let called = program.one_called(function, block).filter(|it| *it != id)?;
    let ty = program.function(called).body.type_of(Local(0));
    let is_handle =
        ty.referent().is_some() || ty.has(Ty::is_guard) || ty.is_counted() || listed(program, ty).is_some();
    if !is_handle || depth == 0 {
        return None;
    }
    let result = Place { local: Local(0), projections: Vec::new() };
    match based(program, objects, called, &result, depth - 1)? {
        AbstractObject::Value(of, slot) if of == called && program.function(of).is_argument(&slot) => {
            let given = call.arguments.get((slot.local.0 as usize).checked_sub(1)?)?.place()?;
            based(program, objects, id, given, depth - 1)
        }
        AbstractObject::Value(of, _) if of == called => None,
        it => Some(it),
    }
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
    let on = call.place(0)?;
    if let Some((act, sort)) = handed_to(call) {
        return Some((act, sort, base(program, objects, id, on)));
    }
    let ty = function.type_of(on)?.pointed();
    let head = program.head(ty);
    let (act, sort) = match done(head, callee.name(), call) {
        Some(it) => it,
        None if puts_in(callee) => (Act::Register, listed(program, ty)?),
        None => return None,
    };
    Some((act, sort, base(program, objects, id, on)))
}

/// Whether a method of that name puts something into a collection and gives nothing that matters.
fn puts_in(callee: Callee) -> bool {
    callee.stores() && !matches!(callee.name(), "extend" | "append" | "replace")
}

/// What a method of a library's type does to a signal.
fn done(head: &str, name: &str, call: &Call) -> Option<(Act, Sort)> {
    owners_of(head).iter().find_map(|owner| {
        let sort = sort_of(owner, head)?;
        Some((act_of(owner, owner.operation(name)?, sort, call)?, sort))
    })
}

/// What sort of signal a library's type is, or gives.
fn sort_of(owner: &Owner, head: &str) -> Option<Sort> {
    let does = |action: Action| owner.operations.iter().any(|it| it.action == action);
    let is_it = owner.path == head || owner.aliases.contains(&head);
    let of_its_module = is_it || ends_alike(owner.path, head);
    match owner.is {
        Is::Condvar => Some(Sort::Condvar),
        // Other types are called so.
        Is::Signal if does(Action::Enlist) => of_its_module.then_some(Sort::Event),
        Is::Signal => Some(Sort::Notify),
        Is::Listener if does(Action::Wait) => Some(Sort::Event),
        Is::WakerCell => Some(Sort::Waker),
        Is::Handle(Ending::Nothing) if does(Action::Wait) => Some(Sort::Thread),
        Is::Handle(Ending::Nothing) => {
            does(Action::Notify { all: false, stored: true }).then_some(Sort::Thread)
        }
        Is::End(end) if end.sends && does(Action::Subscribe) => of_its_module.then_some(Sort::Subscription),
        Is::End(end) if end.sends && end.is_once => of_its_module.then_some(Sort::Listed),
        Is::Semaphore(_) => Some(Sort::Permits),
        _ => None,
    }
}

/// Whether two paths have the same last two segments.
fn ends_alike(one: &str, other: &str) -> bool {
    let end = |it: &str| it.rsplit("::").take(2).map(str::to_owned).collect::<Vec<_>>();
    one.contains("::") && end(one) == end(other)
}

/// What an operation does to a signal of that sort.
fn act_of(owner: &Owner, operation: &Primitive, sort: Sort, call: &Call) -> Option<Act> {
    let everybody = |stored: bool| Act::Notify { everyone: true, stored };
    Some(match (operation.action, sort) {
        (Action::Notify { .. }, Sort::Event) => {
            let is_one = call.arguments.get(1).is_some_and(Operand::is_one);
            Act::Notify { everyone: !is_one, stored: false }
        }
        // Whoever has put a waker into a cell is woken, and nobody who comes later.
        (Action::Notify { .. } | Action::Swap, Sort::Waker) => {
            Act::Notify { everyone: !is_waker(owner), stored: false }
        }
        (Action::Notify { all, stored }, _) => Act::Notify { everyone: all, stored },
        (Action::Enlist, Sort::Event) if owner.is != Is::Signal => return None,
        (Action::Enlist, Sort::Event | Sort::Waker)
        | (Action::Wait, Sort::Notify)
        | (Action::Subscribe, Sort::Subscription) => Act::Register,
        (Action::Wait | Action::WaitReleasing, Sort::Condvar | Sort::Event | Sort::Thread) => Act::Wait,
        (Action::Send, Sort::Subscription) => everybody(false),
        (Action::Send, Sort::Listed) => Act::Notify { everyone: false, stored: false },
        (Action::Acquire(_), Sort::Permits) if operation.may_wait() => Act::Register,
        (Action::Add(_) | Action::Close, Sort::Permits) => everybody(true),
        _ => return None,
    })
}

/// Whether a block parks its thread by the function of std.
fn parks(program: &Program, function: &Function, block: BlockId) -> bool {
    let own = program.called(function, block).is_some();
    function.call(block).is_some_and(|(call, callee)| {
        callee.name() == "park" && call.arguments.is_empty() && callee.of_trait().is_none() && !own
    })
}

/// What a function that a call is handed by its name does to each signal: `wakers.into_iter().for_each(Waker::wake)`.
fn handed_to(call: &Call) -> Option<(Act, Sort)> {
    call.arguments.iter().skip(1).find_map(|it| {
        let Operand::Constant(text) = it else { return None };
        let path = crate::ty::canonical(text);
        let (of, name) = path.rsplit_once("::")?;
        let done = done(of, name, call).filter(|(_, sort)| matches!(sort, Sort::Waker | Sort::Thread));
        match done? {
            (Act::Notify { stored, .. }, sort) => Some((Act::Notify { everyone: true, stored }, sort)),
            _ => None,
        }
    })
}

/// What a collection lists, if its elements are those who wait: each itself, or as a field of a type of the workspace.
pub(super) fn listed(program: &Program, ty: Ty) -> Option<Sort> {
    let of = ty.arguments();
    let is_one = matches!(ty.holds(), Some(Holds::Variant | Holds::Lock | Holds::Counted));
    if is_one || of.iter().any(|it| mentions(*it, |it| it == Is::Condvar)) {
        return None;
    }
    let of_fields = || {
        program.fields(of.last()?.name()).find_map(|it| {
            let inner = it.ty.if_some();
            let may_be_one = inner.arguments().is_empty() || inner.names("oneshot");
            sort_within(inner).filter(|_| may_be_one)
        })
    };
    of.iter().find_map(|it| sort_within(*it)).or_else(of_fields)
}

/// By what those who wait are kept in a value of this type: a waker, a thread or a sender.
fn sort_within(ty: Ty) -> Option<Sort> {
    ty.parts().find_map(|it| {
        owners_of(it.head()).iter().find_map(|owner| match sort_of(owner, it.head())? {
            Sort::Waker => is_waker(owner).then_some(Sort::Waker),
            sort @ (Sort::Thread | Sort::Listed) => Some(sort),
            _ => None,
        })
    })
}

impl super::Signals<'_> {
    /// What a value of that type, or what it refers to, lists, if that is a collection of those who wait.
    pub(crate) fn lists(&self, ty: Ty) -> Option<Sort> {
        listed(self.program, ty.pointed())
    }

    /// Whether a value of that type owns senders of those who wait, so that they learn of its drop.
    pub(crate) fn owns_senders(&self, ty: Ty) -> bool {
        !ty.is_pointer()
            && (sort_within(ty) == Some(Sort::Listed) || self.lists(ty.if_some()) == Some(Sort::Listed))
    }
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
        behind && is_waker_at(function, into)
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
        let on = call.place(0)?;
        let given = call.place(1)?;
        let puts = callee.stores() || matches!(callee.name(), "clone_from" | "set");
        let on_option = function.type_of(on).is_some_and(|it| it.is_reference() && mentions_waker(it));
        (puts && on_option && is_waker_at(function, given)).then_some(on)
    };
    let into = stated.or_else(called)?;
    Some((Act::Register, Sort::Waker, base(program, objects, id, into)))
}

fn is_waker_at(function: &Function, place: &Place) -> bool {
    function.type_of(place).is_some_and(|it| {
        let inner = it.argument(0).unwrap_or(it);
        let inner = inner.pointee();
        is_waker_type(inner)
    })
}
