//! A signal that somebody waits for until state changes, and that nobody ever gives.
//!
//! Told where the signal is a part of the value that has it, is seen by no other crate, and all who give signals of its sort are known.

use super::super::{Certainty, Hit};
use super::late::place;
use crate::body::paths::Paths;
use crate::body::{Kind, owner};
use crate::facts::signals::{Signals, Sort, Waiter};
use crate::mir::{Local, Operand};
use crate::program::Program;
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::call_or_await;
use crate::program::fills::fills_of;
use crate::program::library::{mentions, sort};
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
            _ => continue,
        };
        let is_own = is_part(program, &waiter.object, is_signal);
        if !is_own || may_be_given(signals, waiter) || is_seen_elsewhere(program, is_signal) {
            continue;
        }
        let (id, at) = waiter.operation.made;
        let primary = place(signals, id, Paths::of(program.function(id)), at);
        let waits = call_or_await(program, waiter.id, waiter.wait);
        let related = if waits == primary { Vec::new() } else { vec![(waits, "and this waits".to_owned())] };
        found.entry(&waiter.object).or_insert_with(|| Hit {
            certainty: Certainty::Usually,
            message: "nobody ever notifies this signal: whoever waits for it waits for ever".to_owned(),
            primary: (primary, "waited for here".to_owned()),
            related,
            advice: "notify where the state changes that the waiter looks at".to_owned(),
        });
    }
    found.into_values().collect()
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
    let has = |ty: &str| mentions(ty, |it| it == is_signal);
    program.functions().any(|(_, function)| {
        let gives = function.kind == Kind::Function && {
            let given = function.body.type_of(Local(0));
            given.starts_with('&') && has(given)
        };
        gives
            || function.calls().any(|(block, call, callee)| {
                let is_its_own = program.row(function, block).is_some_and(|it| it.owner.is == is_signal)
                    || program.called(function, block).is_some()
                    || callee.hands_on()
                    || callee.name() == "fmt"
                    || callee.name() == "drop"
                    || owner(&callee.path).starts_with("Arc");
                let refers = |it: &Operand| {
                    let ty = it.place().and_then(|it| function.type_of(it)).unwrap_or_default();
                    ty.starts_with('&') && sort(ty.trim_start_matches(['&', ' '])) == Some(is_signal)
                };
                !is_its_own && call.arguments.iter().any(refers)
            })
    })
}
