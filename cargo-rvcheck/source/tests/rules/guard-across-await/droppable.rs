//! Guards that nothing needs any more when the task is suspended.

use std::cell::RefCell;
use std::sync::{Mutex, RwLock};

async fn other() -> u32 {
    tokio::task::yield_now().await;
    1
}

pub async fn sold(stock: &Mutex<Vec<u32>>) -> usize {
    let mut stock = stock.lock().unwrap(); //~ guard-across-await warning
    stock.push(1);
    let left = stock.len();
    other().await;
    left
}

pub async fn read_in_a_loop(stock: &RwLock<Vec<u32>>) {
    for number in 0..3 {
        let stock = stock.read().unwrap(); //~ guard-across-await
        println!("{number} of {stock:?}");
        if number > 1 {
            other().await;
        }
    }
}

pub async fn borrowed(cell: &RefCell<u32>) -> u32 {
    let cell = cell.borrow(); //~ guard-across-await
    let value = *cell;
    other().await + value
}
