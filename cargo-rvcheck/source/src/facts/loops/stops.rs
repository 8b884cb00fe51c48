//! What the program ends from outside: tasks that it aborts, and futures that it drops where time is over or another one was first.

use crate::body::provenance::source;
use crate::body::select::selects;
use crate::body::timeout::{is_kept, timeouts};
use crate::body::{Function, FunctionId, Slot};
use crate::facts::Facts;
use crate::facts::objects::{CallSite, SpawnKind, Thing};
use crate::program::Program;

/// One that is ended from outside.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    /// The call that ends it, or that says until when it runs.
    pub(crate) by: CallSite,
    /// How.
    pub(crate) way: Way,
    /// The body that it runs.
    pub(crate) root: FunctionId,
}

/// How one is ended from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// It is aborted that is spawned there, as a task.
    Task(CallSite),
    /// It is aborted that is spawned there, on a thread for what blocks: that has no effect once it runs.
    Blocking(CallSite),
    /// It is dropped when its time is over.
    Time,
    /// It is dropped when another branch of a `select!` is the first.
    Race,
}

/// All that is ended from outside.
pub(crate) fn stops(facts: &Facts<'_>) -> Vec<Stop> {
    let mut found = Vec::new();
    for (id, function) in facts.program.functions() {
        for (block, call, callee) in function.calls() {
            if !callee.aborts() || facts.program.called(function, block).is_some() {
                continue;
            }
            let Some(on) = call.place(0) else { continue };
            for thing in facts.objects().at(facts.program, id, on) {
                let Thing::Task(task) = thing else { continue };
                let Some(spawn) = facts.objects().spawns.get(&task) else { continue };
                let way = match spawn.kind {
                    SpawnKind::Task => Way::Task(task),
                    SpawnKind::Thread => Way::Blocking(task),
                };
                if let [root] = spawn.roots.iter().collect::<Vec<_>>()[..] {
                    found.push(Stop { by: CallSite { function: id, block }, way, root: *root });
                }
            }
        }
        for (block, future) in timeouts(function).filter(|(_, it)| !is_kept(function, it)) {
            let root = machine(facts.program, function, &Slot::at(future));
            let by = CallSite { function: id, block };
            found.extend(root.map(|root| Stop { by, way: Way::Time, root }));
        }
        for select in selects(function).into_iter().filter(|it| it.branches.len() > 1) {
            for branch in select.branches.iter().filter(|it| !it.is_kept()) {
                let root = machine(facts.program, function, &branch.slot);
                let by = CallSite { function: id, block: select.poll };
                found.extend(root.map(|root| Stop { by, way: Way::Race, root }));
            }
        }
    }
    found
}

/// The state machine that a future is.
fn machine(program: &Program, function: &Function, slot: &Slot) -> Option<FunctionId> {
    program.machine_in(function, slot).or_else(|| {
        let called = program.called(function, source(function, slot)?)?;
        program.machine_made_by(called).map(|it| it.0)
    })
}
