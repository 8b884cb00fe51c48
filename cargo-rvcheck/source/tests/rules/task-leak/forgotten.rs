//! Values whose method ends their task, and paths that drop them without a call of it.

use std::time::Duration;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

async fn beats(stop: CancellationToken) -> u32 {
    let mut count = 0;
    loop {
        tokio::select! {
            _ = stop.cancelled() => { break }
            _ = tokio::time::sleep(Duration::from_secs(1)) => { count += 1 }
        }
    }
    count
}

pub struct Pulse {
    stop: CancellationToken,
    beats: JoinHandle<u32>,
}

impl Pulse {
    fn start() -> Option<Pulse> {
        let stop = CancellationToken::new();
        let beats = tokio::spawn(beats(stop.clone())); //~ task-leak warning
        Some(Pulse { stop, beats })
    }

    async fn ends(self) -> u32 {
        self.stop.cancel();
        self.beats.await.unwrap_or(0)
    }
}

pub async fn forgets_it_where_nothing_is_left(jobs: Vec<u32>) -> Option<u32> {
    let pulse = Pulse::start()?;
    if jobs.is_empty() {
        return None;
    }
    for job in &jobs {
        tokio::time::sleep(Duration::from_secs(u64::from(*job))).await;
    }
    Some(pulse.ends().await)
}

async fn ticks(stop: CancellationToken) -> u32 {
    let mut count = 0;
    loop {
        tokio::select! {
            _ = stop.cancelled() => { break }
            _ = tokio::time::sleep(Duration::from_secs(1)) => { count += 1 }
        }
    }
    count
}

pub struct Clock {
    stop: CancellationToken,
    ticks: JoinHandle<u32>,
}

impl Clock {
    fn start() -> Option<Clock> {
        let stop = CancellationToken::new();
        let ticks = tokio::spawn(ticks(stop.clone()));
        Some(Clock { stop, ticks })
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.stop.cancel();
        println!("{}", self.ticks.is_finished());
    }
}

pub async fn a_drop_ends_it(jobs: Vec<u32>) -> Option<usize> {
    let clock = Clock::start()?;
    if jobs.is_empty() {
        return None;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    drop(clock);
    Some(jobs.len())
}

async fn knocks(stop: CancellationToken) -> u32 {
    let mut count = 0;
    loop {
        tokio::select! {
            _ = stop.cancelled() => { break }
            _ = tokio::time::sleep(Duration::from_secs(1)) => { count += 1 }
        }
    }
    count
}

pub struct Door {
    stop: CancellationToken,
    knocks: JoinHandle<u32>,
}

impl Door {
    fn start() -> Option<Door> {
        let stop = CancellationToken::new();
        let knocks = tokio::spawn(knocks(stop.clone()));
        Some(Door { stop, knocks })
    }

    async fn ends(self) -> u32 {
        self.stop.cancel();
        self.knocks.await.unwrap_or(0)
    }
}

pub async fn ends_it_on_each_path(jobs: Vec<u32>) -> Option<u32> {
    let door = Door::start()?;
    if jobs.is_empty() {
        door.ends().await;
        return None;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    Some(door.ends().await)
}

async fn rings(stop: CancellationToken) -> u32 {
    let mut count = 0;
    loop {
        tokio::select! {
            _ = stop.cancelled() => { break }
            _ = tokio::time::sleep(Duration::from_secs(1)) => { count += 1 }
        }
    }
    count
}

/// A guard stops it when the value is dropped.
pub struct Bell {
    stop: DropGuard,
    rings: JoinHandle<u32>,
}

impl Bell {
    fn start() -> Option<Bell> {
        let stop = CancellationToken::new();
        let rings = tokio::spawn(rings(stop.clone()));
        Some(Bell { stop: stop.drop_guard(), rings })
    }

    async fn ends(self) -> u32 {
        drop(self.stop);
        self.rings.await.unwrap_or(0)
    }
}

pub async fn a_guard_ends_it(jobs: Vec<u32>) -> Option<u32> {
    let bell = Bell::start()?;
    if jobs.is_empty() {
        return None;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    Some(bell.ends().await)
}
