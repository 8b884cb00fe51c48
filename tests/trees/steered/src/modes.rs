//! A lock that is read twice, and written in between.

use std::sync::RwLock;

#[derive(Default)]
pub struct Names {
    all: RwLock<Vec<String>>,
}

impl Names {
    pub fn longest(&self) -> usize {
        let all = self.all.read().unwrap(); // longest: reads
        all.len() + self.count()
    }

    pub fn count(&self) -> usize {
        self.all.read().unwrap().len() // count: reads again
    }

    pub fn add(&self, name: &str) {
        self.all.write().unwrap().push(name.to_owned()); // add: writes
    }
}

#[derive(Default)]
pub struct Prices {
    all: tokio::sync::RwLock<Vec<u32>>,
}

impl Prices {
    pub async fn sum(&self) -> u32 {
        let all = self.all.read().await; // sum: reads
        all.iter().sum::<u32>() + self.first().await
    }

    async fn first(&self) -> u32 {
        self.all.read().await.first().copied().unwrap_or(0) // first: reads again
    }

    pub async fn add(&self, price: u32) {
        self.all.write().await.push(price); // add a price: writes
    }
}
