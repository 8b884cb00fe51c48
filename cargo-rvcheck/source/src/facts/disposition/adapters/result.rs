//! What is done with a `Result` or an `Option`, and with what is in it.

#![expect(clippy::match_same_arms, reason = "a table: a row is read by itself")]

use super::super::path::Step;
use super::{Given, Loss, Move, then};
use Step::{Break, Continue, Element, Err, Field, Ok};

/// Of a `Result` and what is in it.
pub(super) fn of_result(given: &Given<'_>) -> Option<Vec<Move>> {
    let Given { callee, rest, owner, .. } = *given;
    let name = callee.name();
    let into = |first: &[Step], rest: &[Step]| Some(vec![Move::Into(then(first, rest))]);
    match rest {
        [Err, inner @ ..] => match name {
            "ok" if inner.is_empty() => Some(vec![Move::Lost(Loss::Content), Move::Tells(Vec::new())]),
            "err" => into(&[Step::Some], inner),
            "unwrap_or" | "unwrap_or_default" | "map_or" => Some(vec![Move::Lost(Loss::Replaced)]),
            "unwrap_or_else" => Some(vec![Move::Give(1, 2, inner.to_vec()), Move::Lost(Loss::Replaced)]),
            // What takes its place may be an error.
            "or" => Some(vec![Move::Lost(Loss::Replaced), Move::Tells(Vec::new())]),
            "or_else" => {
                let lost = [Move::Lost(Loss::Replaced), Move::Tells(Vec::new())];
                Some([Move::Give(1, 2, inner.to_vec())].into_iter().chain(lost).collect())
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
pub(super) fn of_option(given: &Given<'_>) -> Option<Vec<Move>> {
    let Given { callee, rest, .. } = *given;
    let name = callee.name();
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
