//! Keys and counts that say that something is under way, and futures that are dropped meanwhile.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::time::{Duration, sleep, timeout};

#[derive(Default)]
pub struct Loads {
    keys: Mutex<HashSet<String>>,
}

impl Loads {
    fn begin(&self, key: &str) -> bool {
        self.keys.lock().unwrap().insert(key.to_owned())
    }

    fn complete(&self, key: &str) {
        self.keys.lock().unwrap().remove(key);
    }

    async fn load(&self, key: &str) -> usize {
        if !self.begin(key) { //~ cancel-unsafe
            return 0;
        }
        sleep(Duration::from_secs(1)).await;
        self.complete(key);
        key.len()
    }

    pub async fn within(&self, key: &str) -> Option<usize> {
        timeout(Duration::from_secs(1), self.load(key)).await.ok()
    }
}

#[derive(Default)]
pub struct Guarded {
    keys: Mutex<HashSet<String>>,
}

struct Leader<'a>(&'a Guarded, &'a str);

impl Drop for Leader<'_> {
    fn drop(&mut self) {
        self.0.keys.lock().unwrap().remove(self.1);
    }
}

impl Guarded {
    async fn load(&self, key: &str) -> usize {
        self.keys.lock().unwrap().insert(key.to_owned());
        let _leader = Leader(self, key);
        sleep(Duration::from_secs(1)).await;
        key.len()
    }

    pub async fn within(&self, key: &str) -> Option<usize> {
        timeout(Duration::from_secs(1), self.load(key)).await.ok()
    }
}

#[derive(Default)]
pub struct Swept {
    keys: Mutex<HashSet<String>>,
}

impl Swept {
    async fn load(&self, key: &str) -> usize {
        self.keys.lock().unwrap().insert(key.to_owned());
        sleep(Duration::from_secs(1)).await;
        self.keys.lock().unwrap().remove(key);
        key.len()
    }

    pub async fn within(&self, key: &str) -> Option<usize> {
        let loaded = timeout(Duration::from_secs(1), self.load(key)).await.ok();
        if loaded.is_none() {
            self.keys.lock().unwrap().remove(key);
        }
        loaded
    }
}

#[derive(Default)]
pub struct Other {
    keys: Mutex<HashSet<String>>,
}

impl Other {
    async fn renames(&self, from: &str, to: &str) {
        self.keys.lock().unwrap().insert(to.to_owned());
        sleep(Duration::from_secs(1)).await;
        self.keys.lock().unwrap().remove(from);
    }

    pub async fn within(&self) {
        let _ = timeout(Duration::from_secs(1), self.renames("a", "b")).await;
    }
}

#[derive(Default)]
pub struct Load {
    active: AtomicUsize,
}

impl Load {
    fn enter(&self) {
        self.active.fetch_add(1, Ordering::SeqCst);
    }

    fn leave(&self) {
        self.active.fetch_sub(1, Ordering::SeqCst);
    }

    async fn works(&self) {
        self.enter(); //~ cancel-unsafe
        sleep(Duration::from_secs(1)).await;
        self.leave();
    }

    pub async fn works_for_a_while(&self) {
        let _ = timeout(Duration::from_secs(1), self.works()).await;
    }
}
