//! Code between two results of a [set](held) of futures awaits a lock or a place that the futures in it request: nothing polls them
//! meanwhile, and one of them may be next in line, or have it.
//!
//! Between two results is the rest of a loop around `next`, an arm of a `select!` around it, or what a method such as `for_each` is
//! given.

mod held;

use self::held::{Held, held, holds_futures, of_closure, set};
use super::places::places;
use super::{Certainty, Hit};
use crate::body::paths::Paths;
use crate::body::provenance::awaited_at;
use crate::body::select::selects;
use crate::body::{Callee, Function, FunctionId};
use crate::mir::{BlockId, Call};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths};
use crate::program::code_ref::{await_ref, call_ref};
use crate::program::locks::{Mode, Waits};
use rvcheck_primitives::{Does, adapter};
use std::collections::BTreeSet;

/// Finds such waits in a body.
pub(super) fn check(program: &Program, id: FunctionId, function: &Function) -> Vec<Hit> {
    if !function.body.locals.iter().any(|it| holds_futures(*it)) {
        return Vec::new();
    }
    let held = held(program, function);
    let mut hits = Vec::new();
    for (taken, call, callee) in function.calls() {
        let Some(on) = call.arguments.first().filter(|_| !held.is_empty()) else { continue };
        let Some(ty) = on.place().and_then(|it| function.type_of(it)).filter(|it| holds_futures(*it)) else {
            continue;
        };
        let of = set(function, on);
        let of_set: Vec<&Held> = held.iter().filter(|it| it.is_in(of.as_ref(), ty)).collect();
        if of_set.is_empty() {
            continue;
        }
        let found = if takes_one(callee) {
            between(function, taken).and_then(|(poll, blocks)| {
                let own = asked(program, id).into_iter().filter(|it| blocks.contains(&it.0));
                let (made, wait) = own.into_iter().find_map(|it| Some((conflict(&of_set, &it)?, it.0)))?;
                Some((made, poll, (id, wait)))
            })
        } else {
            given_to(program, function, call, callee).and_then(|(machine, captured)| {
                let inner = asked(program, machine).into_iter();
                let mut seen =
                    inner.filter_map(|(at, lock, mode)| Some((at, lock.seen_from(&[], &captured)?, mode)));
                let (made, wait) = seen.find_map(|it| Some((conflict(&of_set, &it)?, it.0)))?;
                Some((made, awaited_at(function, taken).unwrap_or(taken), (machine, wait)))
            })
        };
        hits.extend(found.map(|(made, poll, wait)| hit(program, id, made, poll, wait)));
    }
    hits
}

/// Whether a call asks a stream for one item.
fn takes_one(callee: Callee) -> bool {
    let of = callee.of_trait().unwrap_or_default();
    adapter(of, callee.name()).is_some_and(|it| matches!(it.does, Does::Takes(_)))
}

/// The block that polls the set for an item, and those that run before it is polled again.
fn between(function: &Function, taken: BlockId) -> Option<(BlockId, BTreeSet<BlockId>)> {
    let paths = Paths::of(function);
    if let Some(poll) = awaited_at(function, taken) {
        let between =
            &paths.from(paths.next(poll), &|it| it == taken) & &paths.to(&[taken], &|it| it == poll);
        return Some((poll, between));
    }
    let select =
        selects(function).into_iter().find(|it| it.branches.iter().any(|it| it.call == Some(taken)))?;
    let arms: Vec<BlockId> = select.branches.iter().filter_map(|it| it.arm).collect();
    let between = &paths.from(&arms, &|it| it == taken) & &paths.to(&[taken], &|it| it == select.poll);
    Some((select.poll, between))
}

/// The future that a method of a stream has made of each item, and awaits before it asks for the next one.
fn given_to(
    program: &Program,
    function: &Function,
    call: &Call,
    callee: Callee,
) -> Option<(FunctionId, Vec<Option<AccessPath>>)> {
    let of = callee.of_trait()?;
    let known = adapter(of, callee.name())?;
    // What is mapped is an item of the next stream, and some methods ask for more meanwhile.
    let goes_on = callee.name().starts_with("map") || callee.name().ends_with("concurrent");
    let given = call.arguments.get(usize::from(known.calls?.0)).filter(|_| !goes_on)?;
    let (closure, captured) = AccessPaths::of(program, function).closure_in(given)?;
    of_closure(program, closure, &captured)
}

/// The locks and places that a body asks for, itself or in what it awaits, each with the block that polls.
fn asked(program: &Program, id: FunctionId) -> Vec<(BlockId, AccessPath, Mode)> {
    let requests = program.locks().requests(id).iter().filter(|(_, it)| it.waits == Waits::Task);
    let locks = requests.map(|(at, it)| (*at, it.lock.clone(), it.mode));
    locks.chain(places(program, id).into_iter().map(|(at, of)| (at, of, Mode::Write))).collect()
}

/// Where a future is put into the set that asks for the same as a wait.
fn conflict(held: &[&Held], (_, wanted, mode): &(BlockId, AccessPath, Mode)) -> Option<BlockId> {
    let excludes = |other: Mode| other == Mode::Write || *mode == Mode::Write;
    let asks = |it: &&&Held| it.locks.iter().any(|(lock, other)| lock == wanted && excludes(*other));
    held.iter().find(asks).map(|it| it.made)
}

fn hit(
    program: &Program,
    id: FunctionId,
    made: BlockId,
    poll: BlockId,
    (waiter, wait): (FunctionId, BlockId),
) -> Hit {
    let is_polled = program.function(id).suspensions.iter().any(|it| it.poll == Some(poll));
    let polled = if is_polled { await_ref(program, id, poll) } else { call_ref(program, id, poll) };
    Hit {
        certainty: Certainty::Usually,
        message: "this can wait behind a future of the set, and nothing polls the set meanwhile: then it \
                  waits forever"
            .to_owned(),
        primary: (await_ref(program, waiter, wait), "waits here".to_owned()),
        related: vec![
            (call_ref(program, id, made), "the futures in the set request it, too".to_owned()),
            (polled, "only this polls them".to_owned()),
        ],
        advice: "collect what is needed and do this after the last result, or spawn the futures as tasks"
            .to_owned(),
    }
}
