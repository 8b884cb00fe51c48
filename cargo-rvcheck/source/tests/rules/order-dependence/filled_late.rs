//! Values that are loaded for a cache while somebody removes the entry.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::time::{Duration, sleep};

#[derive(Clone)]
pub struct Price {
    cents: u32,
}

async fn asks(name: &str) -> Option<Price> {
    sleep(Duration::from_millis(1)).await;
    if name.is_empty() { None } else { Some(Price { cents: 1 }) }
}

#[derive(Default)]
pub struct Prices {
    known: Mutex<HashMap<String, Price>>,
}

impl Prices {
    fn known(&self, name: &str) -> Option<Price> {
        self.known.lock().unwrap().get(name).cloned()
    }

    fn keeps(&self, name: &str, price: Price) {
        self.known.lock().unwrap().insert(name.to_owned(), price);
    }

    pub async fn price(&self, name: &str) -> Option<u32> {
        if let Some(price) = self.known(name) {
            return Some(price.cents);
        }
        let price = asks(name).await?;
        self.keeps(name, price.clone()); //~ order-dependence warning
        Some(price.cents)
    }

    pub fn has_changed(&self, name: &str) {
        self.known.lock().unwrap().remove(name);
    }
}

/// It counts what is removed.
#[derive(Default)]
struct Shelf {
    known: HashMap<String, Price>,
    removed: u64,
}

#[derive(Default)]
pub struct Counted {
    shelf: Mutex<Shelf>,
}

impl Counted {
    fn keeps(&self, name: &str, price: Price, removed: u64) {
        let mut shelf = self.shelf.lock().unwrap();
        if shelf.removed == removed {
            shelf.known.insert(name.to_owned(), price);
        }
    }

    pub async fn price(&self, name: &str) -> Option<u32> {
        let removed = {
            let shelf = self.shelf.lock().unwrap();
            if let Some(price) = shelf.known.get(name) {
                return Some(price.cents);
            }
            shelf.removed
        };
        let price = asks(name).await?;
        self.keeps(name, price.clone(), removed);
        Some(price.cents)
    }

    pub fn has_changed(&self, name: &str) {
        let mut shelf = self.shelf.lock().unwrap();
        shelf.removed += 1;
        shelf.known.remove(name);
    }
}

/// Nothing is ever removed by its name.
#[derive(Default)]
pub struct Fixed {
    known: Mutex<HashMap<String, Price>>,
}

impl Fixed {
    pub async fn price(&self, name: &str) -> Option<u32> {
        if let Some(price) = self.known.lock().unwrap().get(name) {
            return Some(price.cents);
        }
        let price = asks(name).await?;
        self.known.lock().unwrap().insert(name.to_owned(), price.clone());
        Some(price.cents)
    }
}

/// A later line is as good as an earlier one.
pub struct Line {
    name: String,
}

#[derive(Default)]
pub struct Lines {
    open: Mutex<HashMap<String, Arc<Line>>>,
}

impl Lines {
    pub async fn line(&self, name: &str) -> Option<Arc<Line>> {
        if let Some(line) = self.open.lock().unwrap().get(name) {
            return Some(Arc::clone(line));
        }
        asks(name).await?;
        let line = Arc::new(Line { name: name.to_owned() });
        self.open.lock().unwrap().insert(name.to_owned(), Arc::clone(&line));
        Some(line)
    }

    pub fn is_dead(&self, line: &Line) {
        self.open.lock().unwrap().remove(&line.name);
    }
}
