//! Calls in an order that the called library forbids, and ones that look like it.

use std::task::{Context, Poll};
use tokio::{
    io::AsyncWriteExt,
    sync::oneshot,
    task::JoinHandle,
    time::{Duration, interval},
};
type BoxFuture<T> = std::pin::Pin<Box<dyn Future<Output = T> + Send>>;

pub trait Service<R> {
    type Response;
    type Error;
    type Future: Future<Output = Result<Self::Response, Self::Error>>;
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>>;
    fn call(&mut self, request: R) -> Self::Future;
}

pub trait ServiceExt<R>: Service<R> + Sized {
    fn ready(&mut self) -> impl Future<Output = Result<&mut Self, Self::Error>> + Send;
}

pub async fn goes_on_after_the_task(mut h: JoinHandle<u32>) {
    let mut t = interval(Duration::from_secs(1));
    loop {
        tokio::select! {
            r = &mut h => { println!("{r:?}"); } //~ protocol
            _ = t.tick() => {}
        }
    }
}

pub async fn awaits_the_task_behind_the_select(mut h: JoinHandle<u32>) {
    let mut t = interval(Duration::from_secs(1));
    tokio::select! {
        _ = &mut h => {}
        _ = t.tick() => { h.abort(); }
    }
    let _ = h.await; //~ protocol
}

pub async fn awaits_the_task_where_it_is_not_done(mut h: JoinHandle<u32>) {
    let mut t = interval(Duration::from_secs(1));
    tokio::select! {
        _ = &mut h => { return; }
        _ = t.tick() => { h.abort(); }
    }
    let _ = h.await;
}

pub async fn awaits_the_task_if_it_is_not_done(mut h: JoinHandle<u32>) {
    let mut t = interval(Duration::from_secs(1));
    let done = tokio::select! {
        _ = &mut h => { true }
        _ = t.tick() => { false }
    };
    if !done {
        let _ = h.await;
    }
}

pub async fn leaves_after_the_task(mut h: JoinHandle<u32>) {
    let mut t = interval(Duration::from_secs(1));
    loop {
        tokio::select! {
            r = &mut h => { println!("{r:?}"); break; }
            _ = t.tick() => {}
        }
    }
}

pub async fn takes_the_next_task(mut h: JoinHandle<u32>) {
    let mut t = interval(Duration::from_secs(1));
    loop {
        tokio::select! {
            r = &mut h => { println!("{r:?}"); h = tokio::spawn(async { 1 }); }
            _ = t.tick() => {}
        }
    }
}

pub async fn goes_on_after_the_answer(mut r: oneshot::Receiver<u32>) {
    let mut t = interval(Duration::from_secs(1));
    loop {
        tokio::select! {
            x = &mut r => { println!("{x:?}"); } //~ protocol
            _ = t.tick() => {}
        }
    }
}

pub async fn awaits_again(mut h: JoinHandle<u32>) {
    loop {
        let r = (&mut h).await; //~ protocol
        println!("{r:?}");
    }
}

pub async fn awaits_once(mut h: JoinHandle<u32>) -> u32 {
    loop {
        if let Ok(x) = (&mut h).await {
            return x;
        } else {
            return 0;
        }
    }
}

pub async fn writes_after_shutdown<W: AsyncWriteExt + Unpin>(mut w: W) -> std::io::Result<()> {
    w.write_all(b"a").await?;
    w.shutdown().await?;
    w.write_all(b"b").await //~ protocol
}

pub async fn shuts_last<W: AsyncWriteExt + Unpin>(mut w: W) -> std::io::Result<()> {
    w.write_all(b"a").await?;
    w.shutdown().await
}

pub async fn shuts_or_writes<W: AsyncWriteExt + Unpin>(mut w: W, c: bool) -> std::io::Result<()> {
    if c {
        w.shutdown().await?;
        return Ok(());
    }
    w.write_all(b"b").await
}

#[derive(Clone)]
pub struct CallsTheClone<S> {
    inner: S,
}

impl<S> Service<u32> for CallsTheClone<S>
where
    S: Service<u32> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Send,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = BoxFuture<Result<S::Response, S::Error>>;
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }
    fn call(&mut self, r: u32) -> Self::Future {
        let mut s = self.inner.clone();
        Box::pin(async move { s.call(r).await }) //~ protocol
    }
}

#[derive(Clone)]
pub struct ReadiesTheClone<S> {
    inner: S,
}

impl<S> Service<u32> for ReadiesTheClone<S>
where
    S: ServiceExt<u32> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Send,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = BoxFuture<Result<S::Response, S::Error>>;
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }
    fn call(&mut self, r: u32) -> Self::Future {
        let mut s = self.inner.clone();
        Box::pin(async move { s.ready().await?.call(r).await })
    }
}

#[derive(Clone)]
pub struct LeavesTheClone<S> {
    inner: S,
}

impl<S> Service<u32> for LeavesTheClone<S>
where
    S: Service<u32> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Send,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = BoxFuture<Result<S::Response, S::Error>>;
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }
    fn call(&mut self, r: u32) -> Self::Future {
        let mut s = self.inner.clone();
        std::mem::swap(&mut s, &mut self.inner);
        Box::pin(async move { s.call(r).await })
    }
}

#[derive(Clone)]
pub struct CallsTheCloneAtOnce<S> {
    inner: S,
}

impl<S> Service<u32> for CallsTheCloneAtOnce<S>
where
    S: Service<u32> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }
    fn call(&mut self, r: u32) -> Self::Future {
        self.inner.clone().call(r) //~ protocol
    }
}
