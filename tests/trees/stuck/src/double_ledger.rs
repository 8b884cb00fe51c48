//! After a class of bugs seen in many Go and Rust services: a method that holds the lock calls a public method of the
//! same object, which takes the lock as well.
//!
//! The nightly audit holds the entries while `balance` asks for them again.
//!
//! expect: double-lock; shown by: run

pub mod stuck {
    use std::sync::{Arc, Mutex};
    use std::thread;

    #[derive(Default)]
    pub struct Ledger {
        entries: Mutex<Vec<i64>>,
    }

    impl Ledger {
        pub fn book(&self, amount: i64) {
            self.entries.lock().unwrap().push(amount);
        }

        pub fn balance(&self) -> i64 {
            self.entries.lock().unwrap().iter().sum() // stuck here
        }

        fn audit(&self) -> bool {
            let entries = self.entries.lock().unwrap();
            entries.iter().all(|amount| *amount != 0) && self.balance() >= 0
        }

        pub fn audit_nightly(self: &Arc<Self>) {
            let ledger = Arc::clone(self);
            thread::spawn(move || println!("sound: {}", ledger.audit()));
        }
    }
}

pub mod fixed {
    use std::sync::{Arc, Mutex};
    use std::thread;

    #[derive(Default)]
    pub struct Ledger {
        entries: Mutex<Vec<i64>>,
    }

    impl Ledger {
        pub fn book(&self, amount: i64) {
            self.entries.lock().unwrap().push(amount);
        }

        pub fn balance(&self) -> i64 {
            self.entries.lock().unwrap().iter().sum()
        }

        fn audit(&self) -> bool {
            let complete = self.entries.lock().unwrap().iter().all(|amount| *amount != 0);
            complete && self.balance() >= 0
        }

        pub fn audit_nightly(self: &Arc<Self>) {
            let ledger = Arc::clone(self);
            thread::spawn(move || println!("sound: {}", ledger.audit()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_double_ledger() {
        let ledger = Arc::new(super::stuck::Ledger::default());
        ledger.book(40);
        assert_eq!(ledger.balance(), 40);
        ledger.audit_nightly();
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_double_ledger() {
        let ledger = Arc::new(super::fixed::Ledger::default());
        ledger.book(40);
        assert_eq!(ledger.balance(), 40);
        ledger.audit_nightly();
        thread::sleep(Duration::from_millis(20));
    }
}
