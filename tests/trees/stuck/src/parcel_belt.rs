//! After sensu/sensu-go#1265, where it took thousands of agent sessions to show: a mutex is held over a send to a
//! channel that usually has room, and the receiver wants the mutex.
//!
//! `weigh` puts a parcel on the belt with the total locked. The packer takes one and adds to the total; when it is
//! slower than three parcels, the belt is full.
//!
//! expect: channel-deadlock, also lock-order, also partial-deadlock; shown by: schedule

pub mod stuck {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::sync::{Mutex, mpsc};
    use tokio::time::sleep;

    type Total = Arc<Mutex<u32>>;

    async fn weigh(total: Total, belt: mpsc::Sender<u32>, parcels: Vec<u32>) {
        for parcel in parcels {
            let total = total.lock().await;
            println!("{total} so far");
            belt.send(parcel).await.unwrap(); // stuck here
            drop(total);
            sleep(Duration::from_millis(3)).await; // fetches the next one
        }
    }

    async fn pack(total: Total, mut belt: mpsc::Receiver<u32>) {
        while let Some(parcel) = belt.recv().await {
            *total.lock().await += parcel; // stuck here
        }
    }

    pub fn start(parcels: Vec<u32>) {
        let total = Total::default();
        let (belt, end) = mpsc::channel(1);
        tokio::spawn(pack(Arc::clone(&total), end));
        tokio::spawn(weigh(total, belt, parcels));
    }
}

pub mod fixed {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::sync::{Mutex, mpsc};
    use tokio::time::sleep;

    type Total = Arc<Mutex<u32>>;

    async fn weigh(total: Total, belt: mpsc::Sender<u32>, parcels: Vec<u32>) {
        for parcel in parcels {
            println!("{} so far", total.lock().await);
            belt.send(parcel).await.unwrap();
            sleep(Duration::from_millis(3)).await; // fetches the next one
        }
    }

    async fn pack(total: Total, mut belt: mpsc::Receiver<u32>) {
        while let Some(parcel) = belt.recv().await {
            *total.lock().await += parcel;
        }
    }

    pub fn start(parcels: Vec<u32>) {
        let total = Total::default();
        let (belt, end) = mpsc::channel(1);
        tokio::spawn(pack(Arc::clone(&total), end));
        tokio::spawn(weigh(total, belt, parcels));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_parcel_belt() {
        super::stuck::start(vec![3, 8, 5, 2]);
        sleep(Duration::from_millis(30)).await;
    }

    #[tokio::test]
    async fn fixed_parcel_belt() {
        super::fixed::start(vec![3, 8, 5, 2]);
        sleep(Duration::from_millis(30)).await;
    }
}
