//! A global allocator that takes a lock, which the program takes, too.

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, RwLock, mpsc};
use std::thread;

struct Counting;

#[derive(Clone, Copy)]
struct Count {
    allocated: usize,
    freed: usize,
}

static COUNT: Mutex<Count> = Mutex::new(Count { allocated: 0, freed: 0 });
static LARGEST: RwLock<usize> = RwLock::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.lock().unwrap().allocated += layout.size();
        if *LARGEST.read().unwrap() < layout.size() {
            *LARGEST.write().unwrap() = layout.size();
        }
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        COUNT.lock().unwrap().freed += layout.size();
        unsafe { System.dealloc(place, layout) }
    }
}

/// While the allocator's locks are held, nothing may be allocated; all of what is done here needs no memory.
fn while_it_is_held() -> usize {
    static OTHER: Mutex<usize> = Mutex::new(0);
    static CHANGED: Condvar = Condvar::new();
    let count = COUNT.lock().unwrap();
    let largest = LARGEST.write().unwrap();
    *OTHER.lock().unwrap() += 1;
    CHANGED.notify_all();
    let other = OTHER.try_lock().map(|it| *it).unwrap_or_default();
    drop(largest);
    drop(count);
    other
}

fn main() {
    println!("{}", while_it_is_held());
    let table = Arc::new(Mutex::new(BTreeMap::new()));
    let (sender, receiver) = mpsc::channel();
    let threads: Vec<_> = (0..4)
        .map(|number| {
            let (table, sender) = (Arc::clone(&table), sender.clone());
            thread::spawn(move || {
                for count in 0..100 {
                    table.lock().unwrap().insert((number, count), format!("{number} {count}"));
                    sender.send(vec![number; count]).unwrap();
                }
                while_it_is_held()
            })
        })
        .collect();
    drop(sender);
    println!("{}", receiver.iter().map(|it| it.len()).sum::<usize>());
    let last = threads.into_iter().map(|it| it.join().unwrap()).max();
    println!("{last:?} {}", table.lock().unwrap().len());
    let count = *COUNT.lock().unwrap();
    println!("{}", count.allocated > count.freed && *LARGEST.read().unwrap() > 100);
}
