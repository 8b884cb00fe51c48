//! Stored functions that take a lock of the same class as the one under which they run: of another object, or of the one that stores them.

use std::sync::{Arc, Mutex};

type Task = Box<dyn Fn(u32) + Send + Sync>;

#[derive(Clone, Default)]
pub struct Ties(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    below: Vec<Task>,
    count: u32,
}

pub struct Captain {
    ties: Ties,
}

impl Captain {
    pub fn command(&self, order: u32) {
        let inner = self.ties.0.lock().unwrap();
        for it in &inner.below {
            it(order);
        }
    }

    fn enlist(&self, of: &Ties, obey: Task) {
        self.ties.0.lock().unwrap().below.push(obey);
        of.0.lock().unwrap().count += 1;
    }

    pub fn press(&self) {
        let own = Ties::default();
        let of_sailor = own.clone();
        let obey = Box::new(move |order| {
            of_sailor.0.lock().unwrap().count += order; //~ double-lock note
        });
        self.enlist(&own, obey);
    }

    /// Each sailor has separate ties.
    pub fn hire(&self) -> Ties {
        let own = Ties::default();
        let of_sailor = own.clone();
        let obey = move |order| {
            of_sailor.0.lock().unwrap().count += order; //~ double-lock note
        };
        self.ties.0.lock().unwrap().below.push(Box::new(obey));
        own
    }
}

#[derive(Default)]
struct Rope {
    pulls: Vec<Task>,
    length: u32,
}

#[derive(Clone)]
pub struct Mast(Arc<parking_lot::Mutex<Rope>>);

impl Mast {
    pub fn pull(&self, by: u32) {
        let rope = self.0.lock();
        for it in &rope.pulls {
            it(by);
        }
    }

    pub fn rig(&self) {
        let same = self.clone();
        self.0.lock().pulls.push(Box::new(move |by| {
            same.0.lock().length += by; //~ double-lock warning
        }));
    }
}
