//! Messages in two parts, with an await between them, dropped by a `timeout` or `select!`, and ones that look like it.

use std::sync::Arc;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::{Duration, sleep, timeout};

const LIMIT: Duration = Duration::from_millis(20);

pub enum Chunk {
    Size(usize),
    Bytes(Vec<u8>),
    Ping,
}

pub enum Event {
    Opened(u32),
    Closed(u32),
}

pub struct Link {
    out: Sender<Chunk>,
    events: Sender<Event>,
}

impl Link {
    async fn in_two_parts(&self, bytes: Vec<u8>) -> bool {
        if self.out.send(Chunk::Size(bytes.len())).await.is_err() { //~ cancel-unsafe warning
            return false;
        }
        self.out.send(Chunk::Bytes(bytes)).await.is_ok()
    }

    async fn with_work_between(&self, bytes: Vec<u8>) {
        let _ = self.out.send(Chunk::Size(bytes.len())).await; //~ cancel-unsafe warning
        sleep(LIMIT).await;
        let _ = self.out.send(Chunk::Bytes(bytes)).await;
    }

    async fn never_dropped(&self, bytes: Vec<u8>) {
        let _ = self.out.send(Chunk::Size(bytes.len())).await;
        let _ = self.out.send(Chunk::Bytes(bytes)).await;
    }

    async fn events_of_their_own(&self, id: u32) {
        let _ = self.events.send(Event::Opened(id)).await;
        let _ = self.events.send(Event::Closed(id)).await;
    }

    async fn nobody_pairs_these(&self, bytes: Vec<u8>) {
        let _ = self.out.send(Chunk::Bytes(bytes)).await;
        let _ = self.out.send(Chunk::Ping).await;
    }

    async fn on_two_channels(&self, id: u32, bytes: Vec<u8>) {
        let _ = self.events.send(Event::Opened(id)).await;
        let _ = self.out.send(Chunk::Bytes(bytes)).await;
    }

    async fn of_its_own(out: Sender<Chunk>, bytes: Vec<u8>) {
        let _ = out.send(Chunk::Size(bytes.len())).await;
        let _ = out.send(Chunk::Bytes(bytes)).await;
    }
}

pub async fn reader(mut chunks: Receiver<Chunk>) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    while let Some(Chunk::Size(size)) = chunks.recv().await {
        let Some(Chunk::Bytes(bytes)) = chunks.recv().await else { break };
        assert_eq!(bytes.len(), size);
        all.push(bytes);
    }
    all
}

pub enum Piece {
    Head(usize),
    Tail(String),
}

pub async fn by_a_borrowed_sender(out: &Sender<Piece>, text: &str) -> bool {
    if out.send(Piece::Head(text.len())).await.is_err() { //~ cancel-unsafe warning
        return false;
    }
    out.send(Piece::Tail(text.to_string())).await.is_ok()
}

pub async fn pair(pieces: &mut Receiver<Piece>) -> Result<String, ()> {
    match (pieces.recv().await, pieces.recv().await) {
        (Some(Piece::Head(size)), Some(Piece::Tail(text))) if text.len() == size => Ok(text),
        _ => Err(()),
    }
}

pub async fn one_by_one(mut events: Receiver<Event>) -> u32 {
    let mut open = 0;
    while let Some(event) = events.recv().await {
        match event {
            Event::Opened(id) => open += id,
            Event::Closed(id) => open -= id,
        }
    }
    open
}

pub async fn user(link: Arc<Link>, out: Sender<Chunk>, pieces: Sender<Piece>) {
    let _ = timeout(LIMIT, link.in_two_parts(vec![1])).await;
    let _ = timeout(LIMIT, link.events_of_their_own(1)).await;
    let _ = timeout(LIMIT, link.nobody_pairs_these(vec![1])).await;
    let _ = timeout(LIMIT, link.on_two_channels(1, vec![1])).await;
    let _ = timeout(LIMIT, Link::of_its_own(out, vec![1])).await;
    let _ = timeout(LIMIT, by_a_borrowed_sender(&pieces, "a")).await;
    link.never_dropped(vec![2]).await;
    tokio::select! {
        () = link.with_work_between(vec![3]) => {}
        () = sleep(LIMIT) => {}
    }
}
