//! A static initialised with the handle of whichever runtime is current when it is first used: once that runtime is gone, what is spawned
//! through the handle never runs.

use super::{Certainty, Hit, is_program};
use crate::body::{Callee, FunctionId};
use crate::mir::{Local, Operand};
use crate::program::Program;
use crate::program::code_ref::{CodeRef, call_ref};
use crate::program::statics::{fillings, initialisers};
use rvcheck_primitives::{Is, owners_of};

/// Finds such statics.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (id, block, call) in fillings(program) {
        let by_name = |it: &Operand| matches!(it, Operand::Constant(text) if is_current(Callee::read(text.trim_end_matches('>'))));
        if call.arguments.iter().any(by_name) {
            hits.push(hit(program, call_ref(program, id, block), None));
        }
    }
    for id in initialisers(program) {
        let function = program.function(id);
        let current = function.calls().find(|(.., callee)| is_current(*callee));
        let given = program.head(function.body.type_of(Local(0)));
        if let Some((block, ..)) = current.filter(|_| is_handle(given)) {
            hits.push(hit(program, call_ref(program, id, block), Some(id)));
        }
    }
    hits
}

/// Whether a type is the handle of a runtime, and no runtime.
pub(super) fn is_handle(path: &str) -> bool {
    owners_of(path).iter().any(|it| it.is == Is::Runtime && it.operation("current").is_some())
}

fn is_current(callee: Callee) -> bool {
    callee.likely_row().is_some_and(|it| it.owner.is == Is::Runtime && it.operation.name == "current")
}

fn hit(program: &Program, mark: CodeRef, filled: Option<FunctionId>) -> Hit {
    let filled =
        filled.map(|it| (CodeRef::of_body(program, it), "the static is initialised here".to_owned()));
    Hit {
        certainty: if is_program(program) { Certainty::Doubt } else { Certainty::Usually },
        message: "this static keeps the handle of whichever runtime uses it first: once that runtime is \
                  shut down, tasks spawned through the \
                  handle never run"
            .to_owned(),
        primary: (mark, "captures the current runtime here".to_owned()),
        related: filled.into_iter().collect(),
        advice:
            "call `Handle::current()` where the handle is used, or keep a dedicated runtime in the static"
                .to_owned(),
    }
}
