//! What a future has of its own is of no use to others once it has failed.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

enum Step {
    Fresh(u32),
    Queued(usize),
}

pub struct Put {
    queue: Arc<Mutex<VecDeque<(u32, Waker)>>>,
    step: Option<Step>,
}

impl Future for Put {
    type Output = Result<(), u32>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let Some(Step::Queued(at)) = self.step.as_ref() {
            let (at, queue) = (*at, self.queue.clone());
            if queue.lock().unwrap().len() <= at {
                self.step = None;
                return Poll::Ready(Err(at as u32));
            }
            queue.lock().unwrap()[at].1 = cx.waker().clone();
            return Poll::Pending;
        }
        let Some(Step::Fresh(value)) = self.step.take() else { return Poll::Ready(Ok(())) };
        let queue = self.queue.clone();
        let mut queue = queue.lock().unwrap();
        queue.push_back((value, cx.waker().clone()));
        self.step = Some(Step::Queued(queue.len() - 1));
        Poll::Pending
    }
}
