//! Where a body goes on when a channel is closed, and what it then returns to its caller.

use crate::body::paths::Paths;
use crate::body::provenance::decided_by;
use crate::body::select::selects;
use crate::body::{Function, Slot};
use crate::mir::{BlockId, Local, Operand, Place, Projection, Rvalue, Terminator};
use crate::program::Program;
use rvcheck_primitives::{Failure, Is};
use std::collections::BTreeSet;

/// Where a body goes on when there was no message and there will be none.
#[derive(Default)]
pub(super) struct Nothing {
    pub(super) blocks: Vec<BlockId>,
}

/// A branch by a variant.
struct Branch<'b> {
    at: BlockId,
    of: &'b Place,
    cases: &'b [(i128, BlockId)],
    otherwise: Option<BlockId>,
}

impl Branch<'_> {
    fn target(&self, variant: i128) -> Option<BlockId> {
        self.cases.iter().find(|(it, _)| *it == variant).map(|(_, to)| *to).or(self.otherwise)
    }
}

/// The branches of a body by variants.
fn branches(function: &Function) -> impl Iterator<Item = Branch<'_>> {
    function.blocks().filter(|(_, it)| !it.cleanup).filter_map(|(at, block)| {
        let Terminator::Switch { cases, otherwise, .. } = &block.terminator else { return None };
        let of = block.discriminated()?;
        Some(Branch { at, of, cases, otherwise: *otherwise })
    })
}

/// Where the body goes on when the call gave no message, by each branch that goes by that.
pub(super) fn without_message(
    function: &Function,
    paths: &Paths,
    taken: BlockId,
    is_limited: bool,
) -> Nothing {
    let selects = selects(function);
    let selected = selects.iter().find_map(|select| {
        let number = select.branches.iter().position(|it| it.call == Some(taken))?;
        let arm = select.branches[number].arm?;
        Some((format!("_{number}"), paths.from(&[arm], &|it| it == select.made)))
    });
    let over = branches(function).filter_map(|branch| {
        let is_it = match &selected {
            Some((variant, arm)) => arm.contains(&branch.at) && comes_from(function, branch.of, variant),
            None => decided_by(function, branch.at) == Some(taken),
        };
        let is_part = |name: &str| matches!(name, "Some" | "Ok" | "Err" | "Continue" | "Break");
        let inside =
            branch.of.projections.iter().any(|it| matches!(it, Projection::Variant(name) if is_part(name)));
        let over = match function.type_of(branch.of)?.name() {
            "Option" => 0,
            "Result" => 1,
            _ => return None,
        };
        let target = branch.target(over);
        let targets: Vec<BlockId> = branch.cases.iter().map(|(_, to)| *to).chain(branch.otherwise).collect();
        target.filter(|_| is_it && !inside).map(|over| (branch.at, over, targets))
    });
    let over: Vec<(BlockId, BlockId, Vec<BlockId>)> = over.collect();
    // What looks again behind the first look only drops what is left.
    let again = |at: BlockId| {
        over.iter()
            .any(|(other, _, targets)| *other != at && paths.from(targets, &|it| it == taken).contains(&at))
    };
    let first = over.iter().filter(|(at, ..)| !again(*at)).map(|(_, over, _)| *over);
    let blocks = first.map(|over| if is_limited { by_error(function, paths, taken, over) } else { over });
    Nothing { blocks: blocks.collect() }
}

/// Behind a branch on that there was no message: where it goes on if that was since the channel is closed, and not since the time was over.
fn by_error(function: &Function, paths: &Paths, taken: BlockId, over: BlockId) -> BlockId {
    let beyond = paths.from(&[over], &|it| it == taken);
    let of_error = |it: &Branch<'_>| {
        let ty = function.type_of(it.of).unwrap_or_default();
        ty.is_of(|it| matches!(it, Is::Error(Failure::Busy | Failure::Time)))
    };
    let mut by_error = branches(function).filter(|it| beyond.contains(&it.at) && of_error(it));
    // The second variant says that the channel is closed.
    by_error.next().and_then(|it| it.target(1)).unwrap_or(over)
}

/// Whether a place is what a branch of a `select!` gave, which has that name.
fn comes_from(function: &Function, place: &Place, variant: &str) -> bool {
    let has = |it: &Place| it.is_of_variant(variant);
    let moved = function.definition(&Slot::at(place)).and_then(|it| function.assigned(it));
    has(place) || matches!(moved, Some(Rvalue::Use(Operand::Place(from))) if has(from))
}

/// The variants that a function may give when there was nothing, if each is made there and may not come with a message, too.
pub(super) fn gives(
    program: &Program,
    function: &Function,
    taken: BlockId,
    nothing: &Nothing,
) -> Option<BTreeSet<i128>> {
    let paths = Paths::of(function);
    let beyond = paths.from(&nothing.blocks, &|it| it == taken);
    if nothing.blocks.is_empty() || beyond.contains(&taken) {
        return None;
    }
    let ty = function.body.type_of(Local(0)).name();
    let number = |name: &str| -> Option<i128> {
        let place = match (ty, name) {
            ("Option", "None") | ("Result", "Ok") => 0,
            ("Option", "Some") | ("Result", "Err") => 1,
            _ => program.variants(ty)?.iter().position(|it| it == name)?,
        };
        i128::try_from(place).ok()
    };
    let mut found = BTreeSet::new();
    for block in beyond.iter().filter_map(|it| function.body.block(*it)).filter(|it| !it.cleanup) {
        for (into, value) in block.assignments() {
            if into.local != Local(0) {
                continue;
            }
            found.insert(number(value.constructed()?.0.name())?);
        }
        if let Terminator::Call(call) = &block.terminator
            && call.into.local == Local(0)
        {
            return None;
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Where a body goes on when a call gave one of these variants.
pub(super) fn by_variants(function: &Function, call: BlockId, given: &BTreeSet<i128>) -> Nothing {
    let of_call = branches(function).filter(|it| {
        let inside = it.of.projections.iter().any(|it| matches!(it, Projection::Variant(_)));
        decided_by(function, it.at) == Some(call) && !inside
    });
    Nothing {
        blocks: of_call
            .flat_map(|it| given.iter().filter_map(move |to| it.target(*to)).collect::<Vec<_>>())
            .collect(),
    }
}
