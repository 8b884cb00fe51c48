//! Locks that are requested by what is not called by its name: by the adapters of iterators, and where values are dropped; and locks
//! that are reached through a copy of what shares them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};

#[derive(Default)]
pub struct Inner {
    rows: Mutex<Vec<u32>>,
    names: RwLock<HashMap<u32, String>>,
}

#[derive(Clone, Default)]
pub struct Table {
    inner: Arc<Inner>,
    label: String,
}

pub struct Row {
    inner: Arc<Inner>,
    number: u32,
}

impl Drop for Row {
    fn drop(&mut self) {
        self.inner.rows.lock().unwrap().push(self.number); //~ double-lock
    }
}

impl Table {
    fn clear(&self) {
        self.inner.rows.lock().unwrap().clear(); //~ double-lock
    }

    pub fn through_a_clone(&self) {
        let this = self.clone();
        let rows = this.inner.rows.lock().unwrap();
        if rows.len() > 9 {
            self.clear();
        }
    }

    pub fn through_another_one(&self, other: &Table) {
        let this = other.clone();
        let rows = this.inner.rows.lock().unwrap();
        if rows.len() > 9 {
            self.clear();
        }
    }

    pub fn changed_after_it_was_cloned(&self) {
        let mut this = self.clone();
        this.inner = Arc::default();
        let rows = this.inner.rows.lock().unwrap();
        if rows.len() > 9 {
            self.clear();
        }
    }

    fn lend(&self, number: u32) -> Row {
        Row { inner: self.inner.clone(), number }
    }

    pub fn dropped_under_the_lock(&self) -> usize {
        let row = self.lend(1);
        let rows = self.inner.rows.lock().unwrap();
        drop(row);
        rows.len()
    }

    pub fn dropped_at_the_end(&self) -> usize {
        let row = self.lend(1);
        let rows = self.inner.rows.lock().unwrap();
        rows.len() + row.number as usize
    }

    pub fn of_another_table(&self, row: Row) -> usize {
        let rows = self.inner.rows.lock().unwrap();
        drop(row);
        rows.len()
    }

    fn name(&self, number: u32) -> String {
        let mut names = self.inner.names.write().unwrap(); //~ double-lock
        names.entry(number).or_default().clone()
    }

    pub fn by_an_adapter(&self) -> usize {
        let names = self.inner.names.read().unwrap();
        names.keys().map(|it| self.name(*it).len()).sum()
    }

    pub fn adapted_under_the_lock(&self, numbers: &[u32]) -> Vec<String> {
        let names = {
            let known = self.inner.names.read().unwrap();
            numbers.iter().filter(|_| true).map(|it| self.name(*it)).skip(known.len())
        };
        names.collect()
    }

    pub fn label(&self) -> &str {
        &self.label
    }
}
