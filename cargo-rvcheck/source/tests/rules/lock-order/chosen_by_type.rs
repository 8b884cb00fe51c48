//! Methods of type parameters that lock, called with a value whose type chooses the implementation.

use parking_lot::Mutex;

pub trait Measure {
    fn length(&self) -> usize;
}

#[derive(Default)]
pub struct Rope {
    strands: Mutex<Vec<u32>>,
}

#[derive(Default)]
pub struct Ruler;

impl Measure for Rope {
    fn length(&self) -> usize {
        self.strands.lock().len() //~ lock-order warning
    }
}

impl Measure for Ruler {
    fn length(&self) -> usize {
        30
    }
}

#[derive(Default)]
pub struct Notes {
    lines: Mutex<Vec<usize>>,
}

impl Notes {
    fn measured<M: Measure>(&self, what: &M) {
        let mut lines = self.lines.lock();
        lines.push(what.length());
    }
}

#[derive(Default)]
pub struct Rigging {
    rope: Rope,
    notes: Notes,
}

impl Rigging {
    pub fn measures(&self) {
        self.notes.measured(&self.rope);
    }

    pub fn splices(&self) {
        let mut strands = self.rope.strands.lock();
        strands.push(self.notes.lines.lock().len() as u32);
    }
}

/// The value that is measured has no lock.
#[derive(Default)]
pub struct Workshop {
    ruler: Ruler,
    rope: Rope,
    notes: Notes,
}

impl Workshop {
    pub fn measures(&self) {
        self.notes.measured(&self.ruler);
    }

    pub fn splices(&self) {
        let mut strands = self.rope.strands.lock();
        strands.push(self.notes.lines.lock().len() as u32);
    }
}
