//! A task that is aborted has spawned others and waits for them: those go on.

use crate::body::text::referent;
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::Deed;
use crate::facts::enders::is_test;
use crate::facts::objects::{CallSite, SpawnKind, Thing};
use crate::mir::Operand;
use crate::program::code_ref::call_ref;
use crate::program::library::mentions;
use crate::rules::{Certainty, Hit};
use rvcheck_primitives::{Action, Ending, Is};
use std::collections::{BTreeMap, BTreeSet};

/// Finds such tasks.
pub(super) fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let aborted = aborted(facts);
    let mut hits = BTreeMap::new();
    for (agent, steps) in facts.agents() {
        let Agent::Spawned(parent, _) = agent else { continue };
        let Some(end) = aborted.get(parent) else { continue };
        let items: BTreeSet<String> = steps.frames.iter().map(|it| facts.program.item(it.function)).collect();
        for join in steps.steps.iter().filter(|it| it.deed == Deed::Join) {
            for thing in &join.things {
                let Thing::Task(child) = thing else { continue };
                let is_own = items.contains(&facts.program.item(child.function));
                if child != parent && is_own && goes_on(facts, *child) && !aborted.contains_key(child) {
                    hits.entry(*child).or_insert_with(|| hit(facts, *child, *parent, *end));
                }
            }
        }
    }
    hits.into_values().collect()
}

/// Whether a task goes on when nobody has its handle any more, wherever that is kept.
fn goes_on(facts: &Facts<'_>, site: CallSite) -> bool {
    let (program, objects) = (facts.program, facts.objects());
    let function = program.function(site.function);
    let is_task = objects.spawns.get(&site).is_some_and(|it| it.kind == SpawnKind::Task);
    let ty = function.call(site.block).and_then(|(call, _)| function.type_of(&call.into)).unwrap_or_default();
    let of_set = program.row(function, site.block).is_some_and(|it| matches!(it.owner.is, Is::Tasks(_)));
    let detaches = |ty: &str| mentions(ty, |it| it == Is::Handle(Ending::Detaches));
    let aborts =
        |ty: &str| mentions(ty, |it| matches!(it, Is::Handle(Ending::Aborts) | Is::Tasks(Ending::Aborts)));
    let is_guarded = program.functions().any(|(id, function)| {
        function.calls().any(|(_, call, _)| {
            function.type_of(&call.into).is_some_and(|it| aborts(referent(it).unwrap_or(it)))
                && objects.at(program, id, &call.into).contains(&Thing::Task(site))
        })
    });
    is_task && !of_set && detaches(ty) && !is_guarded
}

/// The tasks that are aborted somewhere, by themselves or with all of their set.
fn aborted(facts: &Facts<'_>) -> BTreeMap<CallSite, CallSite> {
    let (program, objects) = (facts.program, facts.objects());
    let mut found = BTreeMap::new();
    for (id, function) in program.functions() {
        for (block, call, _) in function.calls() {
            let ends = program.row(function, block).is_some_and(|it| {
                let all = it.operation.action == Action::Join && it.operation.gives.is_none();
                match it.owner.is {
                    Is::Handle(_) => it.operation.action == Action::Abort,
                    Is::Tasks(ending) => {
                        it.operation.action == Action::Abort || all && ending == Ending::Aborts
                    }
                    _ => false,
                }
            });
            let on = call.arguments.first().and_then(Operand::place).filter(|_| ends);
            let things = on.map(|it| objects.at(program, id, it)).unwrap_or_default();
            if things.is_empty() || is_test(program, id) {
                continue;
            }
            for thing in things {
                if let Thing::Task(task) = thing {
                    found.entry(task).or_insert(CallSite { function: id, block });
                }
            }
        }
    }
    found
}

fn hit(facts: &Facts<'_>, child: CallSite, parent: CallSite, end: CallSite) -> Hit {
    let mark = |it: CallSite| call_ref(facts.program, it.function, it.block);
    Hit {
        certainty: Certainty::Usually,
        message: "this task is not ended with the one that waits for it: when that one is aborted, this one goes on"
            .to_owned(),
        primary: (mark(child), "spawned here".to_owned()),
        related: vec![
            (mark(parent), "by a task that is spawned here".to_owned()),
            (mark(end), "and aborted here".to_owned()),
        ],
        advice: "spawn it on a `JoinSet` inside the task: a set aborts what is left in it when it is dropped".to_owned(),
    }
}
