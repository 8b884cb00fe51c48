//! A receiver of a broadcast channel that falls behind gets an error once, and can go on.

use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{self, Receiver, Sender};

pub struct Feed {
    entries: Sender<u32>,
}

impl Feed {
    pub fn new(room: usize) -> Feed {
        Feed { entries: broadcast::channel(room).0 }
    }

    pub fn say(&self, entry: u32) -> bool {
        self.entries.send(entry).is_ok()
    }

    pub fn sums(&self) -> tokio::task::JoinHandle<u32> {
        let mut entries = self.entries.subscribe();
        tokio::spawn(async move {
            let mut sum = 0;
            while let Ok(entry) = entries.recv().await { //~ lost-error
                sum += entry;
            }
            sum
        })
    }

    pub fn counts(&self) -> tokio::task::JoinHandle<u32> {
        tokio::spawn(counted(self.entries.subscribe()))
    }

    pub fn writes(&self) -> tokio::task::JoinHandle<Vec<u32>> {
        let mut reader = Reader { entries: self.entries.subscribe() };
        tokio::spawn(async move {
            let mut all = Vec::new();
            while let Some(entry) = reader.next().await {
                all.push(entry);
            }
            all
        })
    }

    /// Counts what it has missed, and ends where the channel is closed.
    pub fn all(&self) -> tokio::task::JoinHandle<u64> {
        let mut entries = self.entries.subscribe();
        tokio::spawn(async move {
            let mut sum = 0;
            loop {
                match entries.recv().await {
                    Ok(entry) => sum += u64::from(entry),
                    Err(RecvError::Lagged(missed)) => sum += missed,
                    Err(RecvError::Closed) => break sum,
                }
            }
        })
    }

    /// Whatever the error is, its caller gets it.
    pub fn passes_on(&self) -> tokio::task::JoinHandle<Result<u32, RecvError>> {
        let mut entries = self.entries.subscribe();
        tokio::spawn(async move {
            let mut sum = 0;
            loop {
                sum += entries.recv().await?;
                if sum > 100 {
                    return Ok(sum);
                }
            }
        })
    }

    /// Subscribes again.
    pub fn again(self) -> tokio::task::JoinHandle<()> {
        let sender = self.entries;
        tokio::spawn(async move {
            let mut sum = 0;
            while sum < 100 {
                let mut entries = sender.subscribe();
                while let Ok(entry) = entries.recv().await {
                    sum += entry;
                }
            }
        })
    }

    /// One message is enough.
    pub fn first(&self) -> tokio::task::JoinHandle<bool> {
        let mut entries = self.entries.subscribe();
        tokio::spawn(async move { entries.recv().await.is_ok() })
    }
}

async fn counted(mut entries: Receiver<u32>) -> u32 {
    let mut count = 0;
    loop {
        let Ok(_) = entries.recv().await else { return count }; //~ lost-error
        count += 1;
    }
}

struct Reader {
    entries: Receiver<u32>,
}

impl Reader {
    async fn next(&mut self) -> Option<u32> {
        self.entries.recv().await.ok() //~ lost-error
    }
}

/// In a function that is one of several that are polled.
pub async fn hands_on(mut entries: Receiver<u32>, gone: tokio::sync::Notify, out: tokio::sync::mpsc::Sender<u32>) {
    tokio::select! {
        _ = gone.notified() => { return }
        _ = hands_all_on(&mut entries, &out) => {}
    }
}

async fn hands_all_on(entries: &mut Receiver<u32>, out: &tokio::sync::mpsc::Sender<u32>) {
    while let Ok(entry) = entries.recv().await { //~ lost-error
        if out.send(entry).await.is_err() {
            return;
        }
    }
}

/// It gives something else first.
struct Primed {
    first: bool,
    entries: Receiver<u32>,
}

impl Primed {
    async fn next(&mut self) -> Option<u32> {
        if self.first {
            self.first = false;
            return Some(0);
        }
        let entry = self.entries.recv().await.ok()?; //~ lost-error
        Some(entry + 1)
    }
}

async fn adds(mut primed: Primed) -> u32 {
    let mut sum = 0;
    while let Some(entry) = primed.next().await {
        sum += entry;
    }
    sum
}

impl Feed {
    pub fn adds(&self) -> tokio::task::JoinHandle<u32> {
        tokio::spawn(adds(Primed { first: true, entries: self.entries.subscribe() }))
    }
}
