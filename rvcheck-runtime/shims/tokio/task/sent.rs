//! Futures that were spawned and may run on any thread. Some are offloaded: each of their polls is made on a thread for blocking work,
//! where it may block, and nowhere else is a thread kept while they are suspended.
//!
//! The task stays the runtime's own, so that its handles, its end and the end of its runtime are what they are for any task.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use rt::remedy::{Offload, Polling};
use rt::task::Tracked;
use rt::TaskId;

/// See the module.
pub(crate) enum Sent<F: Future> {
    /// Polled by the runtime.
    Here(Tracked<F>),
    /// Polled on threads for blocking work.
    Away(Offloaded<F::Output>),
}

impl<F> Sent<F>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    /// A future that the runtime polls.
    #[inline]
    pub(super) fn here(future: Tracked<F>) -> Sent<F> {
        Sent::Here(future)
    }

    /// A future that is offloaded.
    #[cold]
    pub(super) fn away(id: TaskId, future: Tracked<F>, offload: Offload) -> Sent<F> {
        let place = Place::Here(Box::pin(future));
        Sent::Away(Offloaded { id, offload, polling: Arc::default(), woken: None, place })
    }
}

impl<F: Future> Future for Sent<F>
where
    F::Output: Send + 'static,
{
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: the future inside is moved by nobody, and what is offloaded may be moved.
        match unsafe { self.get_unchecked_mut() } {
            // SAFETY: as above.
            Sent::Here(future) => unsafe { Pin::new_unchecked(future) }.poll(context),
            Sent::Away(offloaded) => offloaded.poll(context),
        }
    }
}

/// A future that may be on any thread.
type Portable<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// An offloaded future.
pub(crate) struct Offloaded<T> {
    id: TaskId,
    offload: Offload,
    polling: Arc<Polling>,
    /// What it is woken by, once it was polled.
    woken: Option<Arc<Woken>>,
    place: Place<T>,
}

/// Where the future is.
enum Place<T> {
    Here(Portable<T>),
    /// It is being polled.
    Away(real::task::JoinHandle<Polled<T>>),
    /// It is done, or was dropped.
    Gone,
}

/// What came of a poll.
struct Polled<T> {
    /// The future, where it is not done.
    result: Result<T, Portable<T>>,
    /// When the poll was over.
    ended: u64,
}

impl<T: Send + 'static> Offloaded<T> {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<T> {
        loop {
            match std::mem::replace(&mut self.place, Place::Gone) {
                Place::Here(future) => self.place = Place::Away(self.send(future, context.waker())),
                Place::Away(mut polling) => match Pin::new(&mut polling).poll(context) {
                    Poll::Pending => {
                        self.place = Place::Away(polling);
                        return Poll::Pending;
                    }
                    Poll::Ready(Ok(Polled { result, ended })) => {
                        self.offload.was_on_its_way(ended);
                        match result {
                            Ok(output) => return Poll::Ready(output),
                            Err(future) => self.place = Place::Here(future),
                        }
                        // Who wakes it while it is away finds nobody to poll it.
                        if !self.woken.as_ref().is_some_and(|it| it.0.load(Ordering::Acquire)) {
                            return Poll::Pending;
                        }
                    }
                    Poll::Ready(Err(error)) if error.is_panic() => {
                        std::panic::resume_unwind(error.into_panic());
                    }
                    // The runtime is going, and this task with it.
                    Poll::Ready(Err(_)) => return Poll::Pending,
                },
                Place::Gone => return Poll::Pending,
            }
        }
    }

    /// Has the future polled once on a thread for blocking work.
    fn send(&mut self, mut future: Portable<T>, waker: &Waker) -> real::task::JoinHandle<Polled<T>> {
        let known = self.woken.take().filter(|it| it.1.will_wake(waker));
        let woken = known.unwrap_or_else(|| Arc::new(Woken(AtomicBool::new(false), waker.clone())));
        // Whatever has woken it until now is seen by this poll.
        woken.0.store(false, Ordering::SeqCst);
        self.woken = Some(woken.clone());
        let (offload, sent, polling) = (self.offload, Offload::now(), self.polling.clone());
        real::task::spawn_blocking(move || {
            offload.was_on_its_way(sent);
            let under_way = polling.begin();
            let polled = match under_way {
                Some(_) => future.as_mut().poll(&mut Context::from_waker(&woken.into())),
                None => Poll::Pending,
            };
            drop(under_way);
            let result = match polled {
                Poll::Ready(output) => Ok(output),
                Poll::Pending => Err(future),
            };
            Polled { result, ended: Offload::now() }
        })
    }
}

impl<T> Drop for Offloaded<T> {
    fn drop(&mut self) {
        if let Place::Away(_) = self.place {
            self.polling.dropped(self.id);
        }
    }
}

/// Wakes the task, and remembers that.
struct Woken(AtomicBool, Waker);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.store(true, Ordering::Release);
        self.1.wake_by_ref();
    }
}
