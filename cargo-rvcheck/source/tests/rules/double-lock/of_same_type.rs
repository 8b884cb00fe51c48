//! Handles into a table drop a value under its lock, and the value may have such handles itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};

// A handle that takes its value with it while the table is locked.

struct Shelf<T> {
    jars: HashMap<u32, (Arc<T>, usize)>,
}

impl<T> Shelf<T> {
    fn give_back(&mut self, label: u32) -> Option<Arc<T>> {
        let (_, count) = self.jars.get_mut(&label)?;
        *count -= 1;
        if *count > 0 { None } else { self.jars.remove(&label).map(|it| it.0) }
    }
}

pub struct Pantry<T> {
    shelf: Arc<Mutex<Shelf<T>>>,
}

pub struct Jar<T> {
    label: u32,
    pantry: Pantry<T>,
}

impl<T> Drop for Jar<T> {
    fn drop(&mut self) {
        let mut shelf = self.pantry.shelf.lock().unwrap(); //~ double-lock warning
        if let Some(jam) = shelf.give_back(self.label) {
            drop(jam);
        }
    }
}

pub enum Jam {
    Plain(String),
    Mixed(Vec<Jar<Jam>>),
}

pub fn mixed(parts: Vec<Jar<Jam>>) -> Jam {
    Jam::Mixed(parts)
}

// The value is taken out under the lock, and goes when that is free.

pub struct Cellar<T> {
    bottles: Arc<parking_lot::Mutex<HashMap<u32, Arc<T>>>>,
}

pub struct Bottle<T> {
    label: u32,
    cellar: Cellar<T>,
}

impl<T> Drop for Bottle<T> {
    fn drop(&mut self) {
        let wine = self.cellar.bottles.lock().remove(&self.label);
        drop(wine);
    }
}

pub struct Blend {
    parts: Vec<Bottle<Blend>>,
}

pub fn blend(parts: Vec<Bottle<Blend>>) -> Blend {
    Blend { parts }
}

// The values of this table have no handles into it.

pub struct Barn<T> {
    stalls: Arc<RwLock<HashMap<u32, T>>>,
}

pub struct Stall<T> {
    number: u32,
    barn: Barn<T>,
}

impl<T> Drop for Stall<T> {
    fn drop(&mut self) {
        let mut stalls = self.barn.stalls.write().unwrap();
        let horse = stalls.remove(&self.number);
        drop(horse);
    }
}

pub struct Horse {
    name: String,
}

pub fn stall(barn: &Arc<RwLock<HashMap<u32, Horse>>>, name: String) -> Stall<Horse> {
    barn.write().unwrap().insert(1, Horse { name });
    Stall { number: 1, barn: Barn { stalls: barn.clone() } }
}

// A value that is taken out by a lock of another library.

pub struct Loft<T> {
    boxes: Arc<parking_lot::RwLock<HashMap<u32, T>>>,
}

pub struct Chest<T> {
    number: u32,
    loft: Loft<T>,
}

impl<T> Drop for Chest<T> {
    fn drop(&mut self) {
        let mut boxes = self.loft.boxes.write(); //~ double-lock warning
        let content = boxes.remove(&self.number);
        drop(content);
        boxes.shrink_to_fit();
    }
}

pub struct Toys {
    inner: Option<Chest<Toys>>,
}

pub fn toys(inner: Chest<Toys>) -> Toys {
    Toys { inner: Some(inner) }
}
