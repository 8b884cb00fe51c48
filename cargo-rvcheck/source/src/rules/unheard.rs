//! `cancel-unresponsive`: a request to stop that its task or thread does not notice.
//!
//! - The requester [waits for it](dismissed), while it waits itself for something that does not come.
//! - It is aborted, but runs a loop without a suspension, bounded by outside input.
//! - It retries until it succeeds, and what it awaits in between need not suspend.

mod dismissed;

use super::{Certainty, Hit, Rule, ShownBy};
use crate::body::paths::Paths;
use crate::body::provenance::{decided_by, is_given, source};
use crate::body::{Callee, Function, FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::facts::agents::steps::bodies;
use crate::facts::loops::{Stop, Way, stops};
use crate::facts::objects::CallSite;
use crate::mir::{BlockId, Made, Operand, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::code_ref::{await_ref, call_ref};
use crate::program::library::mentions;
use crate::program::trip_count::runs;
use rvcheck_primitives::{Action, Failure, Is};
use std::collections::BTreeSet;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "unheard",
    property: "cancel-unresponsive",
    doc: "A request to stop is not noticed: the task or thread waits for something else, or never reaches a check for it.",
    shown_by: ShownBy::Run("the task is asked to stop and goes on"),
    check,
};

/// Finds such orders.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let mut hits = dismissed::check(facts);
    hits.extend(stops(facts).iter().filter_map(|it| ended_without_suspension(facts, it)));
    for (id, function) in facts.program.functions() {
        if function.kind == Kind::Coroutine {
            hits.extend(spins_through_awaits(facts, id, function));
        }
    }
    hits.sort();
    hits.dedup_by(|a, b| a.primary == b.primary);
    hits
}

/// What ends a task or future from outside meets a loop without a suspension.
fn ended_without_suspension(facts: &Facts<'_>, stop: &Stop) -> Option<Hit> {
    let (program, objects) = (facts.program, facts.objects());
    let function = program.function(stop.root);
    if function.kind != Kind::Coroutine {
        return None;
    }
    let mut open = vec![stop.root];
    for (block, ..) in function.calls() {
        open.extend(bodies(program, objects, stop.root, function, block));
    }
    let (id, block) = open.into_iter().find_map(|id| Some((id, long_loop(program, facts, id)?)))?;
    let by = |at: CallSite| call_ref(program, at.function, at.block);
    let (what, mut related) = match stop.way {
        Way::Task(task) => (
            "an abort takes effect",
            vec![(by(stop.by), "aborted here".to_owned()), (by(task), "spawned here".to_owned())],
        ),
        Way::Blocking(_) => return None,
        Way::Time => ("a time limit is checked", vec![(by(stop.by), "should end in time".to_owned())]),
        Way::Race => ("another branch of the `select!` is polled", Vec::new()),
    };
    if stop.way == Way::Race {
        related.push((
            await_ref(program, stop.by.function, stop.by.block),
            "should end with the first branch".to_owned(),
        ));
    }
    Some(Hit {
        certainty: Certainty::Usually,
        message: format!(
            "{what} only when the task suspends, and this loop never suspends; outside input decides how \
             long it runs"
        ),
        primary: (call_ref(program, id, block), "loops here without suspending".to_owned()),
        related,
        advice: "await `yield_now` now and then, or check a flag in each iteration and set that instead"
            .to_owned(),
    })
}

/// Whether the loop may know after a call that it is to stop, or lets others run.
fn looks(callee: Callee) -> bool {
    callee.asks()
        || callee.may(|it| matches!(it.action, Action::Receive | Action::Send))
        || callee.reads_clock()
}

/// A call of the workspace in a loop that suspends nowhere, and that a number from outside bounds, or nothing.
fn long_loop(program: &Program, facts: &Facts<'_>, id: FunctionId) -> Option<BlockId> {
    let function = program.function(id);
    let paths = Paths::of(function);
    let polls: BTreeSet<BlockId> =
        function.suspensions.iter().flat_map(|it| it.poll.into_iter().chain([it.block])).collect();
    let mut seen = BTreeSet::new();
    for (block, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
        let around = paths.loop_around(block);
        let Some(first) = around.first().filter(|it| seen.insert(**it)) else { continue };
        let looks = around.iter().any(|it| function.call(*it).is_some_and(|(_, callee)| looks(callee)));
        if !around.is_disjoint(&polls)
            || looks
            || !is_bounded_from_outside(program, function, paths, &around, *first)
        {
            continue;
        }
        let works = around.iter().find(|it| {
            function.call(**it).is_some() && !bodies(program, facts.objects(), id, function, **it).is_empty()
        });
        if let Some(works) = works {
            return Some(*works);
        }
    }
    None
}

fn is_bounded_from_outside(
    program: &Program,
    function: &Function,
    paths: &Paths,
    around: &BTreeSet<BlockId>,
    first: BlockId,
) -> bool {
    let exits: Vec<BlockId> = paths
        .exits(around)
        .into_iter()
        .filter(|(_, to)| paths.from(&[*to], &|_| false).iter().any(|it| function.returns_at(*it)))
        .map(|(from, _)| from)
        .collect();
    if exits.is_empty() {
        return true;
    }
    if runs(program, function, [first], &BTreeSet::new()).is_some() {
        return false;
    }
    exits.iter().all(|from| {
        if let Some((call, callee)) = asked(function, *from).and_then(|it| function.call(it)) {
            let on = call.place(0);
            let ty = on.and_then(|it| function.type_of(it)).unwrap_or_default();
            let counts = ty.has(|it| matches!(it.name(), "Range" | "RangeInclusive" | "RangeFrom"));
            return callee.is_next() && counts && on.is_some_and(|it| range_is_given(function, it));
        }
        let compared =
            function.body.block(*from).into_iter().flat_map(|it| &it.statements).find_map(|it| match it {
                Statement::Assign(_, Rvalue::Made(Made::By(it), parts)) if it.orders() => Some(parts),
                _ => None,
            });
        let is_number =
            |it: &Operand| it.place().is_none_or(|place| source(function, &Slot::at(place)).is_none());
        compared.is_some_and(|it| it.iter().all(is_number) && it.iter().any(|it| is_given(function, it)))
    })
}

/// The call whose result the branch at the end of a block looks at, as it is.
fn asked(function: &Function, branch: BlockId) -> Option<BlockId> {
    let of = function.body.block(branch)?.looked_at().next();
    let mut slot = match (of, &function.body.block(branch)?.terminator) {
        (Some(of), _) => Slot::at(of),
        (None, Terminator::Switch { on: Operand::Place(on), .. }) => Slot::at(on),
        _ => return None,
    };
    for _ in 0..8 {
        slot.steps.truncate(function.root(&slot));
        match function.definition(&slot)? {
            crate::body::Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                if !callee.hands_on() {
                    return Some(block);
                }
                slot = Slot::at(call.place(0)?);
            }
            definition @ crate::body::Definition::Assigned(..) => match function.assigned(definition)? {
                Rvalue::Use(Operand::Place(from)) => slot = Slot::at(from),
                _ => return None,
            },
        }
    }
    None
}

/// Whether an end of a range comes from outside, and is not the length of something.
fn range_is_given(function: &Function, iterator: &crate::mir::Place) -> bool {
    let mut slot = Slot::at(iterator);
    for _ in 0..16 {
        slot.steps.truncate(function.root(&slot));
        let Some(definition) = function.definition(&slot) else { return false };
        let from = match function.assigned(definition) {
            Some(Rvalue::Made(_, parts)) => {
                let measured = parts
                    .iter()
                    .filter_map(Operand::place)
                    .any(|it| source(function, &Slot::at(it)).is_some());
                return !measured && parts.iter().any(|it| is_given(function, it));
            }
            Some(Rvalue::Use(Operand::Place(from)) | Rvalue::Reference(from, _)) => Slot::at(from),
            Some(_) => return false,
            None => {
                let crate::body::Definition::Called(block) = definition else { return false };
                let Some((call, _)) = function.call(block) else { return false };
                let Some(from) = call.place(0) else { return false };
                Slot::at(from)
            }
        };
        slot = from;
    }
    false
}

/// A loop that tries until it succeeds, and waits in between only for locks that it does not keep, which need not suspend it.
fn spins_through_awaits(facts: &Facts<'_>, id: FunctionId, function: &Function) -> Option<Hit> {
    let program = facts.program;
    let paths = Paths::of(function);
    let tries = function.calls().filter(|(block, _, callee)| tries(*callee) && paths.repeats(*block));
    for (tried, ..) in tries {
        let around = paths.loop_around(tried);
        let is_asked = |by: BlockId| {
            let inner = function.call(by).and_then(|(call, _)| call.place(0));
            by == tried || inner.and_then(|it| source(function, &Slot::at(it))) == Some(tried)
        };
        let decides = around.iter().any(|it| decided_by(function, *it).is_some_and(is_asked));
        let awaits: Vec<_> =
            function.suspensions.iter().filter(|it| it.poll.is_some_and(|it| around.contains(&it))).collect();
        let holds = program.holding(id).at(tried).is_some_and(|it| !it.guards().is_empty());
        if !decides || awaits.is_empty() || holds {
            continue;
        }
        let (mut lock, mut others) = (None, false);
        for it in &awaits {
            let call = it.awaited.as_ref().and_then(|it| source(function, it));
            let of_lock = call.and_then(|it| function.call(it)).is_some_and(|(call, callee)| {
                let on = function.type_given(call, 0).unwrap_or_default();
                callee.locks() && (mentions(on, |it| matches!(it, Is::Lock(_))))
            });
            if of_lock {
                lock = it.poll;
            } else {
                let inner = it.awaited.as_ref().and_then(|it| program.machine_in(function, it));
                others |= inner.is_none_or(|it| always_suspends(program, it));
            }
        }
        let Some(lock) = lock.filter(|_| !others) else { continue };
        return Some(Hit {
            certainty: Certainty::Usually,
            message: "this retries until another task makes room, but its awaits need not suspend: it may \
                      keep that task from running"
                .to_owned(),
            primary: (call_ref(program, id, tried), "retried in a loop".to_owned()),
            related: vec![(await_ref(program, id, lock), "if the lock is free, this does not suspend".to_owned())],
            advice: "wait for a notification from the task that makes room, or await `yield_now` in each iteration".to_owned(),
        });
    }
    None
}

/// Whether a state machine suspends on each way to its end, as far as that is known: at an await of another crate that is no lock.
fn always_suspends(program: &Program, id: FunctionId) -> bool {
    let function = program.function(id);
    let polls: BTreeSet<BlockId> = function.suspensions.iter().filter_map(|it| it.poll).collect();
    let paths = Paths::of(function);
    let reached = paths.from(&[BlockId(0)], &|it| polls.contains(&it));
    !reached.iter().any(|it| {
        function
            .body
            .block(*it)
            .is_some_and(|it| it.statements.iter().any(|it| matches!(it, Statement::State(_, 1))))
    })
}

/// Whether calls of that name succeed only once another task has done something.
fn tries(callee: Callee) -> bool {
    callee.may(|it| {
        let takes =
            matches!(it.action, Action::Send | Action::Reserve | Action::Request(_) | Action::Acquire(_));
        takes && !it.may_wait() && it.failures.contains(&Failure::Busy)
    })
}
