//! What the first edition takes from std.

#![deny(warnings)]
#![allow(deprecated)]

#[macro_use]
extern crate std as standard;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Once, ONCE_INIT};

static START: Once = ONCE_INIT;

mod inner {
    use std::sync::mpsc::channel;
    use std::thread;

    pub fn doubled(n: u32) -> u32 {
        let (sender, receiver) = channel();
        let handle = thread::spawn(move || sender.send(n * 2).unwrap());
        handle.join().unwrap();
        receiver.recv().unwrap()
    }

    pub fn absolute() -> ::std::sync::RwLock<u8> {
        ::std::sync::RwLock::new(1)
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
struct Point {
    x: i32,
}

fn fallible() -> Result<i32, std::num::ParseIntError> {
    let value = try!("5".parse::<i32>());
    Ok(value)
}

fn main() {
    START.call_once(|| println!("{:?}", Point::default()));
    let shared = Arc::new(Mutex::new(HashMap::new()));
    shared.lock().unwrap().insert(1, format!("{}", inner::doubled(4)));
    println!("{:?} {:?} {}", shared, inner::absolute(), vec![1; 3].len());
    assert!(true);
    println!("{:?} {:?}", fallible(), standard::thread::current().name());
}
