//! State that is reached by helpers, changed by helpers, and told of by some of those who call them.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

enum Kiln {
    Cold,
    Fired(u32),
    Cracked(u16),
}

/// The one state of all kilns, by a helper that gives the guard.
pub struct Pottery {
    kiln: Mutex<Kiln>,
    changed: Notify,
}

impl Pottery {
    fn kiln(&self) -> MutexGuard<'_, Kiln> {
        self.kiln.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn crack(&self, why: u16) {
        let mut kiln = self.kiln();
        if !matches!(*kiln, Kiln::Fired(_)) {
            *kiln = Kiln::Cracked(why);
        }
    }

    pub fn falls(&self) {
        self.crack(1);
        self.changed.notify_waiters();
    }

    pub fn overheats(&self) {
        self.crack(2); //~ lost-wakeup warning
    }

    pub fn fires(&self, degrees: u32) {
        *self.kiln() = Kiln::Fired(degrees);
        self.changed.notify_waiters();
    }

    pub async fn result(&self) -> Result<u32, u16> {
        loop {
            let changed = self.changed.notified();
            match &*self.kiln() {
                Kiln::Cold => {}
                Kiln::Fired(degrees) => return Ok(*degrees),
                Kiln::Cracked(why) => return Err(*why),
            }
            changed.await;
        }
    }
}

/// The same, where everybody who calls it tells.
pub struct Foundry {
    kiln: Mutex<Kiln>,
    changed: Condvar,
}

impl Foundry {
    fn kiln(&self) -> MutexGuard<'_, Kiln> {
        self.kiln.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn crack(&self, why: u16) {
        *self.kiln() = Kiln::Cracked(why);
    }

    fn tell(&self) {
        self.changed.notify_all();
    }

    pub fn falls(&self) {
        self.crack(1);
        self.tell();
    }

    pub fn overheats(&self) {
        self.cools(3);
        self.tell();
    }

    fn cools(&self, why: u16) {
        self.crack(why);
    }

    pub fn result(&self) -> Result<u32, u16> {
        let mut kiln = self.kiln();
        loop {
            match &*kiln {
                Kiln::Cold => {}
                Kiln::Fired(degrees) => return Ok(*degrees),
                Kiln::Cracked(why) => return Err(*why),
            }
            kiln = self.changed.wait(kiln).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

pub trait Press {
    fn print(&self, sheets: &[u32]) -> Result<(), String>;
}

#[derive(Default)]
struct Desk {
    sheets: Vec<u32>,
    printed: usize,
    is_printing: bool,
    jam: Option<String>,
}

/// One of those who wait prints for all of them, and forgets them where the press jams.
pub struct Forgetful<P> {
    press: P,
    desk: Mutex<Desk>,
    done: Condvar,
}

impl<P: Press> Forgetful<P> {
    fn prints<'a>(&'a self, mut desk: MutexGuard<'a, Desk>) -> Result<MutexGuard<'a, Desk>, String> {
        desk.is_printing = true;
        let sheets = std::mem::take(&mut desk.sheets);
        drop(desk);
        let printed = self.press.print(&sheets);
        let mut desk = self.desk.lock().unwrap(); //~ lost-wakeup warning
        desk.is_printing = false;
        if let Err(why) = printed {
            desk.jam = Some(why.clone());
            return Err(why);
        }
        desk.printed += sheets.len();
        self.done.notify_all();
        Ok(desk)
    }

    pub fn waits_for(&self, count: usize) -> Result<(), String> {
        let mut desk = self.desk.lock().unwrap();
        while desk.printed < count {
            if let Some(why) = &desk.jam {
                return Err(why.clone());
            }
            desk = if desk.is_printing { self.done.wait(desk).unwrap() } else { self.prints(desk)? };
        }
        Ok(())
    }
}

#[derive(Default)]
struct Table {
    sheets: Vec<u32>,
    printed: usize,
    is_printing: bool,
    jam: Option<String>,
}

/// The same, and tells on both ways.
pub struct Careful<P> {
    press: P,
    desk: parking_lot::Mutex<Table>,
    done: parking_lot::Condvar,
}

impl<P: Press> Careful<P> {
    fn prints(&self) -> Result<(), String> {
        let mut desk = self.desk.lock();
        desk.is_printing = true;
        let sheets = std::mem::take(&mut desk.sheets);
        drop(desk);
        let printed = self.press.print(&sheets);
        let mut desk = self.desk.lock();
        desk.is_printing = false;
        match &printed {
            Ok(()) => desk.printed += sheets.len(),
            Err(why) => desk.jam = Some(why.clone()),
        }
        self.done.notify_all();
        printed
    }

    pub fn waits_for(&self, count: usize) -> Result<(), String> {
        let mut desk = self.desk.lock();
        while desk.printed < count {
            if let Some(why) = &desk.jam {
                return Err(why.clone());
            }
            if desk.is_printing {
                self.done.wait(&mut desk);
            } else {
                drop(desk);
                self.prints()?;
                desk = self.desk.lock();
            }
        }
        Ok(())
    }
}

enum Page {
    Fetched(Arc<Notify>),
    Known(u32),
}

enum Next {
    Fetch,
    Wait(Arc<Notify>),
    Done(u32),
}

/// A signal in an entry of a map, given on by another enum.
#[derive(Default)]
pub struct Atlas {
    pages: Mutex<HashMap<u32, Page>>,
}

impl Atlas {
    fn next(&self, page: u32) -> Next {
        let mut pages = self.pages.lock().unwrap();
        match pages.get(&page) {
            Some(Page::Known(value)) => Next::Done(*value),
            Some(Page::Fetched(done)) => Next::Wait(Arc::clone(done)),
            None => {
                pages.insert(page, Page::Fetched(Arc::new(Notify::new())));
                Next::Fetch
            }
        }
    }

    fn keeps(&self, page: u32, value: u32) {
        let before = self.pages.lock().unwrap().insert(page, Page::Known(value));
        if let Some(Page::Fetched(done)) = before {
            done.notify_waiters();
        }
    }

    pub async fn looks_and_waits(&self, page: u32) -> u32 {
        loop {
            match self.next(page) {
                Next::Done(value) => return value,
                Next::Fetch => self.keeps(page, page * 2),
                Next::Wait(done) => done.notified().await, //~ lost-wakeup warning
            }
        }
    }
}

enum Later {
    Fetch,
    Wait(tokio::sync::futures::OwnedNotified),
    Done(u32),
}

/// The same, where whoever has to wait is a waiter before the lock is free.
#[derive(Default)]
pub struct Globe {
    places: Mutex<HashMap<u32, Page>>,
}

impl Globe {
    fn next(&self, place: u32) -> Later {
        let mut places = self.places.lock().unwrap();
        match places.get(&place) {
            Some(Page::Known(value)) => Later::Done(*value),
            Some(Page::Fetched(done)) => Later::Wait(done.clone().notified_owned()),
            None => {
                places.insert(place, Page::Fetched(Arc::new(Notify::new())));
                Later::Fetch
            }
        }
    }

    fn keeps(&self, place: u32, value: u32) {
        let before = self.places.lock().unwrap().insert(place, Page::Known(value));
        if let Some(Page::Fetched(done)) = before {
            done.notify_waiters();
        }
    }

    pub async fn looks_and_waits(&self, place: u32) -> u32 {
        loop {
            match self.next(place) {
                Later::Done(value) => return value,
                Later::Fetch => self.keeps(place, place * 2),
                Later::Wait(done) => done.await,
            }
        }
    }
}

enum Fate<T> {
    Open,
    Told(T),
    Lost,
}

struct Oracle<T> {
    fate: Fate<T>,
    listeners: Vec<std::task::Waker>,
}

impl<T> Oracle<T> {
    fn ends(&mut self, fate: Fate<T>) -> Vec<std::task::Waker> {
        self.fate = fate;
        std::mem::take(&mut self.listeners)
    }
}

/// A value that is changed by a helper that is given it, and by a drop that is not told of.
pub struct Seer<T> {
    oracle: Arc<Mutex<Oracle<T>>>,
}

impl<T> Seer<T> {
    pub fn new() -> (Seer<T>, Listener<T>) {
        let oracle = Arc::new(Mutex::new(Oracle { fate: Fate::Open, listeners: Vec::new() }));
        (Seer { oracle: oracle.clone() }, Listener { oracle })
    }

    pub fn tells(&self, value: T) {
        let listeners = self.oracle.lock().unwrap().ends(Fate::Told(value));
        for listener in listeners {
            listener.wake();
        }
    }
}

impl<T> Drop for Seer<T> {
    fn drop(&mut self) {
        self.oracle.lock().unwrap().fate = Fate::Lost; //~ lost-wakeup warning
    }
}

pub struct Listener<T> {
    oracle: Arc<Mutex<Oracle<T>>>,
}

impl<T: Clone> std::future::Future for Listener<T> {
    type Output = Option<T>;

    fn poll(self: std::pin::Pin<&mut Self>, cx: &mut std::task::Context<'_>) -> std::task::Poll<Option<T>> {
        let mut oracle = self.oracle.lock().unwrap();
        match &oracle.fate {
            Fate::Told(value) => return std::task::Poll::Ready(Some(value.clone())),
            Fate::Lost => return std::task::Poll::Ready(None),
            Fate::Open => {}
        }
        oracle.listeners.push(cx.waker().clone());
        std::task::Poll::Pending
    }
}
