//! Sleeps of tasks that tokio polls, and of futures that somebody else may poll.

use std::pin::Pin;
use std::thread;
use std::time::Duration;

async fn nap() {
    thread::sleep(Duration::from_millis(1)); //~ sure
}

pub fn naps() {
    drop(tokio::spawn(nap()));
}

async fn doze() {
    thread::sleep(Duration::from_millis(1)); //~ sure
}

async fn rest() {
    doze().await;
    doze().await;
}

pub fn rests() {
    tokio::spawn(async move {
        rest().await;
        thread::sleep(Duration::from_millis(1)); //~ sure
    });
}

/// Anybody can call it, and have its future polled by anything.
pub async fn snooze() {
    thread::sleep(Duration::from_millis(1)); //~ maybe
}

async fn slumber() {
    thread::sleep(Duration::from_millis(1)); //~ maybe
}

/// One way begins in tokio, and the other one nobody knows.
pub async fn slumbers() {
    drop(tokio::spawn(slumber()));
    slumber().await;
}

async fn drowse() {
    thread::sleep(Duration::from_millis(1)); //~ maybe
}

pub fn drowses() -> Pin<Box<dyn Future<Output = ()>>> {
    Box::pin(drowse())
}

async fn nod() {
    thread::sleep(Duration::from_millis(1)); //~ maybe
}

/// Whoever has it calls it.
pub fn nods(later: fn(fn() -> Pin<Box<dyn Future<Output = ()>>>)) {
    drop(tokio::spawn(nod()));
    later(|| Box::pin(nod()));
}

pub trait Sleeper {
    fn sleeps(&self) -> impl Future<Output = ()>;
}

pub struct Cat;

impl Sleeper for Cat {
    async fn sleeps(&self) {
        thread::sleep(Duration::from_millis(1)); //~ maybe
    }
}

async fn kip() {
    thread::sleep(Duration::from_millis(1)); //~ maybe
}

/// It is called as a value.
pub fn kips() {
    drop(tokio::spawn(kip()));
    let mut all: Vec<_> = (0..3).map(|_| ()).map(twice).collect();
    all.clear();
}

fn twice((): ()) -> impl Future<Output = ()> {
    kip()
}
