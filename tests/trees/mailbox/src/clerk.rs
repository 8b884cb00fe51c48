//! A clerk that is sent orders, and notices of what it has done.

use std::sync::mpsc as blocking;
use tokio::sync::mpsc;

/// What a clerk is told.
#[derive(Debug)]
pub enum Order<'a> {
    Budget(u64),
    Spend(u64),
    /// Nothing observes this one.
    Note(&'a str),
    End,
}

/// What a clerk tells.
#[derive(Debug)]
pub enum Notice {
    Paid { amount: u64, to: String },
    Tried(u32),
}

/// Starts a clerk. It tells what it pays.
pub fn start(
    mut orders: mpsc::Receiver<Order<'static>>,
    notices: blocking::Sender<Notice>,
) -> tokio::task::JoinHandle<u64> {
    tokio::spawn(async move {
        let mut spent = 0;
        while let Some(order) = orders.recv().await {
            match order {
                Order::Spend(amount) => {
                    spent += amount;
                    let paid = Notice::Paid { amount, to: "somebody".to_owned() };
                    notices.send(paid).expect("it is heard");
                }
                Order::Budget(_) | Order::Note(_) => {}
                Order::End => break,
            }
        }
        spent
    })
}
