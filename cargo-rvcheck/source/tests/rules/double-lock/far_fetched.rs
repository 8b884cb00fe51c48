//! Code of others that runs under a lock, and could hardly have a way back to it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// Those who know how to read have nothing in them.
pub trait Script: Send {
    fn reads(&mut self, text: &mut Vec<u8>) -> Option<u32>;
}

pub struct Latin;
pub struct Runes {
    lines: usize,
}

impl Script for Latin {
    fn reads(&mut self, text: &mut Vec<u8>) -> Option<u32> {
        text.pop().map(u32::from)
    }
}

impl Script for Runes {
    fn reads(&mut self, text: &mut Vec<u8>) -> Option<u32> {
        self.lines += 1;
        text.pop().map(u32::from)
    }
}

pub struct Reader<S> {
    script: S,
    text: Vec<u8>,
}

impl<S: Script> Reader<S> {
    fn fills(&mut self, words: &mut VecDeque<u32>) {
        while let Some(word) = self.script.reads(&mut self.text) {
            words.push_back(word);
        }
    }
}

#[derive(Clone, Default)]
pub struct Desk {
    words: Arc<Mutex<VecDeque<u32>>>,
}

impl Desk {
    pub fn fills<S: Script>(&self, reader: &mut Reader<S>) {
        let mut words = self.words.lock().unwrap();
        reader.fills(&mut words);
    }

    pub fn sorts(&self, mut script: Box<dyn Script>, mut text: Vec<u8>) {
        let mut words = self.words.lock().unwrap();
        words.extend(script.reads(&mut text));
    }

    pub fn count(&self) -> usize {
        self.words.lock().unwrap().len()
    }
}

/// They go under the lock, and have no `Drop`.
#[derive(Default)]
pub struct Shelf {
    scripts: Mutex<Vec<Box<dyn Script>>>,
}

impl Shelf {
    pub fn clears(&self) {
        self.scripts.lock().unwrap().clear();
    }

    pub fn count(&self) -> usize {
        self.scripts.lock().unwrap().len()
    }
}

/// A pointer to a function has captured nothing.
pub struct Counter {
    numbers: Mutex<Vec<u32>>,
    weighs: fn(u32) -> bool,
}

impl Counter {
    pub fn counts(&self) -> usize {
        self.numbers.lock().unwrap().iter().filter(|it| (self.weighs)(**it)).count()
    }

    pub fn put(&self, number: u32) {
        self.numbers.lock().unwrap().push(number);
    }
}

/// One of those that are known keeps a function, which may lead anywhere.
pub trait Guest: Send {
    fn greets(&self);
}

pub struct Caller {
    calls: Box<dyn Fn() + Send>,
}

impl Guest for Caller {
    fn greets(&self) {
        (self.calls)();
    }
}

#[derive(Default)]
pub struct House {
    guests: Mutex<Vec<Box<dyn Guest>>>,
}

impl House {
    pub fn invites(&self, guest: Box<dyn Guest>) {
        self.guests.lock().unwrap().push(guest);
    }

    pub fn opens(&self) {
        for guest in self.guests.lock().unwrap().iter() {
            guest.greets(); //~ double-lock note
        }
    }
}
