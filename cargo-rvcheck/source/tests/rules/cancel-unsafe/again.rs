//! Timeouts whose callers come back, and what was collected by then.

use std::io;
use tokio::io::AsyncReadExt;
use tokio::sync::mpsc::Receiver;
use tokio::time::{Duration, Interval, timeout};

pub struct Frames<R> {
    inner: R,
}

impl<R: AsyncReadExt + Unpin> Frames<R> {
    pub async fn says_that_there_is_none(&mut self) -> io::Result<Option<[u8; 4]>> {
        let mut header = [0; 4];
        match timeout(Duration::from_secs(1), self.inner.read_exact(&mut header)).await { //~ cancel-unsafe
            Err(_) => return Ok(None),
            Ok(read) => read?,
        };
        Ok(Some(header))
    }

    pub async fn calls_it_again(&mut self) -> io::Result<[u8; 4]> {
        loop {
            if let Some(it) = self.says_that_there_is_none().await? {
                return Ok(it);
            }
        }
    }

    pub async fn says_that_it_failed(&mut self) -> io::Result<Option<[u8; 4]>> {
        let mut header = [0; 4];
        match timeout(Duration::from_secs(1), self.inner.read_exact(&mut header)).await {
            Err(_) => return Err(io::ErrorKind::TimedOut.into()),
            Ok(read) => read?,
        };
        Ok(Some(header))
    }

    pub async fn calls_what_may_fail_again(&mut self) -> io::Result<[u8; 4]> {
        loop {
            if let Some(it) = self.says_that_it_failed().await? {
                return Ok(it);
            }
        }
    }

    pub async fn is_called_once(&mut self) -> io::Result<Option<[u8; 4]>> {
        let mut header = [0; 4];
        match timeout(Duration::from_secs(1), self.inner.read_exact(&mut header)).await {
            Err(_) => return Ok(None),
            Ok(read) => read?,
        };
        Ok(Some(header))
    }
}

async fn asks<R: AsyncReadExt + Unpin>(from: &mut R) -> io::Result<Option<[u8; 4]>> {
    let mut header = [0; 4];
    match timeout(Duration::from_secs(1), from.read_exact(&mut header)).await {
        Err(_) => return Ok(None),
        Ok(read) => read?,
    };
    Ok(Some(header))
}

pub async fn asks_another_one_each_time<R: AsyncReadExt + Unpin>(connect: impl Fn() -> R) -> io::Result<[u8; 4]> {
    loop {
        let mut one = connect();
        if let Some(it) = asks(&mut one).await? {
            return Ok(it);
        }
    }
}

async fn collects(from: &mut Receiver<String>) -> Vec<String> {
    let mut batch = Vec::new();
    while batch.len() < 3 {
        match from.recv().await {
            Some(it) => batch.push(it),
            None => break,
        }
    }
    batch
}

async fn collects_into(from: &mut Receiver<String>, batch: &mut Vec<String>) {
    while batch.len() < 3 {
        match from.recv().await {
            Some(it) => batch.push(it),
            None => break,
        }
    }
}

pub async fn drops_a_batch(mut from: Receiver<String>, mut t: Interval) {
    loop {
        tokio::select! {
            batch = collects(&mut from) => { if batch.is_empty() { return; } } //~ cancel-unsafe
            _ = t.tick() => { println!("tick"); }
        }
    }
}

pub async fn keeps_a_batch(mut from: Receiver<String>, mut t: Interval) {
    let mut batch = Vec::new();
    loop {
        tokio::select! {
            _ = collects_into(&mut from, &mut batch) => { if batch.is_empty() { return; } batch.clear(); }
            _ = t.tick() => { println!("tick"); }
        }
    }
}
