//! Counts that are raised before an await and lowered inside of what is awaited, where that fails, and ones that a guard lowers.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

pub trait Ferries: Send + Sync {
    fn sails(&self, to: &str) -> impl Future<Output = Result<u32, String>> + Send;
}

struct Berths {
    used: AtomicUsize,
    most: usize,
}

impl Berths {
    fn takes(&self) -> bool {
        let more = |used: usize| (used < self.most).then_some(used + 1);
        self.used.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).is_ok()
    }

    fn leaves(&self) {
        self.used.fetch_sub(1, Ordering::SeqCst);
    }
}

pub struct Harbour<F> {
    ferry: F,
    berths: Berths,
    queue: async_lock::Mutex<()>,
}

impl<F: Ferries> Harbour<F> {
    pub async fn admits(&self, to: &str) -> Result<u32, String> {
        if !self.berths.takes() { //~ cancel-unsafe warning
            return Err("full".to_owned());
        }
        self.moors(to).await
    }

    async fn moors(&self, to: &str) -> Result<u32, String> {
        let _turn = self.queue.lock().await;
        match self.ferry.sails(to).await {
            Ok(at) => Ok(at),
            Err(why) => {
                self.berths.leaves();
                Err(why)
            }
        }
    }
}

/// Behind a lock, and as a generic function.
pub struct Docks {
    used: Mutex<u32>,
}

async fn unloads<F: Ferries>(docks: &Docks, ferry: &F) -> Result<u32, String> {
    let Ok(done) = ferry.sails("dock").await else {
        *docks.used.lock().unwrap() -= 1;
        return Err("lost".to_owned());
    };
    Ok(done)
}

pub async fn docks_one<F: Ferries>(docks: &Docks, ferry: &F) -> Result<u32, String> {
    {
        let mut used = docks.used.lock().unwrap(); //~ cancel-unsafe warning
        if *used >= 3 {
            return Err("full".to_owned());
        }
        *used += 1;
    }
    unloads(docks, ferry).await
}

/// A guard lowers it.
struct Berth<'a> {
    berths: &'a Berths,
    is_kept: bool,
}

impl Drop for Berth<'_> {
    fn drop(&mut self) {
        if !self.is_kept {
            self.berths.leaves();
        }
    }
}

pub struct Marina<F> {
    ferry: F,
    berths: Berths,
}

impl<F: Ferries> Marina<F> {
    pub async fn admits(&self, to: &str) -> Result<u32, String> {
        if !self.berths.takes() {
            return Err("full".to_owned());
        }
        let berth = Berth { berths: &self.berths, is_kept: false };
        self.moors(to, berth).await
    }

    async fn moors(&self, to: &str, mut berth: Berth<'_>) -> Result<u32, String> {
        let at = self.ferry.sails(to).await?;
        berth.is_kept = true;
        Ok(at)
    }
}
