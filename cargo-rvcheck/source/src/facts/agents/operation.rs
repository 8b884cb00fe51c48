//! What a call does with channels, tasks and flags.

use crate::body::Function;
use crate::body::paths::Paths;
use crate::body::provenance::{awaited_at, source};
use crate::facts::objects::{CallSite, Objects, Thing, is_receiver, is_sender};
use crate::mir::{BlockId, Place};
use crate::program::Program;
use crate::program::library::{mentions, mentions_handle};
use crate::ty::Ty;
use rvcheck_primitives::{Action, Is};

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Op {
    /// A message goes into a channel.
    Send,
    /// A message is taken out of one.
    Receive,
    /// Messages are taken until there are no senders any more.
    Drain,
    /// The end of a task or thread is waited for.
    Join,
}

/// How the call waits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum WaitLimit {
    /// Not at all, or for a while, or for something else as well.
    Limited,
    /// Until it is done.
    Unlimited,
}

/// What the call at the end of a block does to the thing at a place.
#[derive(Clone, Debug)]
pub(crate) struct Operation<'a> {
    /// What is done.
    pub(crate) op: Op,
    /// How it waits.
    pub(crate) wait_limit: WaitLimit,
    /// The end of the channel, or the handle.
    pub(crate) on: &'a Place,
    /// The block where it waits: that of the call itself, or the one that polls what it gave.
    pub(crate) waits_at: BlockId,
}

/// What the call at the end of a block does, if that is of another crate and does something.
pub(crate) fn operation<'a>(
    program: &Program,
    function: &'a Function,
    block: BlockId,
) -> Option<Operation<'a>> {
    let (call, callee) = function.call(block)?;
    if callee.hands_on() || program.called(function, block).is_some() {
        return None;
    }
    if let Some(it) = selected(function, block) {
        return Some(it);
    }
    let on = call.place(0)?;
    let ty = function.type_of(on)?;
    let name = callee.name();
    if callee.is_poll() {
        return polled(function, block);
    }
    let found = |op, wait_limit, waits_at| Some(Operation { op, wait_limit, on, waits_at });
    if is_receiver(ty) {
        if callee.drains() && !ty.words().any(|it| it.contains("Receiver")) {
            return found(Op::Drain, WaitLimit::Unlimited, block);
        }
        if callee.tries_to_receive() {
            return found(Op::Receive, WaitLimit::Limited, block);
        }
        if callee.receives() || name == "next" {
            let into = function.type_of(&call.into).unwrap_or_default();
            if is_done(into) {
                return found(Op::Receive, WaitLimit::Unlimited, block);
            }
            return match awaited_at(function, block) {
                Some(poll) => found(Op::Receive, WaitLimit::Unlimited, poll),
                None => found(Op::Receive, WaitLimit::Limited, block),
            };
        }
        return None;
    }
    if callee.drains() && of_messages(ty) {
        return found(Op::Drain, WaitLimit::Unlimited, block);
    }
    if is_sender(ty) && (callee.sends() || name == "feed") {
        let into = function.type_of(&call.into).unwrap_or_default();
        if is_done(into) {
            return found(Op::Send, WaitLimit::Unlimited, block);
        }
        return match awaited_at(function, block) {
            Some(poll) => found(Op::Send, WaitLimit::Unlimited, poll),
            None => found(Op::Send, WaitLimit::Limited, block),
        };
    }
    if is_sender(ty) && callee.tries_to_send() {
        return found(Op::Send, WaitLimit::Limited, block);
    }
    if mentions(ty, |it| matches!(it, Is::Tasks(_))) {
        let of_all = match name {
            "join_all" | "wait" => true,
            "join_next" => Paths::of(function).repeats(block),
            _ => return None,
        };
        let wait_limit = if of_all { WaitLimit::Unlimited } else { WaitLimit::Limited };
        return found(Op::Join, wait_limit, awaited_at(function, block)?);
    }
    let joins = name == "join" && call.arguments.len() == 1 && mentions_handle(ty);
    if joins {
        return found(Op::Join, WaitLimit::Unlimited, block);
    }
    None
}

/// What is done by an operation that a `Select` has found to be ready: on the channel that it is given, and without a wait.
fn selected(function: &Function, block: BlockId) -> Option<Operation<'_>> {
    let (call, _) = function.call(block)?;
    let row = function.callee(block).row().filter(|it| it.owner.is == Is::Place)?;
    let on = call.place(1)?;
    let ty = function.type_of(on)?;
    let op = match (row.operation.action, call.arguments.len()) {
        (Action::Receive, 2) if is_receiver(ty) => Op::Receive,
        (Action::Send, 3) if is_sender(ty) => Op::Send,
        _ => return None,
    };
    Some(Operation { op, wait_limit: WaitLimit::Limited, on, waits_at: block })
}

/// What a poll waits for itself: an answer, or the end of a task.
fn polled(function: &Function, block: BlockId) -> Option<Operation<'_>> {
    let slot = function.polled(block)?;
    let (call, callee) = function.call(block)?;
    let on = call.place(0)?;
    let ty = callee.self_type()?;
    let is_suspension =
        function.suspensions.iter().any(|it| it.poll == Some(block) && it.awaited.as_ref() == Some(&slot));
    let made = source(function, &slot).and_then(|it| function.call(it));
    let is_limited = made.is_some_and(|(_, it)| it.limits());
    let wait_limit = if is_suspension && !is_limited { WaitLimit::Unlimited } else { WaitLimit::Limited };
    let bare = ty.pointee();
    if mentions_handle(bare) && !mentions(bare, |it| it == Is::Timer) {
        return Some(Operation { op: Op::Join, wait_limit, on, waits_at: block });
    }
    let answers = mentions(bare, |it| matches!(it, Is::End(end) if end.is_once && !end.sends))
        && !mentions(bare, |it| it == Is::Timer);
    answers.then_some(Operation { op: Op::Receive, wait_limit, on, waits_at: block })
}

/// Whether what a call gave is there, and not only a future of it.
fn is_done(ty: Ty) -> bool {
    matches!(ty.name(), "Result" | "Option" | "()" | "usize" | "bool")
}

/// Whether an iterator is over messages of a channel, behind adapters.
fn of_messages(ty: Ty) -> bool {
    let is_lazy = ty.has(|it| matches!(it.name(), "Map" | "Filter" | "FilterMap" | "Enumerate"));
    is_lazy && !ty.names("Take") && mentions(ty, |it| it == Is::Messages)
}

/// The channel, task or flag that a set of things is, if it is one for sure.
pub(crate) fn only<'a>(things: impl IntoIterator<Item = &'a Thing>) -> Option<CallSite> {
    let mut it = things.into_iter();
    let first = match it.next()? {
        Thing::Sender(site)
        | Thing::Receiver(site)
        | Thing::Task(site)
        | Thing::Flag(site)
        | Thing::Token(site)
        | Thing::Permits(site) => *site,
        _ => return None,
    };
    it.next().is_none().then_some(first)
}

/// The channels or tasks that an operation may be on.
pub(crate) fn sites(
    objects: &Objects,
    program: &Program,
    function: crate::body::FunctionId,
    it: &Operation<'_>,
) -> Vec<Thing> {
    let wanted = |thing: &Thing| match it.op {
        Op::Send => matches!(thing, Thing::Sender(_) | Thing::Foreign(..)),
        Op::Receive | Op::Drain => matches!(thing, Thing::Receiver(_) | Thing::Foreign(..)),
        Op::Join => matches!(thing, Thing::Task(_) | Thing::Foreign(..)),
    };
    objects.at(program, function, it.on).into_iter().filter(wanted).collect()
}
