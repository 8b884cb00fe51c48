//! The tasks and threads that a program starts: what of, and what becomes of what they give.

use super::adapters::spawned;
use super::end::{At, Disposition};
use super::errors::{Weight, Whose, errors_in};
use super::follow::{Start, follow};
use super::index::Index;
use super::path::Step;
use super::reports::{only_body_in, says_little, speaks_for_itself};
use crate::ty::{Ty, closure_in};

use crate::body::{Function, FunctionId, Slot};
use crate::mir::{BlockId, Call, Local, Operand};
use crate::program::Program;
use crate::program::library::is_task_set;
use rvcheck_primitives::{Action, Is, Waits};

/// The start of a task or thread.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The call.
    pub(crate) at: At,
    /// What it runs, if that is of the workspace.
    pub(crate) body: Option<FunctionId>,
    /// What it gives, as a type.
    pub(crate) gives: Ty,
    /// It is in a set of tasks, which ends it when the set is dropped.
    pub(crate) of_set: bool,
    /// How much is lost with the error that it returns, if it gives a `Result`.
    pub(crate) weight: Option<Weight>,
    /// Nobody has to look at what it gives: it cannot fail, or says its error itself.
    pub(crate) speaks: bool,
    /// What becomes of its panic.
    pub(crate) panic: Disposition,
    /// What becomes of the error that it returns, if it gives a `Result`.
    pub(crate) error: Option<Disposition>,
}

/// The tasks and threads that a program starts.
pub(crate) fn tasks(program: &Program, index: &Index) -> Vec<Task> {
    let mut found = Vec::new();
    for (id, function) in program.functions() {
        let calls = function.calls().filter(|(_, _, callee)| callee.spawns());
        for (block, call, _) in calls {
            found.extend(task(program, index, (id, block), function, call));
        }
    }
    found
}

fn task(program: &Program, index: &Index, at: At, function: &Function, call: &Call) -> Option<Task> {
    let into = function.type_of(&call.into).unwrap_or_default();
    let ty = |it: &Operand| it.place().and_then(|it| function.type_of(it)).unwrap_or_default();
    let set = call.arguments.first().map(ty).unwrap_or_default();
    let of_set = is_task_set(set.bare_name());
    let (place, steps, gives) = if of_set {
        let gives = set.pointee().argument(0)?;
        (call.place(0)?, vec![Step::Element, Step::Ok], gives)
    } else {
        let steps = spawned(function.call(at.1)?.1.name(), into)?;
        let handle = if steps.first() == Some(&Step::Ok) { into.argument(0)? } else { into };
        (&call.into, steps, handle.argument(0)?)
    };
    if program.called(function, at.1).is_some() {
        return None;
    }
    let body = call.arguments.iter().find_map(|it| {
        body_of(program, function, it).or_else(|| wrapped(program, function.type_of(it.place()?)?, gives))
    });
    let disposition_of = |steps: &[Step]| {
        let start = if of_set { Start::Behind(place, steps) } else { Start::In(place, steps) };
        follow(program, index, at, start)
    };
    // Also where it is inside of another one, as behind a limit of time.
    let fails =
        errors_in(gives).into_iter().find(|it| it.steps.iter().all(|it| matches!(it, Step::Ok | Step::Err)));
    let own = fails.as_ref().map(|it| [steps.as_slice(), &it.steps].concat());
    // Its panic is beside what the task gives.
    let panic = match steps.as_slice() {
        [before @ .., Step::Ok] => Some([before, &[Step::Err]].concat()),
        _ => None,
    };
    Some(Task {
        at,
        body,
        of_set,
        weight: fails.map(|it| {
            let is_little =
                it.whose == Whose::Panic || body.is_some_and(|it| says_little(program.function(it)));
            if is_little { Weight::Little } else { it.weight }
        }),
        speaks: body.is_some_and(|it| speaks_for_itself(program, it)),
        panic: panic.map(|it| disposition_of(&it)).unwrap_or_default(),
        error: own.map(|it| disposition_of(&it)),
        gives,
    })
}

/// The body of the closure, state machine or function that an operand is.
pub(crate) fn body_of(program: &Program, function: &Function, operand: &Operand) -> Option<FunctionId> {
    match operand {
        Operand::Constant(text) => {
            closure_in(text).and_then(|it| program.body_of(it)).or_else(|| program.function_named(text))
        }
        Operand::Place(place) => {
            let slot = Slot::at(place);
            program.body_of(function.type_of(place)?).or_else(|| program.machine_in(function, &slot))
        }
    }
}

/// The body of what a wrapper of that type runs, such as that of `instrument`, where it gives what the wrapper does.
fn wrapped(program: &Program, ty: Ty, gives: Ty) -> Option<FunctionId> {
    only_body_in(program, ty).filter(|it| {
        let own = program.function(*it).body.type_of(Local(0));
        own.argument(0) == Some(gives) || own == gives
    })
}

/// Whether a call joins a thread.
pub(crate) fn is_thread_join(function: &Function, block: BlockId) -> bool {
    function.callee(block).row().is_some_and(|it| {
        it.operation.action == Action::Join
            && matches!(it.owner.is, Is::Handle(_))
            && it.operation.waits == Waits::Thread
    })
}
