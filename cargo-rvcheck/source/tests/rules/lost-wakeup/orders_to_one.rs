//! Orders to end that reach one of many.

use event_listener::{Event, Listener};
use std::sync::Arc;
use std::thread;
use tokio::sync::{Notify, mpsc};

pub struct Ferries {
    harbour_closes: Notify,
}

async fn sails(ferries: Arc<Ferries>, mut passengers: mpsc::Receiver<u32>) {
    loop {
        tokio::select! {
            _ = ferries.harbour_closes.notified() => { break; } //~ lost-wakeup warning
            Some(passenger) = passengers.recv() => { println!("{passenger}"); }
        }
    }
}

fn launch(ferries: &Arc<Ferries>, passengers: mpsc::Receiver<u32>) {
    tokio::spawn(sails(Arc::clone(ferries), passengers));
}

impl Ferries {
    pub fn open(queues: Vec<mpsc::Receiver<u32>>) -> Arc<Ferries> {
        let ferries = Arc::new(Ferries { harbour_closes: Notify::new() });
        for queue in queues {
            launch(&ferries, queue);
        }
        ferries
    }

    pub fn close(&self) {
        self.harbour_closes.notify_one();
    }
}

pub struct Bells {
    rung: Event,
}

fn listens(bells: &Bells) {
    let listener = bells.rung.listen(); //~ lost-wakeup warning
    listener.wait();
}

impl Bells {
    pub fn hang(count: usize) -> Arc<Bells> {
        let bells = Arc::new(Bells { rung: Event::new() });
        for _ in 0..count {
            let bells = Arc::clone(&bells);
            thread::spawn(move || listens(&bells));
        }
        bells
    }

    pub fn ring(&self) {
        self.rung.notify(1);
    }
}

pub struct Chimes {
    struck: Event,
}

fn waits_for_its_own(chimes: &Chimes) {
    chimes.struck.listen().wait();
}

/// Each has one of its own.
pub fn strike(all: Vec<Arc<Chimes>>) {
    for chimes in all {
        let own = Arc::clone(&chimes);
        thread::spawn(move || waits_for_its_own(&own));
        chimes.struck.notify(1);
    }
}

pub struct Gongs {
    beaten: Event,
}

fn hears(gongs: &Gongs) {
    gongs.beaten.listen().wait();
}

/// All of them hear it.
pub fn beat(count: usize) {
    let gongs = Arc::new(Gongs { beaten: Event::new() });
    for _ in 0..count {
        let gongs = Arc::clone(&gongs);
        thread::spawn(move || hears(&gongs));
    }
    gongs.beaten.notify(usize::MAX);
}

/// What one of them gets is work, and it comes back for more.
pub struct Turns {
    given: Notify,
}

async fn takes_turns(turns: Arc<Turns>) {
    loop {
        turns.given.notified().await;
        println!("my turn");
    }
}

pub fn give_a_turn(count: usize) {
    let turns = Arc::new(Turns { given: Notify::new() });
    for _ in 0..count {
        tokio::spawn(takes_turns(turns.clone())); //~ task-leak note
    }
    turns.given.notify_one();
}
