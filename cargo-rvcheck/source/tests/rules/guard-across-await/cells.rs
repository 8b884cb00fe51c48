//! Borrows of cells and guards of `parking_lot` around awaits: before, after, inside, dropped, and in blocks.

use parking_lot::RwLock;
use std::cell::RefCell;

async fn other() -> u32 {
    tokio::task::yield_now().await;
    1
}

pub async fn borrowed(cell: &RefCell<u32>) -> u32 {
    let borrow = cell.borrow(); //~ guard-across-await
    other().await + *borrow
}

pub async fn borrowed_mutably(cell: &RefCell<u32>) -> u32 {
    let mut borrow = cell.borrow_mut(); //~ guard-across-await
    *borrow += other().await;
    *borrow
}

pub async fn among_other_awaits(cell: &RefCell<u32>) -> u32 {
    let first = other().await;
    let mut borrow = cell.borrow_mut(); //~ guard-across-await
    let second = other().await;
    *borrow = second;
    drop(borrow);
    let third = other().await;
    first + second + third
}

pub async fn awaits_only_before(cell: &RefCell<u32>) -> u32 {
    let first = other().await;
    let mut borrow = cell.borrow_mut();
    *borrow = first;
    *borrow
}

pub async fn in_an_inner_block(cell: &RefCell<u32>) -> u32 {
    let first = other().await;
    let second = {
        let mut borrow = cell.borrow_mut(); //~ guard-across-await
        *borrow = first;
        other().await
    };
    first + second
}

pub async fn ends_with_an_inner_block(cell: &RefCell<u32>) -> u32 {
    let first = {
        let borrow = cell.borrow();
        *borrow
    };
    first + other().await
}

pub async fn dropped_before(cell: &RefCell<u32>) -> u32 {
    let borrow = cell.borrow();
    let first = *borrow;
    drop(borrow);
    first + other().await
}

#[allow(clippy::manual_async_fn)]
pub fn in_a_block_that_is_async(cell: &RefCell<u32>) -> impl Future<Output = u32> + '_ {
    async move {
        let borrow = cell.borrow_mut(); //~ guard-across-await
        other().await + *borrow
    }
}

pub async fn read(lock: &RwLock<u32>) -> u32 {
    let guard = lock.read(); //~ guard-across-await
    other().await + *guard
}

pub async fn written(lock: &RwLock<u32>) -> u32 {
    let mut guard = lock.write(); //~ guard-across-await
    *guard += other().await;
    *guard
}

pub async fn read_before(lock: &RwLock<u32>) -> u32 {
    let first = *lock.read();
    first + other().await
}

pub async fn written_in_an_inner_block(lock: &RwLock<u32>) -> u32 {
    {
        let mut guard = lock.write();
        *guard += 1;
    }
    other().await
}

pub async fn written_and_dropped(lock: &RwLock<u32>) -> u32 {
    let guard = lock.write();
    drop(guard);
    other().await
}
