//! Which executor polls a task, for controlled runs.

use std::hash::{DefaultHasher, Hash, Hasher};

/// A runtime, or a handle of one.
pub(crate) trait HasHandle {
    /// The handle.
    fn handle(&self) -> &real::runtime::Handle;

    /// It is about to drive a root.
    fn drives(&self) {
        on_executor(self.handle());
    }
}

impl HasHandle for real::runtime::Runtime {
    fn handle(&self) -> &real::runtime::Handle {
        self.handle()
    }
}

#[cfg(any(rv_tokio_1_51, all(tokio_unstable, rv_tokio_1_46)))]
impl HasHandle for real::runtime::LocalRuntime {
    fn handle(&self) -> &real::runtime::Handle {
        self.handle()
    }

    fn drives(&self) {
        on_executor(self.handle());
        rt::control::polls_locals();
    }
}

impl HasHandle for real::runtime::Handle {
    fn handle(&self) -> &real::runtime::Handle {
        self
    }
}

/// The task that is announced next is polled by the runtime that this thread is in.
pub(crate) fn on_current_executor() {
    if rt::control::on() {
        if let Ok(handle) = real::runtime::Handle::try_current() {
            on_executor(&handle);
        }
    }
}

/// The task that is announced next is polled by this runtime.
pub(crate) fn on_executor(handle: &real::runtime::Handle) {
    rt::control::on_executor(|| (identity(handle), workers(handle)));
}

/// What tells the runtime from others.
#[cfg(any(rv_tokio_1_49, all(tokio_unstable, rv_tokio_1_30)))]
fn identity(handle: &real::runtime::Handle) -> u64 {
    let mut hasher = DefaultHasher::new();
    handle.id().hash(&mut hasher);
    hasher.finish()
}

/// As above. Runtimes of one kind are told apart by nothing else.
#[cfg(not(any(rv_tokio_1_49, all(tokio_unstable, rv_tokio_1_30))))]
fn identity(handle: &real::runtime::Handle) -> u64 {
    let mut hasher = DefaultHasher::new();
    workers(handle).hash(&mut hasher);
    hasher.finish()
}

/// How many threads poll its tasks; 0 if only the one that drives a root does.
#[cfg(rv_tokio_1_38)]
pub(super) fn workers(handle: &real::runtime::Handle) -> u32 {
    match handle.runtime_flavor() {
        real::runtime::RuntimeFlavor::CurrentThread => 0,
        _ => handle.metrics().num_workers() as u32,
    }
}

/// As above, where only that is known.
#[cfg(not(rv_tokio_1_38))]
pub(super) fn workers(handle: &real::runtime::Handle) -> u32 {
    // The name of what it has inside.
    let shown = format!("{handle:?}");
    if shown.contains("Basic") || shown.contains("CurrentThread") {
        return 0;
    }
    std::thread::available_parallelism().map_or(1, |it| it.get() as u32)
}
