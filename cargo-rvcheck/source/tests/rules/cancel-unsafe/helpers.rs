//! Futures of functions and blocks of the program that lose something half way, through what they await.

use std::collections::VecDeque;
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    sync::mpsc,
    time::{Duration, Interval, timeout},
};

pub struct Stream(u32);

impl Stream {
    async fn connect() -> Stream {
        tokio::task::yield_now().await;
        Stream(0)
    }
}

impl AsyncRead for Stream {}

async fn frame<R: AsyncReadExt + Unpin>(from: &mut R) -> Option<[u8; 4]> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes).await.ok()?;
    Some(bytes)
}

async fn of_its_own() -> Option<[u8; 4]> {
    let mut stream = Stream::connect().await;
    frame(&mut stream).await
}

async fn all_of(mut stream: Stream) -> Option<[u8; 4]> {
    frame(&mut stream).await
}

pub struct Connection {
    stream: Stream,
    other: Stream,
}

impl Connection {
    async fn message(&mut self) -> Option<[u8; 4]> {
        frame(&mut self.stream).await
    }

    pub async fn in_a_select(&mut self, mut ticks: Interval) {
        loop {
            tokio::select! {
                _ = ticks.tick() => { println!("tick"); }
                message = self.message() => { if message.is_none() { return; } } //~ cancel-unsafe warning
            }
        }
    }

    pub async fn in_a_select_that_ends(&mut self, mut ticks: Interval) {
        loop {
            tokio::select! {
                _ = ticks.tick() => { return; }
                message = self.message() => { if message.is_none() { return; } }
            }
        }
    }

    pub async fn under_a_timeout(&mut self) {
        loop {
            match timeout(Duration::from_secs(1), self.message()).await { //~ cancel-unsafe warning
                Ok(Some(bytes)) => println!("{bytes:?}"),
                Ok(None) => return,
                Err(_) => println!("nothing for a second"),
            }
        }
    }

    pub async fn under_a_timeout_that_is_counted(&mut self) -> u32 {
        let mut slow = 0;
        for _ in 0..9 {
            if timeout(Duration::from_secs(1), self.message()).await.is_err() { //~ cancel-unsafe warning
                slow += 1;
            }
        }
        slow
    }

    pub async fn under_a_timeout_that_ends(&mut self) -> u32 {
        for at in 0..9 {
            if timeout(Duration::from_secs(1), self.message()).await.is_err() {
                return at;
            }
        }
        9
    }

    pub async fn with_a_new_stream_after_a_timeout(&mut self) {
        loop {
            match timeout(Duration::from_secs(1), frame(&mut self.stream)).await {
                Ok(Some(bytes)) => println!("{bytes:?}"),
                Ok(None) => return,
                Err(_) => self.stream = Stream::connect().await,
            }
        }
    }

    pub async fn with_another_stream_after_a_timeout(&mut self) {
        loop {
            match timeout(Duration::from_secs(1), frame(&mut self.stream)).await { //~ cancel-unsafe warning
                Ok(Some(bytes)) => println!("{bytes:?}"),
                Ok(None) => return,
                Err(_) => self.other = Stream::connect().await,
            }
        }
    }
}

pub async fn of_a_stream_of_the_loop(mut stream: Stream, mut ticks: Interval) {
    loop {
        tokio::select! {
            _ = ticks.tick() => { println!("tick"); }
            message = frame(&mut stream) => { if message.is_none() { return; } } //~ cancel-unsafe warning
        }
    }
}

pub async fn of_a_stream_in_the_future(mut ticks: Interval) {
    loop {
        tokio::select! {
            _ = ticks.tick() => { println!("tick"); }
            message = of_its_own() => { if message.is_none() { return; } }
        }
    }
}

pub async fn of_a_stream_that_is_given_away(mut ticks: Interval) {
    loop {
        tokio::select! {
            _ = ticks.tick() => { println!("tick"); }
            message = all_of(Stream(1)) => { if message.is_none() { return; } }
        }
    }
}

pub async fn of_a_block(mut jobs: mpsc::Receiver<String>, out: mpsc::Sender<String>, mut ticks: Interval) {
    loop {
        tokio::select! {
            _ = ticks.tick() => { println!("tick"); }
            done = async { //~ cancel-unsafe warning
                let job = jobs.recv().await?;
                out.send(job).await.ok()
            } => { if done.is_none() { return; } }
        }
    }
}

pub struct Pump {
    queue: VecDeque<String>,
    out: mpsc::Sender<String>,
}

impl Pump {
    async fn one(&mut self) -> Option<()> {
        let next = self.queue.pop_front()?;
        self.out.send(next).await.ok()
    }

    async fn step(&mut self) -> bool {
        self.one().await.is_some()
    }

    async fn reserve_first(&mut self) -> bool {
        let Ok(room) = self.out.reserve().await else { return false };
        let Some(next) = self.queue.pop_front() else { return false };
        room.send(next);
        true
    }

    pub async fn through_two_functions(&mut self, mut ticks: Interval) {
        loop {
            tokio::select! {
                _ = ticks.tick() => { println!("tick"); }
                more = self.step() => { if !more { return; } } //~ cancel-unsafe warning
            }
        }
    }

    pub async fn with_room_for_it(&mut self, mut ticks: Interval) {
        loop {
            tokio::select! {
                _ = ticks.tick() => { println!("tick"); }
                more = self.reserve_first() => { if !more { return; } }
            }
        }
    }
}
