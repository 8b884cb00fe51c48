//! Futures that give a guard of what their `Drop` locks.

use dashmap::DashMap;
use dashmap::mapref::one::{Ref, RefMut};
use parking_lot as quick;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard};
use std::task::{Context, Poll};

pub struct Pigeonhole {
    letters: Vec<u32>,
    waiting: usize,
}

pub struct Wall {
    holes: DashMap<String, Pigeonhole>,
}

/// What a wall has for somebody, alone.
pub struct Opened<'a>(RefMut<'a, String, Pigeonhole>);

/// Waits for a letter, and leaves the queue when it is dropped.
pub struct Open<'a> {
    wall: &'a Wall,
    name: String,
    number: usize,
}

impl<'a> Future for Open<'a> {
    type Output = Option<Opened<'a>>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Opened<'a>>> {
        let mut hole = match self.wall.holes.get_mut(&self.name) {
            Some(hole) => hole,
            None => return Poll::Ready(None),
        };
        if hole.value().letters.is_empty() {
            hole.value_mut().waiting += 1;
            cx.waker().wake_by_ref();
            let number = hole.value().waiting;
            drop(hole);
            self.number = number;
            return Poll::Pending;
        }
        Poll::Ready(Some(Opened(hole)))
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if self.number == 0 {
            return;
        }
        if let Some(mut hole) = self.wall.holes.get_mut(&self.name) { //~ double-lock
            hole.value_mut().waiting -= 1;
        }
    }
}

/// The same, which says before that it has left the queue.
pub struct Peek<'a> {
    wall: &'a Wall,
    name: String,
    number: usize,
}

impl<'a> Future for Peek<'a> {
    type Output = Option<Ref<'a, String, Pigeonhole>>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let wall = self.wall;
        let Some(hole) = wall.holes.get(&self.name) else { return Poll::Ready(None) };
        if hole.value().letters.is_empty() {
            drop(hole);
            self.number += 1;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.number = 0;
        Poll::Ready(Some(hole))
    }
}

impl Drop for Peek<'_> {
    fn drop(&mut self) {
        if self.number == 0 {
            return;
        }
        if let Some(mut hole) = self.wall.holes.get_mut(&self.name) {
            hole.value_mut().waiting -= 1;
        }
    }
}

pub struct Organ {
    pipes: Mutex<Vec<u32>>,
    players: quick::Mutex<Vec<u32>>,
}

/// Counts those who wait under the lock that it gives.
pub struct Play<'a> {
    organ: &'a Organ,
}

impl<'a> Future for Play<'a> {
    type Output = MutexGuard<'a, Vec<u32>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.organ.pipes.try_lock() {
            Ok(pipes) => Poll::Ready(pipes),
            Err(_) => {
                cx.waker().wake_by_ref();
                Poll::Pending
            }
        }
    }
}

impl Drop for Play<'_> {
    fn drop(&mut self) {
        self.organ.pipes.lock().unwrap().pop(); //~ double-lock
    }
}

/// Its `Drop` locks something else.
pub struct Listen<'a> {
    organ: &'a Organ,
}

impl<'a> Future for Listen<'a> {
    type Output = quick::MutexGuard<'a, Vec<u32>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        cx.waker().wake_by_ref();
        Poll::Ready(self.organ.players.lock())
    }
}

impl Drop for Listen<'_> {
    fn drop(&mut self) {
        self.organ.pipes.lock().unwrap().pop();
    }
}

/// Its `Drop` locks what it has given.
pub struct Hum<'a> {
    organ: &'a Organ,
}

impl<'a> Future for Hum<'a> {
    type Output = quick::MutexGuard<'a, Vec<u32>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        cx.waker().wake_by_ref();
        Poll::Ready(self.organ.players.lock())
    }
}

impl Drop for Hum<'_> {
    fn drop(&mut self) {
        self.organ.players.lock().pop(); //~ double-lock
    }
}
