//! A signal that is waited for until state changes, and that nothing ever gives.
//!
//! Reported if the signal is a part of the value that has it, is seen by no other crate, and all notifiers of its sort are known. For a
//! waker kept in a field: if only the code that stores it does anything with that field.

use super::super::{Certainty, Hit};
use super::late::place;
use crate::body::paths::Paths;
use crate::body::{Callee, Function, FunctionId, Kind};
use crate::facts::signals::{Given, Signals, Sort, Waiter, Write};
use crate::mir::{Local, Operand, Statement};
use crate::program::Program;
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::call_or_await;
use crate::program::fills::fills_of;
use crate::program::library::{mentions, mentions_waker, sort};
use crate::ty::Ty;
use rvcheck_primitives::Is;
use std::collections::BTreeMap;

/// Finds such waits.
pub(super) fn check(signals: &Signals<'_>, waiters: &[Waiter]) -> Vec<Hit> {
    let program = signals.program;
    let mut found: BTreeMap<&AbstractObject, Hit> = BTreeMap::new();
    for waiter in waiters.iter().filter(|it| !it.is_ended_otherwise) {
        let is_signal = match waiter.operation.sort {
            Sort::Condvar => Is::Condvar,
            Sort::Notify | Sort::Event => Is::Signal,
            Sort::Waker => {
                if is_kept_for_nobody(signals, waiter) {
                    let message = "nothing ever wakes the waker stored here: its task waits forever";
                    found
                        .entry(&waiter.object)
                        .or_insert_with(|| hit(signals, waiter, message, "stored here"));
                }
                continue;
            }
            _ => continue,
        };
        let is_own = is_part(program, &waiter.object, is_signal);
        if !is_own || may_be_given(signals, waiter) || is_seen_elsewhere(program, is_signal) {
            continue;
        }
        let signal = waiter.object.called(program, "this signal");
        let message = format!("nothing ever notifies {signal}: its waiters wait forever");
        found.entry(&waiter.object).or_insert_with(|| hit(signals, waiter, &message, "waited for here"));
    }
    found.into_values().collect()
}

fn hit(signals: &Signals<'_>, waiter: &Waiter, message: &str, label: &str) -> Hit {
    let program = signals.program;
    let (id, at) = waiter.operation.made;
    let primary = place(signals, id, Paths::of(program.function(id)), at);
    let waits = call_or_await(program, waiter.id, waiter.wait);
    let related = if waits == primary { Vec::new() } else { vec![(waits, "waits here".to_owned())] };
    Hit {
        certainty: Certainty::Usually,
        message: message.to_owned(),
        primary: (primary, label.to_owned()),
        related,
        advice: "notify when the state that the waiter checks changes".to_owned(),
    }
}

/// Whether a waker is kept in a field and never woken, although somebody else changes what its task waits for: nobody touches the field but bodies
/// which are given wakers to keep there, and who makes what has it; or nothing in the program does more with wakers than to put them away.
fn is_kept_for_nobody(signals: &Signals<'_>, waiter: &Waiter) -> bool {
    let program = signals.program;
    let AbstractObject::Field(of, field) = &waiter.object else { return false };
    let changes = || {
        program.functions().any(|(id, _)| {
            let ends = |it: &Write| waiter.ends.get(&it.state).is_some_and(|all| all.contains(&it.value));
            id != waiter.id && signals.writes(id).iter().any(|it| it.made.0 == id && ends(it))
        })
    };
    fills_of(program, of).any(|it| it.field == *field)
        && changes()
        && !program.functions().any(|(id, function)| may_wake(signals, waiter, id, function))
        && (!is_touched(signals, &waiter.object)
            || !program.functions().any(|(id, function)| gives_away(program, id, function)))
}

/// Whether a body is given a waker to keep, or shows what it has: neither is a way to wake.
fn keeps(program: &Program, id: FunctionId, function: &Function) -> bool {
    Given::of(function).is_some() || program.trait_of(id) == Some("Debug")
}

/// Whether a body may wake what a waiter has kept: that for sure, or one that is not known; or any, where it is given one to keep itself.
fn may_wake(signals: &Signals<'_>, waiter: &Waiter, id: FunctionId, function: &Function) -> bool {
    let is_keeper = Given::of(function).is_some();
    signals
        .operations(id)
        .iter()
        .filter(|it| it.notifies() && it.sort == Sort::Waker)
        .any(|it| is_keeper || it.object.as_ref().is_none_or(|it| *it == waiter.object))
}

/// Whether anybody but who keeps wakers reads or lends a piece of state.
fn is_touched(signals: &Signals<'_>, object: &AbstractObject) -> bool {
    let program = signals.program;
    program.functions().any(|(id, function)| {
        let places = || {
            function.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(at, block)| {
                let stated = block.statements.iter().flat_map(|it| match it {
                    Statement::Assign(_, value) => value.places().collect::<Vec<_>>(),
                    _ => Vec::new(),
                });
                let given = function.call(at).map(|it| &it.0.arguments);
                stated.chain(given.into_iter().flatten().filter_map(Operand::place))
            })
        };
        !keeps(program, id, function) && places().any(|it| signals.based(id, it).as_ref() == Some(object))
    })
}

/// Whether a body gives a waker to a function of a library that does more than to put it away or to take it out.
fn gives_away(program: &Program, id: FunctionId, function: &Function) -> bool {
    let moves = |it: Callee| it.wraps() || it.takes() || it.stores() || it.drops() || it.empties();
    let looks = |it: Callee| it.tells() || it.iterates() || it.finds() || it.reaches() || it.requests();
    let is_idle = |it: Callee| it.hands_on() || it.leads_on() || moves(it) || looks(it);
    let has_waker = |it: &Operand| it.place().and_then(|it| function.type_of(it)).is_some_and(mentions_waker);
    !keeps(program, id, function)
        && function.calls().any(|(block, call, callee)| {
            program.called(function, block).is_none()
                && !is_idle(callee)
                && call.arguments.iter().any(has_waker)
        })
}

/// Whether a signal is a part of the value that has it, so that no other field leads to it.
fn is_part(program: &Program, object: &AbstractObject, is_signal: Is) -> bool {
    let AbstractObject::Field(of, field) = object else { return false };
    let mut filled = fills_of(program, of).filter(|it| it.field == *field).peekable();
    filled.peek().is_some()
        && filled.all(|it| program.function(it.function).type_of(it.from).and_then(sort) == Some(is_signal))
}

/// Whether somebody gives the signal, or one that may be the same.
fn may_be_given(signals: &Signals<'_>, waiter: &Waiter) -> bool {
    signals.program.functions().any(|(id, _)| {
        signals.operations(id).iter().any(|it| {
            let is_direct = it.notifies() && it.sort == waiter.operation.sort && it.made.0 == id;
            is_direct && it.object.as_ref().is_none_or(|it| !signals.is_known(it) || *it == waiter.object)
        })
    })
}

/// Whether another crate may get hold of a signal of that sort: a function gives one back, or hands one on.
fn is_seen_elsewhere(program: &Program, is_signal: Is) -> bool {
    let has = |ty: Ty| mentions(ty, |it| it == is_signal);
    program.functions().any(|(_, function)| {
        let gives = function.kind == Kind::Function && {
            let given = function.body.type_of(Local(0));
            given.is_reference() && has(given)
        };
        gives
            || function.calls().any(|(block, call, callee)| {
                let is_its_own = function.callee(block).row().is_some_and(|it| it.owner.is == is_signal)
                    || program.called(function, block).is_some()
                    || callee.hands_on()
                    || callee.name() == "fmt"
                    || callee.is_named_drop()
                    || callee.owner().starts_with("Arc");
                let refers = |it: &Operand| {
                    let ty = it.place().and_then(|it| function.type_of(it)).unwrap_or_default();
                    ty.is_reference() && sort(ty.pointee()) == Some(is_signal)
                };
                !is_its_own && call.arguments.iter().any(refers)
            })
    })
}
