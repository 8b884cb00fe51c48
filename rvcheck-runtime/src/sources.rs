//! The sources that are compiled into the program under test, as (path, text), so that an installed tool needs no checkout.

/// A file: its path below the crate's folder, and its text.
pub type Source = (&'static str, &'static str);

macro_rules! files {
    ($base:literal: $($path:literal)*) => { &[$(($path, include_str!(concat!($base, $path)))),*] };
}

/// Crate `rvcheck_event`, below its `src/`.
pub const EVENT: &[Source] = rvcheck_event::SOURCES;

/// Crate `rvcheck_runtime`, below its `src/`.
pub const RUNTIME: &[Source] = files!["":
    "awaiting.rs" "blocking.rs" "chan.rs" "clock.rs" "head.rs" "lib.rs" "lock.rs" "outcome.rs"
    "output/definitions.rs" "output/map.rs" "output/mod.rs" "panics.rs" "sem.rs" "signal.rs" "site.rs"
    "start.rs" "task/handle.rs" "task/mod.rs" "task/run.rs" "task/tracked.rs" "thread.rs" "wait.rs"
];

/// The shim of `std`.
pub const STD: &[Source] = files!["../shims/std/":
    "fs.rs" "lib.rs" "panic.rs" "prelude.rs" "sync/barrier.rs" "sync/condvar.rs" "sync/mod.rs"
    "sync/mpsc/channel.rs" "sync/mpsc/iter.rs" "sync/mpsc/mod.rs" "sync/mpsc/receiver.rs"
    "sync/mpsc/sender.rs" "sync/mutex.rs" "sync/once/gate.rs" "sync/once/lazy_lock.rs" "sync/once/mod.rs"
    "sync/once/once.rs" "sync/once/once_lock.rs" "sync/rwlock.rs" "thread/builder.rs" "thread/join.rs"
    "thread/mod.rs" "thread/scope.rs" "thread/waiting.rs"
];

/// The shim of `tokio`.
pub const TOKIO: &[Source] = files!["../shims/tokio/":
    "blocking.rs" "lib.rs" "runtime/builder.rs" "runtime/handle.rs" "runtime/local_runtime.rs"
    "runtime/mod.rs" "runtime/runtime.rs" "sync/barrier.rs" "sync/broadcast.rs" "sync/channel.rs"
    "sync/erased.rs" "sync/guards.rs" "sync/mod.rs" "sync/mpsc/bounded.rs" "sync/mpsc/mod.rs"
    "sync/mpsc/permit.rs" "sync/mpsc/receiver.rs" "sync/mpsc/unbounded.rs" "sync/mpsc/weak.rs"
    "sync/mutex/guard.rs" "sync/mutex/mod.rs" "sync/mutex/owned.rs" "sync/notify.rs" "sync/once_cell.rs"
    "sync/oneshot.rs" "sync/rwlock/mod.rs" "sync/rwlock/owned.rs" "sync/rwlock/owned_write.rs"
    "sync/rwlock/read.rs" "sync/rwlock/write.rs" "sync/semaphore/blocking.rs" "sync/semaphore/mod.rs"
    "sync/semaphore/permit.rs" "sync/set_once.rs" "sync/watch/mod.rs" "sync/watch/receiver.rs"
    "sync/watch/sender.rs" "task/abort_handle.rs" "task/join_handle.rs"
    "task/join_set/joining.rs" "task/join_set/mod.rs" "task/join_set/readers.rs" "task/join_set/unread.rs"
    "task/local_set.rs" "task/mod.rs" "task/spawn.rs" "waiting.rs"
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    /// The Rust files below a folder of this package.
    fn found(folder: &str) -> Vec<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut found = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            let paths: Vec<PathBuf> = folder.read_dir().unwrap().map(|it| it.unwrap().path()).collect();
            for path in paths {
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("sources.rs") {
                    found.push(path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        found.sort();
        found
    }

    #[test]
    fn every_injected_file_is_listed() {
        for (folder, listed) in [("src", RUNTIME), ("shims/std", STD), ("shims/tokio", TOKIO)] {
            let mut listed: Vec<_> = listed.iter().map(|(path, _)| (*path).to_owned()).collect();
            listed.sort();
            assert_eq!(found(folder), listed, "in {folder}");
        }
    }
}
