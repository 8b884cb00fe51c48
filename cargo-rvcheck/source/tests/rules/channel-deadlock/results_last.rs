//! What is made waits for room, and nobody takes before all who make it are done.

use std::thread;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// The results are read when all workers are joined, and more results than fit may wait.
pub fn joins_first(eggs: Vec<u32>) -> Vec<u32> {
    let (shell, tray) = crossbeam_channel::bounded(4);
    let mut hens = Vec::new();
    for egg in eggs {
        let shell = shell.clone();
        hens.push(thread::spawn(move || drop(shell.send(egg * 2))));
    }
    drop(shell);
    for hen in hens {
        let _ = hen.join(); //~ channel-deadlock warning
    }
    tray.iter().collect()
}

pub fn joins_last(eggs: Vec<u32>) -> Vec<u32> {
    let (shell, tray) = crossbeam_channel::bounded(4);
    let mut hens = Vec::new();
    for egg in eggs {
        let shell = shell.clone();
        hens.push(thread::spawn(move || drop(shell.send(egg * 2))));
    }
    drop(shell);
    let all = tray.iter().collect();
    for hen in hens {
        let _ = hen.join();
    }
    all
}

/// As many fit as there are.
pub fn has_room_for_all(eggs: Vec<u32>) -> Vec<u32> {
    let (shell, tray) = crossbeam_channel::bounded(eggs.len());
    let mut hens = Vec::new();
    for egg in eggs {
        let shell = shell.clone();
        hens.push(thread::spawn(move || drop(shell.send(egg * 2))));
    }
    for hen in hens {
        let _ = hen.join();
    }
    tray.try_iter().collect()
}

/// One thread that lays all.
pub fn one_hen(eggs: Vec<u32>) -> Vec<u32> {
    let (shell, tray) = std::sync::mpsc::sync_channel(2);
    let hen = thread::spawn(move || {
        for egg in eggs {
            if shell.send(egg).is_err() {
                return;
            }
        }
    });
    hen.join().expect("it lays"); //~ channel-deadlock warning
    tray.iter().collect()
}

pub async fn a_set_of_hens(eggs: Vec<u32>) -> Vec<u32> {
    let (shell, mut tray) = mpsc::channel(8);
    let mut hens = JoinSet::new();
    for egg in eggs {
        let shell = shell.clone();
        hens.spawn(async move {
            let _ = shell.send(egg).await;
        });
    }
    drop(shell);
    while hens.join_next().await.is_some() {} //~ channel-deadlock warning
    let mut all = Vec::new();
    while let Some(egg) = tray.recv().await {
        all.push(egg);
    }
    all
}

async fn lays(shell: async_channel::Sender<u32>, eggs: u32) {
    for egg in 0..eggs {
        if shell.send(egg).await.is_err() {
            break;
        }
    }
}

pub async fn in_a_helper(eggs: u32, room: usize) -> u32 {
    let (shell, tray) = async_channel::bounded(room);
    let hen = tokio::spawn(lays(shell, eggs));
    let _ = hen.await; //~ channel-deadlock warning
    let mut sum = 0;
    while let Ok(egg) = tray.recv().await {
        sum += egg;
    }
    sum
}

pub async fn nobody_waits(eggs: u32, room: usize) -> u32 {
    let (shell, tray) = async_channel::bounded(room);
    let hen = tokio::spawn(lays(shell, eggs));
    let mut sum = 0;
    while let Ok(egg) = tray.recv().await {
        sum += egg;
    }
    let _ = hen.await;
    sum
}
