//! Services and sinks around others, and whether they ask those.

use std::pin::Pin;
use std::task::{Context, Poll};

pub trait Service<R> {
    type Response;
    type Error;
    type Future: Future<Output = Result<Self::Response, Self::Error>>;
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>>;
    fn call(&mut self, request: R) -> Self::Future;
}

pub trait Sink<T> {
    type Error;
    fn poll_ready(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>>;
    fn start_send(self: Pin<&mut Self>, item: T) -> Result<(), Self::Error>;
}

pub struct SaysYes<S>(S, u32);

impl<R, S: Service<R>> Service<R> for SaysYes<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        Poll::Ready(Ok(()))
    }
    fn call(&mut self, request: R) -> S::Future {
        self.1 += 1;
        self.0.call(request) //~ protocol
    }
}

pub struct Asks<S>(S);

impl<R, S: Service<R>> Service<R> for Asks<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }
    fn call(&mut self, request: R) -> S::Future {
        self.0.call(request)
    }
}

pub struct Always;

impl<R> Service<R> for Always {
    type Response = R;
    type Error = ();
    type Future = std::future::Ready<Result<R, ()>>;
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), ()>> {
        Poll::Ready(Ok(()))
    }
    fn call(&mut self, request: R) -> Self::Future {
        std::future::ready(Ok(request))
    }
}

/// What it has inside is always ready.
pub struct Known(Always);

impl<R> Service<R> for Known {
    type Response = R;
    type Error = ();
    type Future = std::future::Ready<Result<R, ()>>;
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), ()>> {
        Poll::Ready(Ok(()))
    }
    fn call(&mut self, request: R) -> Self::Future {
        self.0.call(request)
    }
}

pub struct Counting<S>(S, usize);

impl<T, S: Sink<T> + Unpin> Sink<T> for Counting<S> {
    type Error = S::Error;
    fn poll_ready(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        Poll::Ready(Ok(()))
    }
    fn start_send(mut self: Pin<&mut Self>, item: T) -> Result<(), S::Error> {
        self.1 += 1;
        Pin::new(&mut self.0).start_send(item) //~ protocol
    }
}

pub struct Buffered<T, S>(Vec<T>, S);

impl<T: Unpin, S: Sink<T> + Unpin> Sink<T> for Buffered<T, S> {
    type Error = S::Error;
    fn poll_ready(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        Poll::Ready(Ok(()))
    }
    fn start_send(mut self: Pin<&mut Self>, item: T) -> Result<(), S::Error> {
        self.0.push(item);
        Ok(())
    }
}
