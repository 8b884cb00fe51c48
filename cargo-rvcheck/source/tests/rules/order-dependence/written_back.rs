//! Copies of shared state that are written back, and counts that are checked before.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use tokio::sync::Mutex as AsyncMutex;

#[derive(Clone, Copy)]
pub struct Page {
    first: u64,
    used: u32,
}

pub struct Diary {
    pages: AsyncMutex<HashMap<String, Page>>,
    size: u32,
}

async fn asks(name: &str) -> u32 {
    tokio::task::yield_now().await;
    name.len() as u32
}

impl Diary {
    async fn page(&self, name: &str) -> Page {
        let pages = self.pages.lock().await;
        match pages.get(name) {
            Some(page) if page.used < self.size => *page,
            _ => Page { first: 1, used: 0 },
        }
    }

    pub async fn writes_back(&self, name: &str) -> bool {
        let mut page = self.page(name).await;
        let most = asks(name).await;
        if page.used >= most {
            return false;
        }
        page.used += 1;
        self.pages.lock().await.insert(name.to_owned(), page); //~ order-dependence warning
        true
    }

    pub async fn writes_under_one_lock(&self, name: &str) -> bool {
        let most = asks(name).await;
        let mut pages = self.pages.lock().await;
        let mut page = pages.get(name).copied().unwrap_or(Page { first: 1, used: 0 });
        if page.used >= most {
            return false;
        }
        page.used += 1;
        pages.insert(name.to_owned(), page);
        true
    }

    /// Only looks at the copy.
    pub async fn starts_anew(&self, name: &str) -> u64 {
        let page = self.page(name).await;
        let first = page.first + 1;
        self.pages.lock().await.insert(name.to_owned(), Page { first: 0, used: 0 });
        first
    }
}

pub struct Settings {
    names: RwLock<Vec<String>>,
    level: parking_lot::Mutex<u32>,
}

impl Settings {
    pub fn adds(&self, name: &str) {
        let mut names = self.names.read().unwrap().clone();
        names.push(name.to_owned());
        *self.names.write().unwrap() = names; //~ order-dependence warning
    }

    pub fn raises(&self) {
        let level = *self.level.lock();
        let more = level + 1;
        *self.level.lock() = more; //~ order-dependence warning
    }

    pub fn adds_in_place(&self, name: &str) {
        self.names.write().unwrap().push(name.to_owned());
        *self.level.lock() += 1;
    }

    pub fn takes_and_puts_back(&self) {
        let mut names = std::mem::take(&mut *self.names.write().unwrap());
        names.sort();
        *self.names.write().unwrap() = names;
    }
}

pub struct Gate {
    inside: AtomicUsize,
    most: usize,
}

impl Gate {
    pub fn lets_in(&self) -> bool {
        if self.inside.load(Ordering::Acquire) >= self.most {
            return false;
        }
        self.inside.fetch_add(1, Ordering::AcqRel); //~ order-dependence warning
        true
    }

    pub fn lets_in_by_one_operation(&self) -> bool {
        let more = |it: usize| (it < self.most).then_some(it + 1);
        self.inside.fetch_update(Ordering::AcqRel, Ordering::Acquire, more).is_ok()
    }

    /// Looks at what it has counted.
    pub fn lets_in_and_looks(&self) -> bool {
        if self.inside.load(Ordering::Acquire) >= self.most {
            return false;
        }
        if self.inside.fetch_add(1, Ordering::AcqRel) >= self.most {
            self.inside.fetch_sub(1, Ordering::AcqRel);
            return false;
        }
        true
    }
}

pub struct Locked {
    inside: AtomicUsize,
    most: usize,
    queue: Mutex<Vec<String>>,
}

impl Locked {
    /// The lock keeps others away.
    pub fn lets_in(&self, name: &str) -> bool {
        let mut queue = self.queue.lock().unwrap();
        if self.inside.load(Ordering::Acquire) >= self.most {
            queue.push(name.to_owned());
            return false;
        }
        self.inside.fetch_add(1, Ordering::AcqRel);
        true
    }
}

pub fn shared(settings: Settings) -> Arc<Settings> {
    Arc::new(settings)
}

#[derive(Clone)]
pub struct Shelf {
    books: Vec<String>,
}

pub struct Library {
    shelves: Mutex<HashMap<String, Shelf>>,
}

impl Library {
    fn shelf(&self, name: &str) -> Option<Shelf> {
        self.shelves.lock().unwrap().get(name).cloned()
    }

    pub fn sorts(&self, name: &str) -> bool {
        let Some(mut shelf) = self.shelf(name) else { return false };
        shelf.books.sort();
        self.shelves.lock().unwrap().insert(name.to_owned(), shelf); //~ order-dependence warning
        true
    }

    pub fn sorts_in_place(&self, name: &str) -> bool {
        let mut shelves = self.shelves.lock().unwrap();
        let Some(shelf) = shelves.get_mut(name) else { return false };
        shelf.books.sort();
        true
    }

    /// Looks again, and only fills what is empty.
    pub fn fills(&self, name: &str) -> bool {
        let shelf = self.shelf("first").unwrap_or(Shelf { books: Vec::new() });
        let mut shelves = self.shelves.lock().unwrap();
        if shelves.contains_key(name) {
            return false;
        }
        shelves.insert(name.to_owned(), shelf);
        true
    }
}

/// Readers work on what is there now, and writers put another one in its place.
#[derive(Default)]
pub struct Catalogue {
    pages: RwLock<Arc<Vec<Arc<String>>>>,
    count: AtomicUsize,
}

impl Catalogue {
    pub fn now(&self) -> Arc<Vec<Arc<String>>> {
        Arc::clone(&self.pages.read().unwrap())
    }

    fn publish(&self, pages: Vec<Arc<String>>) {
        *self.pages.write().unwrap() = Arc::new(pages);
    }

    fn publish_more(&self, pages: Vec<Arc<String>>) {
        let mut now = self.pages.write().unwrap();
        if now.len() < pages.len() {
            *now = Arc::new(pages);
        }
    }

    pub fn adds(&self, page: &str) {
        let mut pages = self.now().to_vec();
        pages.push(Arc::new(page.to_owned()));
        self.publish(pages); //~ order-dependence warning
    }

    pub fn adds_here(&self, page: &str) {
        let mut pages: Vec<_> = self.pages.read().unwrap().iter().cloned().collect();
        pages.push(Arc::new(page.to_owned()));
        *self.pages.write().unwrap() = Arc::new(pages); //~ order-dependence warning
    }

    pub fn adds_under_the_lock(&self, page: &str) {
        let mut now = self.pages.write().unwrap();
        let mut pages = now.to_vec();
        pages.push(Arc::new(page.to_owned()));
        *now = Arc::new(pages);
    }

    pub fn adds_if_there_are_more(&self, page: &str) {
        let mut pages = self.now().to_vec();
        pages.push(Arc::new(page.to_owned()));
        self.publish_more(pages);
    }

    pub fn takes_those_of(&self, other: &Catalogue) {
        self.publish(other.now().to_vec());
    }

    pub fn begins_anew(&self) -> usize {
        let before = self.now().len();
        self.publish(Vec::new());
        before
    }

    pub fn counts(&self) {
        let count = self.count.load(Ordering::Acquire);
        self.count.store(count + 1, Ordering::Release); //~ order-dependence note
    }

    pub fn counts_by_one_operation(&self) {
        self.count.fetch_add(1, Ordering::AcqRel);
    }
}

pub struct Routes {
    routes: arc_swap::ArcSwap<Vec<String>>,
}

impl Routes {
    pub fn adds(&self, route: &str) {
        let mut routes = Vec::clone(&self.routes.load());
        routes.push(route.to_owned());
        self.routes.store(Arc::new(routes)); //~ order-dependence warning
    }

    pub fn adds_by_its_own_loop(&self, route: &str) {
        self.routes.rcu(|now| {
            let mut routes = Vec::clone(now);
            routes.push(route.to_owned());
            routes
        });
    }

    pub fn replaces(&self, routes: Vec<String>) {
        self.routes.store(Arc::new(routes));
    }
}

/// A cell is of one thread.
pub struct Dice {
    state: std::cell::Cell<u64>,
}

impl Dice {
    pub fn rolls(&self) -> u64 {
        let mut state = self.state.get();
        state ^= state << 25;
        self.state.set(state);
        state % 6
    }
}

pub struct Tally {
    last: Mutex<u32>,
    seen: AtomicUsize,
}

impl Tally {
    /// The copy goes into something else than what is written under the lock.
    pub fn notes(&self, value: u32) {
        let last = *self.last.lock().unwrap();
        let mut now = self.last.lock().unwrap();
        *now = value;
        self.seen.store(last as usize, Ordering::Release);
    }
}

#[derive(Clone, Copy)]
pub struct Stock {
    free: u32,
    lent: u32,
}

pub struct Lending {
    stocks: RwLock<HashMap<u32, Stock>>,
}

fn lent(stock: Stock, count: u32) -> Option<Stock> {
    let free = stock.free.checked_sub(count)?;
    Some(Stock { free, lent: stock.lent + count })
}

fn empty(of: Stock) -> Stock {
    println!("{}", of.free);
    Stock { free: 0, lent: 0 }
}

impl Lending {
    fn stock(&self, number: u32) -> Option<Stock> {
        self.stocks.read().unwrap().get(&number).copied()
    }

    /// What is written back is made by a function.
    pub async fn lends(&self, number: u32, count: u32) -> Option<()> {
        let stock = self.stock(number)?;
        let next = lent(stock, count)?;
        asks("may I").await;
        self.stocks.write().unwrap().insert(number, next); //~ order-dependence warning
        Some(())
    }

    pub async fn lends_under_the_lock(&self, number: u32, count: u32) -> Option<()> {
        asks("may I").await;
        let mut stocks = self.stocks.write().unwrap();
        let stock = stocks.get(&number).copied()?;
        stocks.insert(number, lent(stock, count)?);
        Some(())
    }

    /// The function only looks at what it is given.
    pub async fn clears(&self, number: u32) -> Option<()> {
        let stock = self.stock(number)?;
        let next = empty(stock);
        asks("may I").await;
        self.stocks.write().unwrap().insert(number, next);
        Some(())
    }
}
