//! Receivers of a `watch` that are made late: a new one counts the current value as seen, and `changed` waits for the next.
//!
//! Reported if the body goes by the value after `changed`, or had read it before, and has not read it since the receiver exists, through
//! any handle.

use super::super::{Certainty, Hit};
use crate::body::paths::Paths;
use crate::body::provenance::{awaited_at, source};
use crate::body::walk;
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::facts::signals::{Act, Signals, Sort};
use crate::mir::{BlockId, Operand, Place, Terminator};
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::{call_or_await, call_ref};
use crate::program::library::mentions_watch;
use rvcheck_primitives::{Action, Inert, Is, Operation, is_inert, named};
use std::collections::BTreeSet;

/// Whether a method gives the value of a `watch`.
fn reads(name: &str) -> bool {
    any_named_of_watch(name, |it| matches!(it.action, Action::Request(_)))
}

/// Whether a method waits for the next change, whatever is there.
fn waits_for_next(name: &str) -> bool {
    any_named_of_watch(name, |it| it.action == Action::Wait && it.runs.is_none())
}

/// Whether a method of a receiver looks at the value, or makes it count as seen or not.
fn looks(name: &str) -> bool {
    let waits_for_it = |it: &Operation| it.action == Action::Wait && it.runs.is_some();
    reads(name)
        || any_named_of_watch(name, waits_for_it)
        || [Inert::Asks, Inert::Sets].iter().any(|it| is_inert(name, *it))
}

fn any_named_of_watch(name: &str, does: impl Fn(&Operation) -> bool) -> bool {
    let is_watch = |it: Is| matches!(it, Is::End(end) if !end.queues && !end.is_once);
    named(name).iter().any(|it| is_watch(it.owner.is) && does(it.operation))
}

/// Finds such receivers.
pub(super) fn check(signals: &Signals<'_>) -> Vec<Hit> {
    let program = signals.program;
    let mut hits = Vec::new();
    for (id, function) in program.functions() {
        let changes: Vec<(BlockId, BlockId)> = function
            .calls()
            .filter(|(_, call, callee)| {
                let of_watch = function.type_given(call, 0);
                waits_for_next(callee.name()) && of_watch.is_some_and(|it| mentions_watch(it, false))
            })
            .filter_map(|(block, call, _)| Some((block, source(function, &Slot::at(call.place(0)?))?)))
            .collect();
        if changes.is_empty() {
            continue;
        }
        let paths = Paths::of(function);
        for (changed, made) in changes {
            let subscribes = signals
                .operations(id)
                .iter()
                .any(|it| it.block == made && it.act == Act::Register && it.sort == Sort::Subscription)
                || is_subscribed_by(signals, function, made);
            if !subscribes {
                continue;
            }
            // A `select!` polls it in a closure of its own.
            let poll = awaited_at(function, changed).unwrap_or(changed);
            let looks: BTreeSet<BlockId> = function
                .calls()
                .filter(|(_, call, callee)| {
                    let on = call.place(0);
                    looks(callee.name()) && on.is_some_and(|it| source(function, &Slot::at(it)) == Some(made))
                })
                .map(|(block, ..)| block)
                .collect();
            // What is looked at by the sender was there, too, when there was a receiver already.
            let is_look = |it: BlockId| looks.contains(&it) || looks_inside(signals, id, it);
            let unseen = paths.from(paths.next(made), &is_look).contains(&changed);
            let around = paths.loop_around(poll);
            let goes_by = function.blocks().filter(|(at, _)| around.contains(at)).any(|(at, block)| {
                let Terminator::Switch { on: Operand::Place(on), .. } = &block.terminator else {
                    return false;
                };
                let leaves = |it: &BlockId| !paths.from(&[*it], &|_| false).contains(&changed);
                paths.next(at).iter().any(leaves)
                    && paths.next(at).iter().any(|it| !leaves(it))
                    && calls_behind(function, on).iter().any(|it| looks.contains(it))
            });
            // The value was looked at by another handle, before there was this one.
            let looked = || looked_before(signals, id, paths, made);
            let follows = || (!looks.is_empty()).then(|| read_before(signals, id, paths, made)).flatten();
            if !unseen {
                continue;
            }
            let mut related = vec![(
                call_ref(program, id, made),
                "a new receiver counts the current value as seen".to_owned(),
            )];
            let message = if goes_by || looked() {
                "this waits for the next change: if the wanted value is already there, it waits forever"
            } else if let Some(read) = follows() {
                related.push((call_ref(program, id, read), "the value is read here".to_owned()));
                "a value sent between the read and the subscription is never seen"
            } else {
                continue;
            };
            hits.push(Hit {
                certainty: Certainty::Usually,
                message: message.to_owned(),
                primary: (
                    call_or_await(program, id, changed),
                    "waits here, before the value is read".to_owned(),
                ),
                related,
                advice:
                    "subscribe first and read `borrow_and_update()`, then wait for changes; or use `wait_for`"
                        .to_owned(),
            });
        }
    }
    hits
}

/// The sender that the call at the end of a block is on.
fn sender(signals: &Signals<'_>, id: FunctionId, block: BlockId) -> Option<AbstractObject> {
    let (call, _) = signals.program.function(id).call(block)?;
    signals.based(id, call.place(0)?)
}

/// Whether a branch on the value of the same sender leads to where a receiver is made, or past it.
fn looked_before(signals: &Signals<'_>, id: FunctionId, paths: &Paths, made: BlockId) -> bool {
    let function = signals.program.function(id);
    let Some(of) = sender(signals, id, made) else { return false };
    function.blocks().filter(|(_, it)| !it.cleanup).any(|(at, block)| {
        let Terminator::Switch { on: Operand::Place(on), .. } = &block.terminator else { return false };
        let leads = |it: &BlockId| paths.from(&[*it], &|_| false).contains(&made);
        paths.next(at).iter().any(leads)
            && !paths.next(at).iter().all(leads)
            && calls_behind(function, on).iter().any(|it| {
                let is_look = function.call(*it).is_some_and(|(_, callee)| reads(callee.name()));
                is_look && sender(signals, id, *it).as_ref() == Some(&of)
            })
    })
}

/// Where the value of the same sender is read on the way to where a receiver is made, by the body or what it calls.
fn read_before(signals: &Signals<'_>, id: FunctionId, paths: &Paths, made: BlockId) -> Option<BlockId> {
    let of = sender(signals, id, made)?;
    let is_read = |body: FunctionId, at: BlockId| {
        looks_at(signals, body, at, false) && sender(signals, body, at).as_ref() == Some(&of)
    };
    let reads = |at: BlockId| {
        let inner = signals.bodies_at(id, at).into_iter().filter(|it| *it != id);
        is_read(id, at) || inner.into_iter().any(|body| blocks_of(signals, body).any(|it| is_read(body, it)))
    };
    let before = |at: &BlockId| *at != made && paths.leads(*at, made) && !paths.leads(made, *at);
    blocks_of(signals, id).filter(before).find(|it| reads(*it))
}

/// The blocks of a body, but for those of clean-up.
fn blocks_of<'a>(signals: &'a Signals<'_>, id: FunctionId) -> impl Iterator<Item = BlockId> + 'a {
    signals.program.function(id).blocks().filter(|(_, it)| !it.cleanup).map(|(at, _)| at)
}

/// Whether a block looks at the value of a `watch` by its sender, or runs what looks at one by any handle.
fn looks_inside(signals: &Signals<'_>, id: FunctionId, block: BlockId) -> bool {
    let bodies_at =
        |id: FunctionId, block: BlockId| signals.bodies_at(id, block).into_iter().filter(move |it| *it != id);
    let blocks = |id: FunctionId| blocks_of(signals, id);
    looks_at(signals, id, block, false)
        || walk::reaches(
            bodies_at(id, block),
            |id| blocks(id).flat_map(|at| bodies_at(id, at)).collect::<Vec<_>>(),
            |id| blocks(*id).any(|at| looks_at(signals, *id, at, true)),
        )
}

/// Whether the call at the end of a block looks at the value of a `watch`, by a sender; or by a receiver, where that is in another body.
fn looks_at(signals: &Signals<'_>, id: FunctionId, block: BlockId, is_inside: bool) -> bool {
    let function = signals.program.function(id);
    let Some((call, callee)) = function.call(block) else { return false };
    let of = function.type_given(call, 0);
    let on = |sends: bool| of.is_some_and(|it| mentions_watch(it, sends));
    reads(callee.name()) && on(true) || is_inside && looks(callee.name()) && on(false)
}

/// Whether the function of the workspace that a block calls gives a fresh receiver.
fn is_subscribed_by(signals: &Signals<'_>, function: &Function, block: BlockId) -> bool {
    let Some(called) = signals.program.called(function, block) else { return false };
    let inner = signals.program.function(called);
    let Some(Definition::Called(at)) = inner.producer(&Slot::of(crate::mir::Local(0))) else { return false };
    inner.call(at).is_some_and(|(call, callee)| {
        let on = inner.type_given(call, 0);
        callee.may(|it| it.action == Action::Subscribe) && on.is_some_and(|it| mentions_watch(it, true))
    })
}

/// The calls whose results a value is made of.
fn calls_behind(function: &Function, on: &Place) -> BTreeSet<BlockId> {
    let mut found = BTreeSet::new();
    let whole = |it: &Place| function.whole(&Slot::at(it));
    let mut left = 65;
    walk::reached([whole(on)], |slot| {
        let definitions = if left == 0 { &[] } else { function.definitions(&slot) };
        left = usize::saturating_sub(left, 1);
        let is_poll = |block| function.call(block).is_none_or(|(_, it)| it.is_poll());
        let mut next = Vec::new();
        for &definition in definitions {
            match definition {
                Definition::Called(block) if is_poll(block) => continue,
                Definition::Called(block) => {
                    found.insert(block);
                }
                Definition::Assigned(..) => {}
            }
            next.extend(function.places_of(definition).map(whole));
        }
        next
    });
    found
}
