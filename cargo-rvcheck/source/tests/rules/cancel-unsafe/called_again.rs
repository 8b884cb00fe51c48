//! A `select!` that is in no loop itself: its function is called again by one.

use flume::Receiver;
use futures::future::FutureExt;
use std::pin::pin;
use tokio::sync::mpsc;

pub enum Event {
    Catch(Vec<u32>),
    Order(String),
    Over,
}

pub struct Net {
    fish: Receiver<u32>,
    orders: mpsc::Receiver<String>,
}

impl Net {
    async fn catch(fish: &Receiver<u32>) -> Option<Vec<u32>> {
        let mut caught = Vec::new();
        while caught.len() < 8 {
            caught.push(fish.recv_async().await.ok()?);
        }
        Some(caught)
    }

    async fn event(&mut self) -> Event {
        let mut caught = pin!(Net::catch(&self.fish).fuse());
        let mut order = pin!(self.orders.recv().fuse());
        futures::select! {
            fish = caught => fish.map_or(Event::Over, Event::Catch), //~ cancel-unsafe warning
            order = order => Event::Order(order.unwrap_or_default()),
        }
    }

    pub async fn fishes(mut self) -> usize {
        let mut count = 0;
        loop {
            match self.event().await {
                Event::Catch(fish) => count += fish.len(),
                Event::Order(order) => println!("{order}"),
                Event::Over => return count,
            }
        }
    }

    /// An order is the end.
    async fn last_event(&mut self) -> Option<Vec<u32>> {
        tokio::select! {
            fish = Net::catch(&self.fish) => { fish }
            order = self.orders.recv() => { println!("{order:?}"); None }
        }
    }

    pub async fn fishes_until_told(mut self) -> usize {
        let mut count = 0;
        while let Some(fish) = self.last_event().await {
            count += fish.len();
        }
        count
    }

    async fn step(&mut self) {
        let catch = Net::catch(&self.fish);
        tokio::pin!(catch);
        tokio::select! {
            fish = &mut catch => { println!("{fish:?}"); } //~ cancel-unsafe warning
            order = self.orders.recv() => { println!("{order:?}"); }
        }
    }

    pub async fn steps(mut self) {
        for _ in 0..100 {
            self.step().await;
        }
    }

    /// Goes on with what it has begun.
    async fn whole_step(&mut self) {
        let catch = Net::catch(&self.fish);
        tokio::pin!(catch);
        tokio::select! {
            fish = &mut catch => { println!("{fish:?}"); }
            order = self.orders.recv() => {
                println!("{order:?}");
                println!("{:?}", catch.await);
            }
        }
    }

    pub async fn whole_steps(mut self) {
        for _ in 0..100 {
            self.whole_step().await;
        }
    }
}
