//! A worker of a pool that waits for the work which it gave away runs other work meanwhile, on the same stack.

use rayon::ThreadPool;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

pub struct Atlas {
    pages: Mutex<HashMap<u32, Arc<Vec<u32>>>>,
    pool: ThreadPool,
    sums: parking_lot::Mutex<Vec<u32>>,
}

impl Atlas {
    fn print(&self, page: u32) -> Arc<Vec<u32>> {
        Arc::new((0..page).into_par_iter().map(|it| it * 2).collect())
    }

    pub fn page(&self, page: u32) -> Arc<Vec<u32>> {
        let mut pages = self.pages.lock().unwrap(); //~ double-lock warning
        Arc::clone(pages.entry(page).or_insert_with(|| self.print(page)))
    }

    pub fn print_all(&self, all: &[u32]) -> usize {
        all.par_iter().map(|it| self.page(*it).len()).sum()
    }

    pub fn add_up(&self, shelves: Vec<Vec<u32>>) {
        self.pool.install(|| shelves.into_par_iter().for_each(|it| self.add(it)));
    }

    fn add(&self, shelf: Vec<u32>) {
        let mut sums = self.sums.lock(); //~ double-lock warning
        let sum = shelf.par_iter().map(|it| it + 1).sum();
        sums.push(sum);
    }

    pub fn both(&self) {
        rayon::join(|| self.sums.lock().push(1), || self.sums.lock().push(2));
    }
}

/// Each job has a lock of its own, or lets go of it before it waits.
pub struct Sheets {
    sheets: Vec<Mutex<Vec<u32>>>,
    total: Mutex<u32>,
}

impl Sheets {
    pub fn each_its_own(&self) {
        self.sheets.par_iter().for_each(|it| {
            let sheet = it.lock().unwrap();
            let sum: u32 = sheet.par_iter().map(|it| it * 3).sum();
            drop(sheet);
            *self.total.lock().unwrap() += sum;
        });
    }

    /// Nobody calls this on a worker.
    pub fn outside(&self, numbers: &[u32]) {
        let mut total = self.total.lock().unwrap();
        *total += numbers.par_iter().map(|it| it + 1).sum::<u32>();
    }

    pub fn under_itself(&self, numbers: &[u32]) {
        let total = self.total.lock().unwrap();
        numbers.par_iter().for_each(|it| *self.total.lock().unwrap() += it); //~ double-lock
        drop(total);
    }
}

/// Each volume has a handle to one index, or one of its own.
pub struct Volume {
    index: Arc<Mutex<Vec<u32>>>,
    notes: Arc<Mutex<Vec<u32>>>,
    lines: Vec<u32>,
}

impl Volume {
    fn new(index: Arc<Mutex<Vec<u32>>>, notes: Arc<Mutex<Vec<u32>>>) -> Volume {
        Volume { index, notes, lines: Vec::new() }
    }

    fn binds(&self) -> u32 {
        let mut index = self.index.lock().unwrap(); //~ double-lock warning
        let sum = self.lines.par_iter().map(|it| it + 1).sum();
        index.push(sum);
        sum
    }

    fn comments(&self) -> u32 {
        let mut notes = self.notes.lock().unwrap();
        let sum = self.lines.par_iter().map(|it| it + 1).sum();
        notes.push(sum);
        sum
    }
}

pub fn library(count: u32) -> u32 {
    let index = Arc::new(Mutex::new(Vec::new()));
    let volumes: Vec<Volume> =
        (0..count).map(|_| Volume::new(Arc::clone(&index), Arc::new(Mutex::new(Vec::new())))).collect();
    let bound: u32 = volumes.par_iter().map(Volume::binds).sum();
    bound + volumes.par_iter().map(Volume::comments).sum::<u32>()
}

/// Each thread makes an index of its own.
pub struct Leaf {
    index: Arc<Mutex<Vec<u32>>>,
    lines: Vec<u32>,
}

impl Leaf {
    fn binds(&self) -> u32 {
        let mut index = self.index.lock().unwrap();
        let sum = self.lines.par_iter().map(|it| it + 1).sum();
        index.push(sum);
        sum
    }
}

pub fn leaves(count: u32) -> u32 {
    let mut leaves = Vec::new();
    for _ in 0..count {
        let index = Arc::new(Mutex::new(Vec::new()));
        let one = move || Leaf { index: Arc::clone(&index), lines: Vec::new() };
        leaves.push(one());
    }
    leaves.par_iter().map(Leaf::binds).sum()
}
