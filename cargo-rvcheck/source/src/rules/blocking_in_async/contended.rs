//! A blocking lock that tasks request, held by other code while that waits for an unknown time.

use super::super::held_meanwhile::{held_at, locked};
use super::super::{Certainty, Hit};
use crate::body::provenance::is_given;
use crate::body::walk;
use crate::body::{FunctionId, Kind};
use crate::facts::objects::CallSite;
use crate::program::Program;
use crate::program::abstract_object::AbstractObjects;
use crate::program::blocking::{Wait, shown};
use crate::program::code_ref::{CodeRef, call_ref};
use crate::program::driven::Drivers;
use crate::program::locks::{Waits, request_of};
use std::collections::BTreeSet;

/// Finds such waits.
pub(super) fn check(
    program: &Program,
    objects: &AbstractObjects<'_>,
    without: &BTreeSet<FunctionId>,
) -> Vec<Hit> {
    let by_tasks = run_by_tasks(program, without);
    let requested: Vec<_> = by_tasks
        .iter()
        .flat_map(|id| {
            let function = program.function(*id);
            let sites = function.calls().map(|(block, ..)| CallSite { function: *id, block });
            let blocks = sites.filter(|it| {
                let request = request_of(function.callee(it.block));
                request.is_none_or(|(_, waits)| waits == Waits::Thread)
            });
            blocks.filter_map(|it| locked(program, objects, it)).collect::<Vec<_>>()
        })
        .collect();
    let mut hits = Vec::new();
    for (id, _) in program.functions().filter(|(id, it)| !by_tasks.contains(id) && it.kind != Kind::Coroutine)
    {
        for (block, blocking) in program.blocking().calls(id) {
            if blocking.is_dropping || !is_long(program, blocking.wait, blocking.body, blocking.block) {
                continue;
            }
            let held = held_at(program, objects, id, *block);
            let meets = held.iter().find_map(|held| {
                let request =
                    requested.iter().find(|it| it.object == held.object && !(it.reads && held.reads))?;
                Some((held, request))
            });
            let Some((held, request)) = meets else { continue };
            // What has to change is who holds the lock, not what blocks.
            let inner = call_ref(program, blocking.body, blocking.block);
            let place = match call_ref(program, id, *block) {
                CodeRef::Item(_) => inner.clone(),
                known => known,
            };
            let mut related = vec![
                (call_ref(program, held.at.function, held.at.block), "held from here".to_owned()),
                (
                    call_ref(program, request.at.function, request.at.block),
                    "requested by a task here".to_owned(),
                ),
            ];
            if inner != place && !matches!(inner, CodeRef::Item(_)) {
                related.push((inner, "blocks here".to_owned()));
            }
            hits.push(Hit {
                certainty: Certainty::Usually,
                message: format!(
                    "`{}` blocks while {} is held, and a task requests that lock: for as long, the task \
                     blocks its thread and every other task on it",
                    shown(&blocking.path),
                    held.object.called(program, "a lock")
                ),
                primary: (place, "waits here, holding the lock".to_owned()),
                related,
                advice: "release the lock first: clone or take out what is needed".to_owned(),
            });
        }
    }
    hits
}

/// Whether nobody knows for how long a call waits.
fn is_long(program: &Program, wait: Wait, body: FunctionId, block: crate::mir::BlockId) -> bool {
    let function = program.function(body);
    match wait {
        Wait::Sleep => function
            .call(block)
            .and_then(|(call, _)| call.arguments.first())
            .is_some_and(|it| is_given(function, it)),
        Wait::Join | Wait::Receive | Wait::Process | Wait::Future | Wait::Console => true,
        // A condition variable lets go of its lock; what is written is mostly short.
        Wait::Send | Wait::Signal | Wait::TaskLock | Wait::Permits | Wait::File | Wait::Network => false,
    }
}

/// The state machines that tasks poll, and the functions that these call.
fn run_by_tasks(program: &Program, without: &BTreeSet<FunctionId>) -> BTreeSet<FunctionId> {
    let drivers = Drivers::of(program);
    let machines = program
        .functions()
        .filter(|(id, it)| it.kind == Kind::Coroutine && !without.contains(id) && !drivers.are_threads(*id));
    walk::reached(machines.map(|(id, _)| id), |id| {
        let function = program.function(id);
        function.calls().filter_map(move |(block, ..)| program.called(function, block))
    })
}
