//! Tasks whose result nobody has to look at: they cannot fail, or have looked at their error themselves.

use super::errors::{Weight, weight};
use crate::ty::Ty;

use crate::body::{Definition, Function, FunctionId, Kind, Slot, walk};
use crate::mir::{BlockId, Local, Operand, Place, Rvalue, Statement};
use crate::program::Program;
use rvcheck_primitives::Failure;

/// The places that hold what a state machine or closure returns.
pub(super) fn returned(task: &Function) -> Vec<Slot> {
    let mut found = Vec::new();
    for (_, block) in task.blocks().filter(|(_, it)| !it.cleanup) {
        for (into, value) in block.assignments() {
            let ready = value.variant("Ready").filter(|_| into.local.0 == 0);
            found.extend(ready.and_then(|it| it.first()?.place()).map(Slot::at));
        }
    }
    if task.kind == Kind::Closure {
        found.push(Slot::of(Local(0)));
    }
    with_sources(task, found)
}

/// The places, and those from which what they hold is moved there.
fn with_sources(task: &Function, mut found: Vec<Slot>) -> Vec<Slot> {
    let mut at = 0;
    while at < found.len() && at < 64 {
        let slot = found[at].clone();
        for &definition in task.definitions(&slot) {
            if let Some(Rvalue::Use(Operand::Place(from))) = task.assigned(definition) {
                let from = Slot::at(from);
                if from.steps.len() == task.root(&from) && !found.contains(&from) {
                    found.push(from);
                }
            }
        }
        at += 1;
    }
    found
}

/// Whether nobody has to look at what the task returns.
pub(crate) fn speaks_for_itself(program: &Program, id: FunctionId) -> bool {
    cannot_fail(program.function(id)) || looks_at_its_result(program, id)
}

/// Whether all that the task returns is made as `Ok`.
fn cannot_fail(task: &Function) -> bool {
    let slots = returned(task);
    let known = |definition: Definition| match task.assigned(definition) {
        Some(Rvalue::Use(Operand::Place(from))) => slots.contains(&Slot::at(from)),
        value => value.is_some_and(|it| it.variant("Ok").is_some()),
    };
    let mut definitions = slots.iter().flat_map(|it| task.definitions(it)).peekable();
    definitions.peek().is_some() && definitions.all(|&it| known(it))
}

/// Whether each error that the task returns stands for one that says little: that the other end is gone, or that somebody ended it.
pub(super) fn says_little(task: &Function) -> bool {
    let slots = returned(task);
    let of_closed = |from: &Place| {
        let Some(Definition::Called(made)) = task.producer(&Slot::at(from)) else { return false };
        let failures = task.callee(made).row().map_or(&[][..], |it| it.operation.failures);
        let says = |it: &Failure| matches!(it, Failure::Closed | Failure::Cancelled);
        !failures.is_empty() && failures.iter().all(says)
    };
    let of_little = |from: &Place| {
        let error = task.type_of(from).and_then(|it| it.argument(1));
        error.is_some_and(|it| weight(it) != Some(Weight::Much))
    };
    let is_so = |definition: Definition| match definition {
        Definition::Called(block) => task.call(block).is_some_and(|(call, callee)| {
            let from = call.place(0);
            callee.name() == "map_err" && from.is_some_and(|it| of_closed(it) || of_little(it))
        }),
        Definition::Assigned(..) => match task.assigned(definition) {
            Some(Rvalue::Use(Operand::Place(from))) => slots.contains(&Slot::at(from)),
            value => value.is_some_and(|it| it.variant("Ok").is_some()),
        },
    };
    let mut definitions = slots.iter().flat_map(|it| task.definitions(it)).peekable();
    definitions.peek().is_some() && definitions.all(|&it| is_so(it))
}

/// Whether a task looks at what it returns, as one that writes its error to a log does; or what it awaits, and whose result it returns as
/// it is, refers to the error alone before it gives it back.
pub(crate) fn looks_at_its_result(program: &Program, id: FunctionId) -> bool {
    let refers = |it: &FunctionId| refers_to(program.function(*it), &errors_of(program.function(*it)), false);
    let task = program.function(id);
    let slots: Vec<Slot> = returned(task).into_iter().chain(errors_of(task)).collect();
    let inspected = slots.iter().flat_map(|it| task.definitions(it)).any(|it| match it {
        Definition::Called(block) => task.callee(*block).name() == "inspect_err",
        Definition::Assigned(..) => false,
    });
    let given_on = passed_on(program, id);
    inspected || refers_to(task, &slots, true) || walk::reaches(given_on, |it| passed_on(program, it), refers)
}

/// The places that hold the errors which a body makes what it returns of.
fn errors_of(task: &Function) -> Vec<Slot> {
    let slots = returned(task);
    let errors = slots
        .iter()
        .flat_map(|it| task.definitions(it))
        .filter_map(|it| task.assigned(*it)?.variant("Err")?.first()?.place().map(Slot::at));
    with_sources(task, errors.collect())
}

/// Whether a body refers to one of these places; `asks` is whether it is enough to ask which variant it is.
fn refers_to(task: &Function, slots: &[Slot], asks: bool) -> bool {
    let is_it = |place: &Place| slots.contains(&Slot::at(place));
    task.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(_, it)| &it.statements).any(|it| match it {
        Statement::Assign(_, Rvalue::Reference(of, _)) => is_it(of),
        Statement::Assign(_, Rvalue::Discriminant(of)) => asks && is_it(of),
        _ => false,
    })
}

/// The state machines that a body awaits, and whose result it returns as it is.
fn passed_on(program: &Program, id: FunctionId) -> Vec<FunctionId> {
    let task = program.function(id);
    let polled_at = |it: &Definition| {
        let Some(Rvalue::Use(Operand::Place(from))) = task.assigned(*it) else { return None };
        match task.definition(&task.whole(&Slot::at(from)))? {
            Definition::Called(block) => Some(block),
            Definition::Assigned(..) => None,
        }
    };
    let slots = returned(task);
    let polls: Vec<BlockId> =
        slots.iter().flat_map(|it| task.definitions(it)).filter_map(polled_at).collect();
    let awaited = task.suspensions.iter().filter(|it| it.poll.is_some_and(|it| polls.contains(&it)));
    let machine = |it: &Slot| {
        program.machine_in(task, it).or_else(|| only_body_in(program, task.body.type_of(it.local)))
    };
    awaited.filter_map(|it| machine(it.awaited.as_ref()?)).collect()
}

/// The only state machine or closure that a value of that type has in it, such as what a wrapper of a library runs.
pub(crate) fn only_body_in(program: &Program, ty: Ty) -> Option<FunctionId> {
    let types = walk::reached(ty.arguments().iter().copied(), |it| it.arguments().iter().copied());
    let mut bodies = types.iter().filter_map(|it| program.body_of(*it));
    bodies.next().filter(|_| bodies.next().is_none())
}
