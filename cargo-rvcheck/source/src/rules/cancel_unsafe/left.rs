//! What a future leaves behind when it is dropped at an await: an effect on shared state that it undoes only after the await.

use super::super::{Certainty, Hit};
use crate::body::paths::Paths;
use crate::body::{FunctionId, Kind};
use crate::facts::partial_updates::droppable::{Dropper, droppable, is_for_anybody, maker};
use crate::facts::partial_updates::effect::Effects;
use crate::facts::partial_updates::refusal::{How, Refusal, refusal, repairers};
use crate::facts::partial_updates::restored::Restorers;
use crate::facts::partial_updates::state::Reach;
use crate::facts::partial_updates::{Change, PartialUpdate, partial_updates};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::code_ref::{CodeRef, await_ref, call_or_await, call_ref};
use rvcheck_primitives::Action;
use std::collections::{BTreeMap, BTreeSet};

/// What futures leave behind, by the state machine that does it.
pub(super) struct Left {
    /// What is found in this target.
    pub(super) hits: Vec<Hit>,
    /// What would be found if another target drops the future, by who makes it.
    pub(super) updates: Vec<(FunctionId, Hit)>,
}

/// Finds it.
pub(super) fn left(effects: &Effects<'_>) -> Left {
    let program = effects.program;
    let restorers = Restorers::default();
    let mut found = Left { hits: Vec::new(), updates: Vec::new() };
    let machines = program.functions().filter(|(_, it)| it.kind == Kind::Coroutine);
    let all: Vec<PartialUpdate> =
        machines.flat_map(|(id, _)| first_only(program, partial_updates(effects, &restorers, id))).collect();
    if all.is_empty() {
        return found;
    }
    let droppers = droppable(program);
    let mut best: BTreeMap<(FunctionId, BlockId), Hit> = BTreeMap::new();
    // Permits are another property's.
    for update in all.iter().filter(|it| it.effect.change != Change::Forget) {
        let dropper = droppers.get(&update.body);
        let refusal = refusal(effects, update);
        let hit = hit(program, update, refusal.as_ref(), dropper);
        let who = dropper.map(|it| match it {
            Dropper::Here(..) => Who::Program,
            Dropper::Anybody => Who::Anybody,
        });
        if let Some(certainty) = certainty(effects, update, refusal.as_ref(), who) {
            let hit = Hit { certainty, ..hit.clone() };
            // Whoever has it done: it is one place that a person would change.
            let key = (update.effect.at.0, update.effect.shown);
            let is_better = best.get(&key).is_none_or(|it| it.certainty < certainty);
            if is_better {
                best.insert(key, hit);
            }
            if certainty > Certainty::Doubt {
                continue;
            }
        }
        if let Some(certainty) = certainty(effects, update, refusal.as_ref(), Some(Who::Program))
            && certainty > Certainty::Doubt
            && let Some(maker) = maker(program, update.body)
        {
            found.updates.push((maker, Hit { certainty, ..hit }));
        }
    }
    // One call may leave several things behind, and one finding is enough for it.
    let mut by_place: BTreeMap<CodeRef, Hit> = BTreeMap::new();
    for hit in best.into_values() {
        let known = by_place.entry(hit.primary.0.clone()).or_insert_with(|| hit.clone());
        if known.certainty < hit.certainty {
            *known = hit;
        }
    }
    found.hits = by_place.into_values().collect();
    found
}

/// Without those that only do again what stands already.
fn first_only(program: &Program, partial_updates: Vec<PartialUpdate>) -> Vec<PartialUpdate> {
    let Some(body) = partial_updates.first().map(|it| it.body) else { return partial_updates };
    let paths = Paths::of(program.function(body));
    let again = |it: &PartialUpdate| {
        partial_updates.iter().any(|first| {
            first.effect.state == it.effect.state
                && first.effect.change == it.effect.change
                && first.undoing == it.undoing
                && paths.leads(first.effect.block, it.effect.block)
                && !paths.leads(it.effect.block, first.effect.block)
        })
    };
    partial_updates.iter().filter(|it| !again(it)).cloned().collect()
}

/// Whether another one can take the place of what is lost.
fn is_spare(update: &PartialUpdate, refusal: Option<&Refusal>) -> bool {
    update.effect.change == Change::Remove && refusal.is_none()
}

/// Who may drop a future.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Who {
    /// The program is seen to do it.
    Program,
    /// Whoever calls a public function.
    Anybody,
}

fn certainty(
    effects: &Effects<'_>,
    update: &PartialUpdate,
    refusal: Option<&Refusal>,
    dropper: Option<Who>,
) -> Option<Certainty> {
    if is_spare(update, refusal) {
        return dropper.map(|_| Certainty::Doubt);
    }
    if update.by_drop && counts_what_was_sent(effects.program, update) {
        return None;
    }
    let is_alone = update.effect.state.whose() == Reach::Exclusive || is_owner(effects.program, update);
    let change = &update.effect.change;
    let is_repaired = || {
        repairers(effects, update)
            .into_iter()
            .any(|it| *change == Change::Put || !is_for_anybody(effects.program, it))
    };
    if dropper == Some(Who::Program) {
        return match change {
            // What its caller lends to it alone, as a buffer that it goes on with, may be meant to stay.
            Change::Put if is_alone || is_repaired() => None,
            // It may be what the next one looks at only to tell how far this came.
            Change::Set(_) if refusal.is_none() => None,
            Change::Set(_) if is_repaired() => Some(Certainty::Doubt),
            _ => Some(Certainty::Usually),
        };
    }
    let ends = dropper.is_some() || update.fails.is_some();
    match refusal {
        Some(_) if !ends => None,
        // Whoever drops it may know what to do then.
        Some(_) if is_repaired() => None,
        Some(_) if is_alone => Some(Certainty::Doubt),
        Some(_) => Some(Certainty::Usually),
        None => None,
    }
}

/// Whether what is counted up is what was sent right before: it stays where it is when the future is dropped, and whoever receives it has what
/// counts it back.
fn counts_what_was_sent(program: &Program, update: &PartialUpdate) -> bool {
    if update.effect.at.0 != update.body || !matches!(update.effect.change, Change::Up(_)) {
        return false;
    }
    let function = program.function(update.body);
    let suspended: BTreeSet<BlockId> = function.suspensions.iter().map(|it| it.block).collect();
    let sends = |block| function.callee(block).row().is_some_and(|it| it.operation.action == Action::Send);
    let mut sent = function.calls().map(|it| it.0).filter(|it| sends(*it));
    let paths = Paths::of(function);
    sent.any(|it| paths.from(paths.next(it), &|it| suspended.contains(&it)).contains(&update.effect.block))
}

/// Whether the function takes the value by itself that the state is reached from: nobody comes later.
fn is_owner(program: &Program, update: &PartialUpdate) -> bool {
    use crate::facts::partial_updates::state::Root;
    let state = &update.effect.state;
    let function = program.function(update.body);
    let Root::Captured(0) = state.root else { return false };
    state.begin == Reach::Owned
        && maker(program, update.body).is_some_and(|it| program.is_method(it))
        && function.captured_type(0).is_some()
}

fn hit(
    program: &Program,
    update: &PartialUpdate,
    refusal: Option<&Refusal>,
    dropper: Option<&Dropper>,
) -> Hit {
    let effect = &update.effect;
    let primary = if effect.at.0 == update.body {
        call_or_await(program, update.body, effect.shown)
    } else {
        call_or_await(program, update.body, effect.block)
    };
    let (done, undone) = words(&effect.change);
    let mut related = Vec::new();
    if effect.at.0 != update.body {
        related.push((call_ref(program, effect.at.0, effect.shown), format!("{done} here")));
    }
    related
        .push((await_ref(program, update.body, update.between), "a drop here leaves it that way".to_owned()));
    if update.undone != update.between {
        related.push((call_or_await(program, update.body, update.undone), undone.to_owned()));
    }
    if update.undone_at.0 != update.body {
        related.push((call_ref(program, update.undone_at.0, update.undone_at.1), undone.to_owned()));
    }
    if let Some(refusal) = refusal.filter(|it| (it.body, it.at) != (update.body, update.effect.block)) {
        let said = match refusal.how {
            How::TurnedAway => "later callers are turned away here",
            How::Fails => "later callers get an error here",
            How::Panics => "later callers panic here",
            How::Waits => "waiters block here forever",
            How::Starves => "later callers rely on a wrong count here",
        };
        related.push((call_ref(program, refusal.body, refusal.at), said.to_owned()));
    }
    if let Some(Dropper::Here(at, within)) = dropper {
        related.push((at.clone(), format!("dropped by this {within}")));
    }
    let consequence = match (refusal, &effect.change) {
        (Some(Refusal { how: How::Waits, .. }), _) => ", and others wait for it forever",
        (Some(Refusal { how: How::Panics, .. }), _) => ", and later callers panic",
        (Some(Refusal { how: How::Starves, .. }), _) => ", and later callers rely on a wrong count",
        (Some(_), change) if change.takes() => ", and is never returned",
        (Some(Refusal { how: How::Fails, .. }), _) => ", and later callers get an error",
        (Some(_), _) => ", and later callers are turned away",
        (None, _) => "",
    };
    Hit {
        certainty: Certainty::Usually,
        message: format!(
            "if this future is dropped at an await, what it has {done} stays {done}{consequence}"
        ),
        primary: (primary, format!("{done} before the await")),
        related,
        advice: "undo it in the `Drop` of a guard held across the await, or do the work in a separate task"
            .to_owned(),
    }
}

/// What is done and what undoes it, in words.
const fn words(change: &Change) -> (&'static str, &'static str) {
    match change {
        Change::Set(_) => ("set", "reset here"),
        Change::Up(_) | Change::Down(_) => ("counted", "counted back here"),
        Change::Put => ("put in", "removed or replaced here"),
        Change::Remove | Change::Clear => ("taken out", "put back here"),
        Change::Forget => ("forgotten", "given back here"),
        Change::Release => ("released", "acquired again here"),
    }
}
