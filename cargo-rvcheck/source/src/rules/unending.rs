//! `task-leak`: a task or thread whose ends nobody can bring, and whose handle is gone.
//!
//! It goes round until a flag changes or a token is cancelled, and nothing does that; or the only one who does is the `Drop` of a value that
//! it keeps alive itself. Or a thread has no way out at all.

use super::{Certainty, CodeRef, Hit, Rule};
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::enders::order_at;
use crate::facts::objects::{CallSite, SpawnKind};
use crate::flow::code_ref::call_ref;
use crate::flow::fate::{Fate, fates};
use crate::flow::paths::Paths;
use crate::flow::statics::initialisers;
use crate::flow::text::{arguments, head, last};
use crate::flow::{Function, FunctionId, Kind, Program, Slot};
use crate::mir::{BlockId, Statement};
use std::collections::BTreeSet;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "unending",
    property: "task-leak",
    doc: "Nobody can bring what would end a task or thread whose handle is gone.",
    check,
};

/// Finds such tasks and threads.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let filling = initialisers(program);
    let mut hits = Vec::new();
    for (site, spawn) in &facts.objects().spawns {
        let spawner = program.function(site.function);
        let [root] = spawn.roots.iter().collect::<Vec<_>>()[..] else { continue };
        let has_owner = program.is_method(site.function) || spawner.kind != Kind::Function;
        if program.item(site.function) == "main" || filling.contains(&site.function) || !has_owner {
            continue;
        }
        let found = fates(spawner, &Paths::of(spawner), site.block);
        let is_left = !found.is_empty() && found.iter().all(|it| matches!(it, Fate::Dropped(_)));
        if is_left && !waits_for_messages(facts, *site) {
            hits.extend(unending(facts, *site, *root, spawn.kind));
        }
    }
    hits
}

/// Whether it waits for something that somebody else may end.
fn waits_for_messages(facts: &Facts<'_>, site: CallSite) -> bool {
    facts.agents().iter().any(|(agent, _)| matches!(agent, Agent::Spawned(it, _) if *it == site))
}

fn unending(facts: &Facts<'_>, site: CallSite, root: FunctionId, kind: SpawnKind) -> Option<Hit> {
    let program = facts.program;
    let function = program.function(root);
    if function.body.unknown.is_some() || function.kind == Kind::Function {
        return None;
    }
    let paths = Paths::of(function);
    let (mut left, mut asked, mut keeper) = (BTreeSet::new(), BTreeSet::new(), None);
    for (block, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
        let Some(order) = order_at(program, facts.objects(), root, block) else { continue };
        let Some(uses) = facts.orders().get(&order).filter(|it| !it.escapes) else { continue };
        let kept = uses.given.iter().all(|it| is_in_own_drop(program, function, it.function));
        let around = paths.loop_around(block);
        if around.is_empty() || !kept {
            continue;
        }
        if let Some(given) = uses.given.first() {
            keeper = Some(*given);
        }
        asked.insert((order, block));
        left.extend(paths.next(block).iter().filter(|it| !around.contains(it)).copied());
    }
    let reached = paths.from(&[BlockId(0)], &|it| left.contains(&it));
    let goes_round = reached.iter().any(|it| paths.repeats(*it));
    if !goes_round || reached.iter().any(|it| ends(function, *it)) {
        return None;
    }
    if asked.is_empty() && (kind != SpawnKind::Thread || !shares(function)) {
        return None;
    }
    let mut related: Vec<(CodeRef, String)> = asked
        .iter()
        .map(|(order, _)| {
            (
                call_ref(program, order.function, order.block),
                "this would end it, and nobody sets it".to_owned(),
            )
        })
        .collect();
    let message = match keeper {
        Some(given) => {
            related.truncate(0);
            related.push((
                call_ref(program, given.function, given.block),
                "this would end it, in a `Drop` that it keeps from running".to_owned(),
            ));
            "this never ends: it is told to stop by the `Drop` of a value that it keeps alive itself"
        }
        None if asked.is_empty() => {
            "this thread never ends, and nobody can end it: it goes on when its owner is gone"
        }
        None => "this never ends: nothing changes what it asks, so it goes on when its owner is gone",
    };
    Some(Hit {
        certainty: Certainty::Usually,
        message: message.to_owned(),
        primary: (call_ref(program, site.function, site.block), "spawned here; its handle is dropped".to_owned()),
        related,
        advice: "tell it to stop where its owner is dropped, and give it no more than a `Weak` reference to the owner".to_owned(),
    })
}

/// Whether a body is the `Drop` of a value that the other one keeps by an `Arc` of its own.
fn is_in_own_drop(program: &Program, task: &Function, given: FunctionId) -> bool {
    let captured = task.body.variables.iter().filter_map(|(_, place)| {
        let is_captured = task.captured(&Slot::at(place)).is_some_and(|(_, rest)| rest.is_empty());
        place.stated_type().filter(|_| is_captured)
    });
    captured.into_iter().any(|ty| {
        let inner = arguments(ty).first().copied().filter(|_| matches!(last(&head(ty)), "Arc" | "Rc"));
        inner.and_then(|it| program.drop_of(it)) == Some(given)
    })
}

/// Whether a body has something that others have, too.
fn shares(function: &Function) -> bool {
    function.body.variables.iter().any(|(_, place)| {
        let is_captured = function.captured(&Slot::at(place)).is_some_and(|(_, rest)| rest.is_empty());
        is_captured && place.stated_type().is_some_and(|it| last(&head(it)) == "Arc")
    })
}

/// Whether the body may be over at the end of a block.
fn ends(function: &Function, block: BlockId) -> bool {
    let Some(it) = function.body.block(block) else { return true };
    let completes = it.statements.iter().any(|it| matches!(it, Statement::State(_, 1)));
    let stops = function.call(block).is_some_and(|(call, _)| call.target.is_none());
    let fallible = function.call(block).is_some_and(|(call, callee)| {
        let of_lock = call
            .arguments
            .first()
            .and_then(crate::mir::Operand::place)
            .and_then(|it| function.type_of(it))
            .is_some_and(|it| it.contains("Guard"));
        matches!(callee.name(), "unwrap" | "expect") && !of_lock
    });
    completes || stops || fallible || function.kind != Kind::Coroutine && function.returns_at(block)
}
