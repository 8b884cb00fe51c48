//! State that tasks and threads share: what is read of it, and what is written.

use super::operation::base;
use crate::body::{Callee, Definition, Function, FunctionId, Slot};
use crate::mir::{BlockId, Call, Made, Operand, Place, Projection, Rvalue, Statement};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::library::mentions_lock_guard;
use crate::ty::{Ty, last};
use rvcheck_primitives::{Action, Is, Leaves, Row};

/// How state is shared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum How {
    /// It is an atomic, or a cell that is set once.
    Atomic,
    /// It is behind a lock whose guard is at hand.
    Locked,
    /// It is behind a reference: whether that is from a guard, the caller knows.
    Bare,
}

/// What a write leaves.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Value {
    /// That flag.
    Flag(bool),
    /// `Some`, or `None`.
    Present(bool),
    /// A collection with more in it, or with less.
    Filled(bool),
    /// A greater number, or a smaller one.
    Greater(bool),
    /// The variant of that name.
    Variant(String),
    /// It is not known.
    Unknown,
}

/// A write of state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Write {
    /// The block that writes, or calls what does.
    pub(crate) block: BlockId,
    /// What is written.
    pub(crate) state: AbstractObject,
    /// How it is shared.
    pub(crate) how: How,
    /// What is left there.
    pub(crate) value: Value,
    /// The body and block that write.
    pub(crate) made: (FunctionId, BlockId),
    /// How many calls are in between.
    pub(super) hops: u8,
}

/// The state that a place is or is a part of, if it is behind a pointer.
pub(super) fn state_of(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    place: &Place,
) -> Option<(AbstractObject, How)> {
    let function = program.function(id);
    let slot = Slot::at(place);
    let root = function.root(&slot);
    if !slot.steps[root..].contains(&crate::body::Selector::Deref)
        && !matches!(function.captured(&slot), Some((_, rest)) if rest.contains(&crate::body::Selector::Deref))
    {
        return None;
    }
    let how = if is_guarded(function, place) { How::Locked } else { How::Bare };
    let object = base(program, objects, id, place)?;
    let given = function.kind == crate::body::Kind::Closure
        && matches!(&object, AbstractObject::Value(of, at) if *of == id && function.is_argument(at));
    (how == How::Locked || given || matches!(object, AbstractObject::Field(..))).then_some((object, how))
}

/// Whether a type is a guard of a lock that more than one thread can have.
pub(super) fn is_lock_guard(ty: Ty) -> bool {
    mentions_lock_guard(ty)
}

/// Whether a place is reached through a guard of the body.
fn is_guarded(function: &Function, place: &Place) -> bool {
    let mut slot = Slot::at(place);
    for _ in 0..12 {
        slot.steps.truncate(function.root(&slot));
        let Some(definition) = function.definition(&slot) else { return false };
        let from = match definition {
            Definition::Called(block) => {
                let Some((call, callee)) = function.call(block) else { return false };
                let Some(from) = call.place(0) else { return false };
                if callee.dereferences() && function.type_of(from).is_some_and(is_lock_guard) {
                    return true;
                }
                from
            }
            definition @ Definition::Assigned(..) => {
                match function.assigned(definition).and_then(Rvalue::alias_of) {
                    Some(from) => from,
                    None => return false,
                }
            }
        };
        slot = Slot::at(from);
    }
    false
}

/// The state that a call on an atomic, or on a cell that is set once, is about.
pub(super) fn of_atomic(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    block: BlockId,
) -> Option<AbstractObject> {
    let function = program.function(id);
    let (call, _) = function.call(block)?;
    let Row { owner, operation } = function.callee(block).likely_row()?;
    let is_used = match owner.is {
        Is::Once(_) => matches!(operation.action, Action::Load | Action::Store),
        Is::Flag(_) => operation.action == Action::Load || operation.leaves.is_some(),
        _ => false,
    };
    if !is_used {
        return None;
    }
    base(program, objects, id, call.place(0)?)
}

/// The writes that a block does by itself.
pub(super) fn written(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    block: BlockId,
) -> Vec<Write> {
    let function = program.function(id);
    let mut found = Vec::new();
    let Some(body) = function.body.block(block) else { return found };
    let mut add = |place: &Place, value: Value| {
        if !is_fresh(function, place)
            && let Some((state, how)) = state_of(program, objects, id, place)
        {
            found.push(Write { block, state, how, value, made: (id, block), hops: 0 });
        }
    };
    for statement in &body.statements {
        if let Statement::Assign(into, value) = statement
            && into.projections.contains(&Projection::Deref)
            && !is_own(function, into)
        {
            add(into, value_of(function, value));
        }
    }
    let Some((call, callee)) = function.call(block) else { return found };
    if call.into.projections.contains(&Projection::Deref) && !is_own(function, &call.into) {
        add(&call.into, Value::Unknown);
    }
    if let Some(state) = of_atomic(program, objects, id, block) {
        let of = callee.likely_row().map(|it| (it.owner, it.operation.leaves));
        let Some((owner, Some(leaves))) = of else { return found };
        // To add nothing is to look, with another ordering.
        let adds = matches!(leaves, Leaves::More | Leaves::Less);
        if adds && call.arguments.get(1).is_some_and(Operand::is_nought) {
            return found;
        }
        let value = match leaves {
            _ if matches!(owner.is, Is::Once(_)) => Value::Present(true),
            Leaves::Argument(at) => flag(call.arguments.get(usize::from(at))),
            Leaves::Either => flag(call.arguments.get(1)),
            Leaves::More => Value::Greater(true),
            Leaves::Less => Value::Greater(false),
            Leaves::Both | Leaves::Extreme | Leaves::Made | Leaves::Other => Value::Unknown,
        };
        let on = call.place(0);
        if !on.is_some_and(|it| is_fresh(function, it)) {
            found.push(Write { block, state, how: How::Atomic, value, made: (id, block), hops: 0 });
        }
        return found;
    }
    if let Some(on) = shared_queue(program, function, block)
        && let Some((state, _)) = state_of_pointer(program, objects, id, on)
        && let Some(value) = queued(callee)
    {
        found.push(Write { block, state, how: How::Atomic, value, made: (id, block), hops: 0 });
        return found;
    }
    if let Some((on, value)) = mutated(function, call, callee)
        && !is_fresh(function, on)
        && let Some((state, how)) = state_of_pointer(program, objects, id, on)
    {
        found.push(Write { block, state, how, value, made: (id, block), hops: 0 });
    }
    found
}

/// The queue of another crate on which a block calls a method by a reference that others may have, too.
pub(super) fn shared_queue<'a>(
    program: &Program,
    function: &'a Function,
    block: BlockId,
) -> Option<&'a Place> {
    let (call, _) = function.call(block)?;
    let on = call.place(0)?;
    let ty = function.type_of(on).filter(|it| it.is_reference() && !it.is_exclusive())?;
    let head = program.head(ty.pointed());
    let is_queue = last(head).ends_with("Queue") && !program.knows_type(last(head));
    is_queue.then_some(on)
}

/// Whether the call at the end of a block takes whichever element of a collection is the next, and not one that it names. An iterator that is
/// asked for its next one leaves the collection as it is.
pub(crate) fn takes_next(function: &Function, block: BlockId) -> bool {
    function.call(block).is_some_and(|(call, callee)| {
        let takes = callee.takes_element() && callee.shrinks();
        takes && matches!(call.arguments.as_slice(), [_])
    })
}

/// What a method of a queue that is shared leaves there, if it changes it.
fn queued(callee: Callee) -> Option<Value> {
    if callee.grows() {
        Some(Value::Filled(true))
    } else if callee.shrinks() {
        Some(Value::Filled(false))
    } else {
        callee.closes().then_some(Value::Flag(true))
    }
}

/// Whether a place is in something that the body has made itself: nobody else has seen it when it is filled.
pub(crate) fn is_fresh(function: &Function, place: &Place) -> bool {
    let mut slot = Slot::at(place);
    for _ in 0..16 {
        slot.steps.truncate(function.root(&slot));
        let from = match function.definition(&slot) {
            Some(Definition::Called(block)) => {
                let Some((call, callee)) = function.call(block) else { return false };
                let made = matches!(callee.name(), "new" | "default" | "with_capacity" | "pin");
                if made && (callee.self_type().is_none() || callee.of_trait().is_some()) {
                    return true;
                }
                let through = callee.views() || callee.locks() || callee.opens();
                match call.place(0).filter(|_| through || callee.hands_on()) {
                    Some(from) => from,
                    None => return false,
                }
            }
            Some(definition @ Definition::Assigned(..)) => match function.assigned(definition) {
                Some(
                    Rvalue::Use(Operand::Place(from))
                    | Rvalue::Cast(Operand::Place(from), _)
                    | Rvalue::Reference(from, _),
                ) => from,
                Some(Rvalue::Made(made, _)) => return !matches!(made, Made::Parts | Made::Body(_)),
                _ => return false,
            },
            None => return false,
        };
        slot = Slot::at(from);
    }
    false
}

/// The state that a reference points to.
pub(super) fn state_of_pointer(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    pointer: &Place,
) -> Option<(AbstractObject, How)> {
    let mut behind = pointer.clone();
    behind.projections.push(Projection::Deref);
    let function = program.function(id);
    // A reference to a place is that place.
    let mut slot = Slot::at(pointer);
    for _ in 0..6 {
        slot.steps.truncate(function.root(&slot));
        match function.definition(&slot).and_then(|it| function.assigned(it)) {
            Some(Rvalue::Reference(of, _)) => {
                if of.projections.contains(&Projection::Deref) && !is_own(function, of) {
                    return state_of(program, objects, id, of);
                }
                // What is referred to is a reference or guard itself.
                slot = Slot::at(of);
            }
            Some(Rvalue::Use(Operand::Place(of)) | Rvalue::Cast(Operand::Place(of), _)) => {
                if of.projections.contains(&Projection::Deref) && !is_own(function, of) {
                    return state_of(program, objects, id, of);
                }
                slot = Slot::at(of);
            }
            _ => break,
        }
    }
    state_of(program, objects, id, &behind)
}

/// Whether a place is one that a state machine keeps for itself.
fn is_own(function: &Function, place: &Place) -> bool {
    let slot = Slot::at(place);
    let root = function.root(&slot);
    root > 0 && !slot.steps[root..].contains(&crate::body::Selector::Deref)
}

/// What a method changes by a reference, and how.
fn mutated<'a>(function: &Function, call: &'a Call, callee: Callee) -> Option<(&'a Place, Value)> {
    let on = call.place(0)?;
    let ty = function.type_of(on)?;
    if !ty.is_exclusive() {
        return None;
    }
    let of_option = ty.bare().is_option();
    let value = match callee.name() {
        "take" if of_option => Value::Present(false),
        _ if of_option && (callee.stores() || callee.reaches()) => Value::Present(true),
        "swap" | "add_assign" | "sub_assign" => Value::Unknown,
        _ if callee.takes_out() => Value::Unknown,
        _ if callee.grows() => Value::Filled(true),
        _ if callee.shrinks() => Value::Filled(false),
        _ => return None,
    };
    Some((on, value))
}

fn flag(operand: Option<&Operand>) -> Value {
    match operand {
        Some(it) if it.is_nought() => Value::Greater(false),
        it => it.and_then(Operand::truth).map_or(Value::Unknown, Value::Flag),
    }
}

fn value_of(function: &Function, value: &Rvalue) -> Value {
    let mut value = value.clone();
    for _ in 0..6 {
        value = match &value {
            Rvalue::Use(operand @ Operand::Constant(text)) => {
                return match flag(Some(operand)) {
                    Value::Unknown if text.ends_with("::None") => Value::Present(false),
                    Value::Unknown if text.contains("::") => variant(text),
                    it => it,
                };
            }
            Rvalue::Made(Made::By(it), _) => return it.counts().map_or(Value::Unknown, Value::Greater),
            Rvalue::Made(Made::Value(by), parts) => {
                return match (by.name(), parts.as_slice()) {
                    ("Some", [_]) if by.owner() == "Option" => Value::Present(true),
                    ("None", []) if by.owner() == "Option" => Value::Present(false),
                    _ if by.text().contains("::") => variant(by.text()),
                    _ => Value::Unknown,
                };
            }
            Rvalue::Use(Operand::Place(from)) => {
                let mut slot = Slot::at(from);
                slot.steps.truncate(function.root(&slot));
                match function.definition(&slot).and_then(|it| function.assigned(it)) {
                    Some(it) => it.clone(),
                    None => return Value::Unknown,
                }
            }
            _ => return Value::Unknown,
        };
    }
    Value::Unknown
}

fn variant(text: &str) -> Value {
    let path = crate::ty::canonical(text);
    Value::Variant(crate::ty::last(&path).to_owned())
}
