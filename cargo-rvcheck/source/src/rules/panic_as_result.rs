//! `panic-as-result`: the panic of a task is recognised, but ignored.
//!
//! `JoinError::is_panic`, or what is left when `is_cancelled` is false, has no effect: execution continues as after success. If the error
//! is used for anything else, as by a log, nothing is reported, nor if only the panic leads to another try.
//!
//! A panic also becomes an ordinary value if a task or closure that panics for some input is joined or caught, and the code after that
//! ignores the panic: another value takes its place, or an arm ignores it. From the source alone that is a note.
//!
//! Or what a caught panic leaves behind is [not unwind safe](unwind_unsafe).

mod as_value;
mod unwind_unsafe;

use super::{Certainty, Hit, Rule, ShownBy};
use crate::body::paths::Paths;
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::facts::disposition::idle::{self, joins};
use crate::mir::{BlockId, Operand, Place, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::code_ref::call_ref;
use crate::program::library::mentions;
use crate::ty::Ty;
use rvcheck_primitives::{Failure, Is};
use std::collections::BTreeSet;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "panic-as-result",
    property: "panic-as-result",
    doc: "A panic is treated as an ordinary outcome.",
    shown_by: ShownBy::Run("a task panics whose result is taken there, and the program goes on"),
    check,
};

/// Finds such panics.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let mut hits = Vec::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind != Kind::Constant) {
        for (block, _, callee) in function.calls() {
            let panics = match callee.name() {
                "is_panic" => true,
                "is_cancelled" => false,
                _ => continue,
            };
            if function.callee(block).is_of(is_failure) {
                hits.extend(passed_over(program, id, block, panics));
            }
        }
    }
    hits.extend(as_value::check(facts));
    hits.extend(unwind_unsafe::check(facts));
    hits
}

/// Whether it is the error that says why a task could not be joined.
fn is_failure(it: Is) -> bool {
    it == Is::Error(Failure::Panicked)
}

/// The panic that the call at the end of a block asks for, if nothing is done about it. `panics` is what the call says of one.
fn passed_over(program: &Program, id: FunctionId, asks: BlockId, panics: bool) -> Option<Hit> {
    let function = program.function(id);
    let paths = Paths::of(function);
    let (decides, if_true, if_false) = decision(function, asks)?;
    let panicked = if panics { if_true } else { if_false };
    let branch = success(function, paths, asks)?;
    let avoid = |it: BlockId| it == branch.block;
    let before = &paths.from(&[branch.failed], &avoid) & &paths.to(&[asks], &avoid);
    let after = paths.from(&[panicked], &avoid);
    let by_panic = idle::Branch { made: branch.block, at: decides };
    if is_used(function, &(&before | &after)) || !joins(function, paths, by_panic, panicked, branch.fine) {
        return None;
    }
    Some(Hit {
        certainty: Certainty::Usually,
        message: "the panic of this task is detected and ignored: the program goes on as if the task had succeeded".to_owned(),
        primary: (call_ref(program, id, asks), "the panic is detected here".to_owned()),
        related: Vec::new(),
        advice: "resume the panic with `std::panic::resume_unwind(error.into_panic())`, or report it; return an error from the task if the \
                 failure is expected"
            .to_owned(),
    })
}

/// The block that branches on what a call gave, and where it leads if that is true and if it is false.
fn decision(function: &Function, asks: BlockId) -> Option<(BlockId, BlockId, BlockId)> {
    let (call, _) = function.call(asks)?;
    let mut flag = Slot::at(&call.into);
    let mut is_negated = false;
    let mut at = call.target?;
    for _ in 0..8 {
        let block = function.body.block(at)?;
        for statement in &block.statements {
            match statement {
                Statement::Assign(into, Rvalue::Use(Operand::Place(from))) if Slot::at(from) == flag => {
                    flag = Slot::at(into);
                }
                Statement::Assign(into, value) if value.negated().map(Slot::at).as_ref() == Some(&flag) => {
                    flag = Slot::at(into);
                    is_negated = !is_negated;
                }
                _ => {}
            }
        }
        match &block.terminator {
            Terminator::Goto(to) => at = *to,
            Terminator::Switch { on: Operand::Place(on), cases, otherwise } if Slot::at(on) == flag => {
                let if_false = cases.iter().find(|(it, _)| *it == 0).map(|(_, to)| *to)?;
                let if_true = (*otherwise)?;
                return Some(if is_negated { (at, if_false, if_true) } else { (at, if_true, if_false) });
            }
            _ => return None,
        }
    }
    None
}

/// A branch that goes by whether a task could be joined.
struct Branch {
    block: BlockId,
    fine: BlockId,
    failed: BlockId,
}

/// The branch behind whose failure a block lies, if that is one.
fn success(function: &Function, paths: &Paths, asks: BlockId) -> Option<Branch> {
    let mut found = None;
    for (id, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
        let Terminator::Switch { cases, otherwise, .. } = &block.terminator else { continue };
        let is_join = |it: &Place| function.type_of(it).is_some_and(is_joined);
        let of_join =
            block.assignments().any(|(_, it)| matches!(it, Rvalue::Discriminant(of) if is_join(of)));
        let target = |of: i128| cases.iter().find(|(it, _)| *it == of).map(|(_, to)| *to).or(*otherwise);
        let (Some(fine), Some(failed)) = (target(0), target(1)) else { continue };
        let leads = || paths.from(&[failed], &|it| it == id).contains(&asks);
        // Of two it is not known which is meant.
        if of_join && fine != failed && leads() && found.replace(Branch { block: id, fine, failed }).is_some()
        {
            return None;
        }
    }
    found
}

/// Whether this is what joining a task gives.
fn is_joined(ty: Ty) -> bool {
    ty.is_result() && ty.argument(1).is_some_and(|it| it.is_of(is_failure))
}

/// Whether the error of joining a task is given to anything in these blocks but the questions whether it was a panic or an abort.
fn is_used(function: &Function, blocks: &BTreeSet<BlockId>) -> bool {
    let is_error = |it: &Place| function.type_of(it).is_some_and(|it| mentions(it, is_failure));
    let given = function.calls().filter(|(block, ..)| blocks.contains(block)).any(|(_, call, callee)| {
        !matches!(callee.name(), "is_panic" | "is_cancelled" | "drop") && call.places().any(is_error)
    });
    let statements = blocks.iter().filter_map(|it| function.body.block(*it)).flat_map(|it| &it.statements);
    let mut parts = statements.filter_map(|it| match it {
        Statement::Assign(_, Rvalue::Made(_, parts)) => Some(parts),
        _ => None,
    });
    given || parts.any(|it| it.iter().filter_map(Operand::place).any(is_error))
}
