//! What becomes of the handle of a task or thread: who ends it or waits for it, and on which paths nobody does.

use super::forgotten::{Forgotten, forgotten};
use super::{Race, only_by_calls, only_when_asked};
use crate::body::Callee;
use crate::body::disposition::{Disposition, dispositions};
use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::facts::agents::steps::bodies;
use crate::facts::objects::{CallSite, Node, Thing};
use crate::mir::{BlockId, Local, Operand};
use crate::program::library::{mentions, mentions_handle};
use crate::ty::{Ty, canonical};
use rvcheck_primitives::{Action, Ending, Is, is_path_of};
use std::collections::BTreeSet;

/// How the handle of a task or thread is lost that goes on all the same.
#[derive(Clone, Debug)]
pub(crate) enum Left {
    /// It is dropped, and nobody has ended the task or waited for it.
    Dropped,
    /// It is dropped on some path, and ended or waited for by these calls on others.
    OnSomePath(BTreeSet<CallSite>),
    /// It is kept in a value that some path drops, and another path ends the task by a method of that value.
    Forgotten(Forgotten),
    /// A `select!` drops it where another branch is the first.
    Raced(CallSite),
    /// It is kept in a field, and nobody does more with it than to ask.
    Kept,
    /// It is kept in a field, and these calls alone end the task or wait for it, in methods that somebody has to call.
    OnRequest(BTreeSet<CallSite>),
}

/// Whether a call does nothing to a task: it hands its handle on, puts it away, or only asks.
fn is_idle(callee: Callee) -> bool {
    callee.asks()
        || callee.shares()
        || callee.opens()
        || callee.drops()
        || callee.may(|it| it.action == Action::Handle || it.action == Action::Detach)
        || matches!(
            callee.name(),
            "__rv_site" | "detach" | "from_output" | "from_residual" | "into" | "map" | "map_err"
        )
}

/// Whether a call only leads to a handle that is kept somewhere, puts it there, takes it out, or asks whether there is one. What runs a
/// closure may do more.
fn is_way(callee: Callee) -> bool {
    callee.views()
        || callee.wraps()
        || callee.takes_out()
        || callee.locks()
        || callee.tells()
        || !callee.runs_given()
            && (callee.is_of_iterator()
                || callee.stores()
                || callee.takes()
                || callee.empties()
                || callee.says_nothing()
                || callee.reaches()
                || callee.finds()
                || callee.iterates())
}

/// Whether a type has a handle whose end does that to its task.
fn is_handle(ty: Ty, ending: Ending) -> bool {
    mentions(ty, |it| it == Is::Handle(ending))
}

/// How the handle of what is spawned there is lost, if it is.
pub(crate) fn left(facts: &Facts<'_>, races: &[Race], site: CallSite) -> Option<Left> {
    let spawner = facts.program.function(site.function);
    let (call, _) = spawner.call(site.block)?;
    let ty = spawner.type_of(&call.into).unwrap_or_default();
    let is_task = is_handle(ty, Ending::Aborts);
    if !is_task && !is_handle(ty, Ending::Detaches) {
        return None;
    }
    let found = dispositions(spawner, Paths::of(spawner), site.block);
    if !is_task && !found.is_empty() && found.iter().all(|it| matches!(it, Disposition::Dropped(_))) {
        return Some(Left::Dropped);
    }
    let objects = facts.objects();
    let task = Thing::Task(site);
    let is_stored =
        |name: &str, number: u32| objects.in_node(&Node::Field(name.to_owned(), number)).contains(&task);
    let is_stored = objects.fields.iter().any(|(name, all)| all.keys().any(|it| is_stored(name, *it)));
    let handled = handled(facts, site, is_stored);
    match handled {
        Some(Handled { by, is_detached }) if by.is_empty() && !is_stored => {
            (!is_task || is_detached).then_some(Left::Dropped)
        }
        // What is dropped with its owner ends the task.
        Some(Handled { by, .. }) if by.is_empty() => (!is_task).then_some(Left::Kept),
        _ if is_task => None,
        handled => {
            let by = handled.map(|it| it.by).filter(|_| is_stored);
            let by = by.filter(|it| only_by_calls(facts, it));
            let is_forgotten = |by: &BTreeSet<CallSite>| forgotten(facts, site, by).map(Left::Forgotten);
            let on_request =
                |by: BTreeSet<CallSite>| only_when_asked(facts, &by).then_some(Left::OnRequest(by));
            by.and_then(|it| is_forgotten(&it).or_else(|| on_request(it)))
                .or_else(|| on_some_path(facts, site).map(Left::OnSomePath))
                .or_else(|| {
                    let race = races.iter().find(|it| it.task == site)?;
                    (!is_aborted(facts, site)).then_some(Left::Raced(race.at))
                })
        }
    }
}

/// What is done with a handle.
#[derive(Default)]
struct Handled {
    /// The calls that may end the task or wait for it.
    by: BTreeSet<CallSite>,
    /// Somebody has detached it.
    is_detached: bool,
}

/// What is done with the handle of what is spawned there; `None` where others than the program may have it.
fn handled(facts: &Facts<'_>, site: CallSite, is_stored: bool) -> Option<Handled> {
    let (program, objects) = (facts.program, facts.objects());
    let task = Thing::Task(site);
    let mut found = Handled::default();
    for (id, function) in program.functions() {
        let is_open = function.kind == Kind::Function && program.is_open(id);
        if is_open && objects.in_node(&Node::Slot(id, Slot::of(Local(0)))).contains(&task) {
            return None;
        }
        for (block, call, callee) in function.calls() {
            if !has(facts, id, call.arguments.iter(), &task) || program.called(function, block).is_some() {
                continue;
            }
            // A function of the library that is given by its name.
            let is_handled = |it: &Operand| match it {
                Operand::Constant(it) => {
                    let of = canonical(it).rsplit_once("::").map(|it| it.0.to_owned());
                    of.is_some_and(|it| is_path_of(&it, |it| matches!(it, Is::Handle(_) | Is::Runtime)))
                }
                Operand::Place(_) => false,
            };
            let is_idle = is_idle(callee) || is_stored && is_way(callee);
            if call.arguments.iter().any(is_handled) || !is_idle {
                found.by.insert(CallSite { function: id, block });
            }
            found.is_detached |= callee.name() == "detach";
        }
    }
    Some(found)
}

/// Whether one of these arguments may be a handle of a task.
fn has<'a>(
    facts: &Facts<'_>,
    id: FunctionId,
    arguments: impl Iterator<Item = &'a Operand>,
    task: &Thing,
) -> bool {
    let function = facts.program.function(id);
    arguments.filter_map(Operand::place).any(|it| {
        let ty = function.type_of(it).unwrap_or_default();
        mentions(ty, |it| matches!(it, Is::Handle(_)))
            && facts.objects().at(facts.program, id, it).contains(task)
    })
}

/// The calls that end a task on some path, where its handle is dropped on another one. It may come out of a function that spawns it.
fn on_some_path(facts: &Facts<'_>, site: CallSite) -> Option<BTreeSet<CallSite>> {
    let (program, task) = (facts.program, Thing::Task(site));
    let given = program.functions().flat_map(|(id, function)| {
        let task = &task;
        let calls = function.calls().filter(move |(block, call, _)| {
            program.called(function, *block).is_some()
                && function.type_of(&call.into).is_some_and(mentions_handle)
                && facts.objects().at(program, id, &call.into).iter().eq([task])
        });
        calls.map(move |(block, ..)| CallSite { function: id, block })
    });
    std::iter::once(site).chain(given).find_map(|at| {
        let function = program.function(at.function);
        let found = dispositions(function, Paths::of(function), at.block);
        let is_dropped = found.iter().any(|it| matches!(it, Disposition::Dropped(_)));
        let ends = found.iter().filter_map(|it| match it {
            Disposition::Used(block) => Some(*block).filter(|it| ends(facts, at.function, *it, &task)),
            Disposition::Dropped(_) => None,
        });
        let ends: BTreeSet<CallSite> = ends.map(|block| CallSite { function: at.function, block }).collect();
        (is_dropped && !ends.is_empty()).then_some(ends)
    })
}

/// Whether the call at the end of a block ends a task or waits for it, itself or by what it calls.
fn ends(facts: &Facts<'_>, id: FunctionId, block: BlockId, task: &Thing) -> bool {
    let program = facts.program;
    let function = program.function(id);
    let is_end = |id: FunctionId, block: BlockId| {
        let function = program.function(id);
        function.call(block).is_some_and(|(call, callee)| {
            has(facts, id, call.arguments.iter(), task)
                && program.called(function, block).is_none()
                && (callee.is_awaiting()
                    || callee.name() == "__rv_await"
                    || callee.may(|it| matches!(it.action, Action::Abort | Action::Join)))
        })
    };
    let inner = bodies(program, facts.objects(), id, function, block);
    is_end(id, block)
        || walk::reached(inner, |id| {
            let function = program.function(id);
            function.calls().flat_map(move |(at, ..)| bodies(program, facts.objects(), id, function, at))
        })
        .into_iter()
        .any(|id| program.function(id).calls().any(|(at, ..)| is_end(id, at)))
}

/// Whether a task is aborted somewhere.
fn is_aborted(facts: &Facts<'_>, site: CallSite) -> bool {
    let (program, task) = (facts.program, Thing::Task(site));
    program.functions().any(|(id, function)| {
        function.calls().any(|(block, call, callee)| {
            callee.aborts()
                && program.called(function, block).is_none()
                && has(facts, id, call.arguments.iter(), &task)
        })
    })
}
