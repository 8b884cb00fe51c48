//! Handles of both ends share one state: the last sender that goes ends the wait of the receiver, and has to tell it.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

struct Pipe {
    drops: VecDeque<u32>,
    taps: usize,
    basin: Option<Waker>,
}

type Shared = Arc<Mutex<Pipe>>;

pub fn pipe() -> (Tap, Basin) {
    let shared = Arc::new(Mutex::new(Pipe { drops: VecDeque::new(), taps: 1, basin: None }));
    (Tap { shared: Arc::clone(&shared) }, Basin { shared })
}

pub struct Tap {
    shared: Shared,
}

impl Tap {
    pub fn drips(&self, drop: u32) {
        let basin = {
            let mut pipe = self.shared.lock().unwrap();
            pipe.drops.push_back(drop);
            pipe.basin.take()
        };
        if let Some(basin) = basin {
            basin.wake();
        }
    }
}

impl Clone for Tap {
    fn clone(&self) -> Tap {
        self.shared.lock().unwrap().taps += 1;
        Tap { shared: self.shared.clone() }
    }
}

impl Drop for Tap {
    fn drop(&mut self) {
        self.shared.lock().unwrap().taps -= 1; //~ lost-wakeup
    }
}

pub struct Basin {
    shared: Shared,
}

impl Basin {
    pub fn fills(&mut self) -> Fills<'_> {
        Fills { shared: &self.shared }
    }
}

pub struct Fills<'a> {
    shared: &'a Shared,
}

impl Future for Fills<'_> {
    type Output = Option<u32>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<u32>> {
        let mut pipe = self.shared.lock().unwrap();
        if let Some(drop) = pipe.drops.pop_front() {
            return Poll::Ready(Some(drop));
        }
        if pipe.taps == 0 {
            return Poll::Ready(None);
        }
        pipe.basin = Some(cx.waker().clone());
        Poll::Pending
    }
}

struct Letters {
    letters: VecDeque<String>,
    slots: usize,
    box_of: Option<Waker>,
}

pub struct Slot {
    shared: Arc<Mutex<Letters>>,
}

impl Slot {
    pub fn puts(&self, letter: &str) {
        let mut pipe = self.shared.lock().unwrap();
        pipe.letters.push_back(letter.to_owned());
        if let Some(waker) = pipe.box_of.take() {
            waker.wake();
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let waker = {
            let mut pipe = self.shared.lock().unwrap();
            pipe.slots -= 1;
            if pipe.slots == 0 { pipe.box_of.take() } else { None }
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

pub struct Empties<'a> {
    shared: &'a Arc<Mutex<Letters>>,
}

impl Future for Empties<'_> {
    type Output = Option<String>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<String>> {
        let mut pipe = self.shared.lock().unwrap();
        if let Some(letter) = pipe.letters.pop_front() {
            return Poll::Ready(Some(letter));
        }
        if pipe.slots == 0 {
            return Poll::Ready(None);
        }
        pipe.box_of = Some(cx.waker().clone());
        Poll::Pending
    }
}
