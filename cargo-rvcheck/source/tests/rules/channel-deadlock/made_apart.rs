//! Channels that one function makes anew at each call.

use crossbeam_channel as crossing;
use tokio::sync::mpsc;

pub fn lane(room: usize) -> (mpsc::Sender<u32>, mpsc::Receiver<u32>) {
    let lane = mpsc::channel(room);
    lane
}

fn rail(room: usize) -> (crossing::Sender<u32>, crossing::Receiver<u32>) {
    crossing::bounded(room)
}

/// Two that toss two back for each that they catch, and that each keep the other one waiting in the end.
pub async fn tosses(balls: u32) {
    let (to_right, at_right) = lane(1);
    let (to_left, at_left) = lane(1);
    let first = to_right.clone();
    tokio::spawn(async move {
        let mut left = at_left;
        while let Some(ball) = left.recv().await { //~ channel-deadlock warning
            if to_right.send(ball + 1).await.is_err() || to_right.send(ball + 2).await.is_err() {
                break;
            }
        }
    });
    tokio::spawn(async move {
        let mut right = at_right;
        while let Some(ball) = right.recv().await {
            if to_left.send(ball + 1).await.is_err() || to_left.send(ball + 2).await.is_err() {
                break;
            }
        }
    });
    for ball in 0..balls {
        if first.send(ball).await.is_err() {
            break;
        }
    }
}

/// A carriage goes one way, and its ticket the other one, into a channel that has room for all.
pub fn shunts(carriages: u32) -> u32 {
    let (forth, yard) = rail(1);
    let (back, office) = crossing::unbounded();
    let worker = std::thread::spawn(move || {
        for carriage in yard {
            if back.send(carriage).is_err() {
                break;
            }
        }
    });
    for carriage in 0..carriages {
        forth.send(carriage).unwrap();
    }
    drop(forth);
    let sum = office.iter().sum();
    worker.join().unwrap();
    sum
}

/// One makes a part, the other one puts it on.
pub async fn works(parts: u32) -> u32 {
    let (made, mut bench) = lane(2);
    let (done, mut shelf) = lane(2);
    tokio::spawn(async move {
        while let Some(part) = bench.recv().await {
            if done.send(part).await.is_err() {
                break;
            }
        }
    });
    tokio::spawn(async move {
        for part in 0..parts {
            if made.send(part).await.is_err() {
                break;
            }
        }
    });
    let mut all = 0;
    while let Some(part) = shelf.recv().await {
        all += part;
    }
    all
}
