//! Bounded channels that are filled before anybody receives.

use tokio::sync::mpsc::{self, Receiver};

async fn takes(mut from: Receiver<String>) -> usize {
    let mut n = 0;
    while from.recv().await.is_some() {
        n += 1;
    }
    n
}

pub async fn fills_first(seeds: &[&str]) {
    let (to, from) = mpsc::channel(8);
    for seed in seeds {
        let _ = to.send(seed.to_string()).await; //~ channel-deadlock
    }
    let task = tokio::spawn(takes(from));
    drop(to);
    let _ = task.await;
}

const ROOM: usize = 8;

pub struct Crawler;

impl Crawler {
    const ROOM: usize = 4;

    pub async fn fills_a_named_size(&self, seeds: &[&str]) {
        let (to, from) = mpsc::channel(ROOM);
        for seed in seeds {
            let _ = to.send(seed.to_string()).await; //~ channel-deadlock
        }
        let (more, rest) = mpsc::channel(Self::ROOM);
        for seed in seeds {
            let _ = more.send(seed.to_string()).await; //~ channel-deadlock
        }
        drop((to, more));
        let _ = takes(from).await + takes(rest).await;
    }
}

pub async fn starts_first(seeds: &[&str]) {
    let (to, from) = mpsc::channel(8);
    let task = tokio::spawn(takes(from));
    for seed in seeds {
        let _ = to.send(seed.to_string()).await;
    }
    drop(to);
    let _ = task.await;
}

pub async fn has_room_for_all(seeds: &[&str]) {
    let (to, from) = mpsc::channel(seeds.len());
    for seed in seeds {
        let _ = to.send(seed.to_string()).await;
    }
    let task = tokio::spawn(takes(from));
    drop(to);
    let _ = task.await;
}

pub async fn sends_a_few() {
    let (to, from) = mpsc::channel(8);
    for seed in ["a", "b"] {
        let _ = to.send(seed.to_owned()).await;
    }
    let task = tokio::spawn(takes(from));
    drop(to);
    let _ = task.await;
}

pub async fn sends_one() {
    let (to, from) = mpsc::channel(1);
    let _ = to.send(String::new()).await;
    let task = tokio::spawn(takes(from));
    drop(to);
    let _ = task.await;
}

pub async fn makes_one_for_each(seeds: &[&str]) {
    for seed in seeds {
        let (to, from) = mpsc::channel(1);
        let _ = to.send(seed.to_string()).await;
        drop(to);
        let _ = tokio::spawn(takes(from)).await;
    }
}
