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

pub async fn fits_exactly(by_reference: bool) {
    let (to, from) = mpsc::channel(8);
    for n in 1..=4 {
        let _ = to.send(format!("{n}")).await;
    }
    if by_reference {
        for seed in &["a", "b", "c"] {
            let _ = to.send(seed.to_string()).await;
        }
    }
    let _ = to.send(String::new()).await;
    let task = tokio::spawn(takes(from));
    drop(to);
    let _ = task.await;
}

pub async fn one_too_many() {
    let (to, from) = mpsc::channel(8);
    for n in 1..=8 {
        let _ = to.send(format!("{n}")).await; //~ channel-deadlock
    }
    let _ = to.send(String::new()).await;
    let task = tokio::spawn(takes(from));
    drop(to);
    let _ = task.await;
}

pub async fn fits_in_nested_loops(seeds: &[&str]) {
    let (to, from) = mpsc::channel(ROOM);
    for row in 0..2 {
        for seed in seeds.iter().take(4) {
            let _ = to.send(format!("{row}{seed}")).await;
        }
    }
    let task = tokio::spawn(takes(from));
    drop(to);
    let _ = task.await;
}

pub async fn takes_too_many(seeds: &[&str]) {
    let (to, from) = mpsc::channel(ROOM);
    for row in 0..2 {
        for seed in seeds.iter().take(5) {
            let _ = to.send(format!("{row}{seed}")).await; //~ channel-deadlock
        }
    }
    let task = tokio::spawn(takes(from));
    drop(to);
    let _ = task.await;
}

pub async fn does_not_fit_in_nested_loops() {
    let (to, from) = mpsc::channel(ROOM);
    for row in 0..3 {
        for column in 0..3 {
            let _ = to.send(format!("{row}{column}")).await; //~ channel-deadlock
        }
    }
    let task = tokio::spawn(takes(from));
    drop(to);
    let _ = task.await;
}

pub async fn counts_by_hand() {
    let (to, from) = mpsc::channel(8);
    let mut sent = 0;
    while sent < ROOM {
        let _ = to.send(format!("{sent}")).await;
        sent += 1;
    }
    let task = tokio::spawn(takes(from));
    drop(to);
    let _ = task.await;
}

pub async fn goes_by_a_list(more: bool) {
    let (to, from) = mpsc::channel(4);
    for (at, seed) in vec!["a", "b", "c"].into_iter().enumerate() {
        let _ = to.send(format!("{at}{seed}")).await;
    }
    if more {
        let _ = to.send(String::new()).await;
    }
    let task = tokio::spawn(takes(from));
    drop(to);
    let _ = task.await;
}

pub async fn goes_by_a_list_that_grew(seeds: Vec<&str>) {
    let (to, from) = mpsc::channel(4);
    let mut all = vec!["a", "b", "c"];
    all.extend(seeds);
    for seed in all {
        let _ = to.send(seed.to_owned()).await; //~ channel-deadlock
    }
    let task = tokio::spawn(takes(from));
    drop(to);
    let _ = task.await;
}
