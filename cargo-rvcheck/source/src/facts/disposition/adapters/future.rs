//! What is done with futures and with handles of tasks.

#![expect(clippy::match_same_arms, reason = "a table: a row is read by itself")]

use super::super::path::Step;
use super::{Given, Move, then};
use crate::program::library::mentions;
use crate::ty::Ty;
use Step::{Element, Err, Field, Ok, Output, Ready};
use rvcheck_primitives::{Action, Ending, Is};

/// Of futures and handles of tasks.
pub(super) fn of_future(given: &Given<'_>) -> Option<Vec<Move>> {
    let Given { callee, argument, rest, owner, .. } = *given;
    let name = callee.name();
    let into = |first: &[Step], rest: &[Step]| Some(vec![Move::Into(then(first, rest))]);
    if let [Output, rest @ ..] = rest {
        let joins = || Some(vec![Move::Joined(rest.to_vec())]);
        return match name {
            "poll" => Some(vec![Move::Joined(then(&[Ready], rest))]),
            "poll_unpin" => Some(vec![Move::Joined(then(&[Ready], rest))]),
            "join" if argument == 0 && given.arguments == 1 => joins(),
            "join" | "join3" | "join4" | "join5" => into(&[Output, Field(argument as u32)], rest),
            "wait" | "run" => joins(),
            _ if callee.may(|it| it.action == Action::Run && it.may_wait()) => joins(),
            "now_or_never" => Some(vec![Move::Joined(then(&[Step::Some], rest))]),
            "take_output" => Some(vec![Move::Joined(then(&[Step::Some], rest))]),
            "output_mut" => Some(vec![Move::Joined(then(&[Step::Some], rest))]),
            "abortable" | "catch_unwind" | "run_until_cancelled_owned" => into(&[Output, Ok], rest),
            _ if callee.limits() => into(&[Output, Ok], rest),
            "run_until_cancelled" | "with_cancellation_token" => into(&[Output, Step::Some], rest),
            "unconstrained" | "scope" | "bind" | "with_subscriber" => into(&[Output], rest),
            "map" | "then" if owner == "FutureExt" => Some(vec![Move::Give(1, 2, rest.to_vec())]),
            "map_ok" | "and_then" if owner == "TryFutureExt" => match rest {
                [Ok, rest @ ..] => Some(vec![Move::Give(1, 2, rest.to_vec())]),
                _ => into(&[Output], rest),
            },
            "map_err" | "or_else" | "unwrap_or_else" if owner == "TryFutureExt" => match rest {
                [Err, rest @ ..] => {
                    Some(vec![Move::Give(1, 2, rest.to_vec()), Move::Into(then(&[Output, Err], rest))])
                }
                _ => into(&[Output], rest),
            },
            _ => None,
        };
    }
    // A collection of futures.
    if let [Element, Output, rest @ ..] = rest {
        match (name, rest) {
            ("join_all", _) => return into(&[Output, Element], rest),
            ("try_join_all", [Ok, rest @ ..]) => return into(&[Output, Ok, Element], rest),
            ("try_join_all", _) => return into(&[Output], rest),
            ("select_all", _) => return into(&[Output, Field(0)], rest),
            ("select_ok", _) => return into(&[Output], rest),
            ("buffer_unordered" | "buffered", _) => return into(&[Element], rest),
            ("collect" | "from_iter" | "FuturesUnordered" | "FuturesOrdered", _)
                if given.into.names("FuturesUnordered") || given.into.names("FuturesOrdered") =>
            {
                return into(&[Element], rest);
            }
            ("push" | "push_back", _) => return None,
            _ => {}
        }
    }
    if matches!(name, "push" | "push_back")
        && argument == 1
        && owner.starts_with("Futures")
        && let [Output, rest @ ..] = rest
    {
        return Some(vec![Move::Store(0, then(&[Element], rest))]);
    }
    // A set of tasks, or a stream.
    if let [Element, rest @ ..] = rest {
        match name {
            "join_next" | "next" if owner == "StreamExt" || name == "join_next" => {
                return into(&[Output, Step::Some], rest);
            }
            "join_next_with_id" => return into(&[Output, Step::Some], &with_id(rest)),
            "try_join_next" => return into(&[Step::Some], rest),
            "poll_join_next" | "poll_next" | "poll_next_unpin" => return into(&[Ready, Step::Some], rest),
            "select_next_some" => return into(&[Output], rest),
            "try_next" => {
                return match rest {
                    [Err, ..] => into(&[Output], rest),
                    [Ok, rest @ ..] => into(&[Output, Ok, Step::Some], rest),
                    _ => None,
                };
            }
            "join_all" => {
                return match rest {
                    [Ok, rest @ ..] => into(&[Output, Element], rest),
                    _ => Some(Vec::new()),
                };
            }
            "collect" if matches!(owner, "StreamExt" | "ParallelIterator") || given.into.names("Collect") => {
                return into(if owner == "ParallelIterator" { &[Element] } else { &[Output, Element] }, rest);
            }
            "try_collect" => {
                return match rest {
                    [Ok, rest @ ..] => into(&[Output, Ok, Element], rest),
                    _ => into(&[Output], rest),
                };
            }
            _ => {}
        }
    }
    None
}

/// What a task gave has its id beside it.
fn with_id(rest: &[Step]) -> Vec<Step> {
    match rest {
        [Ok, rest @ ..] => then(&[Ok, Field(1)], rest),
        _ => rest.to_vec(),
    }
}

/// Functions that run what they are given as a task or thread of its own: the steps from what comes back to what the task gives.
pub(in super::super) fn spawned(name: &str, into: Ty) -> Option<Vec<Step>> {
    let starts = name.starts_with("spawn") || matches!(name, "unblock" | "start_worker_task");
    if !starts {
        return None;
    }
    let inner = into.arguments();
    let is_handle = |of: &[Ending]| {
        mentions(into.without_arguments(), |it| matches!(it, Is::Handle(ending) if of.contains(&ending)))
    };
    match into.bare_name() {
        "Result" => {
            let handle = inner.first().copied().unwrap_or_default();
            Some(then(&[Ok], &spawned(name, handle)?))
        }
        _ if is_handle(&[Ending::Detaches, Ending::Joins]) => {
            let plain = ["async_std", "smol", "async_global_executor", "monoio", "compio"]
                .iter()
                .any(|it| into.head().starts_with(it));
            Some(if plain { vec![Output] } else { vec![Output, Ok] })
        }
        "RemoteHandle" | "FallibleTask" => Some(vec![Output]),
        _ if is_handle(&[Ending::Aborts]) => Some(vec![Output]),
        _ => None,
    }
}
