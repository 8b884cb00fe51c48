//! Keys of caches as they are in use: generic, behind locks of another crate, and marked by a helper.

use parking_lot::{Mutex, RwLock};
use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::hash::Hash;
use std::sync::Arc;
use tokio::time::{Duration, sleep, timeout};

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Page(u32);

pub struct Pages {
    loading: Mutex<HashSet<Page>>,
}

impl Pages {
    async fn load(&self, page: Page) -> u32 {
        if !self.loading.lock().insert(page.clone()) { //~ cancel-unsafe
            return 0;
        }
        sleep(Duration::from_secs(1)).await;
        self.loading.lock().remove(&page);
        page.0
    }
}

pub struct Cache<K, V> {
    values: RwLock<HashMap<K, V>>,
    loading: Mutex<HashSet<K>>,
}

impl<K: Hash + Eq + Clone, V: Clone> Cache<K, V> {
    async fn get<F: Future<Output = V>>(&self, key: K, load: impl Fn(K) -> F) -> Option<V> {
        if !self.loading.lock().insert(key.clone()) { //~ cancel-unsafe
            return None;
        }
        let value = load(key.clone()).await;
        self.values.write().insert(key.clone(), value.clone());
        self.loading.lock().remove(&key);
        Some(value)
    }

    fn begins(&self, key: &K) -> bool {
        let mut loading = self.loading.lock();
        if loading.contains(key) {
            return false;
        }
        loading.insert(key.clone());
        true
    }

    async fn refresh<F: Future<Output = V>>(&self, key: K, load: impl Fn(K) -> F) {
        if !self.begins(&key) { //~ cancel-unsafe
            return;
        }
        let value = load(key.clone()).await;
        self.values.write().insert(key.clone(), value);
        self.loading.lock().remove(&key);
    }
}

pub struct Shared<K, V>(Arc<Inner<K, V>>);

struct Inner<K, V> {
    values: RwLock<HashMap<K, V>>,
    loading: Mutex<HashSet<K>>,
}

impl<K: Hash + Eq + Clone, V: Clone> Inner<K, V> {
    fn mark(&self, key: K) -> bool {
        self.loading.lock().insert(key)
    }

    fn unmark(&self, key: &K, value: &V) {
        self.values.write().insert(key.clone(), value.clone());
        self.loading.lock().remove(key);
    }
}

impl<K: Hash + Eq + Clone, V: Clone> Shared<K, V> {
    async fn get<F: Future<Output = V>>(&self, key: K, load: impl Fn(K) -> F) -> Option<V> {
        if !self.0.mark(key.clone()) { //~ cancel-unsafe
            return None;
        }
        let value = load(key.clone()).await;
        self.0.unmark(&key, &value);
        Some(value)
    }
}

pub struct Kept<K, V> {
    values: RwLock<HashMap<K, V>>,
    known: Mutex<HashSet<K>>,
}

impl<K: Hash + Eq + Clone, V: Clone> Kept<K, V> {
    async fn get<F: Future<Output = V>>(&self, key: K, load: impl Fn(K) -> F) -> Option<V> {
        self.known.lock().insert(key.clone());
        let value = load(key.clone()).await;
        self.values.write().insert(key, value.clone());
        Some(value)
    }

    async fn forgets(&self, key: K, other: K) {
        self.known.lock().insert(key);
        sleep(Duration::from_secs(1)).await;
        self.values.write().remove(&other);
    }
}

pub struct Plain<K> {
    loading: Mutex<HashSet<K>>,
}

impl<K: Hash + Eq + Clone> Plain<K> {
    async fn get(&self, key: K) {
        self.loading.lock().insert(key.clone()); //~ cancel-unsafe
        sleep(Duration::from_secs(1)).await;
        self.loading.lock().remove(&key);
    }

    pub async fn within(&self, key: K) {
        let _ = timeout(Duration::from_secs(1), self.get(key)).await;
    }
}

pub struct Bounded<K> {
    loading: Mutex<HashSet<K>>,
}

impl<K: Hash + Eq + Clone> Bounded<K> {
    async fn get(&self, key: K) {
        self.loading.lock().insert(key.clone());
        sleep(Duration::from_secs(1)).await;
        self.loading.lock().remove(&key);
    }

    pub async fn within(&self, key: K) {
        let _ = timeout(Duration::from_secs(1), self.get(key)).await;
    }

    pub fn replaces(&self, old: &K, new: K) {
        self.loading.lock().insert(new.clone());
        self.loading.lock().remove(old);
    }
}

pub async fn user(pages: &Pages, cache: &Cache<String, u32>, shared: &Shared<u8, u32>, kept: &Kept<u8, u32>) {
    let limit = Duration::from_secs(1);
    let _ = timeout(limit, pages.load(Page(1))).await;
    let _ = timeout(limit, cache.get("a".to_owned(), |_| async { 1 })).await;
    let _ = timeout(limit, cache.refresh("a".to_owned(), |_| async { 1 })).await;
    let _ = timeout(limit, shared.get(1, |_| async { 1 })).await;
    let _ = timeout(limit, kept.get(1, |_| async { 1 })).await;
    let _ = timeout(limit, kept.forgets(1, 2)).await;
}
