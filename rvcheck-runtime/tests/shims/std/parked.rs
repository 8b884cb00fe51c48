//! Parks a thread that nobody unparks, after one that is unparked before it parks or afterwards.

use std::thread;

fn main() {
    let woken = thread::spawn(thread::park);
    woken.thread().unpark();
    woken.join().unwrap();
    println!("woken");
    thread::spawn(thread::park).join().unwrap();
}
