//! Async blocks that are awaited where they are made, and that borrow what the future around them has to itself.

use std::collections::VecDeque;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::{Interval, sleep, timeout};

pub enum Slice {
    Crust(usize),
    Crumb(Vec<u8>),
}

/// The sender goes with the future: the receiver sees the end, and no half of a loaf.
async fn bakes(loaf: Sender<Slice>, dough: Vec<u8>) {
    let sends = async {
        let _ = loaf.send(Slice::Crust(dough.len())).await;
        let _ = loaf.send(Slice::Crumb(dough)).await;
    };
    sends.await
}

/// Others send on it, too.
async fn shares(loaf: &Sender<Slice>, dough: Vec<u8>) {
    let sends = async {
        let _ = loaf.send(Slice::Crust(dough.len())).await; //~ cancel-unsafe warning
        let _ = loaf.send(Slice::Crumb(dough)).await;
    };
    sends.await
}

pub async fn oven(loaf: Sender<Slice>, dough: Vec<u8>) {
    let _ = timeout(Duration::from_secs(1), shares(&loaf, dough.clone())).await;
    let _ = timeout(Duration::from_secs(1), bakes(loaf, dough)).await;
}

pub async fn table(mut loaves: Receiver<Slice>) -> Vec<u8> {
    while let Some(Slice::Crust(length)) = loaves.recv().await {
        let Some(Slice::Crumb(crumb)) = loaves.recv().await else { break };
        if crumb.len() == length {
            return crumb;
        }
    }
    Vec::new()
}

/// What is taken out of a list of its own is dropped together with that.
async fn kneads(mut lumps: VecDeque<u32>) -> u32 {
    let all = async {
        let mut sum = 0;
        let own = std::mem::take(&mut lumps);
        for it in &own {
            sleep(Duration::from_millis(1)).await;
            sum += it;
        }
        sum
    };
    all.await
}

pub async fn kneads_again(mut clock: Interval) {
    loop {
        tokio::select! {
            _ = clock.tick() => { println!("a tick"); }
            sum = kneads(VecDeque::from([1, 2])) => { println!("{sum}"); }
        }
    }
}
