//! Deadlocks: agents that wait for each other, and nobody else can end one of the waits.
//!
//! A problem holds the agents that share channels, as small automata of their operations, and the channels as bounded counters. A bounded
//! search runs them in all orders, as `GCatch` (ASPLOS 2021) does with constraints. Outside sends as often as it can. A room that an argument
//! decides is one. What is not understood gives no problem, so that a deadlock that is found stands on operations that are known.

mod crowded;
mod execution_count;
mod own_answer;
mod problem;
mod rest;
mod search;
mod spawned;

pub(crate) use self::own_answer::is_sent_along;
pub(super) use self::problem::escaping_senders;
use self::problem::problems;
use super::agents::Agent;
use super::objects::CallSite;
use crate::body::FunctionId;
use crate::mir::BlockId;

/// An operation that an agent does.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    /// Who.
    pub(crate) agent: Agent,
    /// The body.
    pub(crate) function: FunctionId,
    /// The block of the call.
    pub(crate) block: BlockId,
    /// What it is.
    pub(crate) what: What,
    /// The call in the body that takes messages, where the operation is in a function that it calls.
    pub(crate) from: Option<(FunctionId, BlockId)>,
}

/// What an operation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// A message goes in.
    Sends(CallSite),
    /// A message is taken.
    Receives(CallSite),
    /// The end of an agent is waited for.
    Joins(CallSite),
    /// Something that has no part in it.
    Other,
}

/// Agents that wait for each other.
#[derive(Clone, Debug)]
pub(crate) struct Deadlock {
    /// What they wait at.
    pub(crate) waits: Vec<Move>,
    /// What they did before, in an order that is possible.
    pub(crate) before: Vec<Move>,
}

/// The deadlocks of a program that are found.
pub(crate) fn deadlocks(facts: &super::Facts<'_>) -> Vec<Deadlock> {
    let problems = problems(facts);
    let mut found: Vec<Deadlock> = problems.iter().filter_map(search::search).collect();
    found.extend(crowded::crowded(facts));
    found
}
