//! A receive under a time limit takes nothing before its own await is over.

use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{interval, timeout};

pub struct Crate {
    apples: mpsc::Receiver<u32>,
    some: Vec<u32>,
}

impl Crate {
    async fn fills(&mut self) -> Option<Vec<u32>> {
        if self.some.is_empty() {
            let first = self.apples.recv().await?;
            self.some.push(first);
        }
        while self.some.len() < 10 {
            match timeout(Duration::from_millis(5), self.apples.recv()).await {
                Ok(Some(apple)) => self.some.push(apple),
                Ok(None) | Err(_) => break,
            }
        }
        Some(std::mem::take(&mut self.some))
    }

    async fn fills_a_new_one(&mut self) -> Option<Vec<u32>> {
        let mut some = vec![self.apples.recv().await?];
        while some.len() < 10 {
            match timeout(Duration::from_millis(5), self.apples.recv()).await {
                Ok(Some(apple)) => some.push(apple),
                Ok(None) | Err(_) => break,
            }
        }
        Some(some)
    }
}

pub async fn counts(mut it: Crate) -> usize {
    let (mut all, mut ticks) = (0, interval(Duration::from_secs(1)));
    loop {
        tokio::select! {
            _ = ticks.tick() => { println!("{all}") }
            some = it.fills() => {
                match some {
                    Some(some) => all += some.len(),
                    None => return all,
                }
            }
        }
    }
}

pub async fn counts_fewer(mut it: Crate) -> usize {
    let (mut all, mut ticks) = (0, interval(Duration::from_secs(1)));
    loop {
        tokio::select! {
            _ = ticks.tick() => { println!("{all}") }
            some = it.fills_a_new_one() => { //~ cancel-unsafe warning
                match some {
                    Some(some) => all += some.len(),
                    None => return all,
                }
            }
        }
    }
}
