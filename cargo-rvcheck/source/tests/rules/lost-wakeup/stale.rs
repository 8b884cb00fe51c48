//! Futures by hand that look at the waker of their first poll alone.

use futures::task::AtomicWaker;
use parking_lot::Mutex as Lock;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

struct Kiln {
    is_cold: AtomicBool,
    potter: AtomicWaker,
    apprentices: Lock<BTreeMap<u32, Waker>>,
    owner: Mutex<Option<Waker>>,
}

impl Kiln {
    fn cool(&self) {
        self.is_cold.store(true, Ordering::SeqCst);
        self.potter.wake();
        let apprentices = std::mem::take(&mut *self.apprentices.lock());
        apprentices.into_values().for_each(Waker::wake);
        if let Some(owner) = self.owner.lock().unwrap().take() {
            owner.wake();
        }
    }

    fn is_cold(&self) -> bool {
        self.is_cold.load(Ordering::SeqCst)
    }
}

/// A flag of its own says that it has registered.
pub struct Cooled {
    kiln: Arc<Kiln>,
    is_known: bool,
}

impl Future for Cooled {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if !self.is_known {
            self.kiln.potter.register(cx.waker()); //~ lost-wakeup warning
            self.is_known = true;
        }
        if self.kiln.is_cold() { Poll::Ready(()) } else { Poll::Pending }
    }
}

/// It registers each time.
pub struct Watched {
    kiln: Arc<Kiln>,
    polls: u32,
}

impl Future for Watched {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        self.polls += 1;
        self.kiln.potter.register(cx.waker());
        if self.kiln.is_cold() { Poll::Ready(self.polls) } else { Poll::Pending }
    }
}

/// Its key is that of the waker of its first poll.
pub struct Queued {
    kiln: Arc<Kiln>,
    key: Option<u32>,
}

impl Queued {
    fn enter(&mut self, waker: &Waker) {
        let mut apprentices = self.kiln.apprentices.lock();
        let key = apprentices.len() as u32;
        apprentices.insert(key, waker.clone());
        self.key = Some(key);
    }
}

impl Future for Queued {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        match self.key {
            Some(_) => {}
            None => self.enter(cx.waker()), //~ lost-wakeup warning
        }
        if self.kiln.is_cold() { Poll::Ready(()) } else { Poll::Pending }
    }
}

/// It replaces what is there under its key.
pub struct Renewed {
    kiln: Arc<Kiln>,
    key: Option<u32>,
}

impl Future for Renewed {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let kiln = self.kiln.clone();
        let mut apprentices = kiln.apprentices.lock();
        if kiln.is_cold() {
            return Poll::Ready(());
        }
        let key = match self.key {
            Some(key) => key,
            None => apprentices.len() as u32,
        };
        apprentices.insert(key, cx.waker().clone());
        self.key = Some(key);
        Poll::Pending
    }
}

/// What it does next is a state of its own.
enum Stage {
    New,
    Waiting,
}

pub struct Staged {
    kiln: Arc<Kiln>,
    stage: Stage,
}

impl Future for Staged {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        match self.stage {
            Stage::New => {
                self.stage = Stage::Waiting;
                let kiln = Arc::clone(&self.kiln);
                let waker = cx.waker().clone();
                std::thread::spawn(move || { //~ lost-wakeup warning
                    kiln.cool();
                    waker.wake();
                });
                Poll::Pending
            }
            Stage::Waiting if self.kiln.is_cold() => Poll::Ready(()),
            Stage::Waiting => Poll::Pending,
        }
    }
}

/// The slot keeps what it has.
pub struct Owned {
    kiln: Arc<Kiln>,
}

impl Future for Owned {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut owner = self.kiln.owner.lock().unwrap();
        if self.kiln.is_cold() {
            return Poll::Ready(());
        }
        owner.get_or_insert_with(|| cx.waker().clone()); //~ lost-wakeup warning
        Poll::Pending
    }
}

/// It compares.
pub struct Compared {
    kiln: Arc<Kiln>,
}

impl Future for Compared {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut owner = self.kiln.owner.lock().unwrap();
        if self.kiln.is_cold() {
            return Poll::Ready(());
        }
        if !owner.as_ref().is_some_and(|it| it.will_wake(cx.waker())) {
            *owner = Some(cx.waker().clone());
        }
        Poll::Pending
    }
}

/// Whoever has the lock does not know of it.
pub struct Tried {
    kiln: Arc<Kiln>,
}

impl Future for Tried {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Ok(mut owner) = self.kiln.owner.try_lock() else { //~ lost-wakeup warning
            return Poll::Pending;
        };
        if self.kiln.is_cold() {
            return Poll::Ready(());
        }
        *owner = Some(cx.waker().clone());
        Poll::Pending
    }
}

/// It is polled again at once.
pub struct TriedAgain {
    kiln: Arc<Kiln>,
}

impl Future for TriedAgain {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Some(mut apprentices) = self.kiln.apprentices.try_lock() else {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        };
        if self.kiln.is_cold() {
            return Poll::Ready(());
        }
        apprentices.insert(0, cx.waker().clone());
        Poll::Pending
    }
}

/// A future inside is polled while it is there.
pub struct Within<F> {
    inside: Option<F>,
    kiln: Arc<Kiln>,
}

impl<F: Future<Output = ()> + Unpin> Future for Within<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if let Some(inside) = self.inside.as_mut() {
            match Pin::new(inside).poll(cx) {
                Poll::Ready(()) => self.inside = None,
                Poll::Pending => return Poll::Pending,
            }
        }
        self.kiln.potter.register(cx.waker());
        if self.kiln.is_cold() { Poll::Ready(()) } else { Poll::Pending }
    }
}

/// Whether the slot was taken says how it goes on: nobody waits without a waker.
pub struct Unloaded {
    kiln: Arc<Kiln>,
}

impl Future for Unloaded {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let is_taken = match self.kiln.owner.try_lock() {
            Ok(mut owner) => {
                *owner = Some(cx.waker().clone());
                false
            }
            Err(_) => true,
        };
        if is_taken || self.kiln.is_cold() { Poll::Ready(()) } else { Poll::Pending }
    }
}
