//! A task that is aborted has spawned others and waits for them: those go on.

use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::Op;
use crate::facts::objects::{CallSite, Thing};
use crate::facts::termination::{aborted, outlives_its_handle};
use crate::program::code_ref::call_ref;
use crate::rules::{Certainty, Hit};
use std::collections::{BTreeMap, BTreeSet};

/// Finds such tasks.
pub(super) fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let aborted = aborted(facts);
    let mut hits = BTreeMap::new();
    for (agent, steps) in facts.agents() {
        let Agent::Spawned(parent, _) = agent else { continue };
        let Some(end) = aborted.get(parent) else { continue };
        let items: BTreeSet<String> = steps.frames.iter().map(|it| facts.program.item(it.function)).collect();
        for join in steps.steps.iter().filter(|it| it.op == Op::Join) {
            for thing in &join.things {
                let Thing::Task(child) = thing else { continue };
                let is_own = items.contains(&facts.program.item(child.function));
                if child != parent
                    && is_own
                    && outlives_its_handle(facts, *child)
                    && !aborted.contains_key(child)
                {
                    hits.entry(*child).or_insert_with(|| hit(facts, *child, *parent, *end));
                }
            }
        }
    }
    hits.into_values().collect()
}

fn hit(facts: &Facts<'_>, child: CallSite, parent: CallSite, end: CallSite) -> Hit {
    let mark = |it: CallSite| call_ref(facts.program, it.function, it.block);
    Hit {
        certainty: Certainty::Usually,
        message: "this task goes on when the task that awaits it is aborted".to_owned(),
        primary: (mark(child), "spawned here".to_owned()),
        related: vec![
            (mark(parent), "by a task spawned here".to_owned()),
            (mark(end), "which is aborted here".to_owned()),
        ],
        advice: "spawn it on a `JoinSet` in the task that awaits it: dropping the set aborts it".to_owned(),
    }
}
