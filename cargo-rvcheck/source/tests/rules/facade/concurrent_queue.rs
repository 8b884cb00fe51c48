//! The paths and signatures of `concurrent-queue`, without what they do.

pub struct ConcurrentQueue<T>(Vec<T>);

pub enum PushError<T> {
    Full(T),
    Closed(T),
}

pub enum PopError {
    Empty,
    Closed,
}

impl<T> ConcurrentQueue<T> {
    pub fn bounded(_: usize) -> Self {
        loop {}
    }
    pub fn push(&self, _: T) -> Result<(), PushError<T>> {
        loop {}
    }
    pub fn pop(&self) -> Result<T, PopError> {
        loop {}
    }
    pub fn is_empty(&self) -> bool {
        loop {}
    }
    pub fn is_full(&self) -> bool {
        loop {}
    }
    pub fn close(&self) -> bool {
        loop {}
    }
    pub fn is_closed(&self) -> bool {
        loop {}
    }
}
