//! A borrow that is over before the await.
//@ proved: guard-across-await

use std::cell::RefCell;
use std::sync::Mutex;

pub async fn of_a_cell(cell: &RefCell<u32>, lock: &Mutex<u32>) -> u32 {
    *cell.borrow_mut() += *lock.lock().unwrap(); //~ guard-across-await orphan
    std::future::ready(()).await;
    *cell.borrow()
}
