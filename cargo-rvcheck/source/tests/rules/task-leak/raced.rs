//! Tasks that race for their owner and go on when they have lost, and ones that end.

use std::time::Duration;
use tokio::sync::{broadcast, mpsc};
use tokio::task::JoinHandle;

pub struct Ferry {
    horns: broadcast::Sender<u8>,
}

async fn blows(mut horns: broadcast::Receiver<u8>, deck: mpsc::Sender<u8>) -> u32 {
    let mut blown = 0;
    while let Ok(horn) = horns.recv().await {
        if deck.send(horn).await.is_err() {
            break;
        }
        blown += 1;
    }
    blown
}

async fn boards(mut gangway: async_channel::Receiver<u32>) -> u32 {
    let mut weight = 0;
    while let Ok(passenger) = gangway.recv().await {
        weight += passenger;
    }
    weight
}

fn starts<T: Send + 'static>(task: impl std::future::Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    tokio::spawn(task)
}

impl Ferry {
    pub async fn crosses(&self, deck: mpsc::Sender<u8>, gangway: async_channel::Receiver<u32>) -> u32 {
        let horns = tokio::spawn(blows(self.horns.subscribe(), deck));
        let passengers = tokio::spawn(boards(gangway));
        tokio::select! { //~ task-leak warning
            blown = horns => { blown.unwrap_or_default() }
            weight = passengers => { weight.unwrap_or_default() }
        }
    }

    /// Both end with the one.
    pub async fn crosses_together(&self, gangway: async_channel::Receiver<u32>) -> u32 {
        let (deck, mut seen) = mpsc::channel(4);
        let horns = tokio::spawn(blows(self.horns.subscribe(), deck));
        let watched = tokio::spawn(async move {
            let mut all = 0_u32;
            while let Some(horn) = seen.recv().await {
                all += u32::from(horn);
                if gangway.try_recv().is_err() {
                    break;
                }
            }
            all
        });
        tokio::select! {
            blown = horns => { blown.unwrap_or_default() }
            all = watched => { all.unwrap_or_default() }
        }
    }

    /// The one that has lost is aborted.
    pub async fn crosses_once(&self, deck: mpsc::Sender<u8>, gangway: async_channel::Receiver<u32>) -> u32 {
        let mut horns = starts(blows(self.horns.subscribe(), deck));
        let mut passengers = tokio::spawn(boards(gangway));
        tokio::select! {
            blown = &mut horns => { passengers.abort(); blown.unwrap_or_default() }
            weight = &mut passengers => { horns.abort(); weight.unwrap_or_default() }
        }
    }

    /// Both are waited for.
    pub async fn crosses_slowly(&self, deck: mpsc::Sender<u8>, gangway: async_channel::Receiver<u32>) -> u32 {
        let horns = tokio::spawn(blows(self.horns.subscribe(), deck));
        let passengers = tokio::spawn(boards(gangway));
        let (blown, weight) = tokio::join!(horns, passengers);
        blown.unwrap_or_default() + weight.unwrap_or_default()
    }

    /// They end soon.
    pub async fn rests(&self) -> u32 {
        let short = tokio::spawn(async {
            tokio::time::sleep(Duration::from_millis(5)).await;
            1
        });
        let long = tokio::spawn(async {
            tokio::time::sleep(Duration::from_millis(9)).await;
            2
        });
        tokio::select! {
            it = short => { it.unwrap_or_default() }
            it = long => { it.unwrap_or_default() }
        }
    }
}
