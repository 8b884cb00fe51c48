//! `guard-across-await`: a guard that blocks other threads, or a borrow that makes another one panic, is held across a suspension.
//!
//! What is held is what the compiler keeps: not a guard that was dropped or moved on every path to the await, but one in a struct, an
//! `Option` or a temporary of the surrounding statement.

use super::{Certainty, CodeRef, Hit, Rule, ShownBy};
use crate::body::{Function, FunctionId, Slot};
use crate::facts::Facts;
use crate::marker::Number;
use crate::program::code_ref::call_ref;
use crate::program::{Guard, GuardKind, Origin, Program};
use std::collections::{BTreeMap, BTreeSet};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "guard-across-await",
    property: "guard-across-await",
    doc: "A guard of a blocking lock is held across a suspension.",
    shown_by: ShownBy::Run("the task is suspended there and another task on its thread requests the lock"),
    check,
};

/// What blocks others while it is kept.
const KINDS: [GuardKind; 3] = [GuardKind::Blocking, GuardKind::Cell, GuardKind::Watch];

/// Finds such guards.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    program.functions().flat_map(|(id, function)| of_function(program, id, function)).collect()
}

fn of_function(program: &Program, id: FunctionId, function: &Function) -> Vec<Hit> {
    let holding = program.holding(id);
    // By guard: the marks of the awaits, and whether there is one without.
    let mut awaits: BTreeMap<_, (BTreeSet<Number>, bool)> = BTreeMap::new();
    for suspension in &function.suspensions {
        let Some(held) = holding.at(suspension.block) else { continue };
        // What the awaited future was given is looked at in its own body.
        let is_inside = |slot: &Slot| suspension.awaited.as_ref().is_some_and(|it| slot.within(it).is_some());
        let kept = held.slots().filter(|(slot, _)| function.is_kept(slot) && !is_inside(slot));
        let kept = kept.flat_map(|(_, guards)| guards);
        for guard in kept.copied().collect::<BTreeSet<_>>() {
            let found = awaits.entry(guard).or_default();
            match suspension.mark {
                Some(mark) => {
                    found.0.insert(mark);
                }
                None => found.1 = true,
            }
        }
    }
    let hits = awaits.into_iter().filter_map(|(guard, (marks, _))| {
        let guard = holding.guard(guard)?;
        let kind = KINDS.into_iter().find(|it| guard.kinds.contains(*it))?;
        Some(hit(program, id, guard, kind, &marks))
    });
    hits.collect()
}

fn hit(program: &Program, id: FunctionId, guard: &Guard, kind: GuardKind, awaits: &BTreeSet<Number>) -> Hit {
    let acquired = program.acquisition(id, &guard.origin);
    let what = acquired.and_then(|it| program.site(it)?.binding.clone());
    let (subject, held) = match kind {
        GuardKind::Cell => ("the borrow", "borrowed"),
        GuardKind::Watch => ("the borrow of the watched value", "borrowed"),
        _ => ("the guard", "locked"),
    };
    let message = match &what {
        Some(name) => format!("`{name}` stays {held} while the task is suspended"),
        None => format!("{subject} is held while the task is suspended"),
    };
    let mut places =
        awaits.iter().map(|it| (CodeRef::Site(*it), format!("{subject} is still held at this await")));
    let primary = match acquired {
        Some(mark) => (CodeRef::Site(mark), format!("{held} here")),
        None => borrowed_at(program, id, guard)
            .map(|it| (it, format!("{held} here")))
            .or_else(|| places.next())
            .unwrap_or_else(|| {
                (CodeRef::Item(program.item(id)), format!("{subject} is held across an await in here"))
            }),
    };
    let advice = match kind {
        GuardKind::Cell => {
            "end the borrow before the await: copy out what is needed, or scope the borrow in a block"
        }
        GuardKind::Watch => "end the borrow before the await: clone the value out of it",
        _ => {
            "drop the guard before the await: scope its use in a block, or acquire the lock again afterwards; if it has to be held, use a \
             lock that only suspends its task, such as `tokio::sync::Mutex`"
        }
    };
    Hit {
        certainty: Certainty::Usually,
        message,
        primary,
        related: places.collect(),
        advice: advice.to_owned(),
    }
}

/// Where a guard is made by a call of the body that is no site.
fn borrowed_at(program: &Program, id: FunctionId, guard: &Guard) -> Option<CodeRef> {
    let Origin::Call(block) = guard.origin else { return None };
    let known = |it: &CodeRef| matches!(it, CodeRef::Site(_) | CodeRef::Position { .. });
    Some(call_ref(program, id, block)).filter(known)
}
