//! Tasks that listen to a broadcast channel which they keep open themselves.

use std::sync::{Arc, Mutex, Weak};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

pub trait Sink: Send + Sync + 'static {
    fn show(&self, price: u32);
}

pub struct Ticker<S: Sink> {
    prices: broadcast::Sender<u32>,
    sink: S,
}

impl<S: Sink> Ticker<S> {
    pub fn shared(sink: S) -> Arc<Self> {
        let (prices, _) = broadcast::channel(16);
        let ticker = Arc::new(Self { prices, sink });
        ticker.follow();
        ticker
    }

    fn follow(self: &Arc<Self>) {
        let mut prices = self.prices.subscribe();
        let ticker = Arc::clone(self);
        tokio::spawn(async move { //~ task-leak warning
            loop {
                match prices.recv().await {
                    Ok(price) => ticker.sink.show(price),
                    Err(RecvError::Lagged(_)) => ticker.sink.show(0),
                    Err(RecvError::Closed) => break,
                }
            }
        });
    }

    pub fn price(&self, price: u32) {
        let _ = self.prices.send(price);
    }
}

pub struct Board {
    prices: broadcast::Sender<u32>,
    last: Mutex<u32>,
}

impl Board {
    pub fn shared() -> Arc<Board> {
        let (prices, first) = broadcast::channel(16);
        let board = Arc::new(Board { prices, last: Mutex::new(0) });
        let (kept, mut own) = (board.clone(), first.resubscribe());
        tokio::spawn(async move { //~ task-leak warning
            while let Ok(price) = own.recv().await { //~ lost-error
                *kept.last.lock().unwrap() = price;
            }
        });
        board
    }

    pub fn price(&self, price: u32) {
        let _ = self.prices.send(price);
    }
}

pub struct Glance {
    prices: broadcast::Sender<u32>,
    last: Mutex<u32>,
}

impl Glance {
    pub fn weakly() -> Arc<Glance> {
        let (prices, _) = broadcast::channel(16);
        let glance = Arc::new(Glance { prices, last: Mutex::new(0) });
        glance.follow();
        glance
    }

    fn follow(self: &Arc<Self>) {
        let mut prices = self.prices.subscribe();
        let weak: Weak<Glance> = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                let next = prices.recv().await;
                let Some(glance) = weak.upgrade() else { break };
                match next {
                    Ok(price) => *glance.last.lock().unwrap() = price,
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => break,
                }
            }
        });
    }

    pub fn price(&self, price: u32) {
        let _ = self.prices.send(price);
    }
}

/// What is printed of it keeps no channel open.
pub fn printed(prices: &broadcast::Sender<u32>, last: Arc<Mutex<u32>>) {
    let mut prices = prices.subscribe();
    tokio::spawn(async move {
        while let Ok(price) = prices.recv().await { //~ lost-error
            *last.lock().unwrap() = price;
        }
    });
}
