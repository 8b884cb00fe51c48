//! Sites that spawn a task or a thread.

use super::rule::{Arguments, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule::function(
        &["tokio", "task", "thread", "rt", "actix_rt"],
        &["spawn", "spawn_blocking", "spawn_local", "spawn_scoped"],
    ),
    Rule::method_of(
        &["Handle", "Runtime", "JoinSet", "LocalSet", "Builder", "Scope"],
        &[
            "block_on",
            "spawn",
            "spawn_blocking",
            "spawn_blocking_on",
            "spawn_local",
            "spawn_local_on",
            "spawn_on",
            "spawn_scoped",
            "spawn_unchecked",
        ],
        Arguments::Some,
    ),
];
