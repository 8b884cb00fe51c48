//! Handles that nobody ends or waits for: they are dropped where a task or thread is spawned, or by those who are given them.

use crate::body::by_name::{any_named, asks, drops, opens, shares};
use crate::body::fate::{Fate, fates};
use crate::body::paths::Paths;
use crate::body::text::canonical;
use crate::body::{Kind, Slot};
use crate::facts::Facts;
use crate::facts::objects::{CallSite, Node, Thing};
use crate::mir::{Local, Operand};
use crate::program::library::{is_path_of, mentions};
use rvcheck_primitives::{Action, Ending, Is};

/// Whether a call does nothing to a task: it hands its handle on, puts it away, or only asks.
fn is_idle(name: &str) -> bool {
    [asks, shares, opens, drops].iter().any(|it| it(name))
        || any_named(name, |it| it.action == Action::Handle || it.action == Action::Detach)
        || matches!(
            name,
            "__rv_site" | "detach" | "from_output" | "from_residual" | "into" | "map" | "map_err"
        )
}

/// Whether a type has a handle whose end does that to its task.
fn is_handle(ty: &str, ending: Ending) -> bool {
    mentions(ty, |it| it == Is::Handle(ending))
}

/// Whether the handle of what is spawned there is gone, and nobody has ended it or waited for it. What is kept in a field is not looked at.
pub(crate) fn is_left(facts: &Facts<'_>, site: CallSite) -> bool {
    let (program, objects) = (facts.program, facts.objects());
    let spawner = program.function(site.function);
    let Some((call, _)) = spawner.call(site.block) else { return false };
    let ty = spawner.type_of(&call.into).unwrap_or_default();
    let is_task = is_handle(ty, Ending::Aborts);
    if !is_task && !is_handle(ty, Ending::Detaches) {
        return false;
    }
    let found = fates(spawner, Paths::of(spawner), site.block);
    if !is_task && !found.is_empty() && found.iter().all(|it| matches!(it, Fate::Dropped(_))) {
        return true;
    }
    let task = Thing::Task(site);
    let is_stored =
        |name: &str, number: u32| objects.in_node(&Node::Field(name.to_owned(), number)).contains(&task);
    if objects.fields.iter().any(|(name, all)| all.keys().any(|it| is_stored(name, *it))) {
        return false;
    }
    let mut is_detached = false;
    for (id, function) in program.functions() {
        let is_open = function.kind == Kind::Function && program.is_open(id);
        if is_open && objects.in_node(&Node::Slot(id, Slot::of(Local(0)))).contains(&task) {
            return false;
        }
        for (block, call, callee) in function.calls() {
            let mut given = call.arguments.iter().filter_map(Operand::place);
            let has = given.any(|it| {
                let ty = function.type_of(it).unwrap_or_default();
                mentions(ty, |it| matches!(it, Is::Handle(_))) && objects.at(program, id, it).contains(&task)
            });
            if !has || program.called(function, block).is_some() {
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
            if call.arguments.iter().any(is_handled) || !is_idle(callee.name()) {
                return false;
            }
            is_detached |= callee.name() == "detach";
        }
    }
    !is_task || is_detached
}
