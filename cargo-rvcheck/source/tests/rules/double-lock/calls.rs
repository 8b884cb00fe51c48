//! A lock that is requested by something that is called while it is held.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, RwLock};

static COUNT: Mutex<u32> = Mutex::new(0);
static NAMES: LazyLock<RwLock<Vec<String>>> = LazyLock::new(|| RwLock::new(Vec::new()));

pub struct Store {
    inner: Mutex<Vec<u32>>,
    shared: Arc<Mutex<u32>>,
    parts: Vec<Mutex<u32>>,
    task: tokio::sync::Mutex<u32>,
    reentrant: parking_lot::ReentrantMutex<u32>,
    parent: Option<Arc<Store>>,
    log: Log,
}

#[derive(Default)]
pub struct Log {
    lines: Mutex<Vec<String>>,
}

impl Log {
    fn add(&self, line: &str) {
        self.lines.lock().unwrap().push(line.to_owned()); //~ double-lock
    }
}

fn counted() -> u32 {
    let mut count = COUNT.lock().unwrap(); //~ double-lock
    *count += 1;
    *count
}

impl Store {
    fn len(&self) -> usize {
        self.inner.lock().unwrap().len() //~ double-lock warning
    }

    fn silent_len(&self) -> usize {
        self.inner.lock().unwrap().len()
    }

    fn lines(&self) -> MutexGuard<'_, Vec<String>> {
        self.log.lines.lock().unwrap()
    }

    fn inner(&self) -> &Mutex<Vec<u32>> {
        &self.inner
    }

    pub fn add(&self, value: u32) {
        let mut inner = self.inner.lock().unwrap();
        inner.push(value);
        if self.len() > 3 {
            inner.clear();
        }
    }

    pub fn add_and_ask_later(&self, value: u32) -> usize {
        let mut inner = self.inner.lock().unwrap();
        inner.push(value);
        drop(inner);
        self.silent_len()
    }

    pub fn through_a_getter(&self) -> usize {
        let inner = self.inner().lock().unwrap();
        inner.len() + self.inner().lock().unwrap().len() //~ double-lock error
    }

    pub fn through_a_returned_guard(&self) {
        let lines = self.lines();
        if lines.is_empty() {
            self.log.add("first");
        }
    }

    pub fn through_a_clone(&self) -> u32 {
        let again = self.shared.clone();
        let first = self.shared.lock().unwrap();
        *first + *again.lock().unwrap() //~ double-lock error
    }

    pub fn in_a_static(&self) -> u32 {
        let count = COUNT.lock().unwrap();
        *count + counted()
    }

    pub fn in_a_lazy_static(&self) -> usize {
        let names = NAMES.write().unwrap();
        names.len() + NAMES.read().unwrap().len() //~ double-lock error
    }

    pub fn parts(&self) -> u32 {
        let first = self.parts[0].lock().unwrap();
        *first + *self.parts[1].lock().unwrap()
    }

    pub fn each_part(&self) -> Vec<MutexGuard<'_, u32>> {
        let mut all = Vec::new();
        for part in &self.parts {
            all.push(part.lock().unwrap());
        }
        all
    }

    pub fn hand_over_hand(&self) -> u32 {
        let mut sum = 0;
        let mut held: Option<MutexGuard<'_, u32>> = None;
        for part in &self.parts {
            let next = part.lock().unwrap();
            sum += *next;
            held = Some(next);
        }
        drop(held);
        sum
    }

    pub fn of_the_parent(&self) -> usize {
        let inner = self.inner.lock().unwrap();
        inner.len() + self.parent.as_ref().map_or(0, |it| it.silent_len())
    }

    pub fn twice_reentrant(&self) -> u32 {
        let first = self.reentrant.lock();
        *first + *self.reentrant.lock()
    }

    pub async fn task_twice(&self) -> u32 {
        let first = self.task.lock().await;
        *first + self.task_again().await
    }

    async fn task_again(&self) -> u32 {
        *self.task.lock().await //~ double-lock
    }

    pub async fn task_one_after_the_other(&self) -> u32 {
        let first = *self.task.lock().await;
        let second = *self.task.lock().await;
        first + second
    }

    pub async fn task_in_one_expression(&self) -> u32 {
        *self.task.lock().await + *self.task.lock().await //~ double-lock
    }

    pub async fn spawned(self: Arc<Self>) {
        let first = self.task.lock().await;
        let other = self.clone();
        let handle = tokio::spawn(async move { *other.task.lock().await });
        drop(first);
        drop(handle);
    }

    fn maybe(&self, is_locked: bool) -> usize {
        if is_locked { 0 } else { self.inner.lock().unwrap().len() } //~ double-lock note
    }

    pub fn with_a_flag(&self) -> usize {
        let inner = self.inner.lock().unwrap();
        inner.len() + self.maybe(true)
    }
}

fn both(left: &Store, right: &Store) -> usize {
    let first = left.inner.lock().unwrap();
    first.len() + right.inner.lock().unwrap().len()
}

pub fn given_the_same(store: &Store) -> usize {
    both(store, store)
}

pub fn next(first: Arc<Node>) -> u32 {
    let mut at = first;
    let mut sum = 0;
    loop {
        let next = {
            let value = at.value.lock().unwrap();
            sum += *value;
            at.next.clone()
        };
        match next {
            Some(next) => at = next,
            None => return sum,
        }
    }
}

pub struct Node {
    value: Mutex<u32>,
    next: Option<Arc<Node>>,
}

pub struct Guarded {
    inner: Mutex<Vec<u32>>,
    other: Mutex<u32>,
}

impl Guarded {
    fn with<R>(&self, run: impl FnOnce(&mut Vec<u32>) -> R) -> R {
        let mut inner = self.inner.lock().unwrap();
        run(&mut inner)
    }

    fn before<R>(&self, run: impl FnOnce(usize) -> R) -> R {
        let length = self.inner.lock().unwrap().len();
        run(length)
    }

    pub fn again_in_a_closure(&self) -> usize {
        self.with(|inner| inner.len() + self.inner.lock().unwrap().len()) //~ double-lock
    }

    pub fn another_in_a_closure(&self) -> u32 {
        self.with(|inner| inner[0] + *self.other.lock().unwrap())
    }

    pub fn again_in_a_closure_behind_it(&self) -> usize {
        self.before(|length| length + self.inner.lock().unwrap().len())
    }

    async fn later(&self) -> usize {
        self.inner.lock().unwrap().len() //~ double-lock
    }

    pub fn driven(&self) -> usize {
        let inner = self.inner.lock().unwrap();
        inner.len() + futures::executor::block_on(self.later())
    }
}

pub struct Handing {
    inner: Mutex<Vec<u32>>,
}

impl Handing {
    fn drained<'a>(&'a self, mut inner: MutexGuard<'a, Vec<u32>>) -> MutexGuard<'a, Vec<u32>> {
        let first = inner.pop();
        drop(inner);
        println!("{first:?}");
        self.inner.lock().unwrap()
    }

    pub fn handed_over(&self) -> usize {
        let mut inner = self.inner.lock().unwrap();
        while !inner.is_empty() {
            inner = self.drained(inner);
        }
        inner.len()
    }

    async fn drained_later<'a>(&'a self, inner: MutexGuard<'a, Vec<u32>>) -> usize {
        drop(inner);
        self.inner.lock().unwrap().len()
    }

    pub async fn handed_to_a_future(&self) -> usize {
        let inner = self.inner.lock().unwrap();
        self.drained_later(inner).await
    }
}

pub struct Relayed {
    batch: Mutex<Vec<u32>>,
}

impl Relayed {
    fn released<'a>(&'a self, mut batch: MutexGuard<'a, Vec<u32>>) -> MutexGuard<'a, Vec<u32>> {
        let release = move || {
            batch.clear();
            drop(batch);
            self.batch.lock().unwrap()
        };
        release()
    }

    pub fn relay(&self) -> usize {
        let batch = self.batch.lock().unwrap();
        self.released(batch).len()
    }
}

fn counts_by(by: &u32) {
    *COUNT.lock().unwrap() += by; //~ double-lock warning
}

fn counted_with(by: &u32) -> u32 {
    *COUNT.lock().unwrap() + by //~ double-lock warning
}

/// A function is a value, too.
pub fn counts_each(all: &[u32]) -> u32 {
    let count = COUNT.lock().unwrap();
    all.iter().for_each(counts_by);
    *count
}

pub fn counts_them(all: &[u32]) -> u32 {
    let count = COUNT.lock().unwrap();
    let sum: u32 = all.iter().map(counted_with).sum();
    *count + sum
}

pub fn counts_them_later(all: &[u32]) -> u32 {
    let each = all.iter().map(counted_with);
    drop(COUNT.lock().unwrap());
    each.sum()
}
