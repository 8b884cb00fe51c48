//! Callbacks, hooks, iterators and back pointers that take a lock again which is held while they run.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, RwLock, Weak};

// A stored hook is given what calls it.
pub struct Dial {
    state: Mutex<DialState>,
}
pub struct DialState {
    value: u32,
    hook: Option<Box<dyn Fn(&Dial, u32) + Send>>,
}
impl Dial {
    pub fn set(&self, value: u32) {
        let mut state = self.state.lock().unwrap(); //~ double-lock warning
        state.value = value;
        if let Some(hook) = &state.hook {
            hook(self, value);
        }
    }
    pub fn get(&self) -> u32 {
        self.state.lock().unwrap().value
    }
}

// A hook that is a type parameter.
pub trait Evicts: Sized {
    fn evicted(&self, larder: &Larder<Self>, jar: u32);
}
pub struct Larder<E: Evicts> {
    jars: parking_lot::Mutex<Vec<u32>>,
    evicts: E,
}
impl<E: Evicts> Larder<E> {
    pub fn put(&self, jar: u32) {
        let mut jars = self.jars.lock();
        jars.push(jar);
        if jars.len() > 8 {
            let gone = jars.remove(0);
            self.evicts.evicted(self, gone);
        }
    }
    pub fn count(&self) -> usize {
        self.jars.lock().len() //~ double-lock warning
    }
}
pub struct Counts;
impl Evicts for Counts {
    fn evicted(&self, larder: &Larder<Self>, _jar: u32) {
        larder.count();
    }
}

// A pointer to a function in a field.
pub struct Switch {
    on: Mutex<bool>,
    changed: fn(&Switch),
}
impl Switch {
    pub fn flip(&self) {
        let mut on = self.on.lock().unwrap(); //~ double-lock warning
        *on = !*on;
        (self.changed)(self);
    }
    pub fn is_on(&self) -> bool {
        *self.on.lock().unwrap()
    }
}

// Callbacks by name, one of which has a strong handle.
type Verb = Arc<dyn Fn(&str) -> usize + Send + Sync>;
#[derive(Default)]
pub struct Grammar {
    verbs: RwLock<HashMap<String, Verb>>,
}
impl Grammar {
    pub fn define(&self, name: &str, verb: Verb) {
        self.verbs.write().unwrap().insert(name.to_owned(), verb); //~ double-lock warning
    }
    pub fn say(&self, name: &str) -> Option<usize> {
        let verbs = self.verbs.read().unwrap();
        let verb = verbs.get(name)?;
        Some(verb(name))
    }
}
pub fn learn(grammar: &Arc<Grammar>) {
    let inner = Arc::clone(grammar);
    let verb: Verb = Arc::new(move |it: &str| {
        inner.define(&it.to_uppercase(), Arc::new(|it| it.len()));
        it.len()
    });
    grammar.define("learn", verb);
}

// What is made on the way asks for what is being made.
#[derive(Default)]
pub struct Memo {
    known: Mutex<HashMap<u64, u64>>,
}
impl Memo {
    fn or_make(&self, of: u64, make: impl FnOnce() -> u64) -> u64 {
        let mut known = self.known.lock().unwrap();
        if let Some(it) = known.get(&of) {
            return *it;
        }
        let made = make();
        known.insert(of, made);
        made
    }
    pub fn sum(&self, of: u64) -> u64 {
        self.or_make(of, || if of == 0 { 0 } else { of + self.sum(of - 1) }) //~ double-lock warning
    }
}

// A closure of an entry.
#[derive(Default)]
pub struct Prices {
    list: Mutex<BTreeMap<u32, u32>>,
}
impl Prices {
    pub fn of(&self, item: u32) -> u32 {
        let mut list = self.list.lock().unwrap();
        *list.entry(item).or_insert_with(|| self.mean())
    }
    fn mean(&self) -> u32 {
        let list = self.list.lock().unwrap(); //~ double-lock warning
        list.values().sum::<u32>() / (list.len() as u32 + 1)
    }
}

// An async closure under an async lock.
#[derive(Default)]
pub struct Ledger {
    rows: tokio::sync::Mutex<Vec<u32>>,
}
impl Ledger {
    async fn change<F, Fut>(&self, of: F) -> u32
    where
        F: FnOnce(usize) -> Fut,
        Fut: Future<Output = u32>,
    {
        let mut rows = self.rows.lock().await;
        let row = of(rows.len()).await;
        rows.push(row);
        row
    }
    async fn total(&self) -> u32 {
        self.rows.lock().await.iter().sum() //~ double-lock warning
    }
    pub async fn append(&self) -> u32 {
        self.change(|count| async move { self.total().await + count as u32 }).await
    }
}

// A trait object whose method gives a future.
pub trait Ear: Send + Sync {
    fn hear<'a>(&'a self, radio: &'a Radio) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>>;
}
pub struct Radio {
    ears: tokio::sync::RwLock<Vec<Arc<dyn Ear>>>,
}
impl Radio {
    pub async fn send(&self) {
        for ear in self.ears.read().await.iter() {
            ear.hear(self).await;
        }
    }
    pub async fn leave(&self) {
        self.ears.write().await.clear(); //~ double-lock warning
    }
}
pub struct Once;
impl Ear for Once {
    fn hear<'a>(&'a self, radio: &'a Radio) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(async move { radio.leave().await })
    }
}

// Closures of iterators and collections.
#[derive(Default)]
pub struct Basket {
    items: Mutex<Vec<(u32, u32)>>,
}
impl Basket {
    fn rebate(&self, of: u32) -> u32 {
        let items = self.items.lock().unwrap(); //~ double-lock warning, double-lock
        if items.len() > 3 { of / 10 } else { 0 }
    }
    pub fn total(&self) -> u32 {
        let items = self.items.lock().unwrap();
        items.iter().filter(|it| it.1 > 0).map(|it| it.0 * it.1 - self.rebate(it.0)).sum()
    }
    pub fn prune(&self) {
        self.items.lock().unwrap().retain(|it| self.rebate(it.0) > 0);
    }
    pub fn order(&self) {
        let mut items = self.items.lock().unwrap();
        items.sort_by_key(|it| self.rebate(it.0));
    }
}

// A guard in a struct.
pub struct Store {
    rows: Mutex<Vec<u32>>,
}
pub struct Transaction<'a> {
    rows: MutexGuard<'a, Vec<u32>>,
    store: &'a Store,
}
impl Store {
    pub fn begin(&self) -> Transaction<'_> {
        Transaction { rows: self.rows.lock().unwrap(), store: self }
    }
    pub fn count(&self) -> usize {
        self.rows.lock().unwrap().len() //~ double-lock warning
    }
    pub fn copy(&self) {
        let mut transaction = self.begin();
        let count = self.count();
        transaction.rows.push(count as u32);
    }
}
impl Transaction<'_> {
    pub fn commit(mut self) {
        let count = self.store.count();
        self.rows.push(count as u32);
    }
}

// What is initialised once is asked for by what initialises it.
pub struct Settings {
    port: u16,
    all: OnceLock<HashMap<String, String>>,
}
impl Settings {
    pub fn all(&self) -> &HashMap<String, String> {
        self.all.get_or_init(|| { //~ double-lock
            let mut all = HashMap::new();
            all.insert("port".to_owned(), self.text("port").unwrap_or_else(|| self.port.to_string()));
            all
        })
    }
    fn text(&self, name: &str) -> Option<String> {
        self.all().get(name).cloned()
    }
}
// A part has a way back to its whole.
pub struct Ship {
    log: Mutex<Vec<String>>,
    engine: Engine,
}
pub struct Engine {
    ship: Weak<Ship>,
}
impl Engine {
    fn stop(&self) {
        if let Some(ship) = self.ship.upgrade() {
            ship.note("stopped");
        }
    }
}
impl Ship {
    fn note(&self, what: &str) {
        self.log.lock().unwrap().push(what.to_owned()); //~ double-lock warning
    }
    pub fn moor(&self) {
        let log = self.log.lock().unwrap();
        if log.is_empty() {
            self.engine.stop();
        }
    }
}
