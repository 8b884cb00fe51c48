//! Edition 2015: paths from the crate's root, trait objects without a word, `async` as a name.

#![deny(warnings)]
#![allow(bare_trait_objects, deprecated)]

extern crate core as kernel;

use std::collections::BTreeMap;
use std::sync::mpsc::{channel, Sender};
use std::sync::{Arc, Mutex};
use std::thread;

pub mod lists;

/// In this edition it is a name like any other.
pub fn async(await: u32) -> u32 {
    ::lists::sum(&[await, 1])
}

/// What is called with what was counted.
pub type Listener = Box<Fn(&str, usize) -> Result<(), String> + Send>;

/// Counts words in threads.
pub struct Counter {
    words: Arc<Mutex<BTreeMap<String, usize>>>,
    listeners: Vec<Listener>,
}

impl Counter {
    pub fn new(listeners: Vec<Listener>) -> Counter {
        Counter { words: ::std::sync::Arc::default(), listeners: listeners }
    }

    fn listen(&self, word: &str, count: usize) -> Result<(), String> {
        for listener in &self.listeners {
            try!(listener(word, count));
        }
        Ok(())
    }

    /// Counts, a thread for each text.
    pub fn count(&self, texts: Vec<String>) -> Result<usize, String> {
        let (send, receive) = channel();
        let threads: Vec<_> = texts.into_iter().map(|text| {
            let words = self.words.clone();
            let send: Sender<String> = send.clone();
            thread::spawn(move || for word in text.split(' ') {
                *words.lock().unwrap().entry(word.to_owned()).or_insert(0) += 1;
                send.send(word.to_owned()).unwrap();
            })
        }).collect();
        drop(send);
        let mut all = 0;
        for word in receive {
            all += 1;
            try!(self.listen(&word, all));
        }
        for it in threads {
            it.join().unwrap();
        }
        Ok(kernel::cmp::max(all, self.words.lock().unwrap().len()))
    }
}
