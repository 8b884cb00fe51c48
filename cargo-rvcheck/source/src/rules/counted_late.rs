//! `order-dependence`: a task that counts itself in only once it runs.
//!
//! Whoever spawns it and then waits until the count is zero may find zero before the task has begun: the wait is over, and the task is not.
//! Reported if nobody counts before the task is spawned, and who waits is not itself such a task.

use super::{Certainty, Hit, Rule, ShownBy};
use crate::body::paths::Paths;
use crate::body::provenance::source;
use crate::body::walk;
use crate::body::{Function, FunctionId, Slot};
use crate::facts::Facts;
use crate::facts::objects::{CallSite, SpawnKind};
use crate::facts::signals::{Signals, Value, Write};
use crate::mir::{BlockId, Operand};
use crate::program::Program;
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::{call_or_await, call_ref};
use crate::ty::Ty;
use rvcheck_primitives::Action;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "counted-late",
    property: "order-dependence",
    doc: "A task counts itself in only once it runs, so a wait for zero may be over before it begins.",
    shown_by: ShownBy::Run("the wait is over before the task has begun"),
    check,
};

/// A wait that is over when a count has gone down.
struct Wait {
    /// The body, and the block that waits.
    at: (FunctionId, BlockId),
    count: AbstractObject,
}

/// Finds such tasks.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let signals = facts.signals();
    let mut hits: Vec<Hit> = Vec::new();
    for wait in waits(signals) {
        for (site, spawn) in &facts.objects().spawns {
            let [root] = spawn.roots.iter().collect::<Vec<_>>()[..] else { continue };
            let Some(counts) = counts_itself(signals, *root, &wait.count) else { continue };
            if is_run_by(signals, *root, wait.at.0) || is_counted_before(signals, *site, &wait.count) {
                continue;
            }
            let hit = hit(facts, *site, spawn.kind, &counts, &wait);
            if hits.iter().all(|it| it.primary != hit.primary) {
                hits.push(hit);
            }
        }
    }
    hits
}

/// The waits for counts: of those who are notified, and of those who watch a number.
fn waits(signals: &Signals<'_>) -> Vec<Wait> {
    let notified = signals.waiters().iter().flat_map(|waiter| {
        let counts = waiter.leaves.iter().filter(|(_, values)| {
            values.contains(&Value::Greater(false)) && !values.contains(&Value::Greater(true))
        });
        counts.map(|(count, _)| Wait { at: (waiter.id, waiter.wait), count: count.clone() })
    });
    let mut found: Vec<Wait> = notified.collect();
    for (id, function) in signals.program.functions() {
        for (block, call, callee) in function.calls() {
            let is_watch = callee
                .row()
                .is_some_and(|it| it.operation.action == Action::Wait && it.operation.runs.is_some());
            let watches = is_watch && waits_for_zero(signals.program, function, block);
            let receiver = call.place(0).filter(|_| watches);
            let made = receiver.and_then(|it| source(function, &Slot::at(it)));
            let sender = made.and_then(|it| function.call(it)?.0.place(0)).or(receiver);
            let count = sender.and_then(|it| signals.based(id, it));
            found.extend(count.map(|count| Wait { at: (id, block), count }));
        }
    }
    found
}

/// Whether a closure that a call is given compares with zero.
fn waits_for_zero(program: &Program, function: &Function, block: BlockId) -> bool {
    let given = function.call(block).and_then(|(call, _)| function.type_given(call, 1));
    let bodies = given.into_iter().flat_map(Ty::closures).filter_map(|it| program.body_of(it));
    bodies.into_iter().any(|id| {
        let mut blocks = program.function(id).blocks();
        blocks.any(|(_, block)| {
            let mut compared = block.assignments().filter_map(|(_, value)| value.operated());
            compared.any(|(_, parts)| parts.iter().any(Operand::is_nought))
        })
    })
}

fn is_up(it: &Write, state: &AbstractObject) -> bool {
    it.state == *state && it.value == Value::Greater(true)
}

/// Where a body counts up once.
fn counts_itself(signals: &Signals<'_>, root: FunctionId, state: &AbstractObject) -> Option<Write> {
    let writes = signals.writes(root);
    let mut ups = writes.iter().filter(|it| is_up(it, state));
    let only = ups.next().filter(|_| ups.next().is_none())?;
    let paths = Paths::of(signals.program.function(root));
    let is_once = !paths.repeats(only.block) && !signals.is_repeated_within(root, only);
    is_once.then(|| only.clone())
}

/// Whether a body runs another one.
fn is_run_by(signals: &Signals<'_>, root: FunctionId, wanted: FunctionId) -> bool {
    let blocks = |id: FunctionId| signals.program.function(id).blocks().map(|it| it.0).collect::<Vec<_>>();
    let next = |id: FunctionId| blocks(id).into_iter().flat_map(move |it| signals.bodies_at(id, it));
    walk::reaches([root], next, |it| *it == wanted)
}

/// Whether what spawns a task, or calls that, counts before.
fn is_counted_before(signals: &Signals<'_>, site: CallSite, state: &AbstractObject) -> bool {
    let counts = |&(id, block): &(FunctionId, BlockId)| {
        let paths = Paths::of(signals.program.function(id));
        let writes = signals.writes(id);
        writes.iter().any(|it| is_up(it, state) && it.block != block && paths.leads(it.block, block))
    };
    walk::reaches([(site.function, site.block)], |(id, _)| signals.callers(id), counts)
}

fn hit(facts: &Facts<'_>, site: CallSite, kind: SpawnKind, counts: &Write, wait: &Wait) -> Hit {
    let program = facts.program;
    let what = if kind == SpawnKind::Thread { "thread" } else { "task" };
    let called = wait.count.called(program, "a counter");
    Hit {
        certainty: Certainty::Usually,
        message: format!(
            "this {what} is counted in {called} only once it runs: a wait for zero right after the spawn can end before it begins"
        ),
        primary: (call_ref(program, site.function, site.block), "spawned here, not counted yet".to_owned()),
        related: vec![
            (call_ref(program, counts.made.0, counts.made.1), "counted here".to_owned()),
            (call_or_await(program, wait.at.0, wait.at.1), "waits here for the count to go down".to_owned()),
        ],
        advice: format!("count before the spawn, and give the {what} the guard that counts back"),
    }
}
