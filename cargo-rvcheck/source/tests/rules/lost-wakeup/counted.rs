//! Wakers that are kept after the look, where a number that each notification counts up tells whether that was too late.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};

#[derive(Default)]
pub struct Bell {
    rings: AtomicUsize,
    wakers: Mutex<Vec<Waker>>,
}

pub struct Ticket<'a> {
    seen: usize,
    rings: &'a AtomicUsize,
}

impl Ticket<'_> {
    fn is_stale(&self) -> bool {
        self.rings.load(Ordering::SeqCst) != self.seen
    }
}

impl Bell {
    fn ticket(&self) -> Ticket<'_> {
        Ticket { seen: self.rings.load(Ordering::SeqCst), rings: &self.rings }
    }

    fn listen(&self, context: &Context<'_>) {
        self.wakers.lock().unwrap().push(context.waker().clone());
    }

    fn ring(&self) {
        self.rings.fetch_add(1, Ordering::SeqCst);
        for waker in self.wakers.lock().unwrap().drain(..) {
            waker.wake();
        }
    }
}

#[derive(Default)]
pub struct Oven {
    loaves: AtomicUsize,
    bell: Bell,
}

impl Oven {
    pub fn bake(&self) {
        self.loaves.fetch_add(1, Ordering::SeqCst);
        self.bell.ring();
    }

    pub fn poll_loaf(&self, context: &Context<'_>) -> Poll<usize> {
        loop {
            let ticket = self.bell.ticket();
            let loaves = self.loaves.load(Ordering::SeqCst);
            if loaves > 0 {
                return Poll::Ready(loaves);
            }
            self.bell.listen(context); //~ lost-wakeup note
            if ticket.is_stale() {
                continue;
            }
            return Poll::Pending;
        }
    }

    pub fn poll_hastily(&self, context: &Context<'_>) -> Poll<usize> {
        let loaves = self.loaves.load(Ordering::SeqCst);
        if loaves > 0 {
            return Poll::Ready(loaves);
        }
        self.bell.listen(context); //~ lost-wakeup warning
        Poll::Pending
    }
}
