//! Sites that block their thread otherwise than on a lock or a channel.

use super::rule::{Arguments, Form, Rule};
use crate::blocking::FILES;

pub(super) const RULES: &[Rule] = &[
    Rule::function(
        &["thread"],
        &["park", "park_timeout", "park_timeout_ms", "scope", "sleep", "sleep_ms", "sleep_until"],
    ),
    Rule::function(&["tokio", "task"], &["block_in_place"]),
    Rule::method(&["join"], Arguments::None),
    Rule {
        names: &FILES,
        // The asynchronous counterparts have the same names.
        form: Form::Function {
            owners: &["fs"],
            foreign: &["async_fs", "async_std", "compio", "smol", "tokio"],
        },
    },
];
