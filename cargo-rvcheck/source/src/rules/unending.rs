//! `task-leak`: a task or thread whose ends nobody can bring, and whose handle is gone.
//!
//! It goes round until a flag changes or a token is cancelled, and nothing does that; or the only one who does is the `Drop` of a value that
//! it keeps alive itself. Or it waits for the end of a channel that it keeps open itself. Or it has no way out at all.

use super::{Certainty, CodeRef, Hit, Rule};
use crate::body::text::{head, last};
use crate::body::{Function, Slot};
use crate::facts::Facts;
use crate::facts::enders::{Unending, has_owner, is_left, unending};
use crate::facts::objects::{CallSite, SpawnKind};
use crate::program::Program;
use crate::program::code_ref::{call_or_await, call_ref};
use crate::program::statics::initialisers;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "unending",
    property: "task-leak",
    doc: "Nobody can bring what would end a task or thread whose handle is gone.",
    shown_by: "the task or thread still waits when its owner is gone",
    check,
};

/// Finds such tasks and threads.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let filling = initialisers(program);
    let mut hits = Vec::new();
    for (site, spawn) in &facts.objects().spawns {
        let [root] = spawn.roots.iter().collect::<Vec<_>>()[..] else { continue };
        if !has_owner(program, &filling, site.function) || !is_left(facts, *site) {
            continue;
        }
        let Some(life) = unending(facts, *site, *root) else { continue };
        let is_plain = life.asked.is_empty() && life.own_channel.is_none();
        // A thread that has nothing of its owner's is meant to go on.
        if is_plain && spawn.kind == SpawnKind::Thread && !shares(program.function(*root)) {
            continue;
        }
        hits.push(hit(program, *site, &life, spawn.kind));
    }
    hits
}

fn hit(program: &Program, site: CallSite, life: &Unending, kind: SpawnKind) -> Hit {
    let at = |it: &CallSite| call_ref(program, it.function, it.block);
    let never = "this would end it, and nobody sets it";
    let mut related: Vec<(CodeRef, String)> =
        life.asked.iter().map(|it| (at(it), never.to_owned())).collect();
    let message = if let Some(given) = &life.keeper {
        related = vec![(at(given), "this would end it, in a `Drop` that it keeps from running".to_owned())];
        "this never ends: it is told to stop by the `Drop` of a value that it keeps alive itself"
    } else if let Some((body, wait)) = life.own_channel {
        related.push((
            call_or_await(program, body, wait),
            "it waits here until all senders are gone".to_owned(),
        ));
        "this never ends: it goes on until its channel is closed, and shares the value that has a sender of it"
    } else if !life.asked.is_empty() {
        "this never ends: nothing changes what it asks, so it goes on when its owner is gone"
    } else if kind == SpawnKind::Thread {
        "this thread never ends, and nobody can end it: it goes on when its owner is gone"
    } else {
        "this task never ends, and nobody can end it: its handle is dropped"
    };
    Hit {
        certainty: Certainty::Usually,
        message: message.to_owned(),
        primary: (call_ref(program, site.function, site.block), "spawned here; its handle is dropped".to_owned()),
        related,
        advice: "tell it to stop where its owner is dropped, and give it no more than a `Weak` reference to the owner".to_owned(),
    }
}

/// Whether a body has something that others have, too.
fn shares(function: &Function) -> bool {
    function.body.variables.iter().any(|(_, place)| {
        let is_captured = function.captured(&Slot::at(place)).is_some_and(|(_, rest)| rest.is_empty());
        is_captured && place.stated_type().is_some_and(|it| last(&head(it)) == "Arc")
    })
}
