//! The paths and signatures of `crossbeam-channel`, without what they do.

use std::time::Duration;

pub struct Sender<T>(usize, std::marker::PhantomData<T>);
pub struct Receiver<T>(usize, std::marker::PhantomData<T>);
pub struct Iter<'a, T>(&'a Receiver<T>);
pub struct TryIter<'a, T>(&'a Receiver<T>);
pub struct IntoIter<T>(Receiver<T>);

#[derive(Debug)]
pub struct SendError<T>(pub T);
#[derive(Debug)]
pub enum TrySendError<T> {
    Full(T),
    Disconnected(T),
}
#[derive(Debug)]
pub enum SendTimeoutError<T> {
    Timeout(T),
    Disconnected(T),
}
#[derive(Debug)]
pub struct RecvError;
#[derive(Debug)]
pub enum TryRecvError {
    Empty,
    Disconnected,
}
#[derive(Debug)]
pub enum RecvTimeoutError {
    Timeout,
    Disconnected,
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
    pub fn send(&self, _: T) -> Result<(), SendError<T>> {
        loop {}
    }
    pub fn try_send(&self, _: T) -> Result<(), TrySendError<T>> {
        loop {}
    }
    pub fn send_timeout(&self, _: T, _: Duration) -> Result<(), SendTimeoutError<T>> {
        loop {}
    }
}

impl<T> Receiver<T> {
    pub fn recv(&self) -> Result<T, RecvError> {
        loop {}
    }
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        loop {}
    }
    pub fn recv_timeout(&self, _: Duration) -> Result<T, RecvTimeoutError> {
        loop {}
    }
    pub fn iter(&self) -> Iter<'_, T> {
        loop {}
    }
    pub fn try_iter(&self) -> TryIter<'_, T> {
        loop {}
    }
    pub fn len(&self) -> usize {
        loop {}
    }
    pub fn is_empty(&self) -> bool {
        loop {}
    }
}

impl<T> Iterator for Iter<'_, T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        loop {}
    }
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        loop {}
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        loop {}
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    fn into_iter(self) -> IntoIter<T> {
        loop {}
    }
}

impl<'a, T> IntoIterator for &'a Receiver<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;
    fn into_iter(self) -> Iter<'a, T> {
        loop {}
    }
}
