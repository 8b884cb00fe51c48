//! Who runs a body, and whether two may run it at the same time.

use crate::body::paths::Paths;
use crate::body::provenance::awaited_at;
use crate::body::walk;
use crate::body::{FunctionId, Kind};
use crate::mir::{BlockId, Operand, Place};
use crate::program::Program;
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};

/// Whether two tasks may be in a body at the same time. A function that nothing in the program calls may be called by anybody.
pub(crate) fn may_overlap(program: &Program, id: FunctionId) -> bool {
    let overlaps = walk::search([id], |id| {
        let function = program.function(id);
        if program.is_main(id) {
            return Continue(None);
        }
        if function.kind != Kind::Function {
            let Some((parent, made)) = maker(program, id) else { return Continue(None) };
            // An `async fn` makes its state machine wherever it is called.
            let many = program.function(parent).kind != Kind::Function || !is_machine_of(program, parent, id);
            let again = many && Paths::of(program.function(parent)).repeats(made);
            return if again { Break(()) } else { Continue(Some(parent)) };
        }
        let mut bodies = BTreeSet::new();
        let mut anybody = true;
        for (caller, it) in program.functions() {
            for (block, ..) in it.calls() {
                if program.called(it, block) != Some(id) {
                    continue;
                }
                anybody = false;
                let awaited = awaited_at(it, block);
                let guarded = awaited
                    .and_then(|it| program.holding(caller).at(it))
                    .is_some_and(|it| !it.guards().is_empty());
                if guarded {
                    continue;
                }
                if awaited.is_none() && Paths::of(it).repeats(block) {
                    return Break(());
                }
                bodies.insert(caller);
            }
        }
        if anybody || bodies.len() > 1 { Break(()) } else { Continue(bodies.pop_first()) }
    });
    overlaps.is_some()
}

fn is_machine_of(program: &Program, function: FunctionId, machine: FunctionId) -> bool {
    program.machine_made_by(function).is_some_and(|(it, _)| it == machine)
}

/// The body and block in which a closure or state machine is made, if that is one.
pub(crate) fn maker(program: &Program, id: FunctionId) -> Option<(FunctionId, BlockId)> {
    let mut found = None;
    for (maker, function) in program.functions() {
        for (block, it) in function.blocks() {
            let makes = it
                .assignments()
                .any(|(into, value)| program.body_made(function, into, value).is_some_and(|it| it.0 == id));
            if makes && found.replace((maker, block)).is_some() {
                return None;
            }
        }
    }
    found
}

/// The one body that makes a closure or state machine, where it puts it, and what it is made of.
pub(crate) fn made(program: &Program, id: FunctionId) -> Option<(FunctionId, &Place, &[Operand])> {
    let mut found = program.functions().flat_map(|(maker, function)| {
        let assignments = function.blocks().flat_map(|(_, it)| it.assignments());
        assignments.filter_map(move |(into, value)| {
            let (made, values) = program.body_made(function, into, value)?;
            (made == id).then_some((maker, into, values))
        })
    });
    found.next().filter(|_| found.next().is_none())
}
