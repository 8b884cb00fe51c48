//! Calls that block behind the workspace's own traits and closures.

use std::time::Duration;

pub trait Source {
    fn next(&self) -> u32;
}

pub struct Slow;

impl Source for Slow {
    fn next(&self) -> u32 {
        std::thread::sleep(Duration::from_millis(10)); //~ blocking-in-async
        1
    }
}

pub async fn read<S: Source>(source: S) -> u32 {
    tokio::task::yield_now().await;
    source.next()
}

pub async fn read_any(source: &dyn Source) -> u32 {
    tokio::task::yield_now().await;
    source.next()
}

pub trait Clock {
    fn tick(&self);
}

pub struct Real;
pub struct Fake;

impl Clock for Real {
    fn tick(&self) {
        std::thread::sleep(Duration::from_millis(10));
    }
}

impl Clock for Fake {
    fn tick(&self) {}
}

pub async fn one_of_several(clock: &dyn Clock) {
    clock.tick();
    tokio::task::yield_now().await;
}

fn timed(run: impl Fn()) {
    run();
}

pub async fn in_a_closure() {
    timed(|| std::thread::sleep(Duration::from_millis(10))); //~ blocking-in-async
    tokio::task::yield_now().await;
}

fn elsewhere(run: impl FnOnce() + Send + 'static) {
    std::thread::spawn(run);
}

pub async fn in_a_closure_elsewhere() {
    elsewhere(|| std::thread::sleep(Duration::from_millis(10)));
    tokio::task::yield_now().await;
}
