//! Errors of tasks and threads in whose place another value goes on, in functions that could return them.

use std::thread::{self, JoinHandle};
use tokio::task::JoinSet;

#[derive(Debug)]
pub enum Spoiled {
    Sour(u32),
    Crashed,
}

fn ferment(litres: u32) -> Result<u32, Spoiled> {
    if litres > 900 { Err(Spoiled::Sour(litres)) } else { Ok(litres - 1) }
}

async fn brew(litres: u32) -> Result<u32, Spoiled> {
    tokio::task::yield_now().await;
    ferment(litres)
}

pub async fn two_vats(one: u32, other: u32) -> Result<u32, Spoiled> {
    let one = tokio::spawn(brew(one));
    let other = tokio::spawn(brew(other));
    let (one, other) = tokio::try_join!(one, other).map_err(|_| Spoiled::Crashed)?; //~ lost-error warning
    Ok(one.unwrap_or_default() + other.unwrap_or_default())
}

pub fn cellar(vats: Vec<u32>) -> Result<u32, Spoiled> {
    let vats: Vec<JoinHandle<Result<u32, Spoiled>>> =
        vats.into_iter().map(|it| thread::spawn(move || ferment(it))).collect();
    let mut litres = 0;
    for vat in vats {
        let fermented = vat.join().map_err(|_| Spoiled::Crashed)?; //~ lost-error warning
        litres += fermented.unwrap_or(0);
    }
    Ok(litres)
}

pub struct Vat {
    worker: Option<JoinHandle<Result<u32, Spoiled>>>,
}

impl Vat {
    pub fn fill(litres: u32) -> Vat {
        Vat { worker: Some(thread::spawn(move || ferment(litres))) }
    }

    fn ended(&mut self) -> Option<thread::Result<Result<u32, Spoiled>>> {
        self.worker.take().map(JoinHandle::join) //~ lost-error warning
    }

    pub fn empty(mut self) -> Result<u32, Spoiled> {
        match self.ended() {
            Some(Ok(litres)) => Ok(litres.unwrap_or(0)),
            Some(Err(_)) => Err(Spoiled::Crashed),
            None => Ok(0),
        }
    }
}

pub async fn set_of_vats(vats: Vec<u32>) -> Result<u32, Spoiled> {
    let mut set = JoinSet::new();
    for it in vats {
        set.spawn(brew(it));
    }
    let mut litres = 0;
    while let Some(done) = set.join_next().await { //~ lost-error warning
        litres += done.map_err(|_| Spoiled::Crashed)?.unwrap_or_default();
    }
    Ok(litres)
}

/// Another error takes its place.
pub async fn told_otherwise(litres: u32) -> Result<u32, Spoiled> {
    let brewed = tokio::spawn(brew(litres)).await.map_err(|_| Spoiled::Crashed)?;
    brewed.or(Err(Spoiled::Sour(0)))
}

/// It is said.
pub fn said(litres: u32) -> Result<u32, Spoiled> {
    let vat = thread::spawn(move || ferment(litres)).join().map_err(|_| Spoiled::Crashed)?;
    Ok(vat.unwrap_or_else(|error| {
        eprintln!("{error:?}");
        0
    }))
}

/// Nobody could be told.
pub async fn how_much(litres: u32) -> u32 {
    tokio::spawn(brew(litres)).await.unwrap().unwrap_or_default()
}

/// One may fail: the other one counts.
pub async fn with_a_spare(one: u32, spare: u32) -> Result<u32, Spoiled> {
    let (one, spare) = tokio::join!(tokio::spawn(brew(one)), tokio::spawn(brew(spare)));
    let spare = spare.map_err(|_| Spoiled::Crashed)?.unwrap_or_default();
    Ok(one.map_err(|_| Spoiled::Crashed)?? + spare)
}

/// No task: what a call gives may be left out.
pub async fn tasted(litres: u32) -> Result<u32, Spoiled> {
    let taste = brew(1).await.unwrap_or_default();
    Ok(brew(litres).await? + taste)
}
