//! Tasks that race for their owner and go on when they have lost, and ones that end.

use std::time::Duration;
use tokio::sync::{broadcast, mpsc};
use tokio::task::JoinHandle;

pub struct Ferry {
    horns: broadcast::Sender<u8>,
}

async fn blows(mut horns: broadcast::Receiver<u8>, deck: mpsc::Sender<u8>) -> u32 {
    let mut blown = 0;
    while let Ok(horn) = horns.recv().await { //~ lost-error
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

/// Tasks whose handles are only lent to a `select!`.
pub struct Lighthouse {
    fog: mpsc::Sender<u8>,
}

async fn shines(fog: mpsc::Sender<u8>) {
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let _ = fog.try_send(1);
    }
}

impl Lighthouse {
    pub async fn until_called(&self, calls: &mut mpsc::Receiver<u8>) -> Option<u8> {
        let mut lamp = tokio::spawn(shines(self.fog.clone())); //~ task-leak warning
        tokio::select! {
            _ = &mut lamp => { None }
            call = calls.recv() => { call }
        }
    }

    pub async fn put_out(&self, calls: &mut mpsc::Receiver<u8>) -> Option<u8> {
        let mut lamp = tokio::spawn(shines(self.fog.clone()));
        tokio::select! {
            _ = &mut lamp => { None }
            call = calls.recv() => {
                lamp.abort();
                call
            }
        }
    }

    pub async fn put_out_by_handle(&self, calls: &mut mpsc::Receiver<u8>) -> Option<u8> {
        let mut lamp = tokio::spawn(shines(self.fog.clone()));
        let switch = lamp.abort_handle();
        let call = tokio::select! {
            _ = &mut lamp => { None }
            call = calls.recv() => { call }
        };
        switch.abort();
        call
    }

    pub async fn again_and_again(&self, calls: &mut mpsc::Receiver<u8>) -> u32 {
        let mut lamp = tokio::spawn(shines(self.fog.clone()));
        let mut heard = 0;
        loop {
            tokio::select! {
                _ = &mut lamp => { return heard }
                call = calls.recv() => {
                    match call {
                        Some(_) => heard += 1,
                        None => {
                            lamp.abort();
                            return heard;
                        }
                    }
                }
            }
        }
    }
}
