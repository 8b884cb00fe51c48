//! Channels that somebody closes by a call: they do not wait for the end of their last sender.

use crate::body::FunctionId;
use crate::facts::Facts;
use crate::facts::objects::{CallSite, Thing};
use crate::mir::BlockId;
use std::collections::BTreeSet;

/// Whether a channel is closed by a call, other than one behind the wait: in these blocks of a body.
pub(crate) fn is_closed_by_call(
    facts: &Facts<'_>,
    channel: CallSite,
    (waiter, behind): (FunctionId, &BTreeSet<BlockId>),
) -> bool {
    let (program, objects) = (facts.program, facts.objects());
    program.functions().any(|(id, function)| {
        function.calls().any(|(block, call, callee)| {
            callee.closes()
                && !(id == waiter && behind.contains(&block))
                && program.called(function, block).is_none()
                && call.place(0).is_some_and(|on| {
                    let things = objects.at(program, id, on);
                    things.contains(&Thing::Sender(channel)) || things.contains(&Thing::Receiver(channel))
                })
        })
    })
}
