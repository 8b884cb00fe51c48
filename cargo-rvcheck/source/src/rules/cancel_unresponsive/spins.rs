//! A loop in async code in which nothing suspends goes round until something changes that it asks for, or for ever.

use crate::body::by_name::asks;
use crate::body::paths::Paths;
use crate::body::provenance::{decided_by, flag};
use crate::body::text::head;
use crate::body::{Function, FunctionId, Slot};
use crate::facts::rounds::{Exit, asks_to_stop, loops};
use crate::mir::{BlockId, Operand, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::code_ref::call_ref;
use crate::program::library::{is_path_of, tries_to_receive};
use crate::rules::{Certainty, Hit};
use rvcheck_primitives::{Failure, Is};
use std::collections::BTreeSet;

/// Loops in which nothing suspends, each exit of which goes by what others change.
pub(super) fn check(program: &Program, id: FunctionId) -> Vec<Hit> {
    let function = program.function(id);
    let paths = Paths::of(function);
    let polls: BTreeSet<BlockId> = function.suspensions.iter().filter_map(|it| it.poll).collect();
    let mut hits = Vec::new();
    for round in loops(function, &BTreeSet::new()).iter().filter(|it| it.blocks.is_disjoint(&polls)) {
        let exits: Vec<&Exit> = round.exits.iter().filter(|it| ends_well(function, paths, it.to)).collect();
        let asked = exits.iter().map(|it| {
            let asked = decided(function, it.from).filter(|asked| !is_empty_now(function, *asked, it))?;
            let is_changed_by_others = function
                .call(asked)
                .is_some_and(|(_, callee)| asks(callee.name()) || tries_to_receive(callee.name()))
                || asks_to_stop(program, function, asked);
            (round.blocks.contains(&asked) && is_changed_by_others).then_some(asked)
        });
        let Some(asked) = asked.collect::<Option<Vec<BlockId>>>() else { continue };
        let Some(first) = asked.first() else { continue };
        hits.push(Hit {
            certainty: Certainty::Usually,
            message: "this loop in async code asks again and again and never suspends: its task cannot be cancelled, nor another one run"
                .to_owned(),
            primary: (call_ref(program, id, *first), "asks here".to_owned()),
            related: Vec::new(),
            advice: "wait for the change by a channel or `Notify`, or await something in each round".to_owned(),
        });
    }
    hits
}

/// Whether a loop is left where a receive that does not wait has nothing to give: such a loop takes what there is, and ends.
fn is_empty_now(function: &Function, asked: BlockId, exit: &Exit) -> bool {
    let receives = function.call(asked).is_some_and(|(_, callee)| tries_to_receive(callee.name()));
    let Some(block) = function.body.block(exit.from) else { return true };
    let Terminator::Switch { cases, .. } = &block.terminator else { return true };
    // The first case of the error is that there is nothing now; the other one, that there will be nothing any more.
    let of_error = block.statements.iter().any(|it| match it {
        Statement::Assign(_, Rvalue::Discriminant(of)) => {
            function.type_of(of).is_some_and(|it| is_path_of(&head(it), |it| it == Is::Error(Failure::Busy)))
        }
        _ => false,
    });
    receives && cases.contains(&(0, exit.to)) == of_error
}

/// Whether a body that goes on there comes to a suspension or its end, not only to a panic.
fn ends_well(function: &Function, paths: &Paths, block: BlockId) -> bool {
    paths.from(&[block], &|_| false).iter().any(|it| {
        function.body.block(*it).is_some_and(|it| {
            it.terminator == Terminator::Return
                || it.statements.iter().any(|it| matches!(it, Statement::State(..)))
        })
    })
}

fn decided(function: &Function, block: BlockId) -> Option<BlockId> {
    let Terminator::Switch { on: Operand::Place(on), .. } = &function.body.block(block)?.terminator else {
        return None;
    };
    flag(function, &Slot::at(on)).or_else(|| decided_by(function, block))
}
