//! `task-leak`: a task or thread that cannot end by itself, and whose handle is lost.
//!
//! It loops until a flag changes or a token is cancelled, and nothing does that but a method that has to be called; or only the `Drop` of
//! a value does that it keeps alive itself. Or it waits for the end of a channel that it keeps open itself. Or it has no way out at all.
//! Its handle is dropped, on all paths or on some, or kept in a field that nothing uses, or only such a method. Started by `main` or for
//! a static, it is meant to live as long as the process.
//!
//! Or it is [spawned by one that is aborted](escaped), or has [lost a race](raced), and goes on.

mod escaped;
mod raced;

use super::{Certainty, CodeRef, Hit, Rule, ShownBy};
use crate::body::{Function, Slot};
use crate::facts::Facts;
use crate::facts::objects::{CallSite, Spawn, SpawnKind};
use crate::facts::termination::{
    Forgotten, Left, Unending, has_owner, is_of_main, left, only_by_calls, races, unending, unending_unless,
};
use crate::program::Program;
use crate::program::code_ref::{await_ref, call_or_await, call_ref};
use crate::program::statics::initialisers;
use std::collections::BTreeSet;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "task-leak",
    property: "task-leak",
    doc: "A task or thread cannot end after its owner is gone, and its handle is lost.",
    shown_by: ShownBy::Run("the task or thread still runs when its owner is gone"),
    check,
};

/// The rule for those that a method would end. A run in which it is called each time speaks against it.
pub(super) const NOT_STOPPED: Rule = Rule {
    id: "not-stopped",
    property: "task-leak",
    doc: "A task or thread can outlive its owner: only a method ends it, and nothing has to call that.",
    shown_by: ShownBy::Run("the task or thread still runs when its owner is gone"),
    check: |facts| lost(facts).into_iter().filter(|it| it.on_request).map(|it| it.hit).collect(),
};

/// A task or thread that is found.
struct Lost {
    site: CallSite,
    /// Only a method that nobody has to call ends it.
    on_request: bool,
    hit: Hit,
}

/// Finds such tasks and threads.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let found = lost(facts);
    let reported: BTreeSet<CallSite> = found.iter().map(|it| it.site).collect();
    let mut hits: Vec<Hit> = found.into_iter().filter(|it| !it.on_request).map(|it| it.hit).collect();
    hits.extend(raced::check(facts, &initialisers(facts.program), &races(facts), &reported));
    hits.extend(escaped::check(facts));
    hits
}

fn lost(facts: &Facts<'_>) -> Vec<Lost> {
    let program = facts.program;
    let filling = initialisers(program);
    let races = races(facts);
    let mut found = Vec::new();
    for (site, spawn) in &facts.objects().spawns {
        let [root] = spawn.roots.iter().collect::<Vec<_>>()[..] else { continue };
        if is_of_main(facts, site.function) || filling.contains(&site.function) {
            continue;
        }
        let Some(left) = left(facts, &races, *site) else { continue };
        let life = match &left {
            // What ends it elsewhere, as a guard that is made with it does, may end it here, too.
            Left::Forgotten(Forgotten { by, .. }) => unending_unless(facts, *site, *root, &|given| {
                given.iter().all(|it| by.contains(&it.function)) && only_by_calls(facts, given)
            }),
            _ => unending(facts, *site, *root),
        };
        let Some(life) = life else { continue };
        let is_owned = has_owner(program, &filling, site.function);
        if let Some(certainty) = certainty(program, spawn, &left, &life, is_owned) {
            let is_forgotten = matches!(left, Left::Forgotten(_));
            let on_request = !is_forgotten && life.keeper.is_none() && life.on_request.is_some();
            found.push(Lost {
                site: *site,
                on_request,
                hit: hit(program, *site, &left, &life, spawn.kind, certainty),
            });
        }
    }
    found
}

fn certainty(
    program: &Program,
    spawn: &Spawn,
    left: &Left,
    life: &Unending,
    is_owned: bool,
) -> Option<Certainty> {
    let is_plain = life.asked.is_empty() && life.own_channel.is_none();
    let is_thread = spawn.kind == SpawnKind::Thread;
    let root = spawn.roots.first().map(|it| program.function(*it))?;
    match left {
        // A thread that has nothing of its owner's is meant to go on.
        _ if is_plain && is_thread && !shares(root) => None,
        // A plain function may be called once, at the start of the program.
        Left::Dropped if !is_owned => (is_plain && !is_thread).then_some(Certainty::Doubt),
        // Whoever has the handle may always end it; a run shows whether it is dropped before.
        Left::OnRequest(_) => life.on_request.map(|_| Certainty::Unseen),
        // The other path shows that this value is meant to end it.
        Left::Forgotten(_) => (!is_thread).then_some(Certainty::Usually),
        // Somebody ends it on the other paths, and may do so here in another way.
        Left::OnSomePath(_) if !is_plain || is_thread => None,
        _ => Some(Certainty::Usually),
    }
}

fn hit(
    program: &Program,
    site: CallSite,
    left: &Left,
    life: &Unending,
    kind: SpawnKind,
    certainty: Certainty,
) -> Hit {
    let what = if kind == SpawnKind::Thread { "thread" } else { "task" };
    let (lost, mut related) = how_lost(program, left);
    let (message, more) = match left {
        Left::Forgotten(_) => (
            format!(
                "on some path this {what} outlives its owner: only a method ends it, and the owner is dropped there without that call"
            ),
            Vec::new(),
        ),
        _ => reason(program, life, what, lost),
    };
    related.extend(more);
    let label = match left {
        Left::Dropped => "spawned here; its handle is dropped",
        Left::OnRequest(_) | Left::Forgotten(_) => "spawned here; its handle is dropped with its owner",
        _ => "spawned here; it loops without a way out",
    };
    let advice = if life.asked.is_empty() && life.own_channel.is_none() {
        "end it when its owner ends, or let its loop watch a channel, flag or token that the owner closes"
    } else {
        "stop it when its owner is dropped, and give it no more than a `Weak` reference to the owner"
    };
    Hit {
        certainty,
        message,
        primary: (call_ref(program, site.function, site.block), label.to_owned()),
        related,
        advice: advice.to_owned(),
    }
}

/// How its handle is lost, and the places that have to do with that.
fn how_lost(program: &Program, left: &Left) -> (&'static str, Vec<(CodeRef, String)>) {
    match left {
        Left::Dropped => ("its handle is dropped", Vec::new()),
        Left::Kept => ("its handle is only stored, and dropped", Vec::new()),
        Left::OnRequest(ends) => {
            let places = ends.iter().map(|it| call_ref(program, it.function, it.block));
            let seen = places.filter(|it| matches!(it, CodeRef::Site(_)));
            let waited = seen.map(|it| (it, "waited for here, but only on request".to_owned()));
            ("its handle is dropped with its owner", waited.collect())
        }
        Left::Forgotten(Forgotten { made, ended, .. }) => {
            let at = |it: &CallSite| call_or_await(program, it.function, it.block);
            let related = vec![
                (at(made), "some path from here drops the owner".to_owned()),
                (at(ended), "ended here on another path".to_owned()),
            ];
            ("its handle is dropped with its owner", related)
        }
        Left::OnSomePath(ends) => {
            let places = ends.iter().map(|it| call_ref(program, it.function, it.block));
            let seen = places.filter(|it| matches!(it, CodeRef::Site(_)));
            let ended = seen.map(|it| (it, "ended here on another path".to_owned()));
            ("on some path its handle is dropped before the end", ended.collect())
        }
        Left::Raced(at) => (
            "its handle is dropped if something else completes first",
            vec![(
                await_ref(program, at.function, at.block),
                "dropping the handle here does not end the task".to_owned(),
            )],
        ),
    }
}

/// Why it never ends, and the places that have to do with that.
fn reason(program: &Program, life: &Unending, what: &str, lost: &str) -> (String, Vec<(CodeRef, String)>) {
    let at = |it: &CallSite| call_ref(program, it.function, it.block);
    let mut related: Vec<(CodeRef, String)> = Vec::new();
    if let Some((body, wait)) = life.own_channel {
        let says = "waits here until all senders are gone";
        related.push((call_or_await(program, body, wait), says.to_owned()));
    }
    if let Some(given) = &life.keeper {
        related.push((at(given), "this would end it, but in a `Drop` that it keeps from running".to_owned()));
        related.extend(
            life.on_request.iter().map(|it| (at(it), "or this, which nothing has to call".to_owned())),
        );
        let message =
            "this never ends: the `Drop` that would stop it belongs to a value that it keeps alive itself";
        return (message.to_owned(), related);
    }
    if let Some(given) = &life.on_request {
        related.push((at(given), "this would end it, but no `Drop` does so".to_owned()));
        let message =
            format!("this {what} can outlive its owner: only a method ends it, and nothing has to call that");
        return (message, related);
    }
    if life.own_channel.is_some() {
        let message = "this never ends: it runs until its channel is closed, but keeps a sender of that channel alive itself";
        return (message.to_owned(), related);
    }
    if !life.asked.is_empty() {
        related.extend(
            life.asked.iter().map(|it| (at(it), "this would end it, but nothing sets it".to_owned())),
        );
        let message = "this never ends: nothing ever changes the condition that it checks";
        return (message.to_owned(), related);
    }
    (format!("this {what} never ends, and nothing can end it: {lost}"), related)
}

/// Whether a body has something that others have, too.
fn shares(function: &Function) -> bool {
    function.body.variables.iter().any(|(_, place)| {
        let is_captured = function.captured(&Slot::at(place)).is_some_and(|(_, rest)| rest.is_empty());
        is_captured && place.stated_type().is_some_and(|it| it.name() == "Arc")
    })
}
