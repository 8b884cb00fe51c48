//! What records that a cell is filled, and who waits for that.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};

use rt::lock::{self, Held, Request};
use rt::{EndingHead, Loc, Mode, ObjectKind};

use super::OnceCell;

/// The lock that is held by who fills the cell.
pub(super) struct Filling {
    pub(super) head: EndingHead,
    /// Whether somebody does. Whoever comes then has to wait.
    busy: AtomicBool,
}

impl Filling {
    /// The lock of a cell made at `born`.
    pub(super) const fn new(born: Loc) -> Filling {
        Filling { head: EndingHead::new(ObjectKind::AsyncLockOnce, born), busy: AtomicBool::new(false) }
    }

    /// Whether somebody fills the cell.
    #[cfg(any(feature = "std", not(rv_async_lock_3)))]
    pub(super) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Relaxed)
    }

    /// It is this one's turn to fill it, maybe after a wait.
    pub(super) fn begin(&self, request: Option<Request>, location: Loc) -> Inside<'_> {
        self.busy.store(true, Ordering::Relaxed);
        let held = match request {
            Some(request) => request.acquired(),
            None => lock::acquired(&self.head, Mode::Write, false, location),
        };
        Inside { held: Some(held), filling: self }
    }

    /// Somebody else filled it. To have waited for that is to have had it to read.
    pub(super) fn waited(&self, request: Request, location: Loc) {
        drop(request);
        drop(lock::acquired(&self.head, Mode::Read, false, location));
    }
}

/// The cell is being filled. Dropped when it is full, or when that was given up.
pub(super) struct Inside<'a> {
    held: Option<Held>,
    filling: &'a Filling,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.filling.busy.store(false, Ordering::Relaxed);
        drop(self.held.take());
        rt::made_once(&self.filling.head);
    }
}

/// Fills the cell by the future, unless it is full or somebody else fills it.
pub(super) async fn fill<T, E, Fut: Future<Output = Result<T, E>>>(
    cell: &OnceCell<T>,
    closure: impl FnOnce() -> Fut,
    location: Loc,
) -> Result<&T, E> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let filling = &cell.filling;
    rt::delay(&filling.head, location);
    let wait = rt::Filling::default();
    let mut filled = pin!(cell.real.get_or_try_init(|| {
        let inside = filling.begin(wait.end(), location);
        let future = rt::waker::disguise_for(closure());
        async move {
            let made = future.await;
            drop(inside);
            made
        }
    }));
    let filled = std::future::poll_fn(|context| {
        let polled = filled.as_mut().poll(&mut rt::waker::real(context));
        if polled.is_pending() {
            wait.begin(|| lock::request(&filling.head, Mode::Write, location));
        }
        polled
    })
    .await;
    if let Some(request) = wait.end() {
        filling.waited(request, location);
    }
    if filled.is_ok() {
        rt::found_made(&filling.head);
    }
    filled
}
