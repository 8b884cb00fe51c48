//! Sites that block their thread otherwise than on a lock or a channel.

use super::rule::{Arguments, Form, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule::function(
        &["thread"],
        &["park", "park_timeout", "park_timeout_ms", "scope", "sleep", "sleep_ms", "sleep_until"],
    ),
    Rule::function(&["tokio", "task"], &["block_in_place"]),
    Rule::method(&["join"], Arguments::None),
    Rule {
        names: &[
            "canonicalize",
            "copy",
            "create_dir",
            "create_dir_all",
            "exists",
            "hard_link",
            "metadata",
            "read",
            "read_dir",
            "read_link",
            "read_to_string",
            "remove_dir",
            "remove_dir_all",
            "remove_file",
            "rename",
            "set_permissions",
            "soft_link",
            "symlink_metadata",
            "write",
        ],
        // The asynchronous counterparts have the same names.
        form: Form::Function {
            owners: &["fs"],
            foreign: &["async_fs", "async_std", "compio", "smol", "tokio"],
        },
    },
];
