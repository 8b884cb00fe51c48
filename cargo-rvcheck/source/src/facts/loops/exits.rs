//! The loops of a body, and by what each of their exits goes.

use crate::body::paths::Paths;
use crate::body::provenance::{decided_by, flag};
use crate::ty::Ty;

use crate::body::{Callee, Definition, Function, Slot};
use crate::mir::{BlockId, Made, Operand, Operator, Rvalue, Statement, Terminator};
use rvcheck_primitives::{Failure, Is};
use std::collections::BTreeSet;

/// A loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// Its blocks.
    pub(crate) blocks: BTreeSet<BlockId>,
    /// Where it is left, other than by a panic or where it is suspended.
    pub(crate) exits: Vec<Exit>,
}

/// Where a loop is left.
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    /// The last block inside.
    pub(crate) from: BlockId,
    /// The first one outside.
    pub(crate) to: BlockId,
    /// By what.
    pub(crate) by: By,
}

/// What an exit goes by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum By {
    /// Something is over that was counted: a collection, an iterator, or up to a number.
    Count,
    /// A receive that does not wait has nothing to give just now.
    Empty,
    /// What the call at the end of a block says, otherwise.
    Said(BlockId),
    /// Something else.
    Other,
}

impl Exit {
    /// Whether the body comes to a suspension or its end there, not only to a panic.
    pub(crate) fn leads_out(&self, function: &Function) -> bool {
        let beyond = Paths::of(function).from(&[self.to], &|_| false);
        let suspends = |it: BlockId| {
            let block = function.body.block(it);
            block.is_some_and(|it| it.statements.iter().any(|it| matches!(it, Statement::State(..))))
        };
        beyond.into_iter().any(|it| function.returns_at(it) || suspends(it))
    }
}

/// The outermost loops of a body in which nothing goes through some blocks. An await goes round only while it is pending, and is none.
pub(crate) fn loops(function: &Function, without: &BTreeSet<BlockId>) -> Vec<Loop> {
    let suspended: BTreeSet<BlockId> = function.suspensions.iter().map(|it| it.block).collect();
    let paths = Paths::of(function);
    let all = paths.loops_without(&|it| without.contains(&it) || suspended.contains(&it));
    let exits = |of: &BTreeSet<BlockId>| {
        let left = paths
            .exits(of)
            .into_iter()
            .filter(|(_, to)| !suspended.contains(to) && !is_nowhere(function, *to));
        left.map(|(from, to)| Exit { from, to, by: by(function, from, to) }).collect()
    };
    all.into_iter().map(|blocks| Loop { exits: exits(&blocks), blocks }).collect()
}

/// What the edge between two blocks goes by.
fn by(function: &Function, from: BlockId, to: BlockId) -> By {
    if is_counted(function, from) {
        return By::Count;
    }
    let said = function.body.block(from).and_then(|it| match &it.terminator {
        Terminator::Switch { on: Operand::Place(on), .. } => flag(function, &Slot::at(on)),
        _ => None,
    });
    match said.or_else(|| decided_by(function, from)) {
        Some(call) if is_empty_now(function, call, from, to) => By::Empty,
        Some(call) => By::Said(call),
        None => By::Other,
    }
}

/// Whether an edge is the one of a receive that does not wait, and has nothing to give.
fn is_empty_now(function: &Function, asked: BlockId, from: BlockId, to: BlockId) -> bool {
    let receives = function.callee(asked).tries_to_receive();
    let Some(block) = function.body.block(from) else { return false };
    let Terminator::Switch { cases, .. } = &block.terminator else { return false };
    // The first case of the error is that there is nothing now; the other one, that there will be nothing any more.
    let of_error = block.assignments().any(|(_, value)| {
        let Rvalue::Discriminant(of) = value else { return false };
        function.type_of(of).is_some_and(|it| it.is_of(|it| it == Is::Error(Failure::Busy)))
    });
    receives && cases.contains(&(0, to)) == of_error
}

/// The loops of a body that nothing counts, and that go through none of some blocks; of a loop that counts, those inside.
pub(crate) fn uncounted_loops(function: &Function, without: &BTreeSet<BlockId>) -> Vec<Loop> {
    let mut found = Vec::new();
    let mut open = vec![without.clone()];
    let mut seen = BTreeSet::new();
    while let Some(without) = open.pop() {
        for loop_ in loops(function, &without) {
            let counts: BTreeSet<BlockId> =
                loop_.exits.iter().filter(|it| it.by == By::Count).map(|it| it.from).collect();
            if counts.is_empty() {
                if seen.insert(loop_.blocks.clone()) {
                    found.push(loop_);
                }
            } else if !counts.is_subset(&without) {
                open.push(&without | &counts);
            }
        }
    }
    found
}

fn is_nowhere(function: &Function, block: BlockId) -> bool {
    function.body.block(block).is_none_or(|it| it.terminator == Terminator::Nowhere)
}

/// How far values are followed.
const FARTHEST: usize = 16;

/// Whether the branch at the end of a block goes by a number, or by what an iterator or a collection gave.
fn is_counted(function: &Function, block: BlockId) -> bool {
    let Some(Terminator::Switch { on: Operand::Place(on), .. }) =
        function.body.block(block).map(|it| &it.terminator)
    else {
        return false;
    };
    if !function.type_of(on).is_some_and(|it| it.is_bool() || it.is("isize")) {
        return true;
    }
    let mut slot = Slot::at(on);
    for _ in 0..FARTHEST {
        slot.steps.truncate(function.root(&slot));
        let Some(definition) = function.definition(&slot) else { return false };
        let from = match definition {
            Definition::Called(block) => {
                return function.call(block).is_none_or(|(call, callee)| {
                    let of = call.place(0);
                    counts(callee, of.and_then(|it| function.type_of(it)).unwrap_or_default())
                });
            }
            Definition::Assigned(..) => match function.assigned(definition) {
                Some(Rvalue::Use(Operand::Place(from)) | Rvalue::Discriminant(from)) => from,
                Some(value @ Rvalue::Made(made, _)) => match value.negated() {
                    Some(from) => from,
                    None => return *made != Made::By(Operator::Not),
                },
                _ => return false,
            },
        };
        slot = Slot::at(from);
    }
    false
}

/// Whether a call compares numbers or times, or takes one of several. What it compares has that type.
fn counts(callee: Callee, ty: Ty) -> bool {
    let orders = callee.of_trait() == Some("PartialOrd");
    let of_number = ty.bare_name().starts_with(['i', 'u', 'f']) && !ty.bare().head().contains("::");
    let compares = callee.of_trait() == Some("PartialEq") && of_number;
    let of_range = callee.name() == "contains";
    orders || compares || of_range || callee.takes_element()
}
