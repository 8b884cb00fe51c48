//! Services in layers.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::mem;
use std::task::{Context, Poll, ready as come};

use tower_service::Service;

/// Doubles numbers. It is ready at every second question.
#[derive(Clone, Default)]
pub struct Double {
    questions: u32,
}

impl Service<u32> for Double {
    type Response = u32;
    type Error = Infallible;
    type Future = Ready<Result<u32, Infallible>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.questions += 1;
        if self.questions % 2 == 1 {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: u32) -> Self::Future {
        ready(Ok(2 * request))
    }
}

/// Calls a clone of what it is around. It moves the service that it has asked, as one should.
pub struct Layer<S> {
    pub inner: S,
    /// It says itself that it is ready, and does not ask.
    pub is_hasty: bool,
}

impl<S: Service<u32> + Clone> Service<u32> for Layer<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        if !self.is_hasty {
            come!(self.inner.poll_ready(cx))?;
        }
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: u32) -> Self::Future {
        let fresh = self.inner.clone();
        let mut asked = mem::replace(&mut self.inner, fresh);
        asked.call(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;

    async fn doubled(mut layer: Layer<Double>) -> u32 {
        let mut sum = 0;
        for number in 1..4 {
            poll_fn(|cx| layer.poll_ready(cx)).await.expect("it cannot fail");
            sum += layer.call(number).await.expect("it cannot fail");
        }
        sum
    }

    #[tokio::test]
    async fn each_call_follows_its_answer_and_holds() {
        assert_eq!(doubled(Layer { inner: Double::default(), is_hasty: false }).await, 12);
    }

    #[tokio::test]
    async fn nobody_asks_the_inner_service_and_ready_first_violated() {
        assert_eq!(doubled(Layer { inner: Double::default(), is_hasty: true }).await, 12);
    }
}
