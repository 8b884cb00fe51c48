//! A loop that is told to stop, and goes on in a way that leads to no end: its `break` ends a loop inside only.

use crate::body::FunctionId;
use crate::body::paths::Paths;
use crate::body::select::{is_disabled_at, selects};
use crate::program::Program;
use crate::program::code_ref::branch_ref;
use crate::program::library::is_path_of;
use crate::rules::{Certainty, Hit};
use rvcheck_primitives::Is;

/// The branches of a `select!` in which a `CancellationToken` is cancelled, and behind which the body comes back to the `select!` and
/// never to its end.
pub(super) fn check(program: &Program, id: FunctionId, paths: &Paths) -> Vec<Hit> {
    let function = program.function(id);
    let mut hits = Vec::new();
    for select in selects(function) {
        let around = paths.loop_around(select.made);
        let changes = around.iter().any(|it| {
            is_disabled_at(function, *it)
                || function.call(*it).is_some_and(|(_, callee)| {
                    let of = callee.path.rsplit_once("::").map_or("", |it| it.0);
                    let of_token = is_path_of(of, |it| it == Is::Token);
                    of_token && matches!(callee.name(), "new" | "child_token" | "default")
                        || callee.path.contains("process") && matches!(callee.name(), "exit" | "abort")
                })
        });
        for (number, branch) in select.branches.iter().enumerate().filter(|_| !changes) {
            let (Some(call), Some(arm)) = (branch.call, branch.arm) else { continue };
            let is_stopped = matches!(function.call(call), Some((_, it)) if matches!(it.name(), "cancelled" | "cancelled_owned"));
            let beyond = paths.from(&[arm], &|_| false);
            if is_stopped
                && beyond.contains(&select.made)
                && !beyond.iter().any(|it| function.returns_at(*it))
            {
                hits.push(Hit {
                    certainty: Certainty::Usually,
                    message:
                        "the order to stop is seen here, and the loop around goes on for ever all the same"
                            .to_owned(),
                    primary: (
                        branch_ref(program, id, &select, number),
                        "leads back into the loop".to_owned(),
                    ),
                    related: Vec::new(),
                    advice: "return, or leave the outer loop by its label: `break 'outer`".to_owned(),
                });
            }
        }
    }
    hits
}
