//! Loops that feed themselves, end at a limit or with the senders, and keep one: when nothing is left to do, nothing comes.

use std::collections::BTreeSet;

/// Both ends in a struct, behind methods.
struct Burrow {
    tunnels: flume::Sender<u32>,
    next: flume::Receiver<u32>,
    dug: BTreeSet<u32>,
}

impl Burrow {
    fn begins(&mut self, at: u32) {
        if self.dug.insert(at) {
            let _ = self.tunnels.send(at);
        }
    }

    async fn follows(&mut self) -> Option<u32> {
        self.next.recv_async().await.ok()
    }
}

pub async fn digs(from: u32, most: usize, neighbours: impl AsyncFn(u32) -> Vec<u32>) -> usize {
    let (tunnels, next) = flume::unbounded();
    let mut burrow = Burrow { tunnels, next, dug: BTreeSet::new() };
    burrow.begins(from);
    let mut lengths = 0;
    while let Some(at) = burrow.follows().await { //~ channel-deadlock warning
        if lengths >= most {
            break;
        }
        lengths += 1;
        for to in neighbours(at).await {
            burrow.begins(to);
        }
    }
    lengths
}

/// By a thread.
pub fn floods(from: u32, most: usize, lower: fn(u32) -> Option<u32>) -> usize {
    let (water, flows) = crossbeam_channel::unbounded();
    let _ = water.send(from);
    let mut wet = 0;
    while let Ok(at) = flows.recv() { //~ channel-deadlock warning
        wet += 1;
        if wet > most {
            break;
        }
        if let Some(to) = lower(at) {
            let _ = water.send(to);
        }
    }
    wet
}

/// It counts what is under way.
pub async fn counts(from: u32, lower: fn(u32) -> Option<u32>) -> usize {
    let (water, mut flows) = tokio::sync::mpsc::unbounded_channel();
    let _ = water.send(from);
    let (mut wet, mut under_way) = (0, 1_usize);
    while let Some(at) = flows.recv().await {
        wet += 1;
        under_way -= 1;
        if let Some(to) = lower(at) {
            under_way += 1;
            let _ = water.send(to);
        }
        if under_way == 0 {
            break;
        }
    }
    wet
}

/// Takes what there is.
pub fn takes(from: u32, most: usize, lower: fn(u32) -> Option<u32>) -> usize {
    let (water, flows) = crossbeam_channel::unbounded();
    let _ = water.send(from);
    let mut wet = 0;
    while let Ok(at) = flows.try_recv() {
        wet += 1;
        if wet > most {
            break;
        }
        if let Some(to) = lower(at) {
            let _ = water.send(to);
        }
    }
    wet
}

/// Others send, too.
pub async fn listens(most: usize) -> usize {
    let (water, mut flows) = tokio::sync::mpsc::unbounded_channel();
    let spring = water.clone();
    let rain = tokio::spawn(async move {
        for drop in 0_u32.. {
            let _ = spring.send(drop);
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        }
    });
    let mut wet = 0;
    while let Some(at) = flows.recv().await {
        wet += 1;
        if wet >= most {
            break;
        }
        if at > 9 {
            let _ = water.send(at / 2);
        }
    }
    rain.abort();
    wet
}
