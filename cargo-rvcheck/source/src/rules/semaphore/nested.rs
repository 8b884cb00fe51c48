//! A permit that is held while something is awaited that requests one of the same semaphore: a function that awaits itself on its parts,
//! or on tasks that it spawns for them, or one that many callers run.

mod again;

use self::again::asks_again;
use super::super::{Certainty, Hit};
use crate::body::provenance::awaited_at;
use crate::body::walk;
use crate::body::{Definition, Function, FunctionId, Kind, Slot};
use crate::facts::partial_updates::effect::Effects;
use crate::facts::partial_updates::machine::machine_from;
use crate::facts::partial_updates::state::{Given, Root, State, of_operand, of_place};
use crate::mir::{BlockId, Made, Operand, Rvalue, Statement};
use crate::program::callers::may_overlap;
use crate::program::code_ref::{await_ref, call_or_await};
use crate::program::locks::returned;
use crate::program::{Guard, GuardKind, Origin, Program};
use rvcheck_primitives::{Action, Waits};
use std::collections::BTreeSet;

/// A wait for a permit below an await.
struct Wait {
    body: FunctionId,
    block: BlockId,
    /// The semaphore, in the terms of the body that awaits.
    of: State,
}

/// Finds such permits. What runs within a limit of time gives up in the end.
pub(super) fn check(effects: &Effects<'_>, limited: &BTreeSet<FunctionId>) -> Vec<Hit> {
    let program = effects.program;
    let mut hits = Vec::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind == Kind::Coroutine) {
        for at in &function.suspensions {
            let held = held(program, id, at.block);
            let (Some(poll), Some(awaited)) = (at.poll, at.awaited.as_ref()) else { continue };
            if held.is_empty() {
                continue;
            }
            let mut seen = BTreeSet::new();
            let mut waits = Vec::new();
            for (machine, given) in polled(effects, function, awaited) {
                below(effects, machine, &given, &mut seen, &mut waits, 0);
            }
            let recurs = seen.contains(&id);
            for (acquired, of, is_certain) in &held {
                let is_it = |it: &&Wait| {
                    let again = || recurs && it.body == id && asks_again(program, id, it.block);
                    it.of.field == of.field
                        && it.of.root == of.root
                        && of.root != Root::Unknown
                        && (*is_certain || again())
                };
                let wait = waits.iter().find(is_it);
                let Some(wait) = wait.filter(|_| recurs || may_overlap(program, id)) else { continue };
                let certainty = if limited.contains(&id) { Certainty::Doubt } else { Certainty::Usually };
                hits.push(hit(program, (id, *acquired), poll, wait, recurs, certainty));
            }
        }
    }
    hits
}

/// The permits that are held where a body is suspended: where each comes from, its semaphore, and whether it is held for sure.
fn held(program: &Program, id: FunctionId, at: BlockId) -> Vec<(BlockId, State, bool)> {
    let function = program.function(id);
    let holding = program.holding(id);
    let Some(held) = holding.at(at) else { return Vec::new() };
    let permits = held.guards().into_iter().filter_map(|(guard, is_certain)| {
        let guard = holding.guard(guard).filter(|it| it.kinds.contains(GuardKind::Permit))?;
        let Origin::Call(block) = guard.origin else { return None };
        let (call, _) = function.call(block)?;
        let of =
            semaphore_of(program, id, guard, DEEPEST).or_else(|| of_place(program, function, &call.into))?;
        let is_known = of.field.is_some() || matches!(of.root, Root::Captured(_) | Root::Static(_));
        is_known.then_some((block, of, is_certain))
    });
    permits.collect()
}

/// The semaphore that a permit is of, followed into the functions that give it, or something that has it.
fn semaphore_of(program: &Program, id: FunctionId, guard: &Guard, depth: usize) -> Option<State> {
    let function = program.function(id);
    let Origin::Call(block) = guard.origin else { return None };
    let (_, callee) = function.call(block)?;
    let made = match callee.is_poll().then(|| function.polled(block)).flatten() {
        Some(polled) => match function.producer(&polled)? {
            Definition::Called(made) => made,
            Definition::Assigned(..) => return None,
        },
        None => block,
    };
    let (call, _) = function.call(made)?;
    if function.callee(made).row().is_some_and(|it| matches!(it.operation.action, Action::Acquire(_))) {
        return of_operand(program, function, call.arguments.first()?);
    }
    let (inner, given) = match machine_from(program, function, made) {
        Some(machine) if made != block => machine,
        _ => {
            let arguments = call.arguments.iter().map(|it| of_operand(program, function, it)).collect();
            (program.called(function, made)?, Given { arguments, captured: Vec::new() })
        }
    };
    let holding = program.holding(inner);
    let permits = returned(program, inner).into_iter().filter_map(|it| holding.guard(it));
    let permit = permits.into_iter().find(|it| it.kinds.contains(GuardKind::Permit))?;
    given.seen(&semaphore_of(program, inner, permit, depth.checked_sub(1)?)?)
}

/// How deep calls are followed.
const DEEPEST: usize = 5;

/// The waits for permits in a state machine and in what it awaits.
fn below(
    effects: &Effects<'_>,
    id: FunctionId,
    given: &Given,
    seen: &mut BTreeSet<FunctionId>,
    found: &mut Vec<Wait>,
    depth: usize,
) {
    if depth > DEEPEST || !seen.insert(id) {
        return;
    }
    let program = effects.program;
    let function = program.function(id);
    for (block, call, _) in function.calls() {
        let asks = function.callee(block).row().is_some_and(|it| {
            matches!(it.operation.action, Action::Acquire(_)) && it.operation.waits == Waits::Task
        });
        let of = call.arguments.first().filter(|_| asks).and_then(|it| of_operand(program, function, it));
        let seen = of.filter(|it| is_the_same_one(it, given)).and_then(|it| given.seen(&it));
        if let Some(of) = seen.filter(|_| awaited_at(function, block).is_some()) {
            found.push(Wait { body: id, block, of });
        }
    }
    for at in &function.suspensions {
        let Some(awaited) = &at.awaited else { continue };
        for (machine, inner) in polled(effects, function, awaited) {
            let seen_here = Given {
                arguments: Vec::new(),
                captured: inner.captured.iter().map(|it| given.seen(it.as_ref()?)).collect(),
            };
            below(effects, machine, &seen_here, seen, found, depth + 1);
        }
    }
}

/// Whether what is given leads to one semaphore whichever instance it is of: not from one part of a whole to another of its kind, as from a
/// node to one below it.
fn is_the_same_one(of: &State, given: &Given) -> bool {
    match (&of.field, given.of(&of.root).and_then(|it| it.field.as_ref())) {
        (Some((of, _)), Some((whole, _))) => of != whole,
        _ => true,
    }
}

/// How many values are followed back from an await.
const MOST: usize = 64;

/// The state machines that end before what is awaited does, with what they are given: the future itself, those that it is made of, those that
/// a closure makes for it, and spawned ones whose handles it is.
fn polled(effects: &Effects<'_>, function: &Function, awaited: &Slot) -> Vec<(FunctionId, Given)> {
    let program = effects.program;
    let mut found = Vec::new();
    let mut left = MOST + 1;
    walk::reached([function.whole(awaited)], |slot| {
        let mut next = Vec::new();
        if left == 0 {
            return next;
        }
        left -= 1;
        let follow = |it: &Operand| it.place().map(|it| function.whole(&Slot::at(it)));
        for definition in function.definitions(&slot) {
            match definition {
                Definition::Called(block) => {
                    let Some((call, callee)) = function.call(*block) else { continue };
                    if callee.is_poll() {
                        continue;
                    }
                    if let Some(made) = machine_from(program, function, *block) {
                        found.push(made);
                        continue;
                    }
                    next.extend(call.arguments.iter().filter_map(follow));
                }
                Definition::Assigned(..) => match function.assigned(*definition) {
                    Some(Rvalue::Made(Made::Body(ty), operands)) => {
                        let into = assigned_to(function, *definition);
                        let body = program
                            .body_of(*ty)
                            .or_else(|| into.and_then(|it| program.body_of(function.type_of(it)?)));
                        let states: Vec<Option<State>> =
                            operands.iter().map(|it| of_operand(program, function, it)).collect();
                        let Some(body) = body else { continue };
                        if program.function(body).kind == Kind::Coroutine {
                            found.push((body, Given { arguments: Vec::new(), captured: states }));
                        } else {
                            found.extend(made_by_closure(effects, body, states));
                        }
                    }
                    Some(value) => next.extend(value.places().map(|it| function.whole(&Slot::at(it)))),
                    None => {}
                },
            }
        }
        // What is put into a set of futures or tasks.
        for (_, call, callee) in function.calls() {
            let puts =
                callee.name().contains("spawn") || matches!(callee.name(), "push" | "extend" | "push_back");
            let on = call.arguments.first().filter(|_| puts).and_then(follow);
            let refers = on.is_some_and(|it| it == slot || refers_to(function, &it, &slot));
            if refers {
                next.extend(call.arguments[1..].iter().filter_map(follow));
            }
        }
        next
    });
    found
}

fn refers_to(function: &Function, reference: &Slot, slot: &Slot) -> bool {
    let made = function.definition(reference).and_then(|it| function.assigned(it));
    matches!(made, Some(Rvalue::Reference(of, _)) if function.whole(&Slot::at(of)) == *slot)
}

fn assigned_to(function: &Function, definition: Definition) -> Option<&crate::mir::Place> {
    let Definition::Assigned(block, at) = definition else { return None };
    match function.body.block(block)?.statements.get(at)? {
        Statement::Assign(into, _) => Some(into),
        _ => None,
    }
}

/// The state machines that a closure makes which has captured that.
fn made_by_closure(
    effects: &Effects<'_>,
    body: FunctionId,
    captured: Vec<Option<State>>,
) -> Vec<(FunctionId, Given)> {
    let program = effects.program;
    let function = program.function(body);
    let outside = Given { arguments: Vec::new(), captured };
    let mut found = Vec::new();
    for (block, ..) in function.calls() {
        let Some((machine, inner)) = machine_from(program, function, block) else { continue };
        let seen = inner.captured.iter().map(|it| outside.seen(it.as_ref()?)).collect();
        found.push((machine, Given { arguments: Vec::new(), captured: seen }));
    }
    for (_, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
        for (into, value) in block.assignments() {
            let Some((machine, operands)) = program.body_made(function, into, value) else { continue };
            if program.function(machine).kind != Kind::Coroutine {
                continue;
            }
            let seen = operands.iter().map(|it| outside.seen(&of_operand(program, function, it)?)).collect();
            found.push((machine, Given { arguments: Vec::new(), captured: seen }));
        }
    }
    found
}

fn hit(
    program: &Program,
    (id, acquired): (FunctionId, BlockId),
    poll: BlockId,
    wait: &Wait,
    recurs: bool,
    certainty: Certainty,
) -> Hit {
    let asked = call_or_await(program, wait.body, wait.block);
    let held = call_or_await(program, id, acquired);
    let mut related = vec![(await_ref(program, id, poll), "held while this is awaited".to_owned())];
    if wait.body != id {
        related.push((held, "held since here".to_owned()));
    }
    let message = if recurs {
        "each call holds a permit while it awaits calls that need one: once their depth reaches the number of permits, they deadlock"
    } else {
        "this waits for a permit while its caller holds one of the same semaphore: once such callers hold every permit, they deadlock"
    };
    Hit {
        certainty,
        message: message.to_owned(),
        primary: (asked, "waits here while holding a permit".to_owned()),
        related,
        advice: "drop the permit before the await, or acquire it only around the work that needs it"
            .to_owned(),
    }
}
