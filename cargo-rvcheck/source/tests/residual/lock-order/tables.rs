//! A table of hashes that grows or shrinks hashes each key anew.

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Mutex;

pub struct A(u32);
pub struct B(u32);
pub struct C(u32);
pub struct D(u32);
pub struct Salt(u32);

static SALT: Mutex<Salt> = Mutex::new(Salt(0));

#[derive(PartialEq, Eq)]
pub struct Key(u32);

impl Hash for Key {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u32(SALT.lock().unwrap().0 ^ self.0); //~ lock-order monitored
    }
}

pub fn of_a_map(lock: &Mutex<A>, map: &mut HashMap<Key, u32>) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    map.reserve(guard.0 as usize);
}

pub fn of_a_set(lock: &Mutex<B>, set: &mut HashSet<Key>) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    set.shrink_to_fit();
    drop(guard);
}

pub fn counted(lock: &Mutex<C>, map: &HashMap<Key, u32>) -> usize {
    let guard = lock.lock().unwrap(); //~ lock-order orphan
    map.len() + guard.0 as usize
}

pub fn of_a_vector(lock: &Mutex<D>, all: &mut Vec<Key>) {
    let guard = lock.lock().unwrap(); //~ lock-order orphan
    all.reserve(guard.0 as usize);
}

pub fn salted(a: &Mutex<A>, b: &Mutex<B>) {
    let salt = SALT.lock().unwrap(); //~ lock-order monitored
    a.lock().unwrap().0 += salt.0; //~ lock-order monitored
    b.lock().unwrap().0 += salt.0; //~ lock-order monitored
}
