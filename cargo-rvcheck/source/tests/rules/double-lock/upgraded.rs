//! A weak handle is upgraded under a lock: the strong one may be the last by then, and its `Drop` takes the lock.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock, Weak};

// Named as a type of std is.
pub struct Entry {
    town: String,
    gazette: Arc<Gazette>,
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.gazette.forget(&self.town);
    }
}

struct Pages<V> {
    by_town: parking_lot::RwLock<HashMap<String, V>>,
}

impl<V> Pages<V> {
    fn write(&self) -> parking_lot::RwLockWriteGuard<'_, HashMap<String, V>> {
        self.by_town.write() //~ double-lock warning
    }
}

pub struct Gazette {
    pages: Pages<Weak<Entry>>,
}

impl Gazette {
    pub fn entry(self: &Arc<Self>, town: &str) -> Arc<Entry> {
        let fresh = Arc::new(Entry { town: town.to_owned(), gazette: Arc::clone(self) });
        let mut known = None;
        {
            let mut pages = self.pages.write();
            match pages.entry(town.to_owned()).or_default().upgrade() {
                Some(it) => known = Some(it),
                None => {
                    pages.insert(town.to_owned(), Arc::downgrade(&fresh));
                }
            }
        }
        known.unwrap_or(fresh)
    }

    fn forget(&self, town: &str) {
        let mut pages = self.pages.write();
        if pages.get(town).is_some_and(|it| it.upgrade().is_none()) {
            pages.remove(town);
        }
    }

    pub fn is_known(&self, town: &str) -> bool {
        let pages = self.pages.write();
        let Some(page) = pages.get(town) else { return false };
        let entry = page.upgrade();
        entry.is_some()
    }
}

// Nothing is upgraded: the count says it.
pub struct Lodger {
    room: u32,
    inn: Arc<Inn>,
}

pub struct Inn {
    rooms: Mutex<HashMap<u32, Weak<Lodger>>>,
}

impl Drop for Lodger {
    fn drop(&mut self) {
        let mut rooms = self.inn.rooms.lock().unwrap();
        if rooms.get(&self.room).is_some_and(|it| it.strong_count() == 0) {
            rooms.remove(&self.room);
        }
    }
}

impl Inn {
    pub fn lodger(self: &Arc<Self>, room: u32) -> Arc<Lodger> {
        let fresh = Arc::new(Lodger { room, inn: Arc::clone(self) });
        let mut rooms = self.rooms.lock().unwrap();
        rooms.insert(room, Arc::downgrade(&fresh));
        drop(rooms);
        fresh
    }

    pub fn find(&self, room: u32) -> Option<Arc<Lodger>> {
        self.rooms.lock().unwrap().get(&room).and_then(Weak::upgrade)
    }
}

// It is upgraded under the lock, and looked at there.
pub struct Singer {
    tone: u32,
    choir: Arc<Choir>,
}

pub struct Choir {
    singers: RwLock<Vec<Weak<Singer>>>,
}

impl Drop for Singer {
    fn drop(&mut self) {
        self.choir.singers.write().unwrap().retain(|it| it.strong_count() > 0); //~ double-lock warning
    }
}

impl Choir {
    pub fn join(self: &Arc<Self>, tone: u32) -> Arc<Singer> {
        let singer = Arc::new(Singer { tone, choir: Arc::clone(self) });
        self.singers.write().unwrap().push(Arc::downgrade(&singer));
        singer
    }

    pub fn tones(&self) -> u32 {
        let singers = self.singers.read().unwrap();
        let mut tones = 0;
        for singer in singers.iter() {
            if let Some(singer) = singer.upgrade() {
                tones |= singer.tone;
            }
        }
        tones
    }

    pub fn tones_apart(&self) -> u32 {
        let singers: Vec<Arc<Singer>> = self.singers.read().unwrap().iter().filter_map(Weak::upgrade).collect();
        singers.iter().fold(0, |sum, it| sum | it.tone)
    }
}
