//! Streams and futures by hand that leave out what was ready.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

pub trait Source {
    fn poll_item(&mut self, cx: &mut Context<'_>) -> Poll<Option<u32>>;
}

pub struct Even<S>(S);

impl<S: Source> Even<S> {
    pub fn leaves_out(&mut self, cx: &mut Context<'_>) -> Poll<Option<u32>> {
        match self.0.poll_item(cx) { //~ lost-wakeup warning
            Poll::Ready(Some(item)) if item % 2 == 0 => Poll::Ready(Some(item)),
            Poll::Ready(None) => Poll::Ready(None),
            _ => Poll::Pending,
        }
    }

    pub fn leaves_out_by_ready(&mut self, cx: &mut Context<'_>) -> Poll<Option<u32>> {
        let item = ready!(self.0.poll_item(cx)); //~ lost-wakeup warning
        if item.is_some_and(|it| it % 2 == 1) {
            return Poll::Pending;
        }
        Poll::Ready(item)
    }

    pub fn polls_again(&mut self, cx: &mut Context<'_>) -> Poll<Option<u32>> {
        loop {
            match ready!(self.0.poll_item(cx)) {
                Some(item) if item % 2 == 1 => {}
                item => return Poll::Ready(item),
            }
        }
    }

    pub fn wakes_itself(&mut self, cx: &mut Context<'_>) -> Poll<Option<u32>> {
        let item = ready!(self.0.poll_item(cx));
        if item.is_some_and(|it| it % 2 == 1) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(item)
    }
}

/// Bytes of which a message has several.
pub struct Message<F> {
    part: F,
    parts: Vec<u8>,
}

impl<F: Future<Output = u8> + Unpin> Future for Message<F> {
    type Output = Vec<u8>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Vec<u8>> {
        let Poll::Ready(part) = Pin::new(&mut self.part).poll(cx) else { //~ lost-wakeup warning
            return Poll::Pending;
        };
        self.parts.push(part);
        if self.parts.len() < 4 {
            return Poll::Pending;
        }
        Poll::Ready(std::mem::take(&mut self.parts))
    }
}

/// All are polled, and one may be pending.
pub struct All<F> {
    futures: Vec<F>,
}

impl<F: Future<Output = ()> + Unpin> Future for All<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut are_ready = true;
        for future in &mut self.futures {
            if Pin::new(future).poll(cx).is_pending() {
                are_ready = false;
            }
        }
        if are_ready { Poll::Ready(()) } else { Poll::Pending }
    }
}

pub struct Pair<A, B> {
    first: A,
    second: B,
    is_first_over: bool,
}

impl<A: Future<Output = ()> + Unpin, B: Future<Output = ()> + Unpin> Future for Pair<A, B> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if !self.is_first_over {
            match Pin::new(&mut self.first).poll(cx) {
                Poll::Ready(()) => self.is_first_over = true,
                Poll::Pending => {}
            }
        }
        match Pin::new(&mut self.second).poll(cx) {
            Poll::Ready(()) if self.is_first_over => Poll::Ready(()),
            _ => Poll::Pending,
        }
    }
}
