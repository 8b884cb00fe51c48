//! Locks of one class, of two objects that a function is given.

use std::sync::{Arc, Mutex};

pub struct Jug {
    water: Mutex<u64>,
}

pub fn pour(from: &Jug, to: &Jug, litres: u64) {
    let mut from = from.water.lock().unwrap();
    let mut to = to.water.lock().unwrap(); //~ lock-order warning
    *from -= litres;
    *to += litres;
}

pub struct Drawer {
    number: u32,
    cards: parking_lot::Mutex<Vec<u32>>,
}

impl Drawer {
    pub fn share(&self, other: &Drawer) {
        if self.number == other.number {
            return;
        }
        let mut own = self.cards.lock();
        let mut others = other.cards.lock(); //~ lock-order warning
        own.push(other.number);
        others.push(self.number);
    }

    /// The one with the lower number comes first.
    pub fn share_in_order(&self, other: &Drawer) {
        let (first, second) = if self.number < other.number { (self, other) } else { (other, self) };
        let mut one = first.cards.lock();
        let mut another = second.cards.lock();
        one.push(second.number);
        another.push(first.number);
    }

    pub fn share_one_by_one(&self, other: &Drawer) {
        self.cards.lock().push(other.number);
        other.cards.lock().push(self.number);
    }

    pub fn absorb(&mut self, other: &mut Drawer) {
        let mut own = self.cards.lock();
        own.append(&mut other.cards.lock());
    }
}

fn merge(one: &Jug, other: &Jug) {
    let mut one = one.water.lock().unwrap();
    let mut other = other.water.lock().unwrap();
    *one += *other;
    *other = 0;
}

pub fn merge_all(main: &Jug, others: &[Jug]) {
    for it in others {
        merge(main, it);
    }
}

pub struct Player {
    name: String,
    friends: tokio::sync::Mutex<Vec<String>>,
}

impl Player {
    pub async fn befriend(&self, other: &Player) {
        let mut own = self.friends.lock().await;
        let mut others = other.friends.lock().await; //~ lock-order warning
        own.push(other.name.clone());
        others.push(self.name.clone());
    }
}

// Who is above is never below.

#[derive(Default)]
struct Folder {
    inside: Vec<Arc<Shelf>>,
    above: Option<Arc<Shelf>>,
}

#[derive(Default)]
pub struct Shelf {
    folder: async_lock::Mutex<Option<Folder>>,
    plain: Mutex<Folder>,
}

impl Shelf {
    pub fn put(self: &Arc<Self>, below: &Arc<Shelf>) {
        let mut own = self.plain.lock().unwrap();
        let mut others = below.plain.lock().unwrap();
        own.inside.push(below.clone());
        others.above = Some(self.clone());
    }

    pub async fn replace(&self, other: &Shelf) {
        let mut own = self.folder.lock().await;
        let mut others = other.folder.lock().await; //~ lock-order warning
        std::mem::swap(&mut *own, &mut *others);
    }
}
