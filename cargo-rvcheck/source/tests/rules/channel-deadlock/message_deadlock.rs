//! Tasks and threads that come to wait for each other at channels.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use tokio::sync::mpsc;

/// A kiln fires what is thrown, and sends back what has cracked: in a ring, which customers fill.
pub struct Pottery {
    wheel: mpsc::Sender<u32>,
}

impl Pottery {
    pub fn open(shelves: usize) -> Pottery {
        let (wheel, mut thrown) = mpsc::channel::<u32>(shelves);
        let (kiln, mut fired) = mpsc::channel::<u32>(shelves);
        let again = wheel.clone();
        tokio::spawn(async move {
            while let Some(pot) = thrown.recv().await {
                if kiln.send(pot + 1).await.is_err() { //~ channel-deadlock warning
                    return;
                }
            }
        });
        tokio::spawn(async move {
            while let Some(pot) = fired.recv().await {
                if pot % 3 == 0 && again.send(pot).await.is_err() {
                    return;
                }
            }
        });
        Pottery { wheel }
    }

    pub async fn throw(&self, pot: u32) {
        let _ = self.wheel.send(pot).await;
    }
}

/// What has cracked is put aside, without a wait.
pub struct CarefulPottery {
    wheel: mpsc::Sender<u32>,
}

impl CarefulPottery {
    pub fn open(shelves: usize) -> CarefulPottery {
        let (wheel, mut thrown) = mpsc::channel::<u32>(shelves);
        let (kiln, mut fired) = mpsc::channel::<u32>(shelves);
        let again = wheel.clone();
        tokio::spawn(async move {
            while let Some(pot) = thrown.recv().await {
                if kiln.send(pot + 1).await.is_err() {
                    return;
                }
            }
        });
        tokio::spawn(async move {
            while let Some(pot) = fired.recv().await {
                if pot % 3 == 0 && again.try_send(pot).is_err() {
                    println!("thrown away");
                }
            }
        });
        CarefulPottery { wheel }
    }

    pub async fn throw(&self, pot: u32) {
        let _ = self.wheel.send(pot).await;
    }
}

fn pass_on(from: &Receiver<u64>, to: &SyncSender<u64>) {
    while let Ok(parcel) = from.recv() {
        forward(to, parcel);
    }
}

fn forward(to: &SyncSender<u64>, parcel: u64) {
    to.send(parcel).expect("somebody takes it");
}

/// Two carriers hand parcels to each other, with a helper of theirs.
pub struct Relay {
    first: SyncSender<u64>,
}

impl Relay {
    pub fn set_up(size: usize) -> Relay {
        let (first, at_first) = sync_channel(size);
        let (second, at_second) = sync_channel(size);
        let back = first.clone();
        thread::spawn(move || {
            while let Ok(parcel) = at_first.recv() {
                forward(&second, parcel); //~ channel-deadlock warning
            }
        });
        thread::spawn(move || {
            while let Ok(parcel) = at_second.recv() {
                forward(&back, parcel);
            }
        });
        Relay { first }
    }

    pub fn post(&self, parcel: u64) {
        forward(&self.first, parcel);
    }
}

/// One way is no ring.
pub fn one_way(size: usize) -> (SyncSender<u64>, thread::JoinHandle<u64>) {
    let (first, at_first) = sync_channel(size);
    let (second, at_second) = sync_channel(size);
    thread::spawn(move || pass_on(&at_first, &second));
    let last = thread::spawn(move || at_second.iter().sum());
    (first, last)
}

/// A petition goes from desk to desk until nobody's stamp is missing. Then both desks are at rest, which is no fault.
pub async fn stamp(missing: u8) {
    let (left, mut at_left) = mpsc::channel::<u8>(4);
    let (right, mut at_right) = mpsc::channel::<u8>(4);
    let back = left.clone();
    tokio::spawn(async move {
        while let Some(missing) = at_left.recv().await {
            if missing > 0 && right.send(missing - 1).await.is_err() {
                return;
            }
        }
    });
    tokio::spawn(async move {
        while let Some(missing) = at_right.recv().await {
            if missing > 0 && back.send(missing - 1).await.is_err() {
                return;
            }
        }
    });
    if left.send(missing).await.is_err() {
        println!("closed");
    }
}

/// Each doctor asks the other one before answering, in the loop that also answers: at some time both wait for an answer.
pub async fn consult(patients: u8) {
    let (left, mut at_left) = mpsc::channel::<u8>(4);
    let (right, mut at_right) = mpsc::channel::<u8>(4);
    let (opinion, mut opinions) = mpsc::channel::<u8>(4);
    let back = left.clone();
    tokio::spawn(async move {
        while let Some(patient) = at_left.recv().await {
            if right.send(patient).await.is_err() {
                return;
            }
            if let Some(opinion) = opinions.recv().await { //~ channel-deadlock warning
                println!("{opinion}");
            }
        }
    });
    tokio::spawn(async move {
        while let Some(patient) = at_right.recv().await {
            if patient % 2 == 0 && opinion.send(patient).await.is_err() {
                return;
            }
        }
        drop(back);
    });
    if left.send(patients).await.is_err() {
        println!("closed");
    }
}
