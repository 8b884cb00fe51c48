//! Services that put a question into their own mailbox behind the loop that answers: the mailbox is still theirs.

use std::sync::mpsc as threads;
use tokio::sync::{mpsc, oneshot};

pub enum Order {
    Weigh(oneshot::Sender<u32>),
    Load(u32),
    Leave,
}

/// A ferry with both ends of its mailbox.
pub struct Ferry {
    orders: mpsc::Receiver<Order>,
    own: mpsc::Sender<Order>,
    load: u32,
}

async fn weighs(orders: &mpsc::Sender<Order>) -> Option<u32> {
    let (back, weight) = oneshot::channel();
    orders.send(Order::Weigh(back)).await.ok()?;
    weight.await.ok()
}

impl Ferry {
    fn new(room: usize) -> Ferry {
        let (own, orders) = mpsc::channel(room);
        Ferry { orders, own, load: 0 }
    }

    async fn sails(mut self) -> u32 {
        while let Some(order) = self.orders.recv().await {
            match order {
                Order::Weigh(back) => drop(back.send(self.load)),
                Order::Load(more) => self.load += more,
                Order::Leave => break,
            }
        }
        weighs(&self.own).await.unwrap_or(0) //~ channel-deadlock warning
    }
}

pub async fn moors(room: usize) -> mpsc::Sender<Order> {
    let ferry = Ferry::new(room);
    let orders = ferry.own.clone();
    let crew = tokio::spawn(ferry.sails());
    drop(crew);
    orders
}

/// The mailbox is gone before the question: it finds that closed.
pub struct Barge {
    orders: mpsc::Receiver<Order>,
    own: mpsc::Sender<Order>,
    load: u32,
}

impl Barge {
    fn new(room: usize) -> Barge {
        let (own, orders) = mpsc::channel(room);
        Barge { orders, own, load: 0 }
    }

    async fn sails(self) -> u32 {
        let Barge { mut orders, own, mut load } = self;
        while let Some(order) = orders.recv().await {
            match order {
                Order::Weigh(back) => drop(back.send(load)),
                Order::Load(more) => load += more,
                Order::Leave => break,
            }
        }
        drop(orders);
        weighs(&own).await.unwrap_or(load)
    }
}

pub async fn moors_a_barge(room: usize) -> mpsc::Sender<Order> {
    let barge = Barge::new(room);
    let orders = barge.own.clone();
    let crew = tokio::spawn(barge.sails());
    drop(crew);
    orders
}

pub enum Call {
    Depth(threads::Sender<u32>),
    Dive(u32),
    Surface,
}

/// A diver on a thread of its own.
pub struct Diver {
    calls: crossbeam_channel::Receiver<Call>,
    line: crossbeam_channel::Sender<Call>,
    depth: u32,
}

impl Diver {
    fn equips() -> Diver {
        let (line, calls) = crossbeam_channel::unbounded();
        Diver { calls, line, depth: 0 }
    }

    fn asks(&self) -> Option<u32> {
        let (back, depth) = threads::channel();
        self.line.send(Call::Depth(back)).ok()?;
        depth.recv().ok()
    }

    fn dives(mut self) -> Option<u32> {
        for call in self.calls.iter() {
            match call {
                Call::Depth(back) => drop(back.send(self.depth)),
                Call::Dive(by) => self.depth += by,
                Call::Surface => break,
            }
        }
        self.asks() //~ channel-deadlock warning
    }
}

pub fn starts() -> crossbeam_channel::Sender<Call> {
    let diver = Diver::equips();
    let line = diver.line.clone();
    drop(std::thread::spawn(move || diver.dives()));
    line
}
