//! Locks of one class, of two objects that a function is given.

use std::collections::HashMap;
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

/// What is compared is no order of the two.
pub fn pour_if_there(from: &Jug, to: &Jug, litres: u64) -> bool {
    let mut from = from.water.lock().unwrap();
    if *from < litres {
        return false;
    }
    let mut to = to.water.lock().unwrap(); //~ lock-order warning
    *from -= litres;
    *to += litres;
    true
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

// They are looked up by what the function is given.

pub struct Cellar {
    casks: Vec<parking_lot::Mutex<u32>>,
    bottles: HashMap<String, Arc<tokio::sync::Mutex<u32>>>,
    shelves: Vec<Arc<Mutex<Vec<u32>>>>,
}

impl Cellar {
    pub fn decant(&self, from: usize, to: usize, litres: u32) {
        let mut from = self.casks[from].lock();
        let mut to = self.casks[to].lock(); //~ lock-order warning
        *from -= litres;
        *to += litres;
    }

    pub async fn mix(&self, one: &str, other: &str) -> Option<()> {
        let one = self.bottles.get(one)?.clone();
        let other = self.bottles.get(other)?.clone();
        let mut one = one.lock().await;
        let mut other = other.lock().await; //~ lock-order warning
        *one += 1;
        *other += 1;
        Some(())
    }

    fn shelf(&self, number: usize) -> Option<Arc<Mutex<Vec<u32>>>> {
        self.shelves.get(number).cloned()
    }

    pub fn swap(&self, one: usize, other: usize) -> Option<()> {
        let (one, other) = (self.shelf(one)?, self.shelf(other)?);
        let mut one = one.lock().unwrap();
        std::mem::swap(&mut *one, &mut *other.lock().unwrap()); //~ lock-order warning
        Some(())
    }

    pub fn decant_in_order(&self, from: usize, to: usize) {
        if from < to {
            let mut from = self.casks[from].lock();
            *self.casks[to].lock() += 1;
            *from -= 1;
        } else {
            let mut to = self.casks[to].lock();
            *self.casks[from].lock() -= 1;
            *to += 1;
        }
    }

    pub fn fill_all(&self, from: usize) {
        let mut first = self.casks[from].lock();
        for number in 0..self.casks.len() {
            *self.casks[number].lock() += 1;
        }
        *first = 0;
    }
}
