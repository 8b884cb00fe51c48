//! A loop that receives, and receives again at once when there will be nothing any more: once the senders are gone it spins.
//!
//! Nothing is reported where the receiver has a sender of its own, or where something else is awaited or may end the loop in between.

use crate::body::paths::Paths;
use crate::body::provenance::decided_by;
use crate::body::select::{is_disabled_at, selects};
use crate::body::text::{head, last};
use crate::body::{Function, FunctionId, Slot};
use crate::facts::objects::is_receiver;
use crate::mir::{BlockId, Operand, Place, Projection, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::channels::{Channel, ChannelId, Operation, end};
use crate::program::code_ref::call_or_await;
use crate::program::library::receives;
use crate::rules::{Certainty, Hit};
use std::collections::{BTreeMap, BTreeSet};

/// Finds such loops.
pub(super) fn check(
    program: &Program,
    channels: &BTreeMap<ChannelId, Channel>,
    id: FunctionId,
    paths: &Paths,
) -> Vec<Hit> {
    let function = program.function(id);
    let receives = function.calls().filter(|(block, call, callee)| {
        let of = call.arguments.first().and_then(Operand::place).and_then(|it| function.type_of(it));
        receives(callee.name()) && of.is_some_and(is_receiver) && paths.repeats(*block)
    });
    let found = receives.filter_map(|(taken, ..)| {
        let around = paths.loop_around(taken);
        if around.iter().any(|it| is_disabled_at(function, *it)) || has_sender(program, channels, id, taken) {
            return None;
        }
        comes_back(function, paths, taken).then(|| Hit {
            certainty: Certainty::Usually,
            message: "once all senders are gone this gives nothing each time at once, and the loop goes round for ever".to_owned(),
            primary: (call_or_await(program, id, taken), "received again when there will be nothing any more".to_owned()),
            related: Vec::new(),
            advice: "leave the loop where the channel is closed; in `select!`, let the branch match `Some(…)` and have an `else`".to_owned(),
        })
    });
    found.collect()
}

/// Whether the body comes from where there is no message back to the receive, without an await in between and on every path.
fn comes_back(function: &Function, paths: &Paths, taken: BlockId) -> bool {
    let polls: BTreeSet<BlockId> = function.suspensions.iter().filter_map(|it| it.poll).collect();
    without_message(function, paths, taken).into_iter().any(|over| {
        let reached = paths.from(&[over], &|it| it == taken);
        let back = over == taken || reached.iter().any(|it| paths.next(*it).contains(&taken));
        let ends = reached.iter().any(|it| function.returns_at(*it));
        let waits = reached.iter().any(|it| polls.contains(it));
        back && !ends && !waits
    })
}

/// Where the body goes on when the call gave no message, by each branch that goes by that.
fn without_message(function: &Function, paths: &Paths, taken: BlockId) -> Vec<BlockId> {
    let selects = selects(function);
    let selected = selects.iter().find_map(|select| {
        let number = select.branches.iter().position(|it| it.call == Some(taken))?;
        let arm = select.branches[number].arm?;
        Some((format!("_{number}"), paths.from(&[arm], &|it| it == select.made)))
    });
    let blocks = function.blocks().filter(|(_, it)| !it.cleanup);
    let over = blocks.filter_map(|(at, block)| {
        let Terminator::Switch { on: Operand::Place(on), cases, otherwise } = &block.terminator else {
            return None;
        };
        let of = block.statements.iter().find_map(|it| match it {
            Statement::Assign(into, Rvalue::Discriminant(of)) if into == on => Some(of),
            _ => None,
        })?;
        let is_it = match &selected {
            Some((variant, arm)) => arm.contains(&at) && comes_from(function, of, variant),
            None => decided_by(function, at) == Some(taken),
        };
        let is_part = |name: &str| matches!(name, "Some" | "Ok" | "Err" | "Continue" | "Break");
        let inside = of.projections.iter().any(|it| matches!(it, Projection::Variant(name) if is_part(name)));
        let over = match last(&head(function.type_of(of)?)) {
            "Option" => 0,
            "Result" => 1,
            _ => return None,
        };
        let target = cases.iter().find(|(it, _)| *it == over).map(|(_, to)| *to).or(*otherwise);
        let targets: Vec<BlockId> = cases.iter().map(|(_, to)| *to).chain(*otherwise).collect();
        target.filter(|_| is_it && !inside).map(|over| (at, over, targets))
    });
    let over: Vec<(BlockId, BlockId, Vec<BlockId>)> = over.collect();
    // What looks again behind the first look only drops what is left.
    let again = |at: BlockId| {
        over.iter()
            .any(|(other, _, targets)| *other != at && paths.from(targets, &|it| it == taken).contains(&at))
    };
    over.iter().filter(|(at, ..)| !again(*at)).map(|(_, over, _)| *over).collect()
}

/// Whether a place is what a branch of a `select!` gave, which has that name.
fn comes_from(function: &Function, place: &Place, variant: &str) -> bool {
    let has = |it: &Place| {
        it.projections.iter().any(|it| matches!(it, Projection::Variant(name) if name == variant))
    };
    let moved = function.definition(&Slot::at(place)).and_then(|it| function.assigned(it));
    has(place) || matches!(moved, Some(Rvalue::Use(Operand::Place(from))) if has(from))
}

/// Whether the one who receives has a sender, too, as far as is known: then the channel is never closed.
fn has_sender(
    program: &Program,
    channels: &BTreeMap<ChannelId, Channel>,
    id: FunctionId,
    taken: BlockId,
) -> bool {
    let operation = Operation { function: id, block: taken };
    channels.iter().filter(|(_, it)| it.receives.contains(&operation)).any(|(made, channel)| {
        let [senders, receivers] = &channel.owners;
        let function = program.function(made.function);
        let paths = Paths::of(function);
        let sender = end(function, made.block, 0);
        let kept = made.function == id
            && (sender.is_lent
                || !sender.gone.iter().any(|it| paths.leads(*it, taken) && !paths.leads(taken, *it)));
        kept || senders.intersection(receivers).next().is_some()
    })
}
