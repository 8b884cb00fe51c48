//! Waiters that come late by what their helpers do: look, registration and change stand elsewhere, and the finding names these places, too.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use tokio::sync::{Notify, oneshot};

/// Boats of a lake: helpers look for one, get in line, and give one back.
pub mod lake {
    use super::*;

    #[derive(Default)]
    pub struct Shore {
        piles: parking_lot::Mutex<Piles>,
    }

    #[derive(Default)]
    struct Piles {
        boats: Vec<u32>,
        line: VecDeque<oneshot::Sender<u32>>,
    }

    impl Shore {
        pub(crate) fn finds(&self) -> Option<u32> {
            self.piles.lock().boats.pop() //~ also lost-wakeup
        }

        pub(crate) async fn lines_up(&self) -> Option<u32> {
            let (to_me, given) = oneshot::channel();
            self.piles.lock().line.push_back(to_me); //~ also lost-wakeup
            given.await.ok()
        }

        fn lands(&self, mut boat: u32) {
            loop {
                let mut piles = self.piles.lock();
                let Some(first) = piles.line.pop_front() else {
                    piles.boats.push(boat); //~ also lost-wakeup
                    return;
                };
                drop(piles);
                match first.send(boat) { //~ also lost-wakeup
                    Ok(()) => return,
                    Err(back) => boat = back,
                }
            }
        }
    }

    pub struct Trip {
        boat: Option<u32>,
        shore: Arc<Shore>,
    }

    impl Drop for Trip {
        fn drop(&mut self) {
            if let Some(boat) = self.boat.take() {
                self.shore.lands(boat);
            }
        }
    }

    pub struct Office {
        shore: Arc<Shore>,
    }

    impl Office {
        pub async fn rows(&self) -> Trip {
            loop {
                if let Some(boat) = self.shore.finds() {
                    return Trip { boat: Some(boat), shore: self.shore.clone() };
                }
                if let Some(boat) = self.shore.lines_up().await { //~ lost-wakeup warning
                    return Trip { boat: Some(boat), shore: self.shore.clone() };
                }
            }
        }
    }
}

/// The same with a `Notify`, and the lock of std.
pub mod oven {
    use super::*;

    #[derive(Default)]
    pub struct Oven {
        is_hot: Mutex<bool>,
        heated: Notify,
    }

    impl Oven {
        fn is_hot(&self) -> bool {
            *self.is_hot.lock().unwrap() //~ also lost-wakeup
        }

        async fn heats_up(&self) {
            self.heated.notified().await; //~ also lost-wakeup
        }

        fn sets(&self) {
            *self.is_hot.lock().unwrap() = true; //~ also lost-wakeup
        }

        fn tells(&self) {
            self.heated.notify_waiters(); //~ also lost-wakeup
        }

        pub async fn bakes(&self) {
            while !self.is_hot() {
                self.heats_up().await; //~ lost-wakeup warning
            }
        }

        pub fn fires(&self) {
            self.sets();
            self.tells();
        }
    }
}
