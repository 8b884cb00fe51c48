//! A bounded channel is filled in a loop while the body that makes it still has the receiver: once it is full nobody makes room.

use super::super::{Certainty, Hit};
use super::{made, mark};
use crate::body::Function;
use crate::body::paths::Paths;
use crate::mir::{BlockId, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::channels::{Channel, ChannelId, end};
use crate::program::rounds::runs;
use std::collections::BTreeSet;

/// Finds such a loop.
pub(super) fn check(program: &Program, id: ChannelId, channel: &Channel) -> Option<Hit> {
    let capacity = channel.capacity?;
    let function = program.function(id.function);
    let paths = Paths::of(function);
    let receiver = end(function, id.block, 1);
    let receives_here = channel.receives.iter().any(|it| it.function == id.function);
    if receiver.is_lent || receives_here || !receiver.gone.iter().any(|it| gives(function, *it)) {
        return None;
    }
    let sends = || channel.sends.iter().filter(|it| it.function == id.function);
    let sent = runs(program, function, sends().map(|it| it.block), &BTreeSet::new());
    if sent.is_some_and(|it| it <= capacity) {
        return None;
    }
    let send = sends().find(|it| {
        let around = paths.loop_around(it.block);
        // The receiver is given away on every path, and only behind the loop.
        let later = receiver.gone.iter().all(|gone| !paths.leads(*gone, it.block) && *gone != it.block);
        !around.is_empty() && !around.contains(&id.block) && later
    })?;
    Some(Hit {
        certainty: Certainty::Usually,
        message: format!(
            "nobody receives from this channel yet: once {capacity} message{} in it, this waits for ever",
            if capacity == 1 { " is" } else { "s are" }
        ),
        primary: (mark(program, *send), "waits for room that nobody makes".to_owned()),
        related: vec![made(program, id)],
        advice: "start whoever receives before the loop, or make room for as many as are sent".to_owned(),
    })
}

/// Whether a block gives something to a call, or to a closure or state machine that it makes.
fn gives(function: &Function, block: BlockId) -> bool {
    let Some(block) = function.body.block(block) else { return false };
    let calls = matches!(&block.terminator, Terminator::Call(call) if !call.arguments.is_empty());
    let makes = block
        .statements
        .iter()
        .any(|it| matches!(it, Statement::Assign(_, Rvalue::Made(name, _)) if name.starts_with('{')));
    calls || makes
}
