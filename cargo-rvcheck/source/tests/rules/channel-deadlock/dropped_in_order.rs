//! Fields are dropped in the order of their declaration: who joins a thread in its `Drop` before a sender is dropped waits for ever.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

pub struct Joins<T>(Option<JoinHandle<T>>);

impl<T> Joins<T> {
    fn ends(&mut self) {
        if let Some(handle) = self.0.take() {
            let _ = handle.join(); //~ channel-deadlock warning
        }
    }
}

impl<T> Drop for Joins<T> {
    fn drop(&mut self) {
        self.ends();
    }
}

fn weighs(parcels: Receiver<u32>) -> Result<u32, String> {
    let mut total: u32 = 0;
    for parcel in parcels {
        total = total.checked_add(parcel).ok_or("too heavy")?;
    }
    Ok(total)
}

pub struct Scale {
    weigher: Joins<Result<u32, String>>,
    parcels: Sender<u32>,
}

impl Scale {
    pub fn starts() -> Scale {
        let (parcels, rx) = channel();
        Scale { weigher: Joins(Some(thread::spawn(move || weighs(rx)))), parcels }
    }

    pub fn puts(&self, grams: u32) {
        let _ = self.parcels.send(grams);
    }

    pub fn ends(self) {
        let Scale { mut weigher, parcels } = self;
        drop(parcels);
        weigher.ends();
    }
}

pub struct JoinsLast(Option<JoinHandle<()>>);

impl Drop for JoinsLast {
    fn drop(&mut self) {
        if let Some(handle) = self.0.take() {
            let _ = handle.join();
        }
    }
}

fn stamps(letters: Receiver<String>) {
    for letter in letters {
        println!("{letter}");
    }
}

/// The sender goes first.
pub struct Post {
    letters: Sender<String>,
    _stamper: JoinsLast,
}

impl Post {
    pub fn opens() -> Post {
        let (letters, rx) = channel();
        Post { letters, _stamper: JoinsLast(Some(thread::spawn(move || stamps(rx)))) }
    }

    pub fn posts(&self, letter: &str) {
        let _ = self.letters.send(letter.to_owned());
    }
}

pub struct JoinsOpened(Option<JoinHandle<()>>);

impl Drop for JoinsOpened {
    fn drop(&mut self) {
        if let Some(handle) = self.0.take() {
            let _ = handle.join();
        }
    }
}

fn sorts(coins: Receiver<u8>) {
    for coin in coins {
        println!("{coin}");
    }
}

/// Lets go of the sender before its fields are dropped.
pub struct Sorter {
    _sorter: JoinsOpened,
    coins: Option<Sender<u8>>,
}

impl Sorter {
    pub fn opens() -> Sorter {
        let (coins, rx) = channel();
        Sorter { _sorter: JoinsOpened(Some(thread::spawn(move || sorts(rx)))), coins: Some(coins) }
    }

    pub fn throws(&self, coin: u8) {
        if let Some(coins) = &self.coins {
            let _ = coins.send(coin);
        }
    }
}

impl Drop for Sorter {
    fn drop(&mut self) {
        self.coins.take();
    }
}
