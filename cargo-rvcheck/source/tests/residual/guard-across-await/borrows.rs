//! A borrow of a cell or of a channel's value is no site of a lock, but a guard all the same.

use std::cell::RefCell;
use std::sync::Mutex;

pub async fn of_a_cell(cell: &RefCell<u32>, lock: &Mutex<u32>) {
    let mut it = cell.borrow_mut();
    std::future::ready(()).await;
    *it += *lock.lock().unwrap(); //~ guard-across-await orphan
}
