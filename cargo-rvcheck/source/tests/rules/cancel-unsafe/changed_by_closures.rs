//! State that a closure changes, through the view that a library gives it.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;
use tokio::sync::watch;

async fn sails(miles: u64) -> u64 {
    tokio::time::sleep(Duration::from_millis(miles)).await;
    miles
}

/// A count behind a `watch` channel: whoever waits for it to be 0 waits for ever.
pub struct Harbour {
    afloat: watch::Sender<usize>,
}

impl Harbour {
    fn leaves(&self) {
        self.afloat.send_modify(|afloat| *afloat += 1);
    }

    fn comes_back(&self) {
        self.afloat.send_modify(|afloat| *afloat -= 1);
    }

    pub async fn trip(&self, miles: u64) -> u64 {
        self.leaves(); //~ cancel-unsafe
        let sailed = sails(miles).await;
        self.comes_back();
        sailed
    }

    pub async fn short_trip(&self, miles: u64) -> Option<u64> {
        tokio::time::timeout(Duration::from_secs(1), self.trip(miles)).await.ok()
    }

    pub async fn all_back(&self) {
        let mut afloat = self.afloat.subscribe();
        let _ = afloat.wait_for(|afloat| *afloat == 0).await;
    }
}

/// The same, and a value counts back whatever happens.
pub struct Quay {
    afloat: watch::Sender<usize>,
}

struct Afloat<'a>(&'a Quay);

impl Drop for Afloat<'_> {
    fn drop(&mut self) {
        self.0.afloat.send_modify(|afloat| *afloat -= 1);
    }
}

impl Quay {
    fn leaves(&self) -> Afloat<'_> {
        self.afloat.send_modify(|afloat| *afloat += 1);
        Afloat(self)
    }

    pub async fn trip(&self, miles: u64) -> u64 {
        let _afloat = self.leaves();
        sails(miles).await
    }

    pub async fn short_trip(&self, miles: u64) -> Option<u64> {
        tokio::time::timeout(Duration::from_secs(1), self.trip(miles)).await.ok()
    }
}

/// A count in a map.
pub struct Berths {
    taken: Mutex<HashMap<String, u32>>,
}

impl Berths {
    pub async fn moors(&self, name: &str) -> u64 {
        self.taken.lock().unwrap().entry(name.to_owned()).and_modify(|it| *it += 1).or_insert(1); //~ cancel-unsafe
        let moored = sails(3).await;
        self.taken.lock().unwrap().entry(name.to_owned()).and_modify(|it| *it -= 1);
        moored
    }

    pub async fn moors_for_a_while(&self, name: &str) -> Option<u64> {
        tokio::time::timeout(Duration::from_secs(1), self.moors(name)).await.ok()
    }
}
