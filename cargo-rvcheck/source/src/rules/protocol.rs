//! `protocol`: calls in an order that the called library forbids.
//!
//! - A fresh clone of a `tower` service is called that was never polled ready: a middleware that clones the inner service in its own
//!   `call` has polled another instance.
//! - A service or sink forwards what it is given to an inner one that it [never polled](not_ready) ready.
//! - A `JoinHandle` or `oneshot` receiver is awaited by reference, and again after it has completed, in a loop or after it, which panics.
//! - Something is written or sent after the same writer or sender was [shut down](after_shutdown), in one body or two methods that it
//!   calls.
//! - A flag that only one caller may set is [checked, and set after a suspension](check_then_act).
//! - A message is sent [after the one on which its receiver stops](closing_message).

mod after_shutdown;
mod check_then_act;
mod closing_message;
mod not_ready;

use super::{Certainty, CodeRef, Hit, Rule, ShownBy};
use crate::body::paths::Paths;
use crate::body::select::{is_disabled_at, selects};
use crate::ty::Ty;

use crate::body::{Callee, Definition, Function, FunctionId, Kind, Selector, Slot};
use crate::facts::Facts;
use crate::mir::{BlockId, Made, Operand, Place, Rvalue, Statement};
use crate::program::Program;
use crate::program::abstract_object::AbstractObjects;
use crate::program::code_ref::{await_ref, branch_ref, call_or_await, call_ref};
use rvcheck_primitives::{Ending, Is};
use std::collections::BTreeSet;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "protocol",
    property: "protocol",
    doc: "Calls come in an order that a library forbids.",
    shown_by: ShownBy::Nothing("the calls happen in that order"),
    check,
};

/// Finds such calls.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let objects = AbstractObjects::of(program);
    let mut hits = Vec::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind != Kind::Constant) {
        hits.extend(calls_a_fresh_clone(program, &objects, id, function));
        hits.extend(polls_again(program, id, function));
        hits.extend(after_shutdown::check(program, &objects, id, function));
    }
    hits.extend(check_then_act::check(program));
    hits.extend(closing_message::check(program));
    hits.extend(not_ready::check(program));
    hits
}

/// Whether functions of that name make a service ready, or put one that is in place of another.
fn readies(callee: Callee) -> bool {
    callee.takes_out() || callee.name().starts_with("ready") || matches!(callee.name(), "poll_ready" | "swap")
}

/// Calls of a service that was cloned in the `call` of a service around it, and not made ready since.
fn calls_a_fresh_clone(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    function: &Function,
) -> Vec<Hit> {
    let calls = function.calls().filter(|(_, call, callee)| {
        let by_reference = function.type_given(call, 0);
        callee.is_trait("Service", "call") && by_reference.is_some_and(Ty::is_exclusive)
    });
    let found = calls.filter_map(|(block, call, _)| {
        let called = call.place(0)?;
        let (maker, cloned) = fresh_clone(program, objects, id, called)?;
        Some(Hit {
            certainty: Certainty::Usually,
            message: "this service is a fresh clone that was never polled ready: only the original was".to_owned(),
            primary: (call_or_await(program, id, block), "called here".to_owned()),
            related: vec![(call_ref(program, maker, cloned), "cloned in here".to_owned())],
            advice: "call the service that was polled ready, and leave the clone in its place: `std::mem::replace(&mut self.inner, clone)`"
                .to_owned(),
        })
    });
    found.collect()
}

/// The clone, in the `call` of a service, that a place is or points to, if nothing makes it ready on the way.
fn fresh_clone(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    place: &Place,
) -> Option<(FunctionId, BlockId)> {
    let (mut id, mut slot) = (id, Slot::at(place));
    for _ in 0..32 {
        let function = program.function(id);
        if let Some((number, _)) = function.captured(&slot) {
            if is_made_ready(function, &slot) {
                return None;
            }
            let (maker, captured) = objects.captured(id, number)?;
            id = maker;
            slot = Slot::at(captured);
            continue;
        }
        slot.steps.truncate(function.root(&slot));
        if is_made_ready(function, &slot) {
            return None;
        }
        slot = match function.definition(&slot)? {
            Definition::Called(block) => {
                let (_, callee) = function.call(block)?;
                let in_call = program.trait_of(id) == Some("Service") && program.item(id).ends_with("::call");
                return (callee.clones() && in_call).then_some((id, block));
            }
            definition @ Definition::Assigned(..) => match function.assigned(definition)? {
                Rvalue::Use(Operand::Place(from)) | Rvalue::Reference(from, _) => Slot::at(from),
                _ => return None,
            },
        };
    }
    None
}

/// Whether a reference to a slot is given to something that makes it ready.
fn is_made_ready(function: &Function, slot: &Slot) -> bool {
    let mut pointers = BTreeSet::new();
    for statement in function.blocks().flat_map(|(_, it)| &it.statements) {
        if let Statement::Assign(into, Rvalue::Reference(of, _) | Rvalue::Use(Operand::Place(of))) = statement
            && (Slot::at(of).within(slot).is_some()
                || pointers.iter().any(|it| Slot::at(of).within(it).is_some()))
        {
            pointers.insert(Slot::at(into));
        }
    }
    function.calls().any(|(_, call, callee)| {
        let given = call.places().any(|it| pointers.contains(&Slot::at(it)));
        readies(callee) && given
    })
}

/// Whether a type is a future that panics when it is polled after it was done: a handle of a task, or the end that waits for one message.
fn is_polled_once(ty: Ty) -> bool {
    ty.is_of(|it| match it {
        Is::Handle(ending) => matches!(ending, Ending::Detaches | Ending::Aborts),
        Is::End(end) => end.is_once && !end.sends,
        _ => false,
    })
}

/// Loops that await a future by reference, and go on after it was done.
fn polls_again(program: &Program, id: FunctionId, function: &Function) -> Vec<Hit> {
    let paths = Paths::of(function);
    let mut hits = Vec::new();
    let once = |ty: Ty| {
        let inner = ty.made_by("Awaited").unwrap_or(ty);
        inner.is_exclusive() && is_polled_once(inner.pointee())
    };
    let hit = |at: CodeRef| {
        Hit {
        certainty: Certainty::Usually,
        message: "this future is polled again after it has completed, which panics: the loop goes on, and nothing disables the branch".to_owned(),
        primary: (at, "polled in each iteration".to_owned()),
        related: Vec::new(),
        advice: "leave the loop when it has completed, or guard the branch: `, if !done`".to_owned(),
    }
    };
    for select in selects(function) {
        let guarded = paths.loop_around(select.made).iter().any(|it| is_disabled_at(function, *it));
        for (number, branch) in select.branches.iter().enumerate() {
            let Some(arm) = branch.arm.filter(|_| once(branch.ty) && !guarded) else { continue };
            let Some(slot) = referent(function, &branch.slot) else { continue };
            if comes_back(function, paths, arm, select.made, &slot) {
                hits.push(hit(branch_ref(program, id, &select, number)));
            } else if let Some(again) = awaited_again(function, paths, (select.poll, arm), &slot) {
                hits.push(Hit {
                    message: "this future is polled again after it has completed, which panics".to_owned(),
                    primary: (await_ref(program, id, again), "polled again here".to_owned()),
                    related: vec![(
                        branch_ref(program, id, &select, number),
                        "it may complete here".to_owned(),
                    )],
                    advice: "return when it completes, or await it again only if it has not".to_owned(),
                    ..hit(branch_ref(program, id, &select, number))
                });
            }
        }
    }
    for at in &function.suspensions {
        let (Some(awaited), Some(poll)) = (&at.awaited, at.poll) else { continue };
        let is_once = function.body.locals.iter().any(|it| once(*it))
            && awaited_type(function, awaited).is_some_and(once);
        let Some(slot) = referent(function, awaited).filter(|_| is_once) else { continue };
        let ready: Vec<BlockId> = paths
            .next(poll)
            .iter()
            .flat_map(|it| paths.next(*it))
            .filter(|it| **it != at.block)
            .copied()
            .collect();
        if ready.iter().any(|it| comes_back(function, paths, *it, poll, &slot)) {
            hits.push(hit(await_ref(program, id, poll)));
        }
    }
    hits
}

/// Another await of a future, to which every path leads from where it was done.
fn awaited_again(
    function: &Function,
    paths: &Paths,
    (done, from): (BlockId, BlockId),
    slot: &Slot,
) -> Option<BlockId> {
    let others = function.suspensions.iter().filter_map(|it| Some((it.poll?, it.awaited.as_ref()?)));
    let mut others = others.filter(|(poll, awaited)| *poll != done && is_same(function, awaited, slot));
    let (again, _) = others.find(|(poll, _)| {
        let before = paths.from(&[from], &|it| it == *poll);
        let renewed = before.iter().any(|it| renews(function, *it, slot));
        let reached = before.iter().any(|it| paths.next(*it).contains(poll));
        reached && !renewed && !before.iter().any(|it| function.returns_at(*it))
    })?;
    Some(again)
}

/// Whether an awaited future is the one in a slot, by value or by reference, itself or under a `timeout`.
fn is_same(function: &Function, awaited: &Slot, slot: &Slot) -> bool {
    let mut at = awaited.clone();
    for _ in 0..16 {
        at.steps.truncate(function.root(&at));
        if at == *slot {
            return true;
        }
        let from = match function.definition(&at) {
            Some(Definition::Called(block)) => match function.call(block) {
                Some((call, callee)) if callee.hands_on() => call.place(0),
                Some((call, callee)) if callee.limits() => call.place(1),
                _ => None,
            },
            Some(definition) => match function.assigned(definition) {
                Some(Rvalue::Use(Operand::Place(from)) | Rvalue::Reference(from, _)) => Some(from),
                _ => None,
            },
            None => None,
        };
        match from {
            Some(from) => at = Slot::at(from),
            None => return false,
        }
    }
    false
}

/// Whether a block gives a slot a new value, or asks whether it is done.
fn renews(function: &Function, block: BlockId, slot: &Slot) -> bool {
    let defined = function.definitions(slot).iter().any(|it| match it {
        Definition::Assigned(at, _) | Definition::Called(at) => *at == block,
    });
    let asks = function
        .call(block)
        .is_some_and(|(_, callee)| callee.name() == "is_finished" || callee.name() == "is_terminated");
    defined || asks
}

fn awaited_type(function: &Function, slot: &Slot) -> Option<Ty> {
    let definition = function.definition(slot)?;
    match definition {
        Definition::Assigned(..) => match function.assigned(definition)? {
            Rvalue::Use(Operand::Place(from)) => function.type_of(from),
            _ => None,
        },
        Definition::Called(block) => function.type_of(&function.call(block)?.0.into),
    }
}

/// The value that a slot refers to, followed back through moves and marks.
fn referent(function: &Function, slot: &Slot) -> Option<Slot> {
    let mut slot = slot.clone();
    for _ in 0..16 {
        let part = slot.steps.get(function.root(&slot)).copied();
        slot.steps.truncate(function.root(&slot));
        let definition = function.definition(&slot)?;
        slot = match definition {
            Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                callee.hands_on().then_some(())?;
                Slot::at(call.place(0)?)
            }
            Definition::Assigned(..) => match function.assigned(definition)? {
                Rvalue::Use(Operand::Place(from)) => Slot::at(from),
                Rvalue::Reference(of, _) => return Some(Slot::at(of)),
                Rvalue::Made(Made::Parts, parts) => {
                    let Some(Selector::Field(at)) = part else { return None };
                    Slot::at(parts.get(at as usize)?.place()?)
                }
                _ => return None,
            },
        };
    }
    None
}

/// Whether the body comes from one block to another without that the slot gets a new value, or somebody asks whether it is done.
fn comes_back(function: &Function, paths: &Paths, from: BlockId, to: BlockId, slot: &Slot) -> bool {
    let around = paths.loop_around(to);
    !around.iter().any(|it| renews(function, *it, slot)) && paths.from(&[from], &|_| false).contains(&to)
}
