//! Bounded channels of threads and of other libraries that are filled before anybody receives.

use std::sync::mpsc::sync_channel;
use std::thread;

pub fn packs(parcels: Vec<u32>) -> u32 {
    let (ramp, van) = sync_channel(3);
    for parcel in parcels {
        let _ = ramp.send(parcel); //~ channel-deadlock warning
    }
    drop(ramp);
    let driver = thread::spawn(move || van.iter().sum::<u32>());
    driver.join().unwrap_or_default()
}

pub fn packs_later(parcels: Vec<u32>) -> u32 {
    let (ramp, van) = sync_channel(3);
    let driver = thread::spawn(move || van.iter().sum::<u32>());
    for parcel in parcels {
        let _ = ramp.send(parcel);
    }
    drop(ramp);
    driver.join().unwrap_or_default()
}

pub fn stacks(crates: &[u32]) -> u32 {
    let (lift, floor) = crossbeam_channel::bounded(2);
    for it in crates {
        let _ = lift.send(*it); //~ channel-deadlock warning
    }
    drop(lift);
    let worker = thread::spawn(move || {
        let mut all = 0;
        while let Ok(it) = floor.recv() {
            all += it;
        }
        all
    });
    worker.join().unwrap_or_default()
}

pub async fn loads(crates: &[u32]) -> u32 {
    let (lift, floor) = async_channel::bounded(2);
    for it in crates {
        let _ = lift.send(*it).await; //~ channel-deadlock warning
    }
    drop(lift);
    let worker = tokio::spawn(async move {
        let mut all = 0;
        while let Ok(it) = floor.recv().await {
            all += it;
        }
        all
    });
    worker.await.unwrap_or_default()
}

pub async fn unloads(crates: &[u32]) -> u32 {
    let (lift, floor) = flume::bounded(2);
    for it in crates {
        let _ = lift.send_async(*it).await; //~ channel-deadlock warning
    }
    drop(lift);
    let mut all = 0;
    let worker = tokio::spawn(async move {
        while let Ok(it) = floor.recv_async().await {
            all += it;
        }
        all
    });
    worker.await.unwrap_or_default()
}
