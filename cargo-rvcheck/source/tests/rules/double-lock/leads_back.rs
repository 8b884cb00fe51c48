//! Objects that are kept under a lock, each with a handle of what keeps them: what runs under the lock comes back to it.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock, Weak};

pub trait Probe: Send + Sync {
    fn read(&self) -> usize;
}

#[derive(Default)]
pub struct Mast {
    probes: Mutex<Vec<Arc<dyn Probe>>>,
}

impl Mast {
    pub fn height(&self) -> usize {
        self.probes.lock().len() //~ double-lock warning
    }

    fn mount(&self, probe: Arc<dyn Probe>) {
        self.probes.lock().push(probe);
    }

    pub fn read_all(&self) -> usize {
        let probes = self.probes.lock();
        probes.iter().map(|it| it.read()).sum()
    }
}

/// Mounted on the mast that it asks.
pub struct Vane {
    mast: Weak<Mast>,
}

impl Vane {
    pub fn on(mast: &Arc<Mast>) {
        let vane = Arc::new(Vane { mast: Arc::downgrade(mast) });
        let probe: Arc<dyn Probe> = vane.clone();
        mast.mount(probe);
    }

    fn top(&self) -> Option<usize> {
        let mast = self.mast.upgrade()?;
        Some(mast.height())
    }
}

impl Probe for Vane {
    fn read(&self) -> usize {
        self.top().unwrap_or(0)
    }
}

pub trait Buoy: Send + Sync {
    fn depth(&self) -> usize;
}

#[derive(Default)]
pub struct Bay {
    buoys: RwLock<Vec<Arc<dyn Buoy>>>,
}

impl Bay {
    pub fn count(&self) -> usize {
        self.buoys.read().unwrap().len() //~ double-lock note
    }

    fn moor(&self, buoy: Arc<dyn Buoy>) {
        self.buoys.write().unwrap().push(buoy);
    }

    pub fn sound(&self) -> usize {
        let buoys = self.buoys.write().unwrap();
        buoys.iter().map(|it| it.depth()).sum()
    }
}

/// Moored in one bay, and asks the next one.
pub struct Lantern {
    next: Weak<Bay>,
}

impl Lantern {
    pub fn between(bay: &Arc<Bay>, next: &Arc<Bay>) {
        let lantern = Arc::new(Lantern { next: Arc::downgrade(next) });
        bay.moor(lantern);
    }

    fn beyond(&self) -> Option<usize> {
        let bay = self.next.upgrade()?;
        Some(bay.count())
    }
}

impl Buoy for Lantern {
    fn depth(&self) -> usize {
        self.beyond().unwrap_or(0)
    }
}

/// A type that is called as one of std.
pub struct Cell {
    drip: Drip,
}

pub struct Drip {
    hive: Weak<Hive>,
    weight: u32,
}

impl Drop for Drip {
    fn drop(&mut self) {
        if let Some(hive) = self.hive.upgrade() {
            hive.catch(self.weight);
        }
    }
}

#[derive(Default)]
pub struct Hive {
    comb: std::sync::Mutex<Comb>,
}

#[derive(Default)]
struct Comb {
    cells: BTreeMap<u32, Cell>,
    spilt: u32,
}

impl Hive {
    fn catch(&self, weight: u32) {
        self.comb.lock().unwrap().spilt += weight; //~ double-lock warning
    }

    pub fn seal(self: &Arc<Self>, number: u32, weight: u32) -> u32 {
        let mut comb = self.comb.lock().unwrap();
        let drip = Drip { hive: Arc::downgrade(self), weight };
        comb.cells.insert(number, Cell { drip });
        comb.spilt
    }

    pub fn open(&self, number: u32) -> Option<u32> {
        let cell = self.comb.lock().unwrap().cells.remove(&number)?;
        Some(cell.drip.weight)
    }
}
