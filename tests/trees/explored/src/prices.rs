//! Prices that many read and few change.

use std::collections::BTreeMap;
use std::sync::RwLock;

/// A price for each thing.
#[derive(Default)]
pub struct Prices(RwLock<BTreeMap<u32, u32>>);

impl Prices {
    fn count(&self) -> usize {
        self.0.read().unwrap().len() // waits behind whoever changes one
    }

    /// What a thing costs on average: counted while the prices are being read.
    pub fn mean(&self) -> usize {
        let prices = self.0.read().unwrap();
        prices.values().sum::<u32>() as usize / self.count().max(1)
    }

    /// Changes one.
    pub fn change(&self, thing: u32, price: u32) {
        self.0.write().unwrap().insert(thing, price);
    }
}
