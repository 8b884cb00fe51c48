//! Branches that go by whether a call gave a message.

use crate::body::provenance::decided_by;
use crate::body::{Function, Slot};
use crate::mir::{BlockId, Operand, Place, Rvalue, Statement, Terminator};

/// Where the branch at the end of a block goes on, if it goes by whether the call gave a message.
pub(crate) fn outcome(function: &Function, block: BlockId, call: BlockId, message: bool) -> Option<BlockId> {
    let Some(Terminator::Switch { cases, otherwise, .. }) =
        function.body.block(block).map(|it| &it.terminator)
    else {
        return None;
    };
    if decided_by(function, block) != Some(call) || !goes_by_outcome(function, block) {
        return None;
    }
    let of = function.body.block(block)?.looked_at().next()?;
    let wanted = match (function.type_of(of)?.name(), message) {
        ("Option", true) | ("Result" | "ControlFlow", false) => 1,
        _ => 0,
    };
    cases.iter().find(|(it, _)| *it == wanted).map(|(_, to)| *to).or(*otherwise)
}

/// Whether a branch goes by whether there was a message, and not by what was in it.
pub(crate) fn goes_by_outcome(function: &Function, branch: BlockId) -> bool {
    let is_message = |it: &Place| ["Some", "Ok", "Continue"].iter().any(|name| it.is_of_variant(name));
    let Some(block) = function.body.block(branch) else { return false };
    block.statements.iter().any(|it| {
        let Statement::Assign(_, Rvalue::Discriminant(of)) = it else { return false };
        let from = function.definition(&Slot::at(of)).and_then(|it| function.assigned(it));
        let taken_out = matches!(from, Some(Rvalue::Use(Operand::Place(from))) if is_message(from));
        let ty = function.type_of(of).map(|it| it.name().to_owned()).unwrap_or_default();
        matches!(ty.as_str(), "Option" | "Result" | "ControlFlow") && !is_message(of) && !taken_out
    })
}
