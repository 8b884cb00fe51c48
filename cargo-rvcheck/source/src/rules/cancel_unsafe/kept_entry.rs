//! An entry with the sender of a reply that a request leaves in a map when the time for the reply is over: whoever answers removes the entry,
//! and nobody has answered.
//!
//! Not reported where anything removes entries whose requests are gone, or where a later request of the same key takes its place.

use super::super::{Certainty, CodeRef, Hit};
use super::timeout_place;
use crate::body::paths::Paths;
use crate::body::provenance::awaited_at;
use crate::body::select::{Branch, selects};
use crate::body::timeout::{over, timeouts};
use crate::body::walk;
use crate::body::{Callee, Function, FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::facts::partial_updates::droppable::{Dropper, droppable};
use crate::facts::partial_updates::effect::{Change, Effect, Effects};
use crate::facts::partial_updates::machine::machine_in;
use crate::facts::partial_updates::restored::{Restorers, is_restored_at};
use crate::facts::partial_updates::state::{Root, State};
use crate::mir::{BlockId, Call};
use crate::program::Program;
use crate::program::code_ref::{call_or_await, call_ref};
use crate::program::library::mentions;
use crate::program::suspending::suspends_at;
use crate::ty::Ty;
use rvcheck_primitives::{Action, Is};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// Finds such entries.
pub(super) fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let (program, effects) = (facts.program, facts.effects());
    let restorers = Restorers::default();
    let droppers = OnceCell::new();
    let mut hits = Vec::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind == Kind::Coroutine) {
        let all = effects.in_body(id);
        let entries: Vec<&Effect> = all.iter().filter(|it| keeps_sender(effects, it)).collect();
        if entries.is_empty() {
            continue;
        }
        let (paths, waits) = (Paths::of(function), waits(program, function));
        let dropper = match droppers.get_or_init(|| droppable(program)).get(&id) {
            Some(Dropper::Here(at, _)) => Some(at),
            _ => None,
        };
        for entry in entries {
            let is_left = |it: &&Wait| {
                paths.leads(entry.block, it.made)
                    && !is_restored_at(effects, &restorers, function, it.poll, entry)
                    && it.given_up.iter().any(|from| leaves(function, *from, entry, &all))
            };
            let wait = waits.iter().find(is_left).map(|it| timeout_place(program, id, function, it.made));
            let dropped = || {
                let behind = paths.from(paths.next(entry.block), &|at| {
                    all.iter().any(|it| it.block == at && it.undoes(entry))
                });
                let open = |at: &BlockId| behind.contains(at) && suspends_at(program, function, *at);
                let mut polls = function.suspensions.iter().filter_map(|it| it.poll).filter(open);
                let is_left = polls.any(|it| !is_restored_at(effects, &restorers, function, it, entry));
                dropper.cloned().filter(|_| is_left)
            };
            let Some(given_up) = wait.or_else(dropped) else { continue };
            if !is_removed_otherwise(facts, id, entry) {
                hits.push(hit(program, id, entry, given_up));
            }
        }
    }
    hits
}

/// Where a body waits for a reply no longer than for some time.
struct Wait {
    made: BlockId,
    poll: BlockId,
    /// Where it goes on without the reply.
    given_up: Vec<BlockId>,
}

fn waits(program: &Program, function: &Function) -> Vec<Wait> {
    let limited = timeouts(function)
        .filter(|(_, it)| waits_for_reply(program, function, function.type_of(it), &Slot::at(it)));
    let mut found: Vec<Wait> = limited
        .filter_map(|(made, _)| {
            let poll = awaited_at(function, made)?;
            let over = over(function, made);
            // What it gives is passed on: each way is also the one without the reply.
            let given_up = if over.is_empty() { function.successors(poll) } else { over };
            Some(Wait { made, poll, given_up })
        })
        .collect();
    for select in selects(function) {
        let waits =
            select.branches.iter().any(|it| waits_for_reply(program, function, Some(it.ty), &it.slot));
        let sleeps =
            |it: BlockId| function.callee(it).row().is_some_and(|it| it.operation.action == Action::Sleep);
        let is_timer = |it: &&Branch| mentions(it.ty, |it| it == Is::Timer) || it.call.is_some_and(sleeps);
        let timers = select.branches.iter().filter(|it| waits && is_timer(it));
        let given_up: Vec<BlockId> = timers.filter_map(|it| it.arm).collect();
        if !given_up.is_empty() {
            found.push(Wait { made: select.made, poll: select.poll, given_up });
        }
    }
    found
}

/// Whether a future is the receiver of one message, or a state machine of the body that awaits such a one.
fn waits_for_reply(program: &Program, function: &Function, ty: Option<Ty>, future: &Slot) -> bool {
    let receives = |ty: Ty| mentions(ty, |it| matches!(it, Is::End(end) if !end.sends && end.is_once));
    let inside = || {
        let (machine, _) = machine_in(program, function, future)?;
        let machine = program.function(machine);
        let polled = machine.suspensions.iter().filter_map(|it| machine.call(it.poll?)?.0.place(0));
        polled.filter_map(|it| machine.type_of(it)).any(receives).then_some(())
    };
    ty.is_some_and(receives) || inside().is_some()
}

/// Whether an effect puts the sender of one message into a map, under a key that no request before had.
fn keeps_sender(effects: &Effects<'_>, it: &Effect) -> bool {
    let (id, block) = it.at;
    let function = effects.program.function(id);
    let sends = |ty: Ty| mentions(ty, |it| matches!(it, Is::End(end) if end.sends && end.is_once));
    let Some((call, _)) = function.call(block).filter(|_| it.change == Change::Put) else { return false };
    let value = call.place(2).and_then(|it| function.type_of(it));
    let all = effects.in_body(id);
    let key =
        all.iter().find(|own| own.at == it.at && own.change == Change::Put).and_then(|it| it.key.as_ref());
    let counts_up = |key: &State| {
        all.iter().any(|it| matches!(it.change, Change::Up(_)) && it.state.is_of_one_field(key))
    };
    let is_new = key.is_none_or(|it| matches!(it.root, Root::Made(_) | Root::Unknown) || counts_up(it));
    value.is_some_and(sends) && is_new
}

/// Whether a path from a block to the end of a body does not undo an effect.
fn leaves(function: &Function, from: BlockId, entry: &Effect, all: &[Effect]) -> bool {
    let undoing: BTreeSet<BlockId> = all.iter().filter(|it| it.undoes(entry)).map(|it| it.block).collect();
    let paths = Paths::of(function);
    let behind = paths.from(&[from], &|it| undoing.contains(&it));
    behind.iter().any(|it| !undoing.contains(it) && function.returns_at(*it))
}

/// Whether entries are also removed by whoever runs the body, or by somebody who looks for those whose requests are gone.
fn is_removed_otherwise(facts: &Facts<'_>, id: FunctionId, entry: &Effect) -> bool {
    let (program, effects) = (facts.program, facts.effects());
    let is_it = |it: &&Effect| it.state.field.is_some() && it.state.field == entry.state.field;
    let own = effects.in_body(id);
    let is_own = |it: &Effect| own.iter().any(|own| own.at == it.at);
    let removes = |above: FunctionId| {
        let all = effects.in_body(above);
        all.iter().filter(is_it).any(|it| it.change.undoes(&entry.change) && !is_own(it))
    };
    // A test may answer its own request.
    let is_no_test = |it: &FunctionId| !program.is_test(*it);
    let callers = |it: FunctionId| facts.callers().get(&it).into_iter().flatten().copied().filter(is_no_test);
    let mut above = walk::reached(callers(id), callers);
    above.remove(&id);
    let sweeps = |it: FunctionId| {
        let function = program.function(it);
        // `retain` and its like are given a closure.
        let is_sweep = |(_, call, callee): (BlockId, &Call, Callee)| {
            callee.empties() && call.arguments.len() > 1 || callee.name() == "is_closed"
        };
        function.calls().any(is_sweep) && effects.in_body(it).iter().any(|it| is_it(&it))
    };
    above.into_iter().any(removes) || program.functions().any(|(it, _)| sweeps(it))
}

fn hit(program: &Program, id: FunctionId, entry: &Effect, given_up: CodeRef) -> Hit {
    let (of, at) = entry.at;
    let mut related = vec![(call_ref(program, of, at), "the sender of the reply is put in here".to_owned())];
    if of != id {
        related.push((call_or_await(program, id, entry.block), "called here".to_owned()));
    }
    Hit {
        certainty: Certainty::Usually,
        message: "a request that times out leaves its entry in the map: nothing removes it unless a reply comes".to_owned(),
        primary: (given_up, "the wait is given up here".to_owned()),
        related,
        advice: "remove the entry when the wait is given up, or in the `Drop` of a guard that is held over the wait".to_owned(),
    }
}
