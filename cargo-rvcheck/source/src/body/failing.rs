//! Branches by whether something failed.

use super::Function;
use crate::mir::{BlockId, Operand, Place, Terminator};

/// A branch on a `Result`, or by a `?`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failing<'f> {
    /// By what.
    pub(crate) on: &'f Place,
    /// Where it goes on if that is no error.
    pub(crate) well: BlockId,
    /// Where it goes on if it is one.
    pub(crate) failed: BlockId,
}

/// The branch at the end of a block, if it goes by whether something failed.
pub(crate) fn failing(function: &Function, at: BlockId) -> Option<Failing<'_>> {
    let block = function.body.block(at).filter(|it| !it.cleanup)?;
    let Terminator::Switch { on: Operand::Place(on), cases, otherwise } = &block.terminator else {
        return None;
    };
    let of = block.discriminated()?;
    if !matches!(function.type_of(of)?.name(), "Result" | "ControlFlow") {
        return None;
    }
    let to = |number: i128| cases.iter().find(|(it, _)| *it == number).map(|(_, to)| *to).or(*otherwise);
    Some(Failing { on, well: to(0)?, failed: to(1)? })
}
