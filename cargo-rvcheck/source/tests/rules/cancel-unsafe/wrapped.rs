//! What is taken goes at once into something larger, and futures that are dropped while they have that, in loops.

use tokio::{
    sync::mpsc::Receiver,
    task::yield_now,
    time::Interval,
};

pub struct Job {
    text: String,
    tries: u32,
}

async fn in_a_tuple(rx: &mut Receiver<String>) -> Option<(String, u32)> {
    let job = (rx.recv().await?, 3);
    yield_now().await;
    Some(job)
}

async fn in_a_struct(rx: &mut Receiver<String>) -> Option<Job> {
    let job = Job { text: rx.recv().await?, tries: 3 };
    yield_now().await;
    Some(job)
}

async fn in_a_list(rx: &mut Receiver<String>) -> Option<Vec<String>> {
    let all = vec![rx.recv().await?];
    yield_now().await;
    Some(all)
}

async fn in_a_box(rx: &mut Receiver<String>) -> Option<Box<String>> {
    let job = Box::new(rx.recv().await?);
    yield_now().await;
    Some(job)
}

async fn pushed(rx: &mut Receiver<String>) -> Option<Vec<String>> {
    let mut all = Vec::new();
    all.push(rx.recv().await?);
    yield_now().await;
    Some(all)
}

async fn one_after_the_other(rx: &mut Receiver<String>) -> Option<(String, String)> {
    Some((rx.recv().await?, rx.recv().await?))
}

async fn in_a_tuple_and_back(rx: &mut Receiver<String>) -> Option<(String, u32)> {
    let job = (rx.recv().await?, 3);
    println!("{}", job.0);
    Some(job)
}

async fn in_a_list_and_back(rx: &mut Receiver<String>) -> Option<Vec<String>> {
    yield_now().await;
    Some(vec![rx.recv().await?])
}

async fn pushed_for_others(rx: &mut Receiver<String>, all: &mut Vec<String>) -> Option<()> {
    all.push(rx.recv().await?);
    yield_now().await;
    Some(())
}


pub async fn tuples(mut rx: Receiver<String>, mut t: Interval) {
    loop {
        tokio::select! {
            _ = t.tick() => {}
            x = in_a_tuple(&mut rx) => { if x.is_none() { break; } } //~ cancel-unsafe
        }
    }
}

pub async fn structs(mut rx: Receiver<String>, mut t: Interval) {
    loop {
        tokio::select! {
            _ = t.tick() => {}
            x = in_a_struct(&mut rx) => { if x.is_none() { break; } } //~ cancel-unsafe
        }
    }
}

pub async fn lists(mut rx: Receiver<String>, mut t: Interval) {
    loop {
        tokio::select! {
            _ = t.tick() => {}
            x = in_a_list(&mut rx) => { if x.is_none() { break; } } //~ cancel-unsafe
        }
    }
}

pub async fn boxes(mut rx: Receiver<String>, mut t: Interval) {
    loop {
        tokio::select! {
            _ = t.tick() => {}
            x = in_a_box(&mut rx) => { if x.is_none() { break; } } //~ cancel-unsafe
        }
    }
}

pub async fn pushes(mut rx: Receiver<String>, mut t: Interval) {
    loop {
        tokio::select! {
            _ = t.tick() => {}
            x = pushed(&mut rx) => { if x.is_none() { break; } } //~ cancel-unsafe
        }
    }
}

pub async fn pairs(mut rx: Receiver<String>, mut t: Interval) {
    loop {
        tokio::select! {
            _ = t.tick() => {}
            x = one_after_the_other(&mut rx) => { if x.is_none() { break; } } //~ cancel-unsafe
        }
    }
}

pub async fn silent(mut rx: Receiver<String>, mut t: Interval) {
    let mut all = Vec::new();
    loop {
        tokio::select! {
            _ = t.tick() => {}
            x = in_a_tuple_and_back(&mut rx) => { if x.is_none() { break; } }
        }
        tokio::select! {
            _ = t.tick() => {}
            x = in_a_list_and_back(&mut rx) => { if x.is_none() { break; } }
        }
        tokio::select! {
            _ = t.tick() => {}
            x = pushed_for_others(&mut rx, &mut all) => { if x.is_none() { break; } }
        }
    }
}
