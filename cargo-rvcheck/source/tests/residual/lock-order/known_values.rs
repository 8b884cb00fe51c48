//! What is known of std and of the workspace's own types keeps its proofs.
//@ proved: lock-order

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt::{self, Display};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};
use std::time::{Duration, Instant};

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Name(String);

pub type Names = HashMap<Name, Vec<Entry>>;

#[derive(Clone, Debug)]
pub struct Entry {
    name: Cow<'static, str>,
    at: Option<Instant>,
    rest: Rest,
}

#[derive(Clone, Debug)]
pub enum Rest {
    None,
    Number { of: u32 },
    Words(Box<[Arc<str>]>),
}

impl Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}>", self.0)
    }
}

pub type By<T> = BTreeMap<u64, T>;

pub struct Index<T> {
    by: By<T>,
}

pub struct State {
    names: Names,
    index: Index<Name>,
    recent: VecDeque<Name>,
    seen: HashSet<u64>,
    parent: Weak<State>,
    next: Cell<u64>,
    log: RefCell<Vec<String>>,
}

pub struct Registry {
    state: Mutex<State>,
    hits: Mutex<[u64; 4]>,
    count: AtomicU64,
    times: RwLock<Vec<Duration>>,
}

fn longer(name: &Name) -> bool {
    name.0.len() > 3
}

fn quiet(lock: &Mutex<[u64; 4]>) -> MutexGuard<'_, [u64; 4]> {
    lock.lock().unwrap_or_else(PoisonError::into_inner) //~ lock-order orphan
}

impl Registry {
    pub fn put(&self, name: Name, entry: Entry) -> Option<Vec<Entry>> {
        let mut state = self.state.lock().unwrap(); //~ lock-order orphan
        let number = state.next.get();
        state.next.set(number + 1);
        state.index.by.insert(number, name.clone());
        state.recent.push_back(name.clone());
        if state.recent.iter().filter(|it| longer(it)).count() > 9 {
            state.recent.pop_front();
        }
        state.names.insert(name, vec![entry])
    }

    pub fn shown(&self) -> Vec<String> {
        let state = self.state.lock().unwrap(); //~ lock-order orphan
        let mut shown: Vec<String> = state.names.keys().map(|it| format!("{it}")).collect();
        shown.sort();
        println!("{} of {}", shown.len(), state.recent.len());
        shown
    }

    pub fn forget(&self, name: &Name) -> bool {
        let mut state = self.state.lock().unwrap(); //~ lock-order orphan
        state.recent.retain(|it| it != name);
        state.log.borrow_mut().push(name.0.clone());
        state.seen.remove(&3);
        state.names.remove(name).is_some() && state.parent.upgrade().is_none()
    }

    pub fn longest(&self) -> Option<Duration> {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.times.read().unwrap().iter().copied().max() //~ lock-order orphan
    }

    pub fn hit(&self, at: usize) -> u64 {
        let mut hits = quiet(&self.hits);
        hits[at] += 1;
        hits.iter().sum()
    }
}
