//! Tasks that are aborted, and those that nothing ends when nobody has their handle.

use crate::ty::Ty;

use crate::facts::Facts;
use crate::facts::objects::{CallSite, SpawnKind, Thing};
use crate::program::library::mentions;
use rvcheck_primitives::{Action, Ending, Is};
use std::collections::BTreeMap;

/// Whether a task goes on when nobody has its handle any more, wherever that is kept.
pub(crate) fn outlives_its_handle(facts: &Facts<'_>, site: CallSite) -> bool {
    let (program, objects) = (facts.program, facts.objects());
    let function = program.function(site.function);
    let is_task = objects.spawns.get(&site).is_some_and(|it| it.kind == SpawnKind::Task);
    let ty = function.call(site.block).and_then(|(call, _)| function.type_of(&call.into)).unwrap_or_default();
    let of_set = function.callee(site.block).row().is_some_and(|it| matches!(it.owner.is, Is::Tasks(_)));
    let detaches = |ty: Ty| mentions(ty, |it| it == Is::Handle(Ending::Detaches));
    let aborts =
        |ty: Ty| mentions(ty, |it| matches!(it, Is::Handle(Ending::Aborts) | Is::Tasks(Ending::Aborts)));
    let is_guarded = program.functions().any(|(id, function)| {
        function.calls().any(|(_, call, _)| {
            function.type_of(&call.into).is_some_and(|it| aborts(it.pointee()))
                && objects.at(program, id, &call.into).contains(&Thing::Task(site))
        })
    });
    is_task && !of_set && detaches(ty) && !is_guarded
}

/// The tasks that are aborted somewhere, by themselves or with all of their set.
pub(crate) fn aborted(facts: &Facts<'_>) -> BTreeMap<CallSite, CallSite> {
    let (program, objects) = (facts.program, facts.objects());
    let mut found = BTreeMap::new();
    for (id, function) in program.functions() {
        for (block, call, _) in function.calls() {
            let ends = function.callee(block).row().is_some_and(|it| {
                let all = it.operation.action == Action::Join && it.operation.gives.is_none();
                match it.owner.is {
                    Is::Handle(_) => it.operation.action == Action::Abort,
                    Is::Tasks(ending) => {
                        it.operation.action == Action::Abort || all && ending == Ending::Aborts
                    }
                    _ => false,
                }
            });
            let on = call.place(0).filter(|_| ends);
            let things = on.map(|it| objects.at(program, id, it)).unwrap_or_default();
            if things.is_empty() || program.is_test(id) {
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
