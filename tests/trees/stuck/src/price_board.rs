//! After tari-project/tari#4674: a block template held the read lock of the chain, a new block queued for the write
//! lock, and the template asked for the read lock again.
//!
//! `total` reads the prices and calls `price`, which reads them, too. It is stuck when `raise` comes in between.
//!
//! expect: double-lock, also lock-order; shown by: schedule

pub mod stuck {
    use parking_lot::RwLock;
    use std::collections::HashMap;
    use std::sync::Arc;
    use std::thread;

    pub struct Board {
        prices: RwLock<HashMap<&'static str, u32>>,
    }

    impl Board {
        pub fn hang() -> Arc<Self> {
            Arc::new(Board { prices: RwLock::new(HashMap::from([("tea", 3), ("cake", 4)])) })
        }

        fn price(&self, item: &str) -> u32 {
            self.prices.read().get(item).copied().unwrap_or(0) // stuck here
        }

        fn total(&self) -> u32 {
            let prices = self.prices.read();
            prices.keys().map(|item| self.price(item)).sum()
        }

        fn raise(&self) {
            self.prices.write().values_mut().for_each(|price| *price += 1); // stuck here
        }

        pub fn open(self: &Arc<Self>) {
            let (customer, owner) = (Arc::clone(self), Arc::clone(self));
            thread::spawn(move || println!("{}", customer.total()));
            thread::spawn(move || owner.raise());
        }
    }
}

pub mod fixed {
    use parking_lot::RwLock;
    use std::collections::HashMap;
    use std::sync::Arc;
    use std::thread;

    pub struct Board {
        prices: RwLock<HashMap<&'static str, u32>>,
    }

    impl Board {
        pub fn hang() -> Arc<Self> {
            Arc::new(Board { prices: RwLock::new(HashMap::from([("tea", 3), ("cake", 4)])) })
        }

        fn total(&self) -> u32 {
            let prices = self.prices.read();
            prices.values().sum()
        }

        fn raise(&self) {
            self.prices.write().values_mut().for_each(|price| *price += 1);
        }

        pub fn open(self: &Arc<Self>) {
            let (customer, owner) = (Arc::clone(self), Arc::clone(self));
            thread::spawn(move || println!("{}", customer.total()));
            thread::spawn(move || owner.raise());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_price_board() {
        super::stuck::Board::hang().open();
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_price_board() {
        super::fixed::Board::hang().open();
        thread::sleep(Duration::from_millis(20));
    }
}
