//! `task-leak`: a task that cannot end by itself, and that nobody can end.
//!
//! The task is a state machine without a way to its end. Its handle is dropped where it is spawned, or on some of the paths on which
//! it is not awaited or aborted, or it is kept in a field that is at most asked whether the task is finished. Spawned by `main` or for
//! a static, a task is meant to live as long as the process.
//!
//! Or it is [spawned by a task of a set](escaped) and does not end with that.

mod escaped;
mod passed_over;

use super::{Certainty, CodeRef, Hit, Rule};
use crate::body::fate::{Fate, fates};
use crate::body::paths::Paths;
use crate::body::text::{arguments, canonical, head, last};
use crate::body::{Definition, Function, FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::facts::enders::has_owner;
use crate::mir::{BlockId, Operand, Place, Projection, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::code_ref::call_ref;
use crate::program::endless::endless;
use crate::program::statics::initialisers;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "task-leak",
    property: "task-leak",
    doc: "A task cannot end when its owner is gone.",
    shown_by: "the task still runs when its owner is gone",
    check,
};

/// Finds such tasks.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let endless = endless(program);
    let filling = initialisers(program);
    let mut hits = Vec::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind != Kind::Constant) {
        let paths = Paths::of(function);
        for (block, call, callee) in function.calls() {
            let ty = function.type_of(&call.into).unwrap_or_default();
            if head(ty) != "tokio::task::JoinHandle" || !callee.name().starts_with("spawn") {
                continue;
            }
            let mut given = call.arguments.iter().filter_map(Operand::place);
            let never_ends =
                given.any(|it| task_in(program, function, it).is_some_and(|it| endless.contains(&it)));
            // Such a task is meant to live as long as the process.
            let stays = program.item(id) == "main" || filling.contains(&id);
            if never_ends && !stays {
                let is_owned = has_owner(program, &filling, id);
                hits.extend(left_behind(program, id, paths, block, is_owned));
            }
        }
    }
    hits.extend(escaped::check(program));
    hits
}

/// The state machine that a place holds, also where it comes boxed from a method of a trait that one type of the workspace has.
fn task_in(program: &Program, function: &Function, place: &Place) -> Option<FunctionId> {
    let slot = Slot::at(place);
    let known = program.body_of(function.type_of(place)?).or_else(|| program.machine_in(function, &slot));
    known.or_else(|| {
        let Definition::Called(block) = function.producer(&slot)? else { return None };
        Some(program.machine_made_by(program.only_implementation(function, block)?)?.0)
    })
}

/// The task spawned at the end of the block, if its handle is lost.
fn left_behind(
    program: &Program,
    id: FunctionId,
    paths: &Paths,
    block: BlockId,
    is_owned: bool,
) -> Option<Hit> {
    let function = program.function(id);
    let found = fates(function, paths, block);
    let dropped = found.iter().any(|it| matches!(it, Fate::Dropped(_)));
    let used: Vec<BlockId> =
        found.iter().filter_map(|it| if let Fate::Used(block) = it { Some(*block) } else { None }).collect();
    let hit = |certainty, message: &str, related| {
        Hit {
        certainty,
        message: message.to_owned(),
        primary: (call_ref(program, id, block), "spawned here; it goes round a loop without a way out".to_owned()),
        related,
        advice: "abort the task when its owner ends, put it into a `JoinSet` that the owner keeps, or let its loop watch a channel or \
                 token that the owner closes"
            .to_owned(),
    }
    };
    if dropped && used.is_empty() {
        // A plain function may be called once, at the start of the program.
        let certainty = if is_owned { Certainty::Usually } else { Certainty::Doubt };
        return Some(hit(
            certainty,
            "this task never ends, and nobody can end it: its handle is dropped",
            Vec::new(),
        ));
    }
    if dropped {
        let ends: Vec<(CodeRef, String)> = used
            .iter()
            .filter(|it| ends_task(function, **it))
            .map(|it| (call_ref(program, id, *it), "ended here on another path".to_owned()))
            .filter(|(mark, _)| matches!(mark, CodeRef::Site(_)))
            .collect();
        let ended = used.iter().any(|it| ends_task(function, *it));
        return ended.then(|| {
            hit(
                Certainty::Usually,
                "this task never ends by itself, and on some path its handle is dropped before it is ended",
                ends,
            )
        });
    }
    if let [used] = used.as_slice()
        && let Some(at) = passed_over::by_select(program, id, block, *used)
    {
        return Some(hit(
            Certainty::Usually,
            "this task never ends, and nobody ends it: the `select!` drops its handle when another branch is the first",
            vec![(at, "the handle is given away here, which does not end the task".to_owned())],
        ));
    }
    let forgotten = |it: &BlockId| {
        // What is kept of the handle may be no more than the means to abort it.
        let aborts = function.call(*it).is_some_and(|(_, callee)| callee.name() == "abort_handle");
        let kept = fates(function, paths, *it);
        let all = |it: &Fate| match it {
            Fate::Dropped(_) => true,
            Fate::Used(block) => is_forgotten(program, function, *block, "AbortHandle"),
        };
        if aborts {
            !kept.is_empty() && kept.iter().all(all)
        } else {
            is_forgotten(program, function, *it, "JoinHandle")
        }
    };
    let stored = !used.is_empty() && used.iter().all(forgotten);
    stored.then(|| {
        hit(
            Certainty::Usually,
            "this task never ends, and nobody ends it: the field that keeps its handle is never used",
            Vec::new(),
        )
    })
}

/// Whether the block aborts or awaits the handle that it borrows or moves.
fn ends_task(function: &Function, id: BlockId) -> bool {
    function.call(id).is_some_and(|(_, callee)| {
        callee.name().starts_with("abort")
            || callee.is_trait("IntoFuture", "into_future")
            || callee.name() == "__rv_await"
    })
}

/// Whether the block puts the handle into a field of a struct of the workspace that no other body looks at.
fn is_forgotten(program: &Program, function: &Function, id: BlockId, handle: &str) -> bool {
    let Some(block) = function.body.block(id) else { return false };
    let stored = block.statements.iter().find_map(|it| {
        let Statement::Assign(into, Rvalue::Made(name, fields)) = it else { return None };
        let at = fields.iter().position(|it| {
            it.place().and_then(|it| function.type_of(it)).is_some_and(|it| is_of_task(it, handle))
        })?;
        let of_workspace = !name.is_empty()
            && !name.starts_with('{')
            && !name.starts_with("Option")
            && !canonical(name).starts_with("std::");
        of_workspace.then(|| (last(&head(function.type_of(into).unwrap_or_default())).to_owned(), at as u32))
    });
    let Some((of, field)) = stored else { return false };
    !program.functions().any(|(_, it)| uses_field(it, &of, field, handle))
}

/// Whether this is the type of that name in `tokio::task`, or an `Option` of it.
fn is_of_task(ty: &str, name: &str) -> bool {
    let inner = arguments(ty).first().copied().filter(|_| last(&head(ty)) == "Option");
    head(inner.unwrap_or(ty)).strip_prefix("tokio::task::") == Some(name)
}

/// Methods of a handle that only ask.
const ASKS: [&str; 2] = ["id", "is_finished"];

/// Whether a body touches that field of a struct other than by dropping it, or asking for something.
fn uses_field(function: &Function, of: &str, field: u32, handle: &str) -> bool {
    let is_it = |place: &crate::mir::Place| {
        (0..place.projections.len()).any(|at| {
            let Projection::Field(number, ty) = &place.projections[at] else { return false };
            let front =
                crate::mir::Place { local: place.local, projections: place.projections[..at].to_vec() };
            *number == field
                && is_of_task(ty, handle)
                && function.type_of(&front).is_some_and(|it| last(&head(it)) == of)
        })
    };
    let by = |it: &Operand| it.place().is_some_and(is_it);
    function.blocks().filter(|(_, it)| !it.cleanup).any(|(id, block)| {
        // Who only asks whether it is finished does not end it, nor who takes it out and drops it.
        let asked = function
            .call(id)
            .filter(|(_, callee)| ASKS.contains(&callee.name()) || passed_over::is_dropped(function, id))
            .and_then(|(call, _)| call.arguments.first()?.place());
        let stated = block.statements.iter().any(|it| match it {
            Statement::Assign(into, Rvalue::Reference(..)) if asked == Some(into) => false,
            Statement::Assign(into, value) => is_it(into) || value.places().any(is_it),
            _ => false,
        });
        stated || matches!(&block.terminator, Terminator::Call(call) if is_it(&call.into) || call.arguments.iter().any(by))
    })
}
