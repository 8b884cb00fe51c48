//! Values that leave something of the thread when they are dropped.

use std::cell::{Cell, RefCell};
use tokio::task::yield_now;

thread_local! {
    static STACK: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

pub struct Entered(());

impl Entered {
    pub fn new(n: u32) -> Entered {
        STACK.with_borrow_mut(|it| it.push(n));
        Entered(())
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        STACK.with_borrow_mut(|it| it.pop());
    }
}

pub struct Plain(u32);

impl Drop for Plain {
    fn drop(&mut self) {
        println!("{}", self.0);
    }
}

pub async fn is_kept(n: u32) {
    let _entered = Entered::new(n); //~ affinity
    yield_now().await;
    println!("over");
}

pub async fn is_dropped_before(n: u32) {
    let entered = Entered::new(n);
    println!("inside");
    drop(entered);
    yield_now().await;
}

pub async fn is_entered_behind(n: u32) {
    yield_now().await;
    let _entered = Entered::new(n);
    println!("inside");
}

pub async fn is_in_a_block(n: u32) {
    {
        let _entered = Entered::new(n);
        println!("inside");
    }
    yield_now().await;
}

pub async fn belongs_to_the_task(n: u32) {
    let _plain = Plain(n);
    yield_now().await;
}
