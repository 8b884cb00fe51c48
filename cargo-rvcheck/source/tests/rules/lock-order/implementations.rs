//! Methods of trait objects that lock: which of the implementations runs, only a run shows.

use parking_lot::Mutex;

pub trait Shelf {
    fn visit(&self, then: &mut dyn FnMut(&mut Vec<String>));
}

pub struct Paper {
    books: Mutex<Vec<String>>,
}

pub struct Tape {
    reels: Mutex<Vec<String>>,
}

impl Shelf for Paper {
    fn visit(&self, then: &mut dyn FnMut(&mut Vec<String>)) {
        then(&mut self.books.lock()); //~ lock-order note
    }
}

impl Shelf for Tape {
    fn visit(&self, then: &mut dyn FnMut(&mut Vec<String>)) {
        then(&mut self.reels.lock());
    }
}

fn shift(from: &dyn Shelf, to: &dyn Shelf) {
    from.visit(&mut |from| to.visit(&mut |to| to.append(from)));
}

pub struct Library {
    reading: Box<dyn Shelf>,
    cellar: Box<dyn Shelf>,
}

impl Library {
    pub fn store(&self) {
        shift(&*self.reading, &*self.cellar);
    }

    pub fn fetch(&self) {
        shift(&*self.cellar, &*self.reading);
    }
}

/// Whoever moves anything has the key.
pub struct Archive {
    key: Mutex<()>,
    reading: Box<dyn Shelf>,
    cellar: Box<dyn Shelf>,
}

impl Archive {
    pub fn store(&self) {
        let _key = self.key.lock();
        shift(&*self.reading, &*self.cellar);
    }

    pub fn fetch(&self) {
        let _key = self.key.lock();
        shift(&*self.cellar, &*self.reading);
    }
}
