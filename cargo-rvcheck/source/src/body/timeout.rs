//! Invocations of `timeout`: where it goes on when the time was over first.

use crate::body::provenance::{decided_by, source};
use crate::body::{Definition, Function, Slot};
use crate::mir::{BlockId, Local, Operand, Place, Rvalue, Statement, Terminator};
use crate::ty::Ty;

/// The calls of `timeout` and `timeout_at` in a body, with what they are given.
pub(crate) fn timeouts(function: &Function) -> impl Iterator<Item = (BlockId, &Place)> {
    let calls = function.calls().filter(|(.., callee)| callee.limits());
    calls.filter_map(|(block, call, _)| Some((block, call.place(1)?)))
}

/// Whether the future that is given to a `timeout` goes on to exist when the time is over.
pub(crate) fn is_kept(function: &Function, future: &Place) -> bool {
    function.type_of(future).is_none_or(|it| it.is_reference() || it.has(|it| it.is_of_reference("Pin")))
}

/// Where it goes on when the time of the `timeout` that the call at the end of a block makes was over, by each branch that asks.
pub(crate) fn over(function: &Function, made: BlockId) -> Vec<BlockId> {
    let blocks = function.blocks().filter(|(_, it)| !it.cleanup);
    let over = blocks.filter_map(|(id, block)| {
        let Terminator::Switch { cases, otherwise, .. } = &block.terminator else { return None };
        let target = |of: i128| cases.iter().find(|(it, _)| *it == of).map(|(_, to)| *to).or(*otherwise);
        if let Some(over) = asked_whether_over(function, &block.terminator, made) {
            return target(i128::from(over));
        }
        let of_result = block
            .assignments()
            .any(|(_, value)| matches!(value, Rvalue::Discriminant(of) if is_outcome(function, of)));
        target(1).filter(|_| of_result && decided_by(function, id) == Some(made))
    });
    over.collect()
}

/// Whether nobody looks at what a `timeout` of the body gives: it goes on, whether the time was over or not.
pub(crate) fn is_ignored(function: &Function, made: BlockId) -> bool {
    let is_it = |it: &Place| is_outcome(function, it) && source(function, &Slot::at(it)) == Some(made);
    let by = |it: &Operand| it.place().is_some_and(is_it);
    let mut is_there = false;
    let looked_at = function.blocks().filter(|(_, it)| !it.cleanup).any(|(_, block)| {
        let stated = block.statements.iter().any(|it| match it {
            Statement::Assign(into, Rvalue::Use(operand)) if is_it(into) => {
                is_there = true;
                into.local == Local(0) || by(operand) && !function.type_of(into).is_some_and(says_elapsed)
            }
            Statement::Assign(_, value) => value.places().any(is_it),
            _ => false,
        });
        stated || matches!(&block.terminator, Terminator::Call(call) if call.arguments.iter().any(by))
    });
    is_there && !looked_at
}

/// What `is_err` or `is_ok` of the `Result` of a timeout says where the time was over, if that is what a branch goes by.
fn asked_whether_over(function: &Function, branch: &Terminator, made: BlockId) -> Option<bool> {
    let Terminator::Switch { on: Operand::Place(on), .. } = branch else { return None };
    let Definition::Called(asked) = function.definition(&Slot::at(on))? else { return None };
    let (call, callee) = function.call(asked)?;
    let over = match callee.name() {
        "is_err" => true,
        "is_ok" => false,
        _ => return None,
    };
    let of = call.place(0)?;
    let outcome = function.type_of(of).is_some_and(says_elapsed);
    (outcome && source(function, &Slot::at(of)) == Some(made)).then_some(over)
}

/// Whether a type has the error of a timeout in it.
fn says_elapsed(ty: Ty) -> bool {
    ty.names("Elapsed")
}

/// Whether a place is a whole `Result` of a timeout, not a part of what the future gave, nor what `poll` gave.
fn is_outcome(function: &Function, of: &Place) -> bool {
    function.type_of(of).is_some_and(|it| says_elapsed(it) && !it.names("Poll") && !it.names("ControlFlow"))
}
