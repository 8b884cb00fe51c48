//! After xacrimon/dashmap#369: one thread held a part of a map and asked for another part, and a second thread did the
//! same the other way round.
//!
//! Two transfers in opposite directions lock their accounts in opposite orders. Usually one is over before the other
//! begins.
//!
//! expect: lock-order; shown by: schedule

pub mod stuck {
    use parking_lot::Mutex;
    use std::sync::Arc;
    use std::thread;

    #[derive(Clone)]
    pub struct Account(Arc<Mutex<i64>>);

    impl Account {
        pub fn with(amount: i64) -> Self {
            Account(Arc::new(Mutex::new(amount)))
        }
    }

    fn transfer(from: &Account, to: &Account, amount: i64) {
        let mut source = from.0.lock();
        let mut target = to.0.lock(); // stuck here
        *source -= amount;
        *target += amount;
    }

    pub fn order(from: &Account, to: &Account, amount: i64) {
        let (from, to) = (from.clone(), to.clone());
        thread::spawn(move || transfer(&from, &to, amount));
    }
}

pub mod fixed {
    use parking_lot::Mutex;
    use std::sync::Arc;
    use std::thread;

    #[derive(Clone)]
    pub struct Account(Arc<Mutex<i64>>);

    impl Account {
        pub fn with(amount: i64) -> Self {
            Account(Arc::new(Mutex::new(amount)))
        }
    }

    fn transfer(from: &Account, to: &Account, amount: i64) {
        *from.0.lock() -= amount;
        *to.0.lock() += amount;
    }

    pub fn order(from: &Account, to: &Account, amount: i64) {
        let (from, to) = (from.clone(), to.clone());
        thread::spawn(move || transfer(&from, &to, amount));
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_bank_transfer() {
        use super::stuck::{Account, order};
        let (savings, current) = (Account::with(100), Account::with(50));
        order(&savings, &current, 30);
        order(&current, &savings, 5);
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_bank_transfer() {
        use super::fixed::{Account, order};
        let (savings, current) = (Account::with(100), Account::with(50));
        order(&savings, &current, 30);
        order(&current, &savings, 5);
        thread::sleep(Duration::from_millis(20));
    }
}
