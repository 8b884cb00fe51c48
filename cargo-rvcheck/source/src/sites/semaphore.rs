//! Sites that take or give permits of a semaphore.

use super::rule::{Arguments, Rule};

const TYPES: &[&str] = &["Semaphore"];

pub(super) const RULES: &[Rule] = &[
    Rule::method_of(
        TYPES,
        &[
            "acquire",
            "acquire_owned",
            "blocking_acquire",
            "blocking_acquire_owned",
            "try_acquire",
            "try_acquire_owned",
        ],
        Arguments::None,
    ),
    Rule::method_of(
        TYPES,
        &[
            "acquire_many",
            "acquire_many_owned",
            "add_permits",
            "blocking_acquire_many",
            "blocking_acquire_many_owned",
            "forget_permits",
            "try_acquire_many",
            "try_acquire_many_owned",
        ],
        Arguments::Some,
    ),
];
