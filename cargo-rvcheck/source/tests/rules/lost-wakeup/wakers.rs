//! Futures by hand, and which waker they keep when.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};

pub struct Gate {
    open: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Gate {
    pub fn open(&self) {
        self.open.store(true, Ordering::SeqCst);
        if let Some(waker) = self.waker.lock().unwrap().take() {
            waker.wake();
        }
    }

    pub async fn looks_and_keeps_none(&self) {
        poll_fn(|_| if self.open.load(Ordering::SeqCst) { Poll::Ready(()) } else { Poll::Pending }).await //~ lost-wakeup
    }

    pub async fn is_never_done(&self) {
        poll_fn::<(), _>(|_| Poll::Pending).await
    }

    pub async fn is_done_at_once(&self) -> bool {
        poll_fn(|_| Poll::Ready(self.open.load(Ordering::SeqCst))).await
    }

    pub fn looks_first(&self, cx: &mut Context<'_>) -> Poll<()> {
        if self.open.load(Ordering::SeqCst) {
            return Poll::Ready(());
        }
        *self.waker.lock().unwrap() = Some(cx.waker().clone()); //~ lost-wakeup
        Poll::Pending
    }

    pub fn keeps_first(&self, cx: &mut Context<'_>) -> Poll<()> {
        *self.waker.lock().unwrap() = Some(cx.waker().clone());
        if self.open.load(Ordering::SeqCst) { Poll::Ready(()) } else { Poll::Pending }
    }

    pub fn looks_again(&self, cx: &mut Context<'_>) -> Poll<()> {
        if self.open.load(Ordering::SeqCst) {
            return Poll::Ready(());
        }
        *self.waker.lock().unwrap() = Some(cx.waker().clone());
        if self.open.load(Ordering::SeqCst) { Poll::Ready(()) } else { Poll::Pending }
    }

    pub fn looks_under_the_lock(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut waker = self.waker.lock().unwrap();
        if self.open.load(Ordering::SeqCst) {
            return Poll::Ready(());
        }
        *waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

pub struct Alone {
    turns: AtomicBool,
}

impl Alone {
    /// Nobody else sets it.
    pub fn looks_first(&self, cx: &mut Context<'_>, wakers: &Mutex<Option<Waker>>) -> Poll<()> {
        if self.turns.load(Ordering::SeqCst) {
            return Poll::Ready(());
        }
        *wakers.lock().unwrap() = Some(cx.waker().clone());
        Poll::Pending
    }
}

pub struct Queue<T> {
    items: VecDeque<T>,
    waker: Option<Waker>,
}

impl<T> Queue<T> {
    pub fn keeps_the_first_one(&mut self, cx: &mut Context<'_>) -> Poll<T> {
        match self.items.pop_front() {
            Some(item) => Poll::Ready(item),
            None => {
                if self.waker.is_none() {
                    self.waker = Some(cx.waker().clone()); //~ lost-wakeup
                }
                Poll::Pending
            }
        }
    }

    pub fn keeps_the_first_one_by_a_match(&mut self, cx: &mut Context<'_>) -> Poll<T> {
        if let Some(item) = self.items.pop_front() {
            return Poll::Ready(item);
        }
        match &self.waker {
            Some(_) => {}
            None => self.waker = Some(cx.waker().clone()), //~ lost-wakeup
        }
        Poll::Pending
    }

    pub fn keeps_each(&mut self, cx: &mut Context<'_>) -> Poll<T> {
        match self.items.pop_front() {
            Some(item) => Poll::Ready(item),
            None => {
                self.waker = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }

    pub fn keeps_what_differs(&mut self, cx: &mut Context<'_>) -> Poll<T> {
        if let Some(item) = self.items.pop_front() {
            return Poll::Ready(item);
        }
        match &self.waker {
            Some(old) if old.will_wake(cx.waker()) => {}
            _ => self.waker = Some(cx.waker().clone()),
        }
        Poll::Pending
    }

    pub fn clones_into_what_is_there(&mut self, cx: &mut Context<'_>) -> Poll<T> {
        if let Some(item) = self.items.pop_front() {
            return Poll::Ready(item);
        }
        match &mut self.waker {
            Some(old) => old.clone_from(cx.waker()),
            None => self.waker = Some(cx.waker().clone()),
        }
        Poll::Pending
    }

    pub fn wakes_at_once(&mut self, cx: &mut Context<'_>) -> Poll<T> {
        if let Some(item) = self.items.pop_front() {
            return Poll::Ready(item);
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

pub struct Both<A, B>(A, B);

impl<A: Future + Unpin, B: Future<Output = A::Output> + Unpin> Future for Both<A, B> {
    type Output = A::Output;
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<A::Output> {
        if let Poll::Ready(it) = Pin::new(&mut self.0).poll(cx) {
            return Poll::Ready(it);
        }
        match Pin::new(&mut self.1).poll(cx) {
            Poll::Ready(it) => Poll::Ready(it),
            Poll::Pending => Poll::Pending,
        }
    }
}

struct Ticket {
    waker: Option<Waker>,
}

impl Ticket {
    fn replaces_the_same(&mut self, done: bool, cx: &mut Context<'_>) -> Poll<()> {
        if done {
            return Poll::Ready(());
        }
        let other = self.waker.as_ref().map(|it| it.will_wake(cx.waker())).unwrap_or(true);
        if other {
            self.waker = Some(cx.waker().clone()); //~ lost-wakeup warning
        }
        Poll::Pending
    }

    fn replaces_another(&mut self, done: bool, cx: &mut Context<'_>) -> Poll<()> {
        if done {
            return Poll::Ready(());
        }
        let other = self.waker.as_ref().map(|it| !it.will_wake(cx.waker())).unwrap_or(true);
        if other {
            self.waker = Some(cx.waker().clone());
        }
        Poll::Pending
    }

    fn asks_whether_any(&mut self, done: bool, cx: &mut Context<'_>) -> Poll<()> {
        if done {
            return Poll::Ready(());
        }
        if !self.waker.as_ref().is_some_and(|it| it.will_wake(cx.waker())) {
            self.waker = Some(cx.waker().clone());
        }
        Poll::Pending
    }
}

pub fn tickets(done: bool, cx: &mut Context<'_>) -> bool {
    let mut ticket = Ticket { waker: None };
    ticket.replaces_the_same(done, cx).is_ready()
        || ticket.replaces_another(done, cx).is_ready()
        || ticket.asks_whether_any(done, cx).is_ready()
}
