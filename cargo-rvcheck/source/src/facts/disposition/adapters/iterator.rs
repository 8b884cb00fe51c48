//! What is done with iterators and collections.

#![expect(clippy::match_same_arms, reason = "a table: a row is read by itself")]

use super::super::path::Step;
use super::{Given, Loss, Move, then};
use Step::{Element, Err, Field, Ok};

/// Of iterators and collections.
pub(super) fn of_iterator(given: &Given<'_>) -> Option<Vec<Move>> {
    let Given { callee, rest, owner, argument, .. } = *given;
    let name = callee.name();
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
            let whole = matches!(name, "swap_remove" | "remove") && !given.into.bare().is_option();
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
            let collected = given.into.bare_name();
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
