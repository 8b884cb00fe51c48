//! Threads whose handles others put into a list, all of which are joined.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

struct Herd {
    goats: parking_lot::Mutex<u32>,
    bells: parking_lot::Mutex<u32>,
}

fn counts(herd: &Herd, more: u32) {
    let bells = herd.bells.lock();
    *herd.goats.lock() += *bells + more;
}

pub fn by_a_closure() -> u32 {
    let herd = Arc::new(Herd { goats: parking_lot::Mutex::new(4), bells: parking_lot::Mutex::new(1) });
    let mut herders = Vec::new();
    (0..4).for_each(|number| {
        let herd = herd.clone();
        herders.push(thread::spawn(move || counts(&herd, number)));
    });
    for herder in herders {
        herder.join().unwrap();
    }
    let goats = herd.goats.lock();
    *goats + *herd.bells.lock()
}

struct Flock {
    sheep: parking_lot::Mutex<u32>,
    rams: parking_lot::Mutex<u32>,
}

fn shears(flock: &Arc<Flock>, shearers: &mut Vec<JoinHandle<()>>) {
    let flock = flock.clone();
    shearers.push(thread::spawn(move || {
        let rams = flock.rams.lock();
        *flock.sheep.lock() += *rams;
    }));
}

pub fn by_a_helper() -> u32 {
    let flock = Arc::new(Flock { sheep: parking_lot::Mutex::new(4), rams: parking_lot::Mutex::new(1) });
    let mut shearers = Vec::new();
    for _ in 0..3 {
        shears(&flock, &mut shearers);
    }
    shearers.into_iter().for_each(|it| it.join().unwrap());
    let sheep = flock.sheep.lock();
    *sheep + *flock.rams.lock()
}

struct Pack {
    dogs: parking_lot::Mutex<u32>,
    pups: parking_lot::Mutex<u32>,
}

/// They are joined too late.
pub fn not_yet() -> u32 {
    let pack = Arc::new(Pack { dogs: parking_lot::Mutex::new(4), pups: parking_lot::Mutex::new(1) });
    let mut trainers = Vec::new();
    (0..4).for_each(|_| {
        let pack = pack.clone();
        trainers.push(thread::spawn(move || {
            let pups = pack.pups.lock();
            *pack.dogs.lock() += *pups; //~ lock-order warning
        }));
    });
    let all = {
        let dogs = pack.dogs.lock();
        *dogs + *pack.pups.lock()
    };
    trainers.into_iter().for_each(|it| it.join().unwrap());
    all
}
