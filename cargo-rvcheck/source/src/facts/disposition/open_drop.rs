//! Open drops: where a part of a value may have been moved out, the compiler asks for its variants again, to drop what is left.
//!
//! From edition 2024 on the value that an `if let` looks at is dropped before the `else`, so most of them have one. Nobody's code asks there.

use crate::body::{Function, walk};
use crate::mir::{BlockId, Operand, Place, Rvalue, Statement, Terminator};
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};

/// The block to which an open drop leads that begins at the end of this one, if it does: on every way there, nothing but parts of the value are
/// dropped whose variant is asked for.
pub(crate) fn open_drop(function: &Function, at: BlockId) -> Option<BlockId> {
    let block = function.body.block(at)?;
    let of = block.looked_at().next_back()?;
    let Terminator::Switch { cases, otherwise, .. } = &block.terminator else { return None };
    let begins = cases.iter().map(|it| it.1).chain(*otherwise);
    let mut drops = false;
    let mut ends = BTreeSet::new();
    let differ = walk::search(begins, |block| {
        let Some((next, is_drop)) = step(function, block, of) else {
            ends.insert(block);
            return if ends.len() > 1 { Break(()) } else { Continue(Vec::new()) };
        };
        drops |= is_drop;
        Continue(next)
    });
    ends.pop_first().filter(|_| drops && differ.is_none())
}

/// Where a block goes on that belongs to an open drop of this value, and whether it drops a part of that.
fn step(function: &Function, at: BlockId, of: &Place) -> Option<(Vec<BlockId>, bool)> {
    let block = function.body.block(at)?;
    let is_part = |it: &Place| it.local == of.local && it.projections.starts_with(&of.projections);
    let is_made = |it: &Place| it.projections.is_empty() && function.body.variable_at(it).is_none();
    let is_of_open_drop = |it: &Statement| match it {
        Statement::Nothing => true,
        Statement::Assign(into, Rvalue::Discriminant(it)) => is_made(into) && is_part(it),
        // A flag of the compiler's.
        Statement::Assign(into, Rvalue::Use(Operand::Constant(_))) => {
            is_made(into) && function.body.type_of(into.local).is_bool()
        }
        _ => false,
    };
    if !block.statements.iter().all(is_of_open_drop) {
        return None;
    }
    match &block.terminator {
        Terminator::Goto(next) => Some((vec![*next], false)),
        Terminator::Drop { place, target, .. } if is_part(place) => {
            Some((target.iter().copied().collect(), true))
        }
        Terminator::Switch { on: Operand::Place(on), cases, otherwise } if is_made(on) => {
            Some((cases.iter().map(|it| it.1).chain(*otherwise).collect(), false))
        }
        Terminator::Nowhere => Some((Vec::new(), false)),
        _ => None,
    }
}
