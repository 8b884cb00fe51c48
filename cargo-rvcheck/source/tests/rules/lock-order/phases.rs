//! Tasks that take locks in two orders, one of which is over before the other one begins, or not.

use std::sync::{Arc, Mutex, mpsc};
use std::thread;

#[derive(Default)]
struct Kiln {
    clay: Mutex<Vec<u32>>,
    ware: Mutex<Vec<u32>>,
}

fn shape(kiln: &Kiln) {
    let clay = kiln.clay.lock().unwrap();
    kiln.ware.lock().unwrap().extend(clay.iter());
}

fn sort(kiln: &Kiln) {
    let ware = kiln.ware.lock().unwrap();
    kiln.clay.lock().unwrap().retain(|it| !ware.contains(it)); //~ lock-order note
}

pub fn one_after_the_other() {
    let kiln = Arc::new(Kiln::default());
    let same = kiln.clone();
    let first = thread::spawn(move || shape(&same));
    first.join().unwrap();
    let second = thread::spawn(move || sort(&kiln));
    second.join().unwrap();
}

#[derive(Default)]
struct Loom {
    warp: Mutex<Vec<u32>>,
    weft: Mutex<Vec<u32>>,
}

pub fn side_by_side() {
    let loom = Arc::new(Loom::default());
    let same = loom.clone();
    let first = thread::spawn(move || {
        let warp = same.warp.lock().unwrap();
        same.weft.lock().unwrap().extend(warp.iter());
    });
    let second = thread::spawn(move || {
        let weft = loom.weft.lock().unwrap();
        loom.warp.lock().unwrap().retain(|it| weft.contains(it)); //~ lock-order warning
    });
    first.join().unwrap();
    second.join().unwrap();
}

#[derive(Default)]
struct Press {
    ink: Mutex<Vec<u32>>,
    paper: Mutex<Vec<u32>>,
}

pub fn told_when_done() {
    let press = Arc::new(Press::default());
    let same = press.clone();
    let (done, wait) = mpsc::channel();
    thread::spawn(move || {
        for sheet in 0..3 {
            let mut ink = same.ink.lock().unwrap();
            ink.push(sheet);
            same.paper.lock().unwrap().push(sheet);
        }
        let _ = done.send(());
    });
    let reader = thread::spawn(move || {
        wait.recv().unwrap();
        let paper = press.paper.lock().unwrap();
        press.ink.lock().unwrap().len() + paper.len() //~ lock-order note
    });
    let _ = reader.join();
}

#[derive(Default)]
struct Forge {
    coal: Mutex<Vec<u32>>,
    iron: Mutex<Vec<u32>>,
}

pub fn told_each_time() {
    let forge = Arc::new(Forge::default());
    let same = forge.clone();
    let (piece, pieces) = mpsc::channel();
    thread::spawn(move || {
        for heat in 0..3 {
            let coal = same.coal.lock().unwrap();
            same.iron.lock().unwrap().extend(coal.iter());
            let _ = piece.send(heat);
        }
    });
    let smith = thread::spawn(move || {
        while let Ok(heat) = pieces.recv() {
            let iron = forge.iron.lock().unwrap();
            forge.coal.lock().unwrap().retain(|it| *it > heat && iron.contains(it)); //~ lock-order warning
        }
    });
    let _ = smith.join();
}

#[derive(Default)]
struct Bakery {
    dough: tokio::sync::Mutex<Vec<u32>>,
    bread: tokio::sync::Mutex<Vec<u32>>,
}

pub async fn tasks_one_after_the_other() {
    let bakery = Arc::new(Bakery::default());
    let same = bakery.clone();
    let knead = tokio::spawn(async move {
        let dough = same.dough.lock().await;
        same.bread.lock().await.extend(dough.iter());
    });
    knead.await.unwrap();
    let bake = tokio::spawn(async move {
        let bread = bakery.bread.lock().await;
        bakery.dough.lock().await.retain(|it| bread.contains(it)); //~ lock-order note
    });
    bake.await.unwrap();
}

#[derive(Default)]
struct Brewery {
    malt: tokio::sync::Mutex<Vec<u32>>,
    beer: tokio::sync::Mutex<Vec<u32>>,
}

pub async fn tasks_side_by_side() {
    let brewery = Arc::new(Brewery::default());
    let same = brewery.clone();
    let (begin, begun) = tokio::sync::oneshot::channel();
    let mash = tokio::spawn(async move {
        let _ = begin.send(());
        let malt = same.malt.lock().await;
        same.beer.lock().await.extend(malt.iter());
    });
    let tap = tokio::spawn(async move {
        begun.await.unwrap();
        let beer = brewery.beer.lock().await;
        brewery.malt.lock().await.retain(|it| beer.contains(it)); //~ lock-order warning
    });
    mash.await.unwrap();
    tap.await.unwrap();
}
