//! A library that is linked when the program starts.

use std::sync::{Arc, Mutex};

/// What is shared among threads.
pub fn spread(threads: usize) -> Vec<usize> {
    let all = Arc::new(Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for number in 0..threads {
            let all = &all;
            scope.spawn(move || all.lock().unwrap().push(number + shared::note("dynamic") * 0));
        }
    });
    let mut all = Arc::into_inner(all).unwrap().into_inner().unwrap();
    all.sort();
    all
}
