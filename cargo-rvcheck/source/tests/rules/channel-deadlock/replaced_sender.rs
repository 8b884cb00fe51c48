//! Own senders that another one takes the place of before the loop that waits for their end.

use crossbeam_channel::{Receiver, Sender, unbounded};
use std::collections::BTreeSet;

pub struct Poll {
    ballots: Sender<u32>,
    box_: Receiver<u32>,
    names: BTreeSet<u32>,
}

impl Poll {
    pub fn open() -> Poll {
        let (ballots, box_) = unbounded();
        Poll { ballots, box_, names: BTreeSet::new() }
    }

    pub fn ballot(&self) -> Sender<u32> {
        self.ballots.clone()
    }

    pub fn kept(mut self) -> BTreeSet<u32> {
        while let Ok(name) = self.box_.recv() { //~ channel-deadlock warning
            self.names.insert(name);
        }
        self.names
    }

    pub fn written_over(mut self) -> BTreeSet<u32> {
        let Poll { ballots, box_, .. } = &mut self;
        *ballots = unbounded().0;
        let all: Vec<u32> = box_.iter().collect();
        self.names.extend(all);
        self.names
    }

    pub fn replaced(mut self) -> BTreeSet<u32> {
        drop(std::mem::replace(&mut self.ballots, unbounded().0));
        while let Ok(name) = self.box_.recv() {
            self.names.insert(name);
        }
        self.names
    }
}
