//! What functions of libraries do with a part of what they are given: pass it on, keep a part of it, ask about it, drop it.

#![expect(clippy::match_same_arms, reason = "a table: a row is read by itself")]

use super::path::{Step, bare};
use Step::{Break, Continue, Element, Err, Field, Ok, Output, Ready};

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
    /// The function's name.
    pub(super) name: &'a str,
    /// The number of the argument.
    pub(super) argument: usize,
    /// The number of all arguments.
    pub(super) arguments: usize,
    /// The steps from the argument to the part.
    pub(super) rest: &'a [Step],
    /// The type of the argument.
    pub(super) ty: &'a str,
    /// The type of the result.
    pub(super) into: &'a str,
}

/// Functions whose result is what they are given, or has it at the end of the same steps.
const SAME: &[&str] = &[
    "__rv_asked",
    "__rv_atomic",
    "__rv_await",
    "__rv_site",
    "as_deref",
    "as_deref_mut",
    "as_mut",
    "as_pin_mut",
    "as_ref",
    "as_mut_slice",
    "as_slice",
    "borrow",
    "borrow_mut",
    "box_assume_init_into_vec_unsafe",
    "boxed",
    "boxed_local",
    "by_ref",
    "chain",
    "clone",
    "cloned",
    "compat",
    "context",
    "copied",
    "deref",
    "deref_mut",
    "drain",
    "fuse",
    "get_mut",
    "get_ref",
    "get_unchecked_mut",
    "in_current_span",
    "instrument",
    "into_boxed_slice",
    "into_future",
    "into_inner",
    "into_iter",
    "into_pin",
    "into_vec",
    "iter",
    "iter_mut",
    "maybe_done",
    "new",
    "new_unchecked",
    "peekable",
    "pin",
    "replace",
    "rev",
    "shared",
    "skip",
    "split_off",
    "step_by",
    "take",
    "to_owned",
    "to_vec",
    "try_maybe_done",
    "with_context",
    "wrap_err",
    "wrap_err_with",
    "from",
    "into",
    "take_while",
    "skip_while",
    "by_index",
    "make_contiguous",
    "stream",
    "once",
    "ready",
    "filter",
    "sorted_by_key",
    "into_stream",
    "into_par_iter",
    "par_iter",
    "unwrap_unchecked_mut",
];

/// Functions that say something of a value without what is in it.
const BLIND: &[&str] = &[
    "capacity",
    "clear",
    "count",
    "drop",
    "forget",
    "id",
    "is_empty",
    "is_finished",
    "len",
    "reserve",
    "set_name",
    "shrink_to_fit",
    "size_hint",
    "sleep",
    "thread",
    "truncate",
    "now_or_never_ready",
    "name",
    "is_terminated",
    "detach",
];

/// Functions that end the task that they are given.
const ABORTS: &[&str] = &[
    "abort",
    "abort_all",
    "abort_handle",
    "abort_on_drop",
    "cancel",
    "remote_handle",
    "shutdown",
    "shutdown_background",
];

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
    let Given { name, argument, rest, .. } = *given;
    let of_value = argument == 0;
    if name == "drop" || name == "forget" {
        return Some(Vec::new());
    }
    if ABORTS.contains(&name) && of_value {
        return Some(vec![Move::Aborted]);
    }
    let puts = STORES.contains(&name) && given.arguments > 1;
    if (BLIND.contains(&name) || puts && name != "replace") && of_value {
        return Some(Vec::new());
    }
    if let Some(found) = of_future(given).or_else(|| of_iterator(given)) {
        return Some(found);
    }
    if !of_value && puts {
        let mut steps =
            if matches!(bare(given.owner), "Option" | "Cell" | "RefCell" | "OnceCell" | "OnceLock" | "mem") {
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
    if SAME.contains(&name) {
        return Some(vec![Move::Into(within(given.ty, given.into, rest))]);
    }
    if matches!(name, "lock" | "read" | "write" | "try_lock" | "try_read" | "try_write" | "lock_arc" | "wait")
    {
        let mut steps = match bare(given.into) {
            "Result" => vec![Ok],
            "Option" => vec![Step::Some],
            it if it.ends_with("Guard") || it.starts_with("Ref") => Vec::new(),
            _ => vec![Output],
        };
        steps.extend_from_slice(rest);
        return Some(vec![Move::Into(steps)]);
    }
    None
}

/// The same steps, but for what `into_inner` of a lock wraps its value in.
fn within(ty: &str, into: &str, rest: &[Step]) -> Vec<Step> {
    let mut steps = rest.to_vec();
    if bare(into) == "Result" && matches!(bare(ty), "Mutex" | "RwLock") && !into.is_empty() {
        steps.insert(0, Ok);
    }
    steps
}

fn then(first: &[Step], rest: &[Step]) -> Vec<Step> {
    first.iter().chain(rest).cloned().collect()
}

/// Of futures and handles of tasks.
fn of_future(given: &Given<'_>) -> Option<Vec<Move>> {
    let Given { name, argument, rest, owner, .. } = *given;
    let into = |first: &[Step], rest: &[Step]| Some(vec![Move::Into(then(first, rest))]);
    if let [Output, rest @ ..] = rest {
        let joins = || Some(vec![Move::Joined(rest.to_vec())]);
        return match name {
            "poll" => Some(vec![Move::Joined(then(&[Ready], rest))]),
            "poll_unpin" => Some(vec![Move::Joined(then(&[Ready], rest))]),
            "join" if argument == 0 && given.arguments == 1 => joins(),
            "join" | "join3" | "join4" | "join5" => into(&[Output, Field(argument as u32)], rest),
            "block_on" | "run_until" | "wait" | "run" => joins(),
            "now_or_never" => Some(vec![Move::Joined(then(&[Step::Some], rest))]),
            "take_output" => Some(vec![Move::Joined(then(&[Step::Some], rest))]),
            "output_mut" => Some(vec![Move::Joined(then(&[Step::Some], rest))]),
            "timeout" | "timeout_at" | "abortable" | "catch_unwind" | "run_until_cancelled_owned" => {
                into(&[Output, Ok], rest)
            }
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
                if given.into.contains("FuturesUnordered") || given.into.contains("FuturesOrdered") =>
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
            "join_next" | "next" if owner == "StreamExt" || owner == "JoinSet" || name == "join_next" => {
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
            "collect"
                if matches!(owner, "StreamExt" | "ParallelIterator") || given.into.contains("::Collect<") =>
            {
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

/// Of iterators and collections.
fn of_iterator(given: &Given<'_>) -> Option<Vec<Move>> {
    let Given { name, rest, owner, argument, .. } = *given;
    let [Element, inner @ ..] = rest else { return None };
    let into = |first: &[Step], rest: &[Step]| Some(vec![Move::Into(then(first, rest))]);
    let gives = |parameter: u32| Some(vec![Move::Give(1, parameter, inner.to_vec())]);
    let is_iterator = matches!(
        owner,
        "Iterator"
            | "StreamExt"
            | "TryStreamExt"
            | "Itertools"
            | "ParallelIterator"
            | "DoubleEndedIterator"
            | "IndexedParallelIterator"
    );
    let own = |mut moves: Vec<Move>, steps: Vec<Step>| {
        moves.push(Move::Into(steps));
        Some(moves)
    };
    match name {
        "extend" | "append" if argument == 1 => Some(vec![Move::Store(0, rest.to_vec())]),
        "next" | "next_back" | "last" | "nth" | "pop" | "pop_front" | "pop_back" | "first" | "get"
        | "get_mut" | "first_mut" | "last_mut" | "remove" | "max" | "min" | "swap_remove"
        | "swap_remove_back" | "peek" | "peek_mut" | "entry" | "find" => {
            let whole = matches!(name, "swap_remove" | "remove") && bare(given.into) != "Option";
            let first: &[Step] = if whole { &[] } else { &[Step::Some] };
            let found = Move::Into(then(first, inner));
            if name == "find" {
                Some(vec![Move::Give(1, 2, inner.to_vec()), found])
            } else {
                Some(vec![found])
            }
        }
        "index" | "index_mut" | "swap" => into(&[], inner),
        "enumerate" => into(&[Element, Field(1)], inner),
        "zip" => into(&[Element, Field(argument as u32)], inner),
        "unzip" => match inner {
            [Field(at), inner @ ..] => into(&[Field(*at), Element], inner),
            _ => None,
        },
        "partition" => Some(vec![
            Move::Give(1, 2, inner.to_vec()),
            Move::Into(then(&[Field(0), Element], inner)),
            Move::Into(then(&[Field(1), Element], inner)),
        ]),
        "partition_result" => into(&[Field(1), Element], inner.get(1..).unwrap_or_default()),
        "collect" | "from_iter" | "sum" | "product" => {
            let collected = bare(given.into);
            match inner {
                [Err, ..] if collected == "Result" => into(&[], inner),
                [Ok, inner @ ..] if collected == "Result" => into(&[Ok, Element], inner),
                [Step::Some, inner @ ..] if collected == "Option" => into(&[Step::Some, Element], inner),
                _ => into(&[Element], inner),
            }
        }
        "flatten" | "flatten_ok" => match inner {
            [Err, ..] => Some(vec![Move::Lost(Loss::LeftOut)]),
            [Ok | Step::Some | Element, inner @ ..] => into(&[Element], inner),
            [] => Some(vec![Move::Lost(Loss::LeftOut)]),
            _ => None,
        },
        "chain" | "inspect" if !is_iterator || name == "chain" => into(&[Element], inner),
        "inspect" => own(vec![Move::Give(1, 2, inner.to_vec())], rest.to_vec()),
        "filter" | "skip_while" | "take_while" if is_iterator => {
            own(vec![Move::Give(1, 2, inner.to_vec())], rest.to_vec())
        }
        "retain" | "retain_mut" => Some(vec![Move::Give(1, 2, inner.to_vec())]),
        "sort_by_key" | "sort_unstable_by_key" => Some(Vec::new()),
        "map"
        | "for_each"
        | "filter_map"
        | "flat_map"
        | "find_map"
        | "try_for_each"
        | "any"
        | "all"
        | "position"
        | "map_while"
        | "for_each_concurrent"
        | "then"
        | "max_by_key"
        | "min_by_key"
            if is_iterator =>
        {
            let at = if name == "for_each_concurrent" { 2 } else { 1 };
            let found = gives(2)?;
            Some(
                found
                    .into_iter()
                    .map(|it| match it {
                        Move::Give(_, parameter, steps) => Move::Give(at, parameter, steps),
                        it => it,
                    })
                    .collect(),
            )
        }
        "fold" | "try_fold" | "scan" if is_iterator => Some(vec![Move::Give(2, 3, inner.to_vec())]),
        "reduce" if is_iterator => {
            Some(vec![Move::Give(1, 3, inner.to_vec()), Move::Give(1, 2, inner.to_vec())])
        }
        _ => None,
    }
}

/// Of a `Result` and what is in it.
fn of_result(given: &Given<'_>) -> Option<Vec<Move>> {
    let Given { name, rest, owner, .. } = *given;
    let into = |first: &[Step], rest: &[Step]| Some(vec![Move::Into(then(first, rest))]);
    match rest {
        [Err, inner @ ..] => match name {
            "ok" if inner.is_empty() => Some(vec![Move::Lost(Loss::Content), Move::Tells(Vec::new())]),
            "err" => into(&[Step::Some], inner),
            "unwrap_or" | "unwrap_or_default" | "map_or" | "or" => Some(vec![Move::Lost(Loss::Replaced)]),
            "unwrap_or_else" | "or_else" => {
                Some(vec![Move::Give(1, 2, inner.to_vec()), Move::Lost(Loss::Replaced)])
            }
            "map_or_else" => Some(vec![Move::Give(1, 2, inner.to_vec()), Move::Lost(Loss::Replaced)]),
            "is_ok" | "is_err" | "is_ok_and" => Some(vec![Move::Tells(Vec::new())]),
            "is_err_and" => Some(vec![Move::Give(1, 2, inner.to_vec()), Move::Tells(Vec::new())]),
            "map" | "and_then" | "and" | "inspect" => into(&[Err], inner),
            "map_err" | "inspect_err" => {
                Some(vec![Move::Give(1, 2, inner.to_vec()), Move::Into(then(&[Err], inner))])
            }
            "transpose" | "flatten" => {
                into(if name == "transpose" { &[Step::Some, Err] } else { &[Err] }, inner)
            }
            "branch" => into(&[Break, Err], inner),
            "from_residual" | "from_output" => into(&[Err], inner),
            "unwrap_err" | "expect_err" | "into_err" => into(&[], inner),
            "into_iter" | "iter" if owner == "Result" => Some(vec![Move::Lost(Loss::LeftOut)]),
            _ => None,
        },
        [Ok, inner @ ..] => match name {
            "ok" => into(&[Step::Some], inner),
            "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else"
            | "unwrap_unchecked" | "into_ok" => into(&[], inner),
            "map" | "and_then" | "is_ok_and" => Some(vec![Move::Give(1, 2, inner.to_vec())]),
            "map_or" | "map_or_else" => Some(vec![Move::Give(2, 2, inner.to_vec())]),
            "map_err" | "or_else" | "inspect_err" | "or" => into(&[Ok], inner),
            "inspect" => Some(vec![Move::Give(1, 2, inner.to_vec()), Move::Into(rest.to_vec())]),
            "is_ok" | "is_err" | "err" | "unwrap_err" | "expect_err" | "is_err_and" => Some(Vec::new()),
            "flatten" => into(&[], inner),
            "transpose" => match inner {
                [Step::Some, inner @ ..] => into(&[Step::Some, Ok], inner),
                _ => None,
            },
            "branch" => into(&[Continue], inner),
            "iter" | "into_iter" => into(&[Element], inner),
            _ => None,
        },
        _ => None,
    }
}

/// Of an `Option` and what is in it.
fn of_option(given: &Given<'_>) -> Option<Vec<Move>> {
    let Given { name, rest, .. } = *given;
    let into = |first: &[Step], rest: &[Step]| Some(vec![Move::Into(then(first, rest))]);
    let [Step::Some, inner @ ..] = rest else { return None };
    match name {
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" | "unwrap_unchecked"
        | "get_or_insert" | "get_or_insert_with" => into(&[], inner),
        "ok_or" | "ok_or_else" => into(&[Ok], inner),
        "map" | "and_then" | "is_some_and" | "is_none_or" => Some(vec![Move::Give(1, 2, inner.to_vec())]),
        "map_or" | "map_or_else" => Some(vec![Move::Give(2, 2, inner.to_vec())]),
        "is_some" | "is_none" => Some(Vec::new()),
        "flatten" => into(&[], inner),
        "transpose" => match inner {
            [Ok, inner @ ..] => into(&[Ok, Step::Some], inner),
            [Err, ..] => into(&[], inner),
            _ => None,
        },
        "filter" | "inspect" | "take_if" => {
            Some(vec![Move::Give(1, 2, inner.to_vec()), Move::Into(rest.to_vec())])
        }
        "or" | "or_else" | "xor" | "insert" => into(&[Step::Some], inner),
        "branch" => into(&[Continue], inner),
        "iter" | "iter_mut" | "into_iter" => into(&[Element], inner),
        "zip" => into(&[Step::Some, Field(given.argument as u32)], inner),
        _ => None,
    }
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
pub(super) fn telling(name: &str) -> Telling {
    match name {
        "is_some" | "is_none" | "is_ok" | "is_err" | "map" | "and_then" | "filter" | "inspect" | "copied"
        | "cloned" | "flatten" | "zip" | "not" => Telling::On,
        it if SAME.contains(&it) => Telling::On,
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
        (
            "scope" | "with" | "block_in_place" | "install" | "in_scope" | "call_once" | "call" | "call_mut"
            | "run",
            _,
        ) => steps.to_vec(),
        ("join", _) if argument < 2 => then(&[Field(argument as u32)], steps),
        _ => return None,
    })
}

/// Functions that leave out what a closure gives `None` for.
pub(super) const LEAVES_OUT: &[&str] = &["filter_map", "find_map", "flat_map", "map_while"];

/// Functions that run what they are given as a task or thread of its own: the steps from what comes back to what the task gives.
pub(super) fn spawned(name: &str, into: &str) -> Option<Vec<Step>> {
    let starts = name.starts_with("spawn") || matches!(name, "unblock" | "start_worker_task");
    if !starts {
        return None;
    }
    let inner = crate::body::text::arguments(into);
    match bare(into) {
        "Result" => {
            let handle = inner.first().copied().unwrap_or_default();
            Some(then(&[Ok], &spawned(name, handle)?))
        }
        "JoinHandle" | "ScopedJoinHandle" => {
            let head = crate::body::text::head(into);
            let plain = ["async_std", "smol", "async_global_executor", "monoio", "compio"]
                .iter()
                .any(|it| head.starts_with(it));
            Some(if plain { vec![Output] } else { vec![Output, Ok] })
        }
        "Task" | "RemoteHandle" | "FallibleTask" => Some(vec![Output]),
        _ => None,
    }
}
