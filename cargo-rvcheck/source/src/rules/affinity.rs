//! `affinity`: a value bound to a thread or runtime is used as if it belonged to the task or the process.
//!
//! - A task sets a thread-local to something it was given, is suspended, and reads it again. Meanwhile another task of the same thread
//!   may have set it, or the task may have moved to another thread.
//! - A value whose `Drop` changes a thread-local is [kept](entered) while the task is suspended.
//! - Something is stored under the id of the thread, and looked up under [that id](thread_ids) after a suspension.
//! - A value [rejects](refused) every thread but the one that made it, and another one uses it.
//! - A static keeps the [handle](handles) of the runtime that was current when it was first used.
//! - A static starts a task when it is first used. The task ends with the runtime that was current then, the static does not.

mod entered;
mod handles;
mod refused;
mod thread_ids;

use self::handles::is_handle;

use super::{Certainty, CodeRef, Hit, Rule, ShownBy};
use crate::body::paths::Paths;

use crate::body::walk;
use crate::body::{Definition, Function, FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::mir::{BlockId, Operand};
use crate::program::Program;
use crate::program::code_ref::call_ref;
use crate::program::driven::Drivers;
use crate::program::runs::runs;
use crate::program::statics::initialisers;
use crate::program::suspending::may_suspend;
use crate::program::thread_locals::{Access, Use, uses};
use rvcheck_primitives::{Action, Ending, Is, Operation};
use std::collections::BTreeSet;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "affinity",
    property: "affinity",
    doc: "A value is used by a thread or task other than the one it is bound to.",
    shown_by: ShownBy::Run("the value is used by a thread or task that it does not belong to"),
    check,
};

/// How deep calls are followed.
const DEEPEST: usize = 8;

/// Finds such uses.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let drivers = Drivers::of(program);
    let mut hits = Vec::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind == Kind::Coroutine) {
        let of_block = |block| uses(program, id, block).into_iter().map(move |it| (block, it));
        let used = function.calls().flat_map(|(block, ..)| of_block(block));
        let sets: Vec<(BlockId, Use)> = used.filter(|(_, it)| it.access == Access::Set(true)).collect();
        // Who waits for it is looked for in the whole program.
        if sets.is_empty() || program.is_main(id) || drivers.are_threads(id) {
            continue;
        }
        for (block, set) in sets {
            let reads = Reads { program, key: &set.key };
            let next = Paths::of(function).next(block).to_vec();
            let found = reads.from(id, &next, DEEPEST);
            hits.extend(found.later.first().map(|read| stale(program, &set, read)));
        }
    }
    hits.extend(entered::check(program));
    hits.extend(handles::check(program));
    hits.extend(refused::check(facts));
    hits.extend(thread_ids::check(program));
    hits.extend(initialisers(program).into_iter().filter_map(|it| bound_to_a_runtime(program, it)));
    hits
}

fn stale(program: &Program, set: &Use, read: &Use) -> Hit {
    Hit {
        certainty: Certainty::Usually,
        message: format!(
            "the thread-local `{}` is set before an await and read after it: by then the task may run on \
             another thread, or another task may have set it",
            set.key
        ),
        primary: (call_ref(program, read.function, read.block), "used here, after an await".to_owned()),
        related: vec![(call_ref(program, set.function, set.block), "set here, for this task".to_owned())],
        advice:
            "pass the value as an argument, or keep it in a `tokio::task_local!`, which belongs to the task"
                .to_owned(),
    }
}

/// The reads of a thread-local that a body comes to without setting it.
struct Reads<'a> {
    program: &'a Program,
    key: &'a str,
}

#[derive(Default)]
struct Accesses {
    /// Before it is suspended.
    at_once: Vec<Use>,
    /// After a suspension.
    later: Vec<Use>,
    /// It may set it.
    sets: bool,
}

impl Reads<'_> {
    /// The state machine that is awaited, also of a method that only one type of the workspace has.
    fn inside(&self, function: &Function, awaited: &Slot) -> Option<FunctionId> {
        self.program.machine_in(function, awaited).or_else(|| {
            let Definition::Called(block) = function.producer(awaited)? else { return None };
            let only = self.program.only_implementation(function, block)?;
            Some(self.program.machine_made_by(only)?.0)
        })
    }

    /// Those after these blocks are entered.
    fn from(&self, id: FunctionId, starts: &[BlockId], depth: usize) -> Accesses {
        let function = self.program.function(id);
        let mut found = Accesses::default();
        let paths = Paths::of(function);
        walk::reached(starts.iter().map(|it| (*it, false)), |(block, mut suspended)| {
            // From a suspension the body comes back to what it awaits, which was looked into already.
            if function.suspensions.iter().any(|it| it.block == block) {
                return Vec::new();
            }
            let used = uses(self.program, id, block).into_iter().find(|it| it.key == self.key);
            match used {
                Some(it) if it.access == Access::Read => found.take(it, suspended),
                Some(_) => {
                    found.sets = true;
                    return Vec::new();
                }
                None => {}
            }
            if let Some(at) = function.suspensions.iter().find(|it| it.poll == Some(block)) {
                let inner = at.awaited.as_ref().and_then(|it| self.inside(function, it));
                let inside = match inner {
                    Some(inner) if depth > 0 => self.from(inner, &[BlockId(0)], depth - 1),
                    _ => Accesses::default(),
                };
                inside.at_once.into_iter().for_each(|it| found.take(it, suspended));
                inside.later.into_iter().for_each(|it| found.take(it, true));
                if inside.sets {
                    found.sets = true;
                    return Vec::new();
                }
                suspended |= inner.is_none_or(|it| may_suspend(self.program, it));
            }
            paths.next(block).iter().map(|it| (*it, suspended)).collect()
        });
        found
    }
}

impl Accesses {
    fn take(&mut self, read: Use, suspended: bool) {
        if suspended { self.later.push(read) } else { self.at_once.push(read) }
    }
}

/// A task that the initialiser of a static spawns on whichever runtime is current, if it goes on after that.
fn bound_to_a_runtime(program: &Program, initialiser: FunctionId) -> Option<Hit> {
    let mut spawns = Vec::new();
    let mut seen = BTreeSet::new();
    if !find_spawns(program, initialiser, &mut spawns, &mut seen, DEEPEST) {
        return None;
    }
    let (id, block) = *spawns.first()?;
    Some(Hit {
        certainty: if is_program(program) { Certainty::Doubt } else { Certainty::Usually },
        message: "this task is spawned on whichever runtime uses the static first: it ends with that \
                  runtime, but the static lives on"
            .to_owned(),
        primary: (call_ref(program, id, block), "spawned here, once per process".to_owned()),
        related: vec![(CodeRef::of_body(program, initialiser), "the static is initialised here".to_owned())],
        advice: "run the task on its own thread and runtime, or keep what it serves in a value that each runtime creates for itself"
            .to_owned(),
    })
}

/// Whether there is a `main` that is not that of a harness of tests, in which each test may have a runtime of its own: then there is one
/// runtime, as a rule.
fn is_program(program: &Program) -> bool {
    program.functions().any(|(it, main)| {
        program.is_main(it) && !main.calls().any(|(.., callee)| callee.name() == "test_main_static")
    })
}

/// Collects the long-lived tasks that a body spawns on the current runtime; `false` where it brings a runtime of its own.
fn find_spawns(
    program: &Program,
    id: FunctionId,
    spawns: &mut Vec<(FunctionId, BlockId)>,
    seen: &mut BTreeSet<FunctionId>,
    depth: usize,
) -> bool {
    if depth == 0 || !seen.insert(id) {
        return true;
    }
    let function = program.function(id);
    for (block, call, callee) in function.calls() {
        let of_runtime = callee.is_of(|it| it == Is::Runtime)
            && !is_handle(callee.path().rsplit_once("::").map_or("", |it| it.0));
        if matches!(callee.name(), "enter" | "block_on" | "build") || of_runtime {
            return false;
        }
        // Threads cannot be aborted.
        let aborts = |it: &Operation| it.action == Action::Abort;
        let handle = function.type_of(&call.into).and_then(|it| rvcheck_primitives::owner(it.head()));
        let handle = handle
            .is_some_and(|it| it.is == Is::Handle(Ending::Detaches) && it.operations.iter().any(aborts));
        let current = matches!(callee.name(), "spawn" | "spawn_local")
            && callee.likely_row().is_none_or(|it| matches!(it.owner.is, Is::Module(_)));
        if handle && current && program.called(function, block).is_none() {
            let keeps_looping = call.arguments.first().is_some_and(|it| keeps_looping(program, function, it));
            spawns.extend(keeps_looping.then_some((id, block)));
            continue;
        }
        for run in runs(program, function, block) {
            if !find_spawns(program, run.body, spawns, seen, depth - 1) {
                return false;
            }
        }
    }
    true
}

/// Whether a future awaits something in a loop, or cannot be looked into.
fn keeps_looping(program: &Program, function: &Function, future: &Operand) -> bool {
    let machine = future.place().and_then(|it| function.type_of(it)).and_then(|it| program.body_of(it));
    let inner = |id| {
        let function = program.function(id);
        let awaited = function.suspensions.iter().filter_map(|it| it.awaited.as_ref());
        awaited.filter_map(|it| match function.producer(it)? {
            Definition::Called(block) => Some(program.machine_made_by(program.called(function, block)?)?.0),
            Definition::Assigned(..) => None,
        })
    };
    walk::reaches(machine, inner, |id| {
        let function = program.function(*id);
        let paths = Paths::of(function);
        function.suspensions.iter().any(|it| {
            it.poll
                .is_some_and(|poll| paths.from(paths.next(poll), &|block| block == it.block).contains(&poll))
        })
    })
}
