//! Threads lock two objects by an order that does not depend on who is given first.

use std::sync::{Arc, Mutex};
use std::thread;

pub struct Pot {
    number: u32,
    coins: Mutex<i64>,
}

fn in_order(from: &Pot, to: &Pot, coins: i64) {
    if from.number < to.number {
        let mut from = from.coins.lock().unwrap();
        *to.coins.lock().unwrap() += coins;
        *from -= coins;
    } else {
        let mut to = to.coins.lock().unwrap();
        *from.coins.lock().unwrap() -= coins;
        *to += coins;
    }
}

pub fn play() {
    let [bank, player] = [1, 2].map(|number| Arc::new(Pot { number, coins: Mutex::new(9) }));
    let (from, to) = (Arc::clone(&bank), Arc::clone(&player));
    let wins = thread::spawn(move || in_order(&from, &to, 1));
    let loses = thread::spawn(move || in_order(&player, &bank, 1));
    wins.join().unwrap();
    loses.join().unwrap();
}
