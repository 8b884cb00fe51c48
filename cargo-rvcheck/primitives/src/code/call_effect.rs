//! What a call of a primitive does to whoever holds a lock meanwhile, as its row says.

use super::functions::Manner;
use crate::action::Action;
use crate::operation::{Operation, Waits};
use crate::owner::{Inert, Is, Owner};
use crate::{owner, owners_named, row};

/// What a call of a primitive does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallEffect {
    /// It is done at once. It runs no code but that of the values that it is given.
    AtOnce(Manner),
    /// The same, under the lock that its object has inside: it waits until nobody has that.
    Inside(Manner),
    /// It may wait for somebody.
    Waits,
    /// It starts something elsewhere. Where it cannot, it drops what it was given.
    Starts,
    /// It keeps a function that others call at any time.
    Registers,
    /// It may run what is not seen.
    Unknown,
}

/// What a call of the function of that path does; `None` of what is no primitive.
pub fn call_effect(path: &str) -> Option<CallEffect> {
    let (of, name) = path.rsplit_once("::")?;
    call_effect_of(owner(of)?, name)
}

/// The same of a function of std that the compiler writes without its module.
pub fn call_effect_of_std(of: &str, name: &str) -> Option<CallEffect> {
    let owner = owners_named(of).iter().copied().find(|it| it.path.starts_with("std::"))?;
    call_effect_of(owner, name)
}

fn call_effect_of(owner: &Owner, name: &str) -> Option<CallEffect> {
    if let Some(operation) = owner.operation(name) {
        return Some(of_row(owner, operation));
    }
    let of_name = |(_, names): &&(Inert, &[&str])| names.contains(&name);
    let Some((why, _)) = owner.inert.iter().find(of_name) else {
        // What is done with an error or a word besides is done with ordinary values.
        return (!matches!(owner.is, Is::Error(_) | Is::Flag(_))).then_some(CallEffect::Unknown);
    };
    Some(match why {
        Inert::Asks | Inert::Alone | Inert::GivesPart | Inert::Sets | Inert::Collects => {
            CallEffect::AtOnce(Manner::Moves)
        }
        Inert::Unrelated if !is_opaque(owner) => CallEffect::AtOnce(Manner::Uses),
        Inert::Registers => CallEffect::Registers,
        Inert::Holds | Inert::Unrelated => CallEffect::Unknown,
    })
}

fn of_row(owner: &Owner, operation: &Operation) -> CallEffect {
    let blocks = operation.waits == Waits::Thread;
    let is_inside = has_lock_inside(owner);
    match operation.action {
        Action::Request(_) if is_inside && blocks => CallEffect::Inside(Manner::Moves),
        Action::Spawn(_) if owner.is == Is::Process => CallEffect::Unknown,
        Action::Spawn(_) => CallEffect::Starts,
        _ if blocks || waits_for_initialiser(owner, operation) => CallEffect::Waits,
        Action::Initialise | Action::Yield | Action::ReleaseMeanwhile if operation.waits == Waits::No => {
            CallEffect::Waits
        }
        _ if is_opaque(owner) || operation.waits == Waits::Poll => CallEffect::Unknown,
        // Nothing is done before what it gives is polled, if it is a future of the library's own.
        _ if operation.waits == Waits::Task => match operation.runs {
            Some(_) => CallEffect::Unknown,
            None => CallEffect::AtOnce(Manner::Moves),
        },
        Action::Limit | Action::Scope | Action::WaitReleasing | Action::Sleep | Action::Transfer => {
            CallEffect::Unknown
        }
        _ if is_inside => CallEffect::Inside(Manner::Uses),
        Action::Make(_) | Action::Request(_) | Action::Notify { .. } => CallEffect::AtOnce(Manner::Moves),
        Action::Load if matches!(owner.is, Is::Once(_) | Is::Flag(_)) => CallEffect::AtOnce(Manner::Moves),
        Action::Store | Action::Swap if matches!(owner.is, Is::Flag(_)) && operation.runs.is_none() => {
            CallEffect::AtOnce(Manner::Moves)
        }
        _ => CallEffect::AtOnce(Manner::Uses),
    }
}

/// Whether values of a type have a lock inside that code of others may run under: it copies, compares or drops their messages or runs a
/// closure meanwhile, or gives a guard of it. Of the channels of std it is known that they do not.
pub fn has_lock_inside(owner: &Owner) -> bool {
    matches!(owner.is, Is::End(_)) && !owner.path.starts_with("std::")
}

/// Whether a cell is filled from outside while others wait for the function that fills it: they are waited for, too.
fn waits_for_initialiser(owner: &Owner, operation: &Operation) -> bool {
    let blocks = |it: &Operation| it.action == Action::Initialise && it.waits == Waits::Thread;
    operation.action == Action::Store
        && operation.waits == Waits::No
        && matches!(owner.is, Is::Once(_))
        && owner.operations.iter().any(blocks)
}

/// Whether what is done with a type may run code that is in it without being seen in its arguments.
const fn is_opaque(owner: &Owner) -> bool {
    matches!(
        owner.is,
        Is::Runtime
            | Is::Builder
            | Is::Process
            | Is::Connection
            | Is::File
            | Is::Console
            | Is::WakerCell
            | Is::Map
            | Is::PerThread
            | Is::Canceller
            | Is::Token
            | Is::Race
            | Is::Tasks(_)
            | Is::Waiting
    )
}

/// Whether the function of that path may wake tasks.
pub fn wakes(path: &str) -> bool {
    let quiet = |it: Action| {
        matches!(it, Action::Make(_) | Action::Load | Action::Handle | Action::Subscribe | Action::Request(_))
    };
    row(path).is_some_and(|it| !it.owner.path.starts_with("std::") && !quiet(it.operation.action))
}
