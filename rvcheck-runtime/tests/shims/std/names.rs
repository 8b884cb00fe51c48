//! Functions, and what has them in its name, are called what they are called plainly.

use std::any::{type_name, type_name_of_val};
use std::sync::{Mutex, RwLock, mpsc};
use std::{fs, panic, thread};

fn name<T>(_: T) -> &'static str {
    type_name::<T>()
}

struct Holds<F>(F);

fn main() {
    println!("{}", type_name_of_val(&thread::sleep));
    println!("{}", type_name_of_val(&thread::yield_now));
    println!("{} {} {}", name(thread::park), name(thread::park_timeout), name(thread::sleep));
    println!("{}", name(thread::spawn::<fn() -> u8, u8>));
    println!("{}", name(mpsc::channel::<u8>));
    println!("{}", name(mpsc::sync_channel::<Option<u8>>));
    println!("{} {}", name(panic::catch_unwind::<fn(), ()>), name(panic::take_hook));
    println!("{} {}", name(fs::read::<&str>), name(fs::write::<String, Vec<u8>>));
    println!("{} {}", name(type_name::<Mutex<u8>>), name(std::any::type_name_of_val::<str>));
    println!("{}", name(Holds(thread::sleep)));
    println!("{}", name([Some((thread::sleep, thread::spawn::<fn(), ()>))]));
    println!("{} {}", name(Mutex::<u8>::lock), name(Mutex::<RwLock<u8>>::new));
    println!("{} {}", name(RwLock::<u8>::read), name(mpsc::Sender::<u8>::send));
    println!("{} {}", name(thread::JoinHandle::<u8>::join), name(thread::Builder::new));
    let closure = |it: std::time::Duration| thread::sleep(it);
    println!("{} {}", name(closure), name(Holds(|| Mutex::new(1))));
}
