//! What the counts of shared pointers say: who else is still there.

use std::sync::{Arc, Mutex, Weak};
use std::thread;

/// The other one has dropped its pointer.
pub fn strong() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let kept = Arc::new(());
    let keeps = kept.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        drop(keeps);
    });
    while Arc::strong_count(&kept) > 1 {
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct Alone {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// A mutable reference needs that nobody else is there.
pub fn alone() {
    let it = Arc::new(Alone { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let mut kept = Arc::new(1_u32);
    let keeps = kept.clone();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        drop(keeps);
    });
    let second = thread::spawn(move || {
        while Arc::get_mut(&mut kept).is_none() {
            thread::yield_now();
        }
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// Only the last one gets what is inside.
pub fn unwrapped() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let mut kept = Arc::new(1_u32);
    let keeps = kept.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        drop(keeps);
    });
    while let Err(again) = Arc::try_unwrap(kept) {
        kept = again;
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

/// What is weak leads nowhere in the end.
pub fn gone() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let keeps = Arc::new(1_u32);
    let weak: Weak<u32> = Arc::downgrade(&keeps);
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        drop(keeps);
    });
    while weak.upgrade().is_some() {
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct WeakPointers {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// Weak pointers are counted, too.
pub fn weak_pointers() {
    let it = Arc::new(WeakPointers { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let kept = Arc::new(1_u32);
    let keeps = Arc::downgrade(&kept);
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        drop(keeps);
    });
    let second = thread::spawn(move || {
        while Arc::weak_count(&kept) != 0 {
            thread::yield_now();
        }
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// The locks themselves are in what has to be alone.
pub fn the_locks_themselves() {
    let mut pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let first = thread::spawn(move || {
        let left = same.0.lock().unwrap();
        *same.1.lock().unwrap() += *left;
        drop(left);
        drop(same);
    });
    let pair = loop {
        match Arc::try_unwrap(pair) {
            Ok(pair) => break pair,
            Err(again) => pair = again,
        }
        thread::yield_now();
    };
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}
