//! Handles that are kept in an `Option`: of one that is only asked its task goes on; through another one the task is ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;
use tokio::task::JoinHandle;

const PAUSE: Duration = Duration::from_millis(3);

async fn stirs(turns: Arc<AtomicU64>) {
    loop {
        tokio::time::sleep(PAUSE).await;
        turns.fetch_add(1, Ordering::Relaxed);
    }
}

fn cooks(turns: &Arc<AtomicU64>) -> JoinHandle<()> {
    tokio::spawn(stirs(turns.clone())) //~ task-leak warning
}

/// A pot only looks whether somebody stirs it.
pub struct Pot {
    turns: Arc<AtomicU64>,
    cook: Option<JoinHandle<()>>,
}

impl Pot {
    pub fn heats() -> Pot {
        let turns = Arc::new(AtomicU64::new(0));
        let cook = Some(cooks(&turns));
        Pot { turns, cook }
    }

    pub fn is_stirred(&self) -> bool {
        self.cook.as_ref().is_some_and(|it| !it.is_finished()) && self.turns.load(Ordering::Relaxed) > 0
    }
}

/// An oven has a thread of that sort.
pub struct Oven {
    degrees: Arc<AtomicU64>,
    fan: Option<thread::JoinHandle<()>>,
}

impl Oven {
    pub fn heats() -> Oven {
        let degrees = Arc::new(AtomicU64::new(0));
        let blown = degrees.clone();
        let fan = thread::spawn(move || { //~ task-leak warning
            loop {
                thread::sleep(PAUSE);
                blown.fetch_add(1, Ordering::Relaxed);
            }
        });
        Oven { degrees, fan: Some(fan) }
    }

    pub fn is_off(&self) -> bool {
        self.fan.is_none() || self.degrees.load(Ordering::Relaxed) == 0
    }
}

fn simmers(turns: &Arc<AtomicU64>) -> JoinHandle<()> {
    tokio::spawn(stirs(turns.clone()))
}

/// What is asked here ends the task, too.
pub struct Pan {
    turns: Arc<AtomicU64>,
    cook: Option<JoinHandle<()>>,
}

impl Pan {
    pub fn heats() -> Pan {
        let turns = Arc::new(AtomicU64::new(0));
        let cook = Some(simmers(&turns));
        Pan { turns, cook }
    }

    pub fn cools(&self) -> bool {
        let ended = |it: &JoinHandle<()>| {
            it.abort();
            true
        };
        self.cook.as_ref().is_some_and(ended) && self.turns.load(Ordering::Relaxed) > 0
    }
}

fn bakes(turns: &Arc<AtomicU64>) -> JoinHandle<()> {
    tokio::spawn(stirs(turns.clone()))
}

/// It is asked, and ended by somebody else.
pub struct Cake {
    turns: Arc<AtomicU64>,
    baker: Option<JoinHandle<()>>,
}

impl Cake {
    pub fn rises() -> Cake {
        let turns = Arc::new(AtomicU64::new(0));
        let baker = Some(bakes(&turns));
        Cake { turns, baker }
    }

    pub fn is_baking(&self) -> bool {
        self.baker.as_ref().is_some_and(|it| !it.is_finished()) && self.turns.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Cake {
    fn drop(&mut self) {
        if let Some(baker) = self.baker.take() {
            baker.abort();
        }
    }
}
