//! What processes do whose traces are looked at.

pub(crate) mod forked;
pub(crate) mod memory;
pub(crate) mod observed;
pub(crate) mod signals;

use std::panic::Location;

use rvcheck_runtime::{EventKind, Head, Mode, ObjectKind, RvAwait, TaskKind, What};

/// Calls hooks of every sort, none of which was called before in this process.
pub(crate) fn every_hook(lock: &Head) {
    use rvcheck_runtime::{chan, sem, signal, task, wait};
    let here = Location::caller();
    let held = rvcheck_runtime::lock::acquired(lock, Mode::Write, false, here);
    rvcheck_runtime::delay(lock, here);
    drop(rvcheck_runtime::lock::request(lock, Mode::Write, here));
    drop(rvcheck_runtime::block(What::Sleep, here));
    let channel = Head::new(ObjectKind::StdMpsc, here);
    chan::sent(&channel, 1, Location::caller());
    chan::received(&channel, 1, Location::caller());
    chan::sender_dropped(&channel, 0);
    let permits = Head::sized(ObjectKind::TokioSemaphore, here, 3);
    sem::taken(&permits, 1, Location::caller());
    sem::released(&permits, 1, false, None);
    let gate = Head::new(ObjectKind::TokioNotify, here);
    wait::begin(EventKind::SignalWait, &gate, 0, Location::caller());
    signal::got(&gate, Location::caller());
    signal::all(&gate, Location::caller());
    let id = task::spawned(TaskKind::Async, here, "some::Output", Some("a name"));
    let mut handle = task::Handle::new(id);
    block_on(task::tracked(id, async { once_pending().__rv_await::<0>().await }));
    handle.joined(Location::caller());
    drop(task::tracked(task::spawned(TaskKind::Async, here, "another::Output", None), async {}));
    rvcheck_runtime::set("busy", (1, "with a text"));
    rvcheck_runtime::clear("busy", (1, "with a text"));
    rvcheck_runtime::check("calm", "G busy(_, _)");
    rvcheck_runtime::remove("calm");
    rvcheck_runtime::event("held", rvcheck_runtime::object!(lock));
    observed::every_value(lock, *here);
    // Enough for another chunk of records, and for another of definitions.
    for _ in 0..2_000 {
        drop(rvcheck_runtime::lock::acquired(&channel, Mode::Read, true, here));
    }
    let mut text = [b' '; 4_000];
    for count in 0..100 {
        text[count] = b'x';
        rvcheck_runtime::event("grows", str::from_utf8(&text).unwrap_or_default());
    }
    drop(held);
}

/// A future that suspends once.
pub(crate) fn once_pending() -> impl Future<Output = ()> {
    let mut first = true;
    std::future::poll_fn(move |context| {
        context.waker().wake_by_ref();
        if std::mem::take(&mut first) { std::task::Poll::Pending } else { std::task::Poll::Ready(()) }
    })
}

/// Polls a future until it is done.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}
