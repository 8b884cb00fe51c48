//! Locks that a function makes, and that the threads and tasks take which it spawns.

use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

pub fn two_threads() {
    let seeds = Arc::new(Mutex::new(Vec::<u32>::new()));
    let soil = Arc::new(Mutex::new(0_u32));
    let (same_seeds, same_soil) = (Arc::clone(&seeds), soil.clone());
    let sower = thread::spawn(move || {
        let seeds = seeds.lock().unwrap();
        *soil.lock().unwrap() += seeds.len() as u32;
    });
    let digger = thread::spawn(move || {
        let soil = same_soil.lock().unwrap();
        same_seeds.lock().unwrap().push(*soil); //~ lock-order warning
    });
    sower.join().unwrap();
    digger.join().unwrap();
}

pub fn the_same_order() {
    let seeds = Arc::new(Mutex::new(Vec::<u32>::new()));
    let soil = Arc::new(Mutex::new(0_u32));
    let (same_seeds, same_soil) = (Arc::clone(&seeds), soil.clone());
    let sower = thread::spawn(move || {
        let seeds = seeds.lock().unwrap();
        *soil.lock().unwrap() += seeds.len() as u32;
    });
    let digger = thread::spawn(move || {
        let mut seeds = same_seeds.lock().unwrap();
        seeds.push(*same_soil.lock().unwrap());
    });
    sower.join().unwrap();
    digger.join().unwrap();
}

pub fn each_has_its_own() {
    let (seeds, other_seeds) = (Arc::new(Mutex::new(1_u32)), Arc::new(Mutex::new(1_u32)));
    let (soil, other_soil) = (Arc::new(Mutex::new(0_u32)), Arc::new(Mutex::new(0_u32)));
    let sower = thread::spawn(move || {
        let seeds = seeds.lock().unwrap();
        *soil.lock().unwrap() += *seeds;
    });
    let digger = thread::spawn(move || {
        let soil = other_soil.lock().unwrap();
        *other_seeds.lock().unwrap() += *soil;
    });
    sower.join().unwrap();
    digger.join().unwrap();
}

pub fn one_at_a_time() {
    let gate = Arc::new(Mutex::new(()));
    let seeds = Arc::new(Mutex::new(1_u32));
    let soil = Arc::new(Mutex::new(0_u32));
    let (same_gate, same_seeds, same_soil) = (gate.clone(), seeds.clone(), soil.clone());
    let sower = thread::spawn(move || {
        let _gate = gate.lock().unwrap();
        let seeds = seeds.lock().unwrap();
        *soil.lock().unwrap() += *seeds;
    });
    let digger = thread::spawn(move || {
        let _gate = same_gate.lock().unwrap();
        let soil = same_soil.lock().unwrap();
        *same_seeds.lock().unwrap() += *soil;
    });
    sower.join().unwrap();
    digger.join().unwrap();
}

// The function itself takes them, too.

pub fn with_the_one_that_spawns() {
    let pots = Arc::new(parking_lot::Mutex::new(3_u32));
    let shelves = Arc::new(parking_lot::Mutex::new(1_u32));
    let (same_pots, same_shelves) = (pots.clone(), shelves.clone());
    thread::spawn(move || {
        let shelves = same_shelves.lock();
        *same_pots.lock() -= *shelves; //~ lock-order warning
    });
    let pots = pots.lock();
    *shelves.lock() += *pots;
}

pub fn before_it_spawns() {
    let pots = Arc::new(parking_lot::Mutex::new(3_u32));
    let shelves = Arc::new(parking_lot::Mutex::new(1_u32));
    {
        let pots = pots.lock();
        *shelves.lock() += *pots;
    }
    thread::spawn(move || {
        let shelves = shelves.lock();
        *pots.lock() -= *shelves;
    });
}

pub fn after_the_thread() {
    let pots = Arc::new(parking_lot::Mutex::new(3_u32));
    let shelves = Arc::new(parking_lot::Mutex::new(1_u32));
    let (same_pots, same_shelves) = (pots.clone(), shelves.clone());
    let mover = thread::spawn(move || {
        let shelves = same_shelves.lock();
        *same_pots.lock() -= *shelves;
    });
    mover.join().unwrap();
    let pots = pots.lock();
    *shelves.lock() += *pots;
}

pub fn after_all_threads() -> u32 {
    let pots = Arc::new(parking_lot::Mutex::new(3_u32));
    let shelves = Arc::new(parking_lot::Mutex::new(1_u32));
    let mut movers = Vec::new();
    for number in 0..4 {
        let (pots, shelves) = (pots.clone(), shelves.clone());
        movers.push(thread::spawn(move || {
            let shelves = shelves.lock();
            *pots.lock() -= *shelves + number;
        }));
    }
    for mover in movers {
        mover.join().unwrap();
    }
    let pots = pots.lock();
    *pots + *shelves.lock()
}

pub fn once_it_is_told() -> u32 {
    let pots = Arc::new(parking_lot::Mutex::new(3_u32));
    let shelves = Arc::new(parking_lot::Mutex::new(1_u32));
    let (same_pots, same_shelves) = (pots.clone(), shelves.clone());
    let (done, is_done) = std::sync::mpsc::channel();
    thread::spawn(move || {
        {
            let shelves = same_shelves.lock();
            *same_pots.lock() -= *shelves;
        }
        let _ = done.send(());
    });
    let _ = is_done.recv();
    let pots = pots.lock();
    *pots + *shelves.lock()
}

pub fn without_anybody_else() {
    let pots = parking_lot::Mutex::new(3_u32);
    let shelves = parking_lot::Mutex::new(1_u32);
    let fill = || {
        let pots = pots.lock();
        *shelves.lock() += *pots;
    };
    let empty = || {
        let shelves = shelves.lock();
        *pots.lock() -= *shelves;
    };
    fill();
    empty();
}

// Threads of a scope borrow them.

pub fn in_a_scope() {
    let (rakes, spades) = (Mutex::new(2_u32), Mutex::new(2_u32));
    thread::scope(|scope| {
        scope.spawn(|| {
            let rakes = rakes.lock().unwrap();
            *spades.lock().unwrap() += *rakes;
        });
        scope.spawn(|| {
            let spades = spades.lock().unwrap();
            *rakes.lock().unwrap() += *spades; //~ lock-order warning
        });
    });
}

pub fn after_a_scope() {
    let (rakes, spades) = (Mutex::new(2_u32), Mutex::new(2_u32));
    thread::scope(|scope| {
        scope.spawn(|| {
            let rakes = rakes.lock().unwrap();
            *spades.lock().unwrap() += *rakes;
        });
    });
    let spades = spades.lock().unwrap();
    *rakes.lock().unwrap() += *spades;
}

// They go through functions, which spawn what they are given or join it.

fn begin(work: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    thread::Builder::new().spawn(work).unwrap()
}

fn wheel(from: &parking_lot::Mutex<u32>, to: &parking_lot::Mutex<u32>) {
    let mut from = from.lock();
    *to.lock() += *from; //~ lock-order warning
    *from = 0;
}

pub fn by_helpers() {
    let shed = Arc::new(parking_lot::Mutex::new(5_u32));
    let cart = Arc::new(parking_lot::Mutex::new(0_u32));
    let (same_shed, same_cart) = (shed.clone(), cart.clone());
    let there = begin(move || wheel(&shed, &cart));
    let back = begin(move || wheel(&same_cart, &same_shed));
    there.join().unwrap();
    back.join().unwrap();
}

fn to_the_end(hay: &Arc<Mutex<u32>>, barn: &Arc<Mutex<u32>>) {
    let (hay, barn) = (hay.clone(), barn.clone());
    let mower = thread::spawn(move || {
        let hay = hay.lock().unwrap();
        *barn.lock().unwrap() += *hay;
    });
    mower.join().unwrap();
}

pub fn after_a_helper() {
    let (hay, barn) = (Arc::new(Mutex::new(1_u32)), Arc::new(Mutex::new(0_u32)));
    to_the_end(&hay, &barn);
    let barn = barn.lock().unwrap();
    *hay.lock().unwrap() += *barn;
}

// Tasks.

async fn pick(trees: Arc<tokio::sync::Mutex<u32>>, baskets: Arc<tokio::sync::Mutex<u32>>) {
    let mut trees = trees.lock().await;
    *baskets.lock().await += *trees;
    *trees = 0;
}

async fn press(trees: Arc<tokio::sync::Mutex<u32>>, baskets: Arc<tokio::sync::Mutex<u32>>) {
    let baskets = baskets.lock().await;
    *trees.lock().await += *baskets; //~ lock-order warning
}

pub async fn two_tasks() {
    let trees = Arc::new(tokio::sync::Mutex::new(4_u32));
    let baskets = Arc::new(tokio::sync::Mutex::new(0_u32));
    let picker = tokio::spawn(pick(trees.clone(), baskets.clone()));
    let presser = tokio::spawn(press(trees, baskets));
    picker.await.unwrap();
    presser.await.unwrap();
}

pub async fn a_pair() {
    let pair = Arc::new((async_lock::Mutex::new(1_u32), async_lock::Mutex::new(2_u32)));
    let same = Arc::clone(&pair);
    let up = tokio::spawn(async move {
        let (hedge, fence) = &*same;
        let hedge = hedge.lock().await;
        *fence.lock().await += *hedge;
    });
    let down = tokio::spawn(async move {
        let fence = pair.1.lock().await;
        *pair.0.lock().await += *fence; //~ lock-order warning
    });
    up.await.unwrap();
    down.await.unwrap();
}

// Pairs of the same type that have nothing to do with each other, and one that is a part of a struct.

pub fn from_left_to_right() {
    let pair = Arc::new((Mutex::new(1_u64), Mutex::new(2_u64)));
    let same = pair.clone();
    let up = thread::spawn(move || {
        let left = same.0.lock().unwrap();
        *same.1.lock().unwrap() += *left;
    });
    up.join().unwrap();
    drop(pair);
}

pub fn from_right_to_left() {
    let pair = Arc::new((Mutex::new(1_u64), Mutex::new(2_u64)));
    let down = thread::spawn(move || {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    });
    down.join().unwrap();
}

pub struct Scales {
    pans: (Mutex<u64>, Mutex<u64>),
}

impl Scales {
    pub fn to_the_right(&self) {
        let left = self.pans.0.lock().unwrap();
        *self.pans.1.lock().unwrap() += *left;
    }

    pub fn to_the_left(&self) {
        let right = self.pans.1.lock().unwrap();
        *self.pans.0.lock().unwrap() += *right; //~ lock-order warning
    }
}

// Handles of two structs, one of which a thread has.

struct Hive {
    honey: Arc<parking_lot::Mutex<u32>>,
    wax: Arc<parking_lot::Mutex<u32>>,
}

impl Hive {
    fn run(&self) {
        let honey = self.honey.lock();
        self.build(*honey);
    }

    fn build(&self, honey: u32) {
        *self.wax.lock() += honey;
    }
}

pub struct Keeper {
    jars: Arc<parking_lot::Mutex<u32>>,
    candles: Arc<parking_lot::Mutex<u32>>,
}

impl Keeper {
    pub fn new() -> Keeper {
        let jars = Arc::new(parking_lot::Mutex::new(0));
        let candles = Arc::new(parking_lot::Mutex::new(0));
        let hive = Hive { honey: jars.clone(), wax: candles.clone() };
        thread::spawn(move || {
            loop {
                hive.run();
            }
        });
        Keeper { jars, candles }
    }

    pub fn collect(&self) -> u32 {
        let candles = self.candles.lock();
        *candles + *self.jars.lock() //~ lock-order warning
    }
}
