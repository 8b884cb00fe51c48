//! Channels whose room settings say, and consumers that send to themselves.

use std::thread::{self, JoinHandle};

pub struct Settings {
    pub room: usize,
    pub rounds: u8,
}

pub enum Errand {
    Fetch(u32),
    Again(u32),
}

struct Runner {
    errands: crossbeam_channel::Receiver<Errand>,
    later: crossbeam_channel::Sender<Errand>,
    done: u32,
}

impl Runner {
    fn postpone(&self, what: u32) -> bool {
        self.later.send(Errand::Again(what)).is_ok()
    }

    fn run(mut self) -> u32 {
        while let Ok(errand) = self.errands.recv() {
            match errand {
                Errand::Fetch(what) if what % 3 == 0 => {
                    if !self.postpone(what) { //~ channel-deadlock warning
                        break;
                    }
                }
                Errand::Fetch(what) | Errand::Again(what) => self.done += what,
            }
        }
        self.done
    }
}

pub struct Office {
    errands: crossbeam_channel::Sender<Errand>,
    runner: JoinHandle<u32>,
}

impl Office {
    pub fn open(settings: &Settings) -> Office {
        let (errands, inbox) = crossbeam_channel::bounded(settings.room.max(1));
        let runner = Runner { errands: inbox, later: errands.clone(), done: 0 };
        Office { errands, runner: thread::spawn(move || runner.run()) }
    }

    pub fn ask(&self, what: u32) -> bool {
        self.errands.send(Errand::Fetch(what)).is_ok()
    }
}

/// Room for all that it sends itself.
pub fn counts(all: Vec<u32>) -> u32 {
    let (numbers, inbox) = crossbeam_channel::bounded(all.len().max(1));
    for it in all {
        let _ = numbers.send(it);
    }
    drop(numbers);
    let mut sum = 0;
    while let Ok(it) = inbox.recv() {
        sum += it;
    }
    sum
}
