//! A lock-order inversion of threads.

use std::sync::Mutex;

#[derive(Default)]
pub struct Shop {
    pub stock: Mutex<u32>,
    pub till: Mutex<u32>,
}

impl Shop {
    pub fn sell(&self) {
        let mut stock = self.stock.lock().unwrap(); // sell: stock
        let mut till = self.till.lock().unwrap(); // sell: till
        *stock = stock.saturating_sub(1);
        *till += 1;
    }

    pub fn refund(&self) {
        let mut till = self.till.lock().unwrap(); // refund: till
        let mut stock = self.stock.lock().unwrap(); // refund: stock
        *till = till.saturating_sub(1);
        *stock += 1;
    }
}
