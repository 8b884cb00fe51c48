//! Tasks whose result nobody has to look at: they cannot fail, or have looked at their error themselves.

use super::errors::{Weight, weight};
use crate::body::text::arguments;
use crate::body::{Definition, Function, Kind, Slot};
use crate::mir::{Local, Operand, Place, Rvalue, Statement};
use crate::program::Program;
use rvcheck_primitives::Failure;

/// The places that hold what a state machine or closure returns.
pub(super) fn returned(task: &Function) -> Vec<Slot> {
    let mut found = Vec::new();
    for (_, block) in task.blocks().filter(|(_, it)| !it.cleanup) {
        for statement in &block.statements {
            let Statement::Assign(into, Rvalue::Made(name, operands)) = statement else { continue };
            if into.local.0 == 0 && name.ends_with("::Ready") {
                found.extend(operands.first().and_then(Operand::place).map(Slot::at));
            }
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
pub(crate) fn speaks_for_itself(task: &Function) -> bool {
    cannot_fail(task) || looks_at_its_result(task)
}

/// Whether all that the task returns is made as `Ok`.
fn cannot_fail(task: &Function) -> bool {
    let slots = returned(task);
    let known = |definition: Definition| match task.assigned(definition) {
        Some(Rvalue::Made(name, _)) => name.ends_with("::Ok"),
        Some(Rvalue::Use(Operand::Place(from))) => slots.contains(&Slot::at(from)),
        _ => false,
    };
    let mut definitions = slots.iter().flat_map(|it| task.definitions(it)).peekable();
    definitions.peek().is_some() && definitions.all(|&it| known(it))
}

/// Whether each error that the task returns stands for one that says little: that the other end is gone, or that somebody ended it.
pub(super) fn says_little(program: &Program, task: &Function) -> bool {
    let slots = returned(task);
    let of_closed = |from: &Place| {
        let Some(Definition::Called(made)) = task.producer(&Slot::at(from)) else { return false };
        let failures = program.row(task, made).map_or(&[][..], |it| it.operation.failures);
        let says = |it: &Failure| matches!(it, Failure::Closed | Failure::Cancelled);
        !failures.is_empty() && failures.iter().all(says)
    };
    let of_little = |from: &Place| {
        let error = task.type_of(from).and_then(|it| arguments(it).get(1).copied());
        error.is_some_and(|it| weight(it) != Some(Weight::Much))
    };
    let is_so = |definition: Definition| match definition {
        Definition::Called(block) => task.call(block).is_some_and(|(call, callee)| {
            let from = call.arguments.first().and_then(Operand::place);
            callee.name() == "map_err" && from.is_some_and(|it| of_closed(it) || of_little(it))
        }),
        Definition::Assigned(..) => match task.assigned(definition) {
            Some(Rvalue::Made(name, _)) => name.ends_with("::Ok"),
            Some(Rvalue::Use(Operand::Place(from))) => slots.contains(&Slot::at(from)),
            _ => false,
        },
    };
    let mut definitions = slots.iter().flat_map(|it| task.definitions(it)).peekable();
    definitions.peek().is_some() && definitions.all(|&it| is_so(it))
}

/// Whether the task looks at what it returns, as one that writes its error to a log does.
pub(crate) fn looks_at_its_result(task: &Function) -> bool {
    let mut slots = returned(task);
    let errors =
        slots.iter().flat_map(|it| task.definitions(it)).filter_map(|it| match task.assigned(*it)? {
            Rvalue::Made(name, parts) if name.ends_with("::Err") => parts.first()?.place().map(Slot::at),
            _ => None,
        });
    let errors = errors.collect();
    slots.extend(with_sources(task, errors));
    let is_it = |place: &Place| slots.contains(&Slot::at(place));
    let inspected = slots.iter().flat_map(|it| task.definitions(it)).any(|it| match it {
        Definition::Called(block) => task.call(*block).is_some_and(|(_, it)| it.name() == "inspect_err"),
        Definition::Assigned(..) => false,
    });
    inspected
        || task.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(_, it)| &it.statements).any(|it| match it {
            Statement::Assign(_, Rvalue::Reference(of, _) | Rvalue::Discriminant(of)) => is_it(of),
            _ => false,
        })
}
