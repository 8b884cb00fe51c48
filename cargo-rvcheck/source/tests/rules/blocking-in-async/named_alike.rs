//! Types that are called as others of the library are.

use std::collections::VecDeque;
use std::sync::mpsc;
use std::thread;

/// What comes out of a channel, for whoever wants to wait for it.
pub struct IntoIter<T> {
    from: mpsc::Receiver<T>,
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.from.recv().ok()
    }
}

/// One more of that name.
pub struct Cursor {
    rest: VecDeque<u32>,
}

impl Cursor {
    pub fn position(&self) -> u64 {
        thread::park();
        self.rest.len() as u64
    }
}

pub async fn adds_what_is_there(all: Vec<u32>) -> u32 {
    let mut sum = 0;
    for it in all {
        sum += it;
        tokio::task::yield_now().await;
    }
    sum
}

pub async fn where_it_stands(at: &std::io::Cursor<Vec<u8>>) -> u64 {
    tokio::task::yield_now().await;
    at.position()
}
