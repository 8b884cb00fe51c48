//! What single steps do to a state: assignments, and calls of atomics, numbers and collections.

use super::state::{State, of_operand};
use crate::body::{Definition, Function, Slot};
use crate::mir::{Made, Operand, Place, Rvalue};
use crate::program::Program;
use rvcheck_primitives::{Holds, holds};

/// What is done to a state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Change {
    /// It is given a value: a constant or the name of a variant, if that is known.
    Set(Option<String>),
    /// It counts up by that.
    Up(Option<String>),
    /// It counts down by that.
    Down(Option<String>),
    /// Something is put into it.
    Put,
    /// Something is removed from it, and perhaps kept.
    Remove,
    /// All that is in it is removed.
    Clear,
    /// A permit of it is forgotten.
    Forget,
    /// Permits are added to it.
    Release,
}

impl Change {
    /// Whether this undoes the other one.
    pub(crate) fn undoes(&self, other: &Change) -> bool {
        match (other, self) {
            (Change::Set(Some(one)), Change::Set(Some(other))) => one != other,
            (Change::Up(one), Change::Down(other)) | (Change::Down(one), Change::Up(other)) => one == other,
            (Change::Set(Some(_)), Change::Set(None))
            | (Change::Put, Change::Remove | Change::Clear)
            | (Change::Remove | Change::Clear, Change::Put | Change::Set(_))
            | (Change::Forget, Change::Release) => true,
            _ => false,
        }
    }

    /// Whether what was there may be in the hands of whoever does it.
    pub(crate) const fn takes(&self) -> bool {
        matches!(self, Change::Remove | Change::Clear)
    }
}

/// Whether an operand is, or refers to, a collection of another crate.
pub(super) fn is_collection(function: &Function, operand: Option<&Operand>) -> bool {
    // Those of crates without rows.
    const ENDS: [&str; 5] = ["Map", "Set", "Vec", "Deque", "Queue"];
    let ty = operand.and_then(Operand::place).and_then(|it| function.type_of(it)).unwrap_or_default();
    let name = ty.bare_name();
    ENDS.iter().any(|it| name.ends_with(it))
        || holds(name).is_some_and(|it| it.is_collection() || it == Holds::Entry)
}

/// Whether a method of a number counts up.
pub(super) fn counts(name: &str) -> Option<bool> {
    match name {
        "saturating_add" | "checked_add" | "wrapping_add" | "add_assign" | "add" => Some(true),
        "saturating_sub" | "checked_sub" | "wrapping_sub" | "sub_assign" | "sub" => Some(false),
        _ => None,
    }
}

pub(super) fn count(up: bool, by: Option<String>) -> Change {
    if up { Change::Up(by) } else { Change::Down(by) }
}

/// The change that a value is, where it is the old one with something added or taken off.
pub(super) fn delta(
    program: &Program,
    function: &Function,
    value: &Rvalue,
    state: &State,
    depth: usize,
) -> Option<Change> {
    let is_old = |it: &Operand| of_operand(program, function, it).is_some_and(|it| it == *state);
    let from = |it: &Place| {
        let slot = Slot::at(it);
        let own = Slot { local: slot.local, steps: slot.steps[..function.root(&slot)].to_vec() };
        match function.definition(&own)? {
            Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                match counts(callee.name()) {
                    Some(up) if is_old(call.arguments.first()?) => {
                        Some(count(up, text_of(function, call.arguments.get(1)?)))
                    }
                    // `checked_sub(1).unwrap()` and its like.
                    None if matches!(
                        callee.name(),
                        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default"
                    ) =>
                    {
                        delta(
                            program,
                            function,
                            &Rvalue::Use(call.arguments.first()?.clone()),
                            state,
                            depth + 1,
                        )
                    }
                    _ => None,
                }
            }
            definition @ Definition::Assigned(..) => {
                delta(program, function, function.assigned(definition)?, state, depth + 1)
            }
        }
    };
    match value {
        _ if depth > 6 => None,
        Rvalue::Made(Made::By(operator), parts) => {
            let [old, by] = parts.as_slice() else { return None };
            let up = operator.counts().filter(|_| is_old(old))?;
            Some(count(up, text_of(function, by)))
        }
        Rvalue::Use(Operand::Place(it)) | Rvalue::Cast(Operand::Place(it), _) => from(it),
        _ => None,
    }
}

/// The constant or variant that a value is.
pub(super) fn constant(function: &Function, value: &Rvalue) -> Option<String> {
    match value {
        Rvalue::Use(it) | Rvalue::Cast(it, _) => text_of(function, it),
        Rvalue::Made(made, _) => named(*made),
        _ => None,
    }
}

/// The constant or variant that an operand is.
pub(super) fn text_of(function: &Function, operand: &Operand) -> Option<String> {
    let mut operand = operand.clone();
    for _ in 0..8 {
        match &operand {
            Operand::Constant(text) => {
                let text = text.split('(').next().unwrap_or(text);
                return Some(last_name(text).to_owned());
            }
            Operand::Place(place) => match function.assigned(function.definition(&Slot::at(place))?)? {
                Rvalue::Use(it) | Rvalue::Cast(it, _) => operand = it.clone(),
                Rvalue::Made(made, _) => return named(*made),
                _ => return None,
            },
        }
    }
    None
}

/// The name of what a value is made by.
fn named(made: Made) -> Option<String> {
    match made {
        Made::Value(by) => Some(last_name(by.text()).to_owned()),
        Made::By(operator) => Some(format!("{operator:?}")),
        Made::Parts | Made::Body(_) => None,
    }
}

fn last_name(text: &str) -> &str {
    text.rsplit("::").next().unwrap_or(text)
}
