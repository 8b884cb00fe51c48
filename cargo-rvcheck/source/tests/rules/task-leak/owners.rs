//! Tasks and threads that helpers spawn and go round in, whose owners leave them behind, and ones that end with them.

use crossbeam_channel::Sender as Rope;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::thread;
use tokio::task::JoinHandle;
use tokio::time::{Duration, interval, sleep};

/// What a garden and its sprinklers share.
struct Soil {
    drops: AtomicU64,
}

fn waters(soil: Arc<Soil>, every: Duration) -> JoinHandle<()> {
    tokio::spawn(async move { //~ task-leak warning
        let mut ticks = interval(every);
        loop {
            ticks.tick().await;
            soil.drops.fetch_add(1, Ordering::Relaxed);
        }
    })
}

pub struct Garden {
    soil: Arc<Soil>,
}

impl Garden {
    pub fn plants(every: Duration) -> Garden {
        let soil = Arc::new(Soil { drops: AtomicU64::new(0) });
        waters(soil.clone(), every);
        Garden { soil }
    }

    pub fn drops(&self) -> u64 {
        self.soil.drops.load(Ordering::Relaxed)
    }
}

/// The handle is kept, and ends the task.
fn shades(soil: Arc<Soil>) -> JoinHandle<()> {
    tokio::spawn(async move {
        loop {
            sleep(Duration::from_secs(1)).await;
            soil.drops.fetch_sub(1, Ordering::Relaxed);
        }
    })
}

pub struct Greenhouse {
    shade: JoinHandle<()>,
}

impl Greenhouse {
    pub fn builds() -> Greenhouse {
        Greenhouse { shade: shades(Arc::new(Soil { drops: AtomicU64::new(9) })) }
    }
}

impl Drop for Greenhouse {
    fn drop(&mut self) {
        self.shade.abort();
    }
}

/// It is waited for.
fn mows(soil: Arc<Soil>) -> JoinHandle<()> {
    tokio::spawn(async move {
        loop {
            sleep(Duration::from_secs(1)).await;
            soil.drops.fetch_add(2, Ordering::Relaxed);
        }
    })
}

impl Garden {
    pub async fn is_mown(&self) {
        let mower = mows(self.soil.clone());
        let _ = mower.await;
    }
}

/// Waits for the end of orders that it could give itself.
struct Kitchen {
    orders: async_channel::Sender<u32>,
    cooked: Mutex<Vec<u32>>,
}

impl Kitchen {
    fn opens(orders: async_channel::Sender<u32>) -> Arc<Kitchen> {
        Arc::new(Kitchen { orders, cooked: Mutex::new(Vec::new()) })
    }
}

async fn cooks(kitchen: Arc<Kitchen>, orders: async_channel::Receiver<u32>) {
    while let Ok(order) = orders.recv().await {
        kitchen.cooked.lock().push(order);
    }
}

pub struct Inn {
    kitchen: Arc<Kitchen>,
}

impl Inn {
    pub fn opens(tables: usize) -> Inn {
        let (orders, slips) = async_channel::bounded(tables);
        let kitchen = Kitchen::opens(orders);
        tokio::spawn(cooks(kitchen.clone(), slips)); //~ task-leak warning
        Inn { kitchen }
    }

    pub async fn orders(&self, order: u32) -> bool {
        self.kitchen.orders.send(order).await.is_ok()
    }
}

/// With a weak reference.
struct Bar {
    orders: async_channel::Sender<u32>,
    poured: Mutex<Vec<u32>>,
}

async fn pours(bar: Weak<Bar>, orders: async_channel::Receiver<u32>) {
    while let Ok(order) = orders.recv().await {
        let Some(bar) = bar.upgrade() else { return };
        bar.poured.lock().push(order);
    }
}

pub struct Pub {
    bar: Arc<Bar>,
}

impl Pub {
    pub fn opens(tables: usize) -> Pub {
        let (orders, slips) = async_channel::bounded(tables);
        let bar = Arc::new(Bar { orders, poured: Mutex::new(Vec::new()) });
        tokio::spawn(pours(Arc::downgrade(&bar), slips));
        Pub { bar }
    }

    pub async fn orders(&self, order: u32) -> bool {
        self.bar.orders.send(order).await.is_ok()
    }
}

/// As threads: in a trait, behind a closure and a builder.
pub trait Hauls: Send + 'static {
    fn hauls(&self, rope: &Winch);
}

pub struct Winch {
    turns: AtomicUsize,
    rope: Rope<usize>,
}

fn winds(winch: &Winch) {
    loop {
        let turn = winch.turns.fetch_add(1, Ordering::SeqCst);
        let _ = winch.rope.try_send(turn);
        thread::sleep(Duration::from_millis(5));
    }
}

pub struct Mine {
    winch: Arc<Winch>,
}

impl Mine {
    pub fn digs(rope: Rope<usize>) -> std::io::Result<Mine> {
        let winch = Arc::new(Winch { turns: AtomicUsize::new(0), rope });
        let own = Arc::clone(&winch);
        thread::Builder::new().spawn(move || winds(&own))?; //~ task-leak warning
        Ok(Mine { winch })
    }

    pub fn depth(&self) -> usize {
        self.winch.turns.load(Ordering::SeqCst)
    }
}

/// The flag is asked in a helper, and nobody lowers it.
struct Pit {
    open: AtomicBool,
    carts: AtomicUsize,
}

impl Pit {
    fn empties(&self) {
        while self.open.load(Ordering::Relaxed) {
            self.carts.fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(5));
        }
    }
}

pub struct Quarry {
    pit: Arc<Pit>,
}

impl Quarry {
    pub fn opens() -> Quarry {
        let pit = Arc::new(Pit { open: AtomicBool::new(true), carts: AtomicUsize::new(0) });
        let own = pit.clone();
        thread::spawn(move || own.empties()); //~ task-leak warning
        Quarry { pit }
    }

    pub fn carts(&self) -> usize {
        self.pit.carts.load(Ordering::Relaxed)
    }
}

struct Shaft {
    open: AtomicBool,
    carts: AtomicUsize,
}

impl Shaft {
    fn empties(&self) {
        while self.open.load(Ordering::Relaxed) {
            self.carts.fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(5));
        }
    }
}

pub struct Closing {
    shaft: Arc<Shaft>,
}

impl Closing {
    pub fn opens() -> Closing {
        let shaft = Arc::new(Shaft { open: AtomicBool::new(true), carts: AtomicUsize::new(0) });
        let own = shaft.clone();
        thread::spawn(move || own.empties());
        Closing { shaft }
    }
}

impl Drop for Closing {
    fn drop(&mut self) {
        self.shaft.open.store(false, Ordering::Relaxed);
    }
}

/// A thread of a pool that ends with its queue.
pub struct Crew {
    jobs: flume::Sender<Box<dyn FnOnce() + Send>>,
}

impl Crew {
    pub fn hires(hands: usize) -> Crew {
        let (jobs, queue) = flume::unbounded::<Box<dyn FnOnce() + Send>>();
        for _ in 0..hands {
            let queue = queue.clone();
            thread::spawn(move || {
                while let Ok(job) = queue.recv() {
                    job();
                }
            });
        }
        Crew { jobs }
    }

    pub fn does(&self, job: Box<dyn FnOnce() + Send>) -> bool {
        self.jobs.send(job).is_ok()
    }
}
