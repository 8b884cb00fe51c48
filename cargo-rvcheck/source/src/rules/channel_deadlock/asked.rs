//! The only receiver of a channel sends itself a request, and waits for the reply before it receives again.

use super::super::{Certainty, Hit};
use super::made;
use crate::flow::channels::{Channel, ChannelId, end};
use crate::flow::code_ref::{await_ref, call_ref};
use crate::flow::paths::Paths;
use crate::flow::provenance::source;
use crate::flow::{FunctionId, Program};
use crate::mir::BlockId;
use std::collections::BTreeSet;

/// How deep awaits are followed.
const DEEPEST: usize = 3;

/// A request and the wait for its reply, in one body.
struct Request {
    function: FunctionId,
    send: BlockId,
    reply: BlockId,
}

/// Finds such a wait.
pub(super) fn check(program: &Program, id: ChannelId, channel: &Channel) -> Option<Hit> {
    let consumers: BTreeSet<FunctionId> = channel.receives.iter().map(|it| it.function).collect();
    let consumer = *consumers.first().filter(|_| consumers.len() == 1 && !channel.is_shared)?;
    let function = program.function(consumer);
    let paths = Paths::of(function);
    let around: BTreeSet<BlockId> =
        channel.receives.iter().flat_map(|it| paths.loop_around(it.block)).collect();
    let inside = |block: &BlockId| around.contains(block);
    function
        .suspensions
        .iter()
        .filter_map(|it| Some((it.poll.filter(inside)?, it.awaited.as_ref()?)))
        .find_map(|(poll, awaited)| {
            let asked = request(program, channel, program.machine_in(function, awaited)?, DEEPEST)?;
            Some(hit(program, id, consumer, poll, &asked))
        })
}

/// The request that a state machine, or what it awaits, sends over a channel, and the wait for the reply that follows.
fn request(program: &Program, channel: &Channel, machine: FunctionId, depth: usize) -> Option<Request> {
    let function = program.function(machine);
    let paths = Paths::of(function);
    let sends = channel.sends.iter().filter(|it| it.function == machine);
    for send in sends {
        let reply = function.suspensions.iter().find_map(|it| {
            let poll = it.poll.filter(|it| paths.leads(send.block, *it))?;
            let asked = source(function, it.awaited.as_ref()?)?;
            let is_reply = program.callee_path(function, asked).ends_with("oneshot::channel");
            let given = is_reply && end(function, asked, 0).gone.iter().any(|it| paths.leads(*it, poll));
            given.then_some(poll)
        });
        if let Some(reply) = reply {
            return Some(Request { function: machine, send: send.block, reply });
        }
    }
    let mut inner = function.suspensions.iter().filter_map(|it| it.awaited.as_ref());
    let depth = depth.checked_sub(1)?;
    inner.find_map(|it| request(program, channel, program.machine_in(function, it)?, depth))
}

fn hit(program: &Program, id: ChannelId, consumer: FunctionId, poll: BlockId, asked: &Request) -> Hit {
    Hit {
        certainty: Certainty::Usually,
        message: "this waits for the reply to a request that only its own loop could take out of the channel"
            .to_owned(),
        primary: (await_ref(program, consumer, poll), "waits for ever".to_owned()),
        related: vec![
            (call_ref(program, asked.function, asked.send), "the request is sent here".to_owned()),
            (await_ref(program, asked.function, asked.reply), "and its reply awaited".to_owned()),
            made(program, id),
        ],
        advice: "do what the request asks for by itself, or ask from a task of its own".to_owned(),
    }
}
