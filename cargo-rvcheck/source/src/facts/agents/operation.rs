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
pub(crate) enum Deed {
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
pub(crate) enum Patience {
    /// Not at all, or for a while, or for something else as well.
    Limited,
    /// Until it is done.
    Unlimited,
}

/// What the call at the end of a block does to the thing at a place.
#[derive(Clone, Debug)]
pub(crate) struct Operation<'a> {
    /// What is done.
    pub(crate) deed: Deed,
    /// How it waits.
    pub(crate) patience: Patience,
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
    let found = |deed, patience, waits_at| Some(Operation { deed, patience, on, waits_at });
    if is_receiver(ty) {
        if callee.drains() && !ty.words().any(|it| it.contains("Receiver")) {
            return found(Deed::Drain, Patience::Unlimited, block);
        }
        if callee.tries_to_receive() {
            return found(Deed::Receive, Patience::Limited, block);
        }
        if callee.receives() || name == "next" {
            let into = function.type_of(&call.into).unwrap_or_default();
            if is_done(into) {
                return found(Deed::Receive, Patience::Unlimited, block);
            }
            return match awaited_at(function, block) {
                Some(poll) => found(Deed::Receive, Patience::Unlimited, poll),
                None => found(Deed::Receive, Patience::Limited, block),
            };
        }
        return None;
    }
    if callee.drains() && of_messages(ty) {
        return found(Deed::Drain, Patience::Unlimited, block);
    }
    if is_sender(ty) && (callee.sends() || name == "feed") {
        let into = function.type_of(&call.into).unwrap_or_default();
        if is_done(into) {
            return found(Deed::Send, Patience::Unlimited, block);
        }
        return match awaited_at(function, block) {
            Some(poll) => found(Deed::Send, Patience::Unlimited, poll),
            None => found(Deed::Send, Patience::Limited, block),
        };
    }
    if is_sender(ty) && callee.tries_to_send() {
        return found(Deed::Send, Patience::Limited, block);
    }
    if mentions(ty, |it| matches!(it, Is::Tasks(_))) {
        let of_all = match name {
            "join_all" | "wait" => true,
            "join_next" => Paths::of(function).repeats(block),
            _ => return None,
        };
        let patience = if of_all { Patience::Unlimited } else { Patience::Limited };
        return found(Deed::Join, patience, awaited_at(function, block)?);
    }
    let joins = name == "join" && call.arguments.len() == 1 && mentions_handle(ty);
    if joins {
        return found(Deed::Join, Patience::Unlimited, block);
    }
    None
}

/// What is done by an operation that a `Select` has found to be ready: on the channel that it is given, and without a wait.
fn selected(function: &Function, block: BlockId) -> Option<Operation<'_>> {
    let (call, _) = function.call(block)?;
    let row = function.callee(block).row().filter(|it| it.owner.is == Is::Place)?;
    let on = call.place(1)?;
    let ty = function.type_of(on)?;
    let deed = match (row.operation.action, call.arguments.len()) {
        (Action::Receive, 2) if is_receiver(ty) => Deed::Receive,
        (Action::Send, 3) if is_sender(ty) => Deed::Send,
        _ => return None,
    };
    Some(Operation { deed, patience: Patience::Limited, on, waits_at: block })
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
    let patience = if is_suspension && !is_limited { Patience::Unlimited } else { Patience::Limited };
    let bare = ty.pointee();
    if mentions_handle(bare) && !mentions(bare, |it| it == Is::Timer) {
        return Some(Operation { deed: Deed::Join, patience, on, waits_at: block });
    }
    let answers = mentions(bare, |it| matches!(it, Is::End(end) if end.is_once && !end.sends))
        && !mentions(bare, |it| it == Is::Timer);
    answers.then_some(Operation { deed: Deed::Receive, patience, on, waits_at: block })
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
    let wanted = |thing: &Thing| match it.deed {
        Deed::Send => matches!(thing, Thing::Sender(_) | Thing::Foreign(..)),
        Deed::Receive | Deed::Drain => matches!(thing, Thing::Receiver(_) | Thing::Foreign(..)),
        Deed::Join => matches!(thing, Thing::Task(_) | Thing::Foreign(..)),
    };
    objects.at(program, function, it.on).into_iter().filter(wanted).collect()
}
