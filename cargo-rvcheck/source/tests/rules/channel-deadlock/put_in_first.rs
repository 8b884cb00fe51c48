//! Both channels of a worker are in a struct. A method that has it alone puts everything in before it takes anything out.

use crossbeam_channel::{Receiver, Sender};
use std::thread;
use tokio::sync::mpsc;

pub struct Mill {
    grain: Option<Sender<u32>>,
    flour: Receiver<u32>,
}

fn grind(grain: Receiver<u32>, flour: Sender<u32>) {
    for it in grain {
        if flour.send(it / 2).is_err() {
            return;
        }
    }
}

pub struct Closed;

impl Mill {
    pub fn new(stones: usize, room: usize) -> Mill {
        let (grain, to_grind) = crossbeam_channel::bounded(room);
        let (ground, flour) = crossbeam_channel::bounded(room);
        for _ in 0..stones {
            let (to_grind, ground) = (to_grind.clone(), ground.clone());
            thread::spawn(move || grind(to_grind, ground));
        }
        Mill { grain: Some(grain), flour }
    }

    fn pour(&self, it: u32) -> Result<(), Closed> {
        let grain = self.grain.as_ref().ok_or(Closed)?;
        grain.send(it).map_err(|_| Closed)
    }

    pub fn all(&mut self, sacks: Vec<u32>) -> Result<Vec<u32>, Closed> {
        let count = sacks.len();
        for it in sacks {
            self.pour(it)?; //~ channel-deadlock warning
        }
        (0..count).map(|_| self.flour.recv().map_err(|_| Closed)).collect()
    }
}

/// Each is taken out before the next one is put in.
pub struct InTurn {
    grain: Sender<u32>,
    flour: Receiver<u32>,
}

impl InTurn {
    pub fn new() -> InTurn {
        let (grain, to_grind) = crossbeam_channel::bounded(4);
        let (ground, flour) = crossbeam_channel::bounded(4);
        thread::spawn(move || grind(to_grind, ground));
        InTurn { grain, flour }
    }

    pub fn all(&mut self, sacks: Vec<u32>) -> Vec<u32> {
        let mut all = Vec::new();
        for it in sacks {
            let _ = self.grain.send(it);
            all.extend(self.flour.recv());
        }
        all
    }
}

/// Others may take out meanwhile.
pub struct Shared {
    grain: Sender<u32>,
    flour: Receiver<u32>,
}

impl Shared {
    pub fn new() -> Shared {
        let (grain, to_grind) = crossbeam_channel::bounded(4);
        let (ground, flour) = crossbeam_channel::bounded(4);
        thread::spawn(move || grind(to_grind, ground));
        Shared { grain, flour }
    }

    pub fn all(&self, sacks: Vec<u32>) -> Vec<u32> {
        for it in &sacks {
            let _ = self.grain.send(*it);
        }
        sacks.iter().flat_map(|_| self.flour.recv()).collect()
    }
}

/// What goes in has room.
pub struct Roomy {
    grain: mpsc::UnboundedSender<u32>,
    flour: mpsc::Receiver<u32>,
}

impl Roomy {
    pub fn new() -> Roomy {
        let (grain, mut to_grind) = mpsc::unbounded_channel::<u32>();
        let (ground, flour) = mpsc::channel(4);
        tokio::spawn(async move {
            while let Some(it) = to_grind.recv().await {
                if ground.send(it / 2).await.is_err() {
                    return;
                }
            }
        });
        Roomy { grain, flour }
    }

    pub async fn all(&mut self, sacks: Vec<u32>) -> Vec<u32> {
        let mut all = Vec::new();
        for it in &sacks {
            let _ = self.grain.send(*it);
        }
        for _ in &sacks {
            all.extend(self.flour.recv().await);
        }
        all
    }
}

pub struct Press {
    apples: mpsc::Sender<u32>,
    juice: mpsc::Receiver<u32>,
}

impl Press {
    pub fn new() -> Press {
        let (apples, mut to_press) = mpsc::channel::<u32>(8);
        let (pressed, juice) = mpsc::channel(8);
        tokio::spawn(async move {
            while let Some(it) = to_press.recv().await {
                if pressed.send(it * 3).await.is_err() {
                    return;
                }
            }
        });
        Press { apples, juice }
    }

    pub async fn all(&mut self, baskets: &[u32]) -> Vec<u32> {
        for it in baskets {
            if self.apples.send(*it).await.is_err() { //~ channel-deadlock warning
                return Vec::new();
            }
        }
        let mut all = Vec::new();
        for _ in baskets {
            all.extend(self.juice.recv().await);
        }
        all
    }
}
