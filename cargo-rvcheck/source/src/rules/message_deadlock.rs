//! `channel-deadlock`: agents that wait for each other at channels, and nothing else can end one of the waits.
//!
//! Cycles of sends that wait for room, services that request something of each other inside their own serving loops, a send into one's
//! own mailbox.

use super::{Certainty, CodeRef, Hit, Rule, ShownBy};
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::deadlock::{Deadlock, Move, What, deadlocks};
use crate::facts::objects::CallSite;
use crate::program::Program;
use crate::program::code_ref::{call_or_await, call_ref};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "standstill",
    property: "channel-deadlock",
    doc: "Tasks or threads can end up waiting for each other at channels, and nothing else can end one of the waits.",
    shown_by: ShownBy::Run("all of them wait, and nothing else can end one of the waits"),
    check,
};

/// Finds such states.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let all = deadlocks(facts);
    all.iter().filter(|it| !fills_a_fresh_channel(it)).filter_map(|it| hit(facts.program, it)).collect()
}

/// Whether a send waits for room in a channel that each call of a function makes anew, as for a reply: others do not fill it.
fn fills_a_fresh_channel(it: &Deadlock) -> bool {
    let moves = || it.waits.iter().chain(&it.before);
    it.waits.iter().any(|wait| match wait.what {
        What::Sends(channel) => moves().any(|it| it.function == channel.function && it.from.is_some()),
        _ => false,
    })
}

fn hit(program: &Program, it: &Deadlock) -> Option<Hit> {
    let sends = |it: &&Move| matches!(it.what, What::Sends(_));
    let submits = |it: &&Move| sends(it) && matches!(it.agent, Agent::Caller(_));
    let mut waits = it.waits.iter();
    if let [Move { what: What::Joins(_), .. }, send] = it.waits.as_slice()
        && let What::Sends(channel) = send.what
    {
        return Some(crowded(program, &it.waits[0], send, channel));
    }
    let first = waits.find(submits).or_else(|| it.waits.iter().find(sends)).or_else(|| it.waits.first())?;
    let mut related: Vec<(CodeRef, String)> = Vec::new();
    for wait in &it.waits {
        if wait.from.is_some() {
            let inside = (call_or_await(program, wait.function, wait.block), "in this function".to_owned());
            related.extend((!related.contains(&inside)).then_some(inside));
        }
        let place = place(program, wait);
        if place != self::place(program, first) {
            related.push((place, format!("{} {}", named(wait), waits_for(wait))));
        }
    }
    for channel in channels(it) {
        related.push((
            call_ref(program, channel.function, channel.block),
            "the channel is made here".to_owned(),
        ));
    }
    let alone = it.waits.len() == 1;
    let message = match (first.what, alone) {
        (What::Sends(_), true) => {
            "when the channel is full, this waits for room that only the sender itself can make".to_owned()
        }
        (What::Sends(_), false) => format!(
            "{} wait for each other at channels: none of them can go on{}",
            count(it.waits.len()),
            story(program, it)
        ),
        (_, true) => {
            "this waits for the reply to a request that it sent to itself, and nothing else receives the \
             request"
                .to_owned()
        }
        _ => format!(
            "{} wait for each other's messages, each before it receives the next one: none arrives{}",
            count(it.waits.len()),
            story(program, it)
        ),
    };
    Some(Hit {
        certainty: Certainty::Usually,
        message,
        primary: (place(program, first), format!("{} {}", named(first), waits_for(first))),
        related,
        advice: "keep one of them from waiting: use `try_send`, an unbounded channel, a separate task for \
                 the send or request, or a time limit"
            .to_owned(),
    })
}

/// Somebody waits for the end of who waits for room, and would make room only then.
fn crowded(program: &Program, join: &Move, send: &Move, channel: CallSite) -> Hit {
    Hit {
        certainty: Certainty::Usually,
        message: "this waits for the sender to end, and receives nothing meanwhile: once the channel is full, both wait forever".to_owned(),
        primary: (place(program, join), "waits for the end of another here".to_owned()),
        related: vec![
            (place(program, send), "the sender waits for room here".to_owned()),
            (call_ref(program, channel.function, channel.block), "the channel is made here".to_owned()),
        ],
        advice: "receive all messages or drop the receiver before waiting for the sender to end, or make room for all of them".to_owned(),
    }
}

fn count(number: usize) -> String {
    match number {
        2 => "two tasks or threads".to_owned(),
        _ => format!("{number} tasks or threads"),
    }
}

/// The moves that lead there, in short.
fn story(program: &Program, it: &Deadlock) -> String {
    let moves: Vec<String> = it
        .before
        .iter()
        .filter_map(|it| {
            let what = match it.what {
                What::Sends(_) => "sends",
                What::Receives(_) => "receives",
                What::Joins(_) => "joins",
                What::Other => return None,
            };
            Some(format!("`{}` {what}", program.item(it.function)))
        })
        .collect();
    match moves.as_slice() {
        [] => String::new(),
        some => format!(" (after {})", some[some.len().saturating_sub(4)..].join(", ")),
    }
}

fn named(it: &Move) -> &'static str {
    match it.agent {
        Agent::Spawned(..) => "the task or thread",
        Agent::Caller(_) => "the caller",
    }
}

const fn waits_for(it: &Move) -> &'static str {
    match it.what {
        What::Sends(_) => "waits for room here",
        What::Receives(_) => "waits for a message here",
        What::Joins(_) => "waits for the end of another here",
        What::Other => "waits here",
    }
}

fn place(program: &Program, it: &Move) -> CodeRef {
    let (function, block) = it.from.unwrap_or((it.function, it.block));
    call_or_await(program, function, block)
}

fn channels(it: &Deadlock) -> std::collections::BTreeSet<CallSite> {
    it.waits
        .iter()
        .filter_map(|it| match it.what {
            What::Sends(site) | What::Receives(site) => Some(site),
            _ => None,
        })
        .collect()
}
