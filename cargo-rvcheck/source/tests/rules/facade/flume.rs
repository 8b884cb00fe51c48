//! The paths and signatures of `flume`, without what they do.

pub struct Sender<T>(usize, std::marker::PhantomData<T>);
pub struct Receiver<T>(usize, std::marker::PhantomData<T>);
pub struct Iter<'a, T>(&'a Receiver<T>);

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {}
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {}
}

impl<T> Iterator for Iter<'_, T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        loop {}
    }
}

impl<T> Clone for Receiver<T> {
    fn clone(&self) -> Self {
        loop {}
    }
}

#[derive(Debug)]
pub struct SendError<T>(pub T);
#[derive(Debug)]
pub enum RecvError {
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

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        loop {}
    }
}

impl<T> Sender<T> {
    pub fn send(&self, _: T) -> Result<(), SendError<T>> {
        loop {}
    }
    pub async fn send_async(&self, _: T) -> Result<(), SendError<T>> {
        loop {}
    }
}

impl<T> Receiver<T> {
    pub fn recv_timeout(&self, _: std::time::Duration) -> Result<T, RecvTimeoutError> {
        loop {}
    }
    pub fn iter(&self) -> Iter<'_, T> {
        loop {}
    }
    pub fn recv(&self) -> Result<T, RecvError> {
        loop {}
    }
    pub fn try_recv(&self) -> Result<T, RecvError> {
        loop {}
    }
    pub async fn recv_async(&self) -> Result<T, RecvError> {
        loop {}
    }
}
