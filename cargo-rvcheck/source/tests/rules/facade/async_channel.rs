//! The paths and signatures of `async-channel`, without what they do.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

pub struct Sender<T>(usize, std::marker::PhantomData<T>);
pub struct Receiver<T>(usize, std::marker::PhantomData<T>);
pub struct WeakSender<T>(usize, std::marker::PhantomData<T>);
pub struct Send<'a, T>(&'a Sender<T>, Option<T>);
pub struct Recv<'a, T>(&'a Receiver<T>);

#[derive(Debug)]
pub struct SendError<T>(pub T);
#[derive(Debug)]
pub enum TrySendError<T> {
    Full(T),
    Closed(T),
}
#[derive(Debug)]
pub struct RecvError;
#[derive(Debug)]
pub enum TryRecvError {
    Empty,
    Closed,
}

pub fn unbounded<T>() -> (Sender<T>, Receiver<T>) {
    loop {}
}

pub fn bounded<T>(_: usize) -> (Sender<T>, Receiver<T>) {
    loop {}
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {}
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {}
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        loop {}
    }
}

impl<T> Clone for Receiver<T> {
    fn clone(&self) -> Self {
        loop {}
    }
}

impl<T> Sender<T> {
    pub fn send(&self, _: T) -> Send<'_, T> {
        loop {}
    }
    pub fn try_send(&self, _: T) -> Result<(), TrySendError<T>> {
        loop {}
    }
    pub fn send_blocking(&self, _: T) -> Result<(), SendError<T>> {
        loop {}
    }
    pub fn close(&self) -> bool {
        loop {}
    }
    pub fn is_closed(&self) -> bool {
        loop {}
    }
    pub fn downgrade(&self) -> WeakSender<T> {
        loop {}
    }
}

impl<T> WeakSender<T> {
    pub fn upgrade(&self) -> Option<Sender<T>> {
        loop {}
    }
}

impl<T> Receiver<T> {
    pub fn recv(&self) -> Recv<'_, T> {
        loop {}
    }
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        loop {}
    }
    pub fn recv_blocking(&self) -> Result<T, RecvError> {
        loop {}
    }
    pub fn close(&self) -> bool {
        loop {}
    }
    pub fn len(&self) -> usize {
        loop {}
    }
}

impl<T> Future for Send<'_, T> {
    type Output = Result<(), SendError<T>>;
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        loop {}
    }
}

impl<T> Future for Recv<'_, T> {
    type Output = Result<T, RecvError>;
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        loop {}
    }
}
