//! Ways by which what runs under a lock comes back to it.

use std::collections::{BTreeMap, HashMap};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, RwLock, Weak};

// A callback is given what the table that has the lock is a part of.
pub struct Router {
    table: Table,
    hits: AtomicUsize,
}
#[derive(Default)]
struct Table {
    routes: RwLock<BTreeMap<String, Box<dyn Fn(&Router, &str) -> String + Send + Sync>>>,
}
impl Table {
    fn call(&self, router: &Router, path: &str) -> Option<String> {
        let routes = self.routes.read().unwrap();
        let route = routes.get(path)?;
        Some(route(router, path))
    }
    fn put(&self, path: &str, route: Box<dyn Fn(&Router, &str) -> String + Send + Sync>) {
        self.routes.write().unwrap().insert(path.to_owned(), route); //~ double-lock warning
    }
}
impl Router {
    pub fn get(&self, path: &str) -> Option<String> {
        self.hits.fetch_add(1, Ordering::Relaxed);
        self.table.call(self, path)
    }
    pub fn mount(&self, path: &str, route: impl Fn(&Router, &str) -> String + Send + Sync + 'static) {
        self.table.put(path, Box::new(route));
    }
}
pub fn mount_all(router: &Router) {
    router.mount("/new", |router, path| {
        router.mount("/made", |_, it| it.to_owned());
        path.to_owned()
    });
}

// An observer has a strong handle, and is kept by a weak one.
pub trait Watch: Send + Sync {
    fn changed(&self, to: u64);
}
#[derive(Default)]
pub struct Subject {
    inner: parking_lot::Mutex<Inner>,
}
#[derive(Default)]
struct Inner {
    value: u64,
    watches: Vec<Weak<dyn Watch>>,
}
impl Subject {
    pub fn set(&self, value: u64) {
        let mut inner = self.inner.lock();
        inner.value = value;
        inner.watches.retain(|it| match it.upgrade() {
            Some(watch) => {
                watch.changed(value);
                true
            }
            None => false,
        });
    }
    pub fn get(&self) -> u64 {
        self.inner.lock().value //~ double-lock warning
    }
}
pub struct Mirror {
    subject: Arc<Subject>,
    seen: AtomicUsize,
}
impl Watch for Mirror {
    fn changed(&self, to: u64) {
        if self.subject.get() == to {
            self.seen.fetch_add(1, Ordering::SeqCst);
        }
    }
}

// A helper runs what it is given, which asks the helper again.
#[derive(Default)]
pub struct Vault {
    coins: Mutex<HashMap<String, u64>>,
}
impl Vault {
    fn with<R>(&self, of: impl FnOnce(&mut HashMap<String, u64>) -> R) -> R {
        let mut coins = self.coins.lock().unwrap();
        of(&mut coins)
    }
    pub fn balance(&self, of: &str) -> u64 {
        self.with(|it| it.get(of).copied().unwrap_or(0))
    }
    pub fn give(&self, from: &str, to: &str, count: u64) -> bool {
        self.with(|coins| {
            if self.balance(from) < count { //~ double-lock warning
                return false;
            }
            *coins.entry(to.to_owned()).or_default() += count;
            true
        })
    }
}

// A guard of its own type.
pub struct Cellar {
    racks: Mutex<Vec<u32>>,
}
pub struct Open<'a> {
    guard: MutexGuard<'a, Vec<u32>>,
}
impl Deref for Open<'_> {
    type Target = Vec<u32>;
    fn deref(&self) -> &Vec<u32> {
        &self.guard
    }
}
impl DerefMut for Open<'_> {
    fn deref_mut(&mut self) -> &mut Vec<u32> {
        &mut self.guard
    }
}
impl Cellar {
    pub fn open(&self) -> Open<'_> {
        Open { guard: self.racks.lock().unwrap() }
    }
    pub fn count(&self) -> usize {
        self.open().len()
    }
    pub fn fill(&self) {
        let mut open = self.open();
        while self.count() < 4 { //~ double-lock warning
            open.push(1);
        }
    }
}

// A ticket that is given up on the way out takes the lock that its maker still holds.
pub struct Desk {
    tickets: Mutex<Tickets>,
}
#[derive(Default)]
struct Tickets {
    open: u32,
    last: Option<u32>,
}
pub struct Ticket<'a> {
    desk: &'a Desk,
}
impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        self.desk.tickets.lock().unwrap().open -= 1; //~ double-lock warning
    }
}
impl Desk {
    pub fn issue(&self, wanted: u32) -> Result<Ticket<'_>, String> {
        let mut tickets = self.tickets.lock().unwrap();
        tickets.open += 1;
        let ticket = Ticket { desk: self };
        if tickets.last == Some(wanted) {
            return Err("again".to_owned());
        }
        tickets.last = Some(wanted);
        Ok(ticket)
    }
}

// A type parameter is given the pool.
pub trait Backend {
    fn connect(&self, pool: &Pool<Self>) -> u32
    where
        Self: Sized;
}
pub struct Pool<B: Backend> {
    idle: Mutex<Vec<u32>>,
    backend: B,
}
impl<B: Backend> Pool<B> {
    pub fn take(&self) -> u32 {
        let mut idle = self.idle.lock().unwrap();
        match idle.pop() {
            Some(it) => it,
            None => self.backend.connect(self),
        }
    }
    pub fn idle(&self) -> usize {
        self.idle.lock().unwrap().len() //~ double-lock warning
    }
}
pub struct Local;
impl Backend for Local {
    fn connect(&self, pool: &Pool<Self>) -> u32 {
        pool.idle() as u32
    }
}

// A job that puts another one into the queue.
type Job = Box<dyn FnOnce() + Send>;
#[derive(Clone, Default)]
pub struct Queue {
    jobs: Arc<Mutex<Vec<Job>>>,
}
impl Queue {
    pub fn push(&self, job: impl FnOnce() + Send + 'static) {
        self.jobs.lock().unwrap().push(Box::new(job)); //~ double-lock warning
    }
    pub fn run(&self) {
        let mut jobs = self.jobs.lock().unwrap();
        for job in jobs.drain(..) {
            job();
        }
    }
    pub fn twice(&self, times: u32) {
        let same = self.clone();
        self.push(move || {
            if times > 0 {
                same.twice(times - 1);
            }
        });
    }
}

// A pointer to a function in a static.
static HOOKS: Mutex<Vec<fn(&str)>> = Mutex::new(Vec::new());
pub fn register(hook: fn(&str)) {
    HOOKS.lock().unwrap().push(hook); //~ double-lock warning
}
pub fn fire(what: &str) {
    for hook in HOOKS.lock().unwrap().iter() {
        hook(what);
    }
}
fn late(what: &str) {
    if what == "first" {
        register(|_| {});
    }
}
pub fn setup() {
    register(late);
}

// A part has a way back, through an element.
pub struct Account {
    state: Mutex<u64>,
    bank: Weak<Bank>,
}
#[derive(Default)]
pub struct Bank {
    accounts: Mutex<Vec<Arc<Account>>>,
}
impl Bank {
    pub fn total(&self) -> u64 {
        self.accounts.lock().unwrap().iter().map(|it| *it.state.lock().unwrap()).sum() //~ double-lock warning
    }
    pub fn close(&self) {
        let mut accounts = self.accounts.lock().unwrap();
        for account in accounts.iter() {
            account.settle();
        }
        accounts.clear();
    }
}
impl Account {
    fn settle(&self) {
        if let Some(bank) = self.bank.upgrade() {
            let total = bank.total();
            println!("{total}");
        }
    }
}

// The same in tasks.
pub struct Hub {
    peers: tokio::sync::RwLock<HashMap<u32, Arc<Peer>>>,
}
pub struct Peer {
    id: u32,
    hub: Weak<Hub>,
}
impl Peer {
    async fn close(&self) {
        if let Some(hub) = self.hub.upgrade() {
            hub.remove(self.id).await;
        }
    }
}
impl Hub {
    async fn remove(&self, id: u32) {
        self.peers.write().await.remove(&id); //~ double-lock warning
    }
    pub async fn shutdown(&self) {
        for peer in self.peers.read().await.values() {
            peer.close().await;
        }
    }
}
