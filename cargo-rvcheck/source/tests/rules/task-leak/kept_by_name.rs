//! Handles that are kept in collections, and leave them without the task being ended.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

type Chore = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// Chores by name; one that is removed goes on.
pub struct Chores {
    all: HashMap<String, JoinHandle<()>>,
}

impl Chores {
    pub fn new() -> Chores {
        Chores { all: HashMap::new() }
    }

    pub fn begin(&mut self, name: &str, every: Duration, chore: Chore) {
        let handle = self.repeat(every, chore);
        self.all.insert(name.to_owned(), handle);
    }

    fn repeat(&self, every: Duration, chore: Chore) -> JoinHandle<()> {
        tokio::spawn(async move { //~ task-leak
            let mut ticks = tokio::time::interval(every);
            loop {
                ticks.tick().await;
                chore().await;
            }
        })
    }

    pub fn end(&mut self, name: &str) -> bool {
        self.all.remove(name).is_some()
    }

    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.all.keys().cloned().collect();
        names.sort();
        names
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }
}

impl Drop for Chores {
    fn drop(&mut self) {
        self.all.clear();
    }
}

/// The same, where what is removed is aborted.
pub struct Rounds {
    all: BTreeMap<u32, JoinHandle<()>>,
}

impl Rounds {
    pub fn new() -> Rounds {
        Rounds { all: BTreeMap::new() }
    }

    pub fn begin(&mut self, number: u32, every: Duration, chore: Chore) {
        let handle = tokio::spawn(async move {
            loop {
                tokio::time::sleep(every).await;
                chore().await;
            }
        });
        if let Some(before) = self.all.insert(number, handle) {
            before.abort();
        }
    }

    pub fn end(&mut self, number: u32) {
        if let Some(handle) = self.all.remove(&number) {
            handle.abort();
        }
    }
}

impl Drop for Rounds {
    fn drop(&mut self) {
        for handle in self.all.values() {
            handle.abort();
        }
    }
}

/// The same, where the field is given away whole.
pub struct Shift {
    all: Vec<JoinHandle<()>>,
}

impl Shift {
    pub fn new() -> Shift {
        Shift { all: Vec::new() }
    }

    pub fn begin(&mut self, every: Duration) {
        self.all.push(tokio::spawn(async move {
            loop {
                tokio::time::sleep(every).await;
            }
        }));
    }

    pub fn into_handles(self) -> Vec<JoinHandle<()>> {
        self.all
    }
}
