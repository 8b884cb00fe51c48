//! Ways on which an error is lost, or told.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::mpsc;
use std::thread;
use tokio::task::{JoinHandle, JoinSet};

#[derive(Debug)]
pub struct Spoiled(pub u32);

async fn bakes(loaf: u32) -> Result<u32, Spoiled> {
    if loaf == 0 { Err(Spoiled(loaf)) } else { Ok(loaf) }
}

fn kneads(loaf: u32) -> Result<u32, Spoiled> {
    if loaf == 0 { Err(Spoiled(loaf)) } else { Ok(loaf) }
}

/// Workers send results, of which only the good ones are kept.
pub fn keeps_the_good(loaves: Vec<u32>) -> Result<Vec<u32>, Spoiled> {
    let (oven, shelf) = mpsc::channel();
    for loaf in loaves {
        let oven = oven.clone();
        thread::spawn(move || drop(oven.send(kneads(loaf))));
    }
    drop(oven);
    let baked: Vec<u32> = shelf.iter().filter_map(Result::ok).collect(); //~ lost-error
    if baked.is_empty() { Err(Spoiled(0)) } else { Ok(baked) }
}

pub fn keeps_all(loaves: Vec<u32>) -> Result<Vec<u32>, Spoiled> {
    let (oven, shelf) = mpsc::channel();
    for loaf in loaves {
        let oven = oven.clone();
        thread::spawn(move || drop(oven.send(kneads(loaf))));
    }
    drop(oven);
    shelf.iter().collect()
}

/// Whoever counts them has looked at them.
pub async fn a_set_that_counts(loaves: Vec<u32>) -> Result<(u32, u32), Spoiled> {
    let mut set = JoinSet::new();
    for loaf in loaves {
        set.spawn(bakes(loaf));
    }
    let (mut sum, mut spoiled) = (0, 0);
    while let Some(done) = set.join_next().await {
        match done.unwrap() {
            Ok(loaf) => sum += loaf,
            Err(_) => spoiled += 1,
        }
    }
    Ok((sum, spoiled))
}

/// Handles by name, which are awaited and flattened.
pub async fn by_name(handles: HashMap<String, JoinHandle<Result<u32, Spoiled>>>) -> Result<u32, Spoiled> {
    let mut sum = 0;
    for (_, handle) in handles {
        if let Ok(Ok(loaf)) = handle.await { //~ lost-error warning
            sum += loaf;
        }
    }
    Ok(sum)
}

pub async fn flattened(handles: Vec<JoinHandle<Result<u32, Spoiled>>>) -> Result<u32, Spoiled> {
    let mut sum = 0;
    for handle in handles {
        let baked = handle.await; //~ lost-error warning
        sum += baked.into_iter().flatten().sum::<u32>();
    }
    Ok(sum)
}

pub async fn told(handles: Vec<JoinHandle<Result<u32, Spoiled>>>) -> Result<u32, Spoiled> {
    let mut sum = 0;
    for handle in handles {
        match handle.await {
            Ok(Ok(loaf)) => sum += loaf,
            Ok(Err(spoiled)) => return Err(spoiled),
            Err(error) => std::panic::resume_unwind(Box::new(format!("{error:?}"))),
        }
    }
    Ok(sum)
}

type Baking = Pin<Box<dyn Future<Output = Result<u32, Spoiled>> + Send>>;

trait Bakery {
    fn bake(&self, loaf: u32) -> Baking;
}

struct Corner;

impl Bakery for Corner {
    fn bake(&self, loaf: u32) -> Baking {
        Box::pin(bakes(loaf))
    }
}

/// The future is boxed by a method of a trait, and its task's handle dropped.
pub fn starts(bakery: &dyn Bakery, loaf: u32) {
    tokio::spawn(bakery.bake(loaf)); //~ lost-error
}

pub fn starts_at_the_corner(loaf: u32) {
    tokio::spawn(Corner.bake(loaf)); //~ lost-error
}

/// One of two is thrown away, whoever awaits them.
async fn both<A: Future, B: Future>(a: A, b: B) -> (A::Output, B::Output) {
    tokio::join!(a, b)
}

pub async fn only_the_first() -> Result<u32, Spoiled> {
    let (one, _) = both(bakes(1), bakes(0)).await; //~ lost-error warning
    one
}

pub async fn both_of_them() -> Result<u32, Spoiled> {
    let (one, other) = both(bakes(1), bakes(0)).await;
    Ok(one? + other?)
}
