//! The results of workers that are joined one after another.

use std::sync::Arc;
use tokio::task::JoinHandle;

pub struct Tally {
    done: usize,
}

pub enum Trouble {
    Jammed(String),
}

pub trait Tool: Send + Sync + 'static {
    fn work(&self, piece: u32) -> impl Future<Output = Result<(), String>> + Send;
}

struct Hand<T> {
    tool: Arc<T>,
    pieces: Vec<u32>,
}

impl<T: Tool> Hand<T> {
    async fn run(self) -> Result<Tally, Trouble> {
        let mut tally = Tally { done: 0 };
        for piece in self.pieces {
            self.tool.work(piece).await.map_err(Trouble::Jammed)?;
            tally.done += 1;
        }
        Ok(tally)
    }
}

/// Who has failed is not in the sum, and nobody hears of it.
pub struct Shift {
    hands: Vec<JoinHandle<Result<Tally, Trouble>>>,
    open: bool,
}

impl Shift {
    pub fn begin<T: Tool>(count: u32, tool: Arc<T>) -> Shift {
        let hands = (0..count)
            .map(|it| {
                let hand = Hand { tool: tool.clone(), pieces: vec![it] };
                tokio::spawn(hand.run())
            })
            .collect();
        Shift { hands, open: true }
    }

    pub async fn end(self) -> Result<usize, Trouble> {
        let Shift { hands, .. } = self;
        let mut sum = 0;
        for hand in hands {
            if let Ok(Ok(tally)) = hand.await { //~ lost-error
                sum += tally.done;
            }
        }
        Ok(sum)
    }
}

/// The same without taking the shift apart.
pub struct Turn {
    hands: Vec<JoinHandle<Result<Tally, Trouble>>>,
}

impl Turn {
    pub fn begin<T: Tool>(count: u32, tool: Arc<T>) -> Turn {
        let mut hands = Vec::new();
        for it in 0..count {
            hands.push(tokio::spawn(Hand { tool: tool.clone(), pieces: vec![it] }.run()));
        }
        Turn { hands }
    }

    pub async fn end(self) -> Result<usize, Trouble> {
        let mut sum = 0;
        for hand in self.hands {
            if let Ok(Ok(tally)) = hand.await { //~ lost-error
                sum += tally.done;
            }
        }
        Ok(sum)
    }
}
