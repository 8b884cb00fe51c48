//! Sites that create a lock, a channel, a semaphore or a signal.

use super::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::function(
        &[
            "Barrier",
            "Condvar",
            "FairMutex",
            "LazyLock",
            "Mutex",
            "Notify",
            "Once",
            "OnceCell",
            "OnceLock",
            "RecursiveRwLock",
            "ReentrantMutex",
            "RwLock",
            "Semaphore",
            "SetOnce",
        ],
        &["const_new", "const_with_max_readers", "new", "new_with", "with_max_readers"],
    ),
    Rule::function(
        &["broadcast", "mpsc", "oneshot", "watch"],
        &["channel", "sync_channel", "unbounded_channel"],
    ),
    Rule::function(&["async_channel", "channel", "crossbeam_channel", "flume"], &["bounded", "unbounded"]),
];
