//@ proved: lock-order
//! Locks that are in no cycle.

use std::sync::{Arc, Mutex, RwLock};

pub struct Account(u32);
pub struct Book(Vec<u32>);
pub struct Log(Vec<String>);

pub struct Bank {
    accounts: Mutex<Account>,
    book: Mutex<Book>,
    log: RwLock<Log>,
    shared: Arc<tokio::sync::Mutex<u64>>,
}

impl Bank {
    pub fn first_then_second(&self) {
        let mut account = self.accounts.lock().unwrap(); //~ lock-order ordered
        account.0 += 1;
        self.book.lock().unwrap().0.push(account.0); //~ lock-order orphan
    }

    pub fn never_with_another(&self) -> usize {
        self.log.read().unwrap().0.len() //~ lock-order orphan
    }

    pub async fn of_tasks(&self) {
        *self.shared.lock().await += 1; //~ lock-order orphan
    }
}
