//! Sites that take a lock.

use super::rule::{Arguments, Rule};

const MUTEXES: &[&str] = &["Mutex", "FairMutex", "ReentrantMutex"];
const RW_LOCKS: &[&str] = &["RwLock"];

pub(super) const RULES: &[Rule] = &[
    Rule::method_of(
        MUTEXES,
        &[
            "blocking_lock",
            "blocking_lock_owned",
            "lock",
            "lock_arc",
            "lock_owned",
            "try_lock",
            "try_lock_arc",
            "try_lock_owned",
        ],
        Arguments::None,
    ),
    Rule::method_of(
        RW_LOCKS,
        &[
            "blocking_read",
            "blocking_write",
            "read",
            "read_arc",
            "read_owned",
            "read_recursive",
            "try_read",
            "try_read_owned",
            "try_upgradable_read",
            "try_write",
            "try_write_owned",
            "upgradable_read",
            "write",
            "write_arc",
            "write_owned",
        ],
        Arguments::None,
    ),
    Rule::method(
        &[
            "try_lock_for",
            "try_lock_until",
            "try_read_for",
            "try_read_until",
            "try_write_for",
            "try_write_until",
        ],
        Arguments::Some,
    ),
];

/// Whether what is locked is a standard stream of the process, which is not a lock of the program's own.
pub(super) fn is_console(binding: Option<&str>) -> bool {
    binding.is_some_and(|it| ["stdin()", "stdout()", "stderr()"].iter().any(|end| it.ends_with(end)))
}
