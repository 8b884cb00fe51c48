//! What functions of libraries do with a part of what they are given: pass it on, keep a part of it, ask about it, drop it.

#![expect(clippy::match_same_arms, reason = "a table: a row is read by itself")]

mod future;
mod iterator;
mod result;

pub(super) use future::spawned;

use self::future::of_future;
use self::iterator::of_iterator;
use self::result::{of_option, of_result};
use super::path::Step;
use crate::body::Callee;
use crate::ty::Ty;
use Step::{Element, Err, Field, Ok, Output, Ready};
use rvcheck_primitives::{Action, Holds, Is, holds, is_path_of, named};

/// How an error is lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Loss {
    /// Only that there was one is left, as after `ok()`.
    Content,
    /// A value takes its place, as by `unwrap_or`.
    Replaced,
    /// It is left out of a collection, as by `flatten`.
    LeftOut,
    /// The arm that it leads to does nothing.
    EmptyArm,
}

/// What a function does with a part of an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Move {
    /// It is in the result, at the end of these steps.
    Into(Vec<Step>),
    /// The result tells that there was an error, at the end of these steps.
    Tells(Vec<Step>),
    /// It is put into what another argument is or points to.
    Store(usize, Vec<Step>),
    /// The closure that is that argument is given it, as that parameter.
    Give(usize, u32, Vec<Step>),
    /// It is lost.
    Lost(Loss),
    /// Its task is ended on purpose.
    Aborted,
    /// A task or future that gives it is waited for.
    Joined(Vec<Step>),
}

/// A call, and the part of an argument that is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'a> {
    /// The segment before the function's name: a type, trait or module.
    pub(super) owner: &'a str,
    /// The function.
    pub(super) callee: Callee,
    /// The number of the argument.
    pub(super) argument: usize,
    /// The number of all arguments.
    pub(super) arguments: usize,
    /// The steps from the argument to the part.
    pub(super) rest: &'a [Step],
    /// The type of the argument.
    pub(super) ty: Ty,
    /// The type of the result.
    pub(super) into: Ty,
}

/// Whether a function ends the task that it is given, or gives what can.
fn aborts(callee: Callee) -> bool {
    callee.may(|it| it.action == Action::Abort)
        || callee.name().starts_with("abort_")
        || callee.name().starts_with("shutdown")
        || callee.name() == "remote_handle"
}

/// Functions that put an argument into the first one.
const STORES: &[&str] = &[
    "add",
    "append",
    "entry_insert",
    "extend",
    "get_or_insert",
    "insert",
    "push",
    "push_back",
    "push_front",
    "replace",
    "set",
];

/// What the call does with the part; `None` where it is not known.
pub(super) fn moves(given: &Given<'_>) -> Option<Vec<Move>> {
    let Given { callee, argument, rest, .. } = *given;
    let name = callee.name();
    let of_value = argument == 0;
    if name == "drop" || name == "forget" {
        return Some(Vec::new());
    }
    if aborts(callee) && of_value {
        return Some(vec![Move::Aborted]);
    }
    let puts = STORES.contains(&name) && given.arguments > 1;
    if (callee.says_nothing() || puts && name != "replace") && of_value {
        return Some(Vec::new());
    }
    if let Some(found) = of_future(given).or_else(|| of_iterator(given)) {
        return Some(found);
    }
    if !of_value && puts {
        let mut steps =
            if matches!(holds(given.owner), Some(Holds::Variant | Holds::Cell)) || given.owner == "mem" {
                if name == "insert" || name == "get_or_insert" { vec![Step::Some] } else { Vec::new() }
            } else if matches!(name, "extend" | "append") {
                Vec::new()
            } else {
                vec![Element]
            };
        steps.extend_from_slice(rest);
        return Some(vec![Move::Store(0, steps)]);
    }
    if let Some(found) = of_value.then(|| of_result(given).or_else(|| of_option(given))).flatten() {
        return Some(found);
    }
    if callee.keeps_parts() {
        return Some(vec![Move::Into(within(given.ty, given.into, rest))]);
    }
    if callee.requests() || name == "wait" {
        let mut steps = match given.into.bare_name() {
            "Result" => vec![Ok],
            "Option" => vec![Step::Some],
            it if it.ends_with("Guard") || is_path_of(it, |it| matches!(it, Is::Guard(_))) => Vec::new(),
            _ => vec![Output],
        };
        steps.extend_from_slice(rest);
        return Some(vec![Move::Into(steps)]);
    }
    None
}

/// The same steps, but for what `into_inner` of a lock wraps its value in.
fn within(ty: Ty, into: Ty, rest: &[Step]) -> Vec<Step> {
    let mut steps = rest.to_vec();
    if into.bare().is_result() && holds(ty.bare_name()) == Some(Holds::Lock) && !into.is_unknown() {
        steps.insert(0, Ok);
    }
    steps
}

fn then(first: &[Step], rest: &[Step]) -> Vec<Step> {
    first.iter().chain(rest).cloned().collect()
}

/// What a call says of the `Option`, `Result` or flag that tells whether there was an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Telling {
    /// Its result tells it.
    On,
    /// It is passed over: another value takes its place.
    Replaced,
    /// What failed is left out.
    LeftOut,
    /// It becomes an error or a panic.
    Reported,
    /// It goes nowhere.
    Nowhere,
    /// It is used.
    Used,
}

/// What a function says of it.
pub(super) fn telling(callee: Callee) -> Telling {
    match callee.name() {
        "is_some" | "is_none" | "is_ok" | "is_err" | "map" | "and_then" | "filter" | "inspect" | "copied"
        | "cloned" | "flatten" | "zip" | "not" => Telling::On,
        _ if callee.keeps_parts() => Telling::On,
        "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" | "or" | "or_else" | "map_or" => {
            Telling::Replaced
        }
        "drop" | "forget" => Telling::Nowhere,
        "extend" => Telling::LeftOut,
        "ok_or" | "ok_or_else" | "unwrap" | "expect" | "context" | "with_context" => Telling::Reported,
        _ => Telling::Used,
    }
}

/// Where the output of a closure goes that is given to a function: the steps before it in the result; `None` where it is not known.
pub(super) fn output_of_closure(
    owner: &str,
    name: &str,
    argument: usize,
    steps: &[Step],
) -> Option<Vec<Step>> {
    let is_iterator = matches!(owner, "Iterator" | "StreamExt" | "ParallelIterator" | "Itertools");
    Some(match (name, steps) {
        ("map", _) if owner == "FutureExt" => then(&[Output], steps),
        ("then" | "and_then", [Output, steps @ ..]) if owner.ends_with("FutureExt") => then(&[Output], steps),
        ("map_ok", _) if owner == "TryFutureExt" => then(&[Output, Ok], steps),
        ("map" | "then", _) if is_iterator && name == "map" => then(&[Element], steps),
        ("then", [Output, steps @ ..]) if is_iterator => then(&[Element], steps),
        ("filter_map" | "map_while", [Step::Some, steps @ ..]) if is_iterator => then(&[Element], steps),
        ("find_map", _) if is_iterator => steps.to_vec(),
        ("flat_map", [Ok | Step::Some | Element, steps @ ..]) if is_iterator => then(&[Element], steps),
        ("try_for_each" | "fold" | "try_fold" | "reduce", _) if is_iterator => steps.to_vec(),
        ("repeat_with" | "from_fn" | "repeat_n", _) => then(&[Element], steps),
        ("map", _) if owner == "Option" => then(&[Step::Some], steps),
        ("map", _) if owner == "Result" => then(&[Ok], steps),
        ("then", _) if owner == "bool" => then(&[Step::Some], steps),
        ("map_err", _) => then(&[Err], steps),
        ("ok_or_else", _) => then(&[Err], steps),
        (
            "and_then" | "or_else" | "unwrap_or_else" | "map_or_else" | "map_or" | "get_or_insert_with"
            | "get_or_init",
            _,
        ) => steps.to_vec(),
        ("poll_fn", [Ready, steps @ ..]) => then(&[Output], steps),
        ("catch_unwind", _) => then(&[Ok], steps),
        ("join", _) if argument < 2 => then(&[Field(argument as u32)], steps),
        ("with" | "block_in_place" | "in_scope" | "call_once" | "call" | "call_mut" | "run", _) => {
            steps.to_vec()
        }
        _ if named(name)
            .iter()
            .any(|it| matches!(it.operation.action, Action::Scope | Action::RunInPool)) =>
        {
            steps.to_vec()
        }
        _ => return None,
    })
}

/// Functions that leave out what a closure gives `None` for.
pub(super) const LEAVES_OUT: &[&str] = &["filter_map", "find_map", "flat_map", "map_while"];
