//! Which bodies of the workspace a call runs before it comes back.

use super::access::{Access, Ways};
use super::blocking::{Wait, in_full, wait_of};
use super::function::{Function, owner};
use super::program::{FunctionId, Program};
use super::text::{head, last};
use crate::mir::BlockId;

/// A body that a call runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The body.
    pub body: FunctionId,
    /// The ways to the arguments that it is given, in the terms of the caller.
    pub arguments: Vec<Option<Access>>,
    /// The ways to what it has captured, in the terms of the caller.
    pub captured: Vec<Option<Access>>,
    /// It is run whenever the call is made.
    pub always: bool,
}

/// The bodies that the call at the end of a block runs: the function that it calls, the state machine that it polls or drives to its end,
/// and the closures that it hands to a function that calls them before it comes back. What is spawned is run by somebody else.
pub fn runs(program: &Program, function: &Function, block: BlockId) -> Vec<Run> {
    let Some((call, callee)) = function.call(block) else { return Vec::new() };
    let ways = Ways::of(program, function);
    if callee.is_trait("Future", "poll") {
        let inner = function.polled(block).and_then(|it| ways.captured_in(&it));
        let run = inner.map(|(body, captured)| Run { body, arguments: Vec::new(), captured, always: true });
        return run.into_iter().collect();
    }
    let closures = || call.arguments.iter().filter_map(|it| ways.closure_in(it));
    let at_once = |(body, captured), always| Run { body, arguments: Vec::new(), captured, always };
    if let Some(body) =
        program.called(function, block).or_else(|| program.only_implementation(function, block))
    {
        let itself = Run { body, arguments: ways.arguments(call), captured: Vec::new(), always: true };
        // What it is given to call it may call. Whether it does is seen there, but for what it holds then.
        let given = closures().filter(|_| program.calls_what_it_is_given(body)).map(|it| at_once(it, false));
        return std::iter::once(itself).chain(given).collect();
    }
    let itself = matches!(callee.of_trait.as_deref(), Some("Fn" | "FnMut" | "FnOnce"));
    let path = program.callee_path(function, block);
    let drives = wait_of(in_full(path).unwrap_or(path)) == Some(Wait::Future);
    if !itself && !drives && !calls_at_once(path, callee.self_type.as_deref()) {
        return Vec::new();
    }
    closures().map(|it| at_once(it, itself || drives)).collect()
}

/// Whether a function of std calls the closures that it is given before it comes back. Most methods of iterators do not.
fn calls_at_once(path: &str, self_type: Option<&str>) -> bool {
    const OWNERS: [&str; 9] =
        ["Option", "Result", "Vec", "HashMap", "BTreeMap", "HashSet", "VecDeque", "Entry", "bool"];
    const OF_ITERATORS: [&str; 16] = [
        "for_each",
        "try_for_each",
        "fold",
        "try_fold",
        "any",
        "all",
        "find",
        "find_map",
        "position",
        "max_by_key",
        "min_by_key",
        "max_by",
        "min_by",
        "partition",
        "reduce",
        "is_sorted_by",
    ];
    let of_std = |it: &str| it.starts_with("std::") || !it.contains("::");
    match self_type {
        Some(_) if owner(path) == "Iterator" => OF_ITERATORS.contains(&last(path)),
        Some(ty) => of_std(&head(ty)) && OWNERS.contains(&last(&head(ty))),
        None => {
            let ty = path.rsplit_once("::").map_or("", |(ty, _)| ty);
            of_std(ty) && OWNERS.contains(&last(ty))
        }
    }
}
