//! What is kept by whoever waits in these lines.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::sleep;

const A_WHILE: Duration = Duration::from_millis(3);

pub struct Order {
    pub reply: oneshot::Sender<u32>,
}

pub struct Shop {
    orders: mpsc::Sender<Order>,
    sold: Arc<AtomicU64>,
}

pub fn counts_only(sold: Arc<AtomicU64>) {
    tokio::spawn(async move {
        loop {
            sleep(A_WHILE).await; //~ keeps = nothing
            sold.fetch_add(1, Ordering::Relaxed);
        }
    });
}

pub fn has_the_shop(shop: Arc<Shop>) {
    tokio::spawn(async move {
        sleep(A_WHILE).await; //~ keeps = channel Order, channel u32
        shop.sold.fetch_add(1, Ordering::Relaxed);
        drop(shop);
        sleep(A_WHILE).await; //~ keeps = nothing
    });
}

pub fn may_have_anything(stock: Box<dyn Fn() + Send>) {
    tokio::spawn(async move {
        sleep(A_WHILE).await; //~ keeps = unknown
        stock();
    });
}

pub fn gives_it_away(bell: Arc<Notify>) {
    let (tell, told) = mpsc::channel::<u32>(3);
    tokio::spawn(async move {
        let rung = bell.clone();
        sleep(A_WHILE).await; //~ keeps = channel u32, signal
        tokio::spawn(async move {
            sleep(A_WHILE).await; //~ keeps = channel u32, signal
            bell.notify_one();
            drop(told);
        });
        drop(rung);
        sleep(A_WHILE).await; //~ keeps = channel u32
        drop(tell);
    });
}

fn rests() {
    thread::sleep(A_WHILE); //~ keeps = channel u8
}

fn relays(from: Receiver<u8>, to: Sender<u8>) {
    thread::spawn(move || {
        for it in from {
            rests();
            let _ = to.send(it);
        }
    });
}

fn main() {
    let (to, from) = channel();
    let (back, answers) = channel();
    relays(from, back);
    drop(to);
    thread::sleep(A_WHILE); //~ keeps = channel u8
    relays(answers, channel().0);
    thread::sleep(A_WHILE); //~ keeps = nothing
}
