//! A map that locks a part of itself for each entry that it hands out.

use dashmap::DashMap;
use dashmap::mapref::one::Ref;

#[derive(Default)]
pub struct Registry {
    names: DashMap<u32, String>,
    ages: DashMap<u32, u32>,
}

impl Registry {
    pub fn held_by_a_variable(&self, from: u32, to: u32) {
        if let Some(name) = self.names.get(&from) {
            self.names.insert(to, name.clone()); //~ double-lock warning
        }
    }

    pub fn copied_before(&self, from: u32, to: u32) {
        if let Some(name) = self.names.get(&from).map(|it| it.clone()) {
            self.names.insert(to, name);
        }
    }

    pub fn dropped_before(&self, from: u32, to: u32) {
        let Some(name) = self.names.get(&from) else { return };
        let copy = name.value().clone();
        drop(name);
        self.names.insert(to, copy);
    }

    pub fn not_there(&self, key: u32) -> usize {
        match self.names.get(&key) {
            Some(name) => name.len(),
            None => {
                self.names.insert(key, String::new());
                0
            }
        }
    }

    pub fn another_map(&self, key: u32) {
        if let Some(mut age) = self.ages.get_mut(&key) {
            *age += 1;
            self.names.remove(&key);
        }
    }

    pub fn two_readers(&self, one: u32, other: u32) -> bool {
        let one = self.names.get(&one);
        one.is_some_and(|_| true) && self.names.contains_key(&other)
    }

    pub fn reader_under_a_writer(&self, one: u32, other: u32) -> usize {
        let Some(mut age) = self.ages.get_mut(&one) else { return 0 };
        *age += u32::from(self.ages.contains_key(&other)); //~ double-lock
        1
    }

    pub fn while_it_goes_round(&self) {
        for entry in self.names.iter() {
            if entry.value().is_empty() {
                self.names.remove(entry.key()); //~ double-lock
            }
        }
    }

    pub fn after_it_went_round(&self) {
        let mut empty = Vec::new();
        for entry in self.names.iter() {
            if entry.value().is_empty() {
                empty.push(*entry.key());
            }
        }
        for key in empty {
            self.names.remove(&key);
        }
    }

    pub fn while_an_iterator_stays(&self) {
        if let Some(entry) = self.names.iter().next() {
            let key = *entry.key();
            drop(entry);
            self.names.remove(&key); //~ double-lock
        }
    }

    pub fn after_an_iterator(&self) {
        let key = self.names.iter().next().map(|entry| *entry.key());
        if let Some(key) = key {
            self.names.remove(&key);
        }
    }

    pub fn in_what_an_entry_runs(&self, key: u32) -> usize {
        self.names.entry(key).or_insert_with(|| self.label(key)).len()
    }

    fn label(&self, key: u32) -> String {
        self.names.get(&(key + 1)).map_or_else(String::new, |it| it.clone()) //~ double-lock
    }

    fn find(&self, key: u32) -> Option<Ref<'_, u32, u32>> {
        self.ages.get(&key)
    }

    pub fn through_functions(&self, key: u32) {
        if let Some(age) = self.find(key) {
            self.forget(*age);
        }
    }

    fn forget(&self, key: u32) {
        self.ages.remove(&key); //~ double-lock
    }
}

pub struct Shelf {
    books: DashMap<u32, String>,
    readers: Vec<Box<dyn Fn(&Shelf, u32) + Send + Sync>>,
}

impl Shelf {
    pub fn keep_those_that_others_have(&self, others: &Shelf) {
        self.books.retain(|key, _| others.books.contains_key(key));
    }

    pub fn keep_those_with_a_neighbour(&self) {
        self.books.retain(|key, _| self.has_neighbour(*key));
    }

    fn has_neighbour(&self, key: u32) -> bool {
        self.books.contains_key(&(key + 1)) //~ double-lock
    }

    pub fn read_each(&self) {
        for book in self.books.iter() { //~ double-lock
            for reader in &self.readers {
                reader(self, *book.key());
            }
        }
    }

    pub fn read_all(&self) {
        let keys: Vec<u32> = self.books.iter().map(|it| *it.key()).collect();
        for key in keys {
            self.readers.iter().for_each(|it| it(self, key));
        }
    }

    pub fn lend(&self, key: u32) -> Option<String> {
        self.books.remove(&key).map(|it| it.1)
    }
}

/// Entries that are collected keep their parts until the collection is gone.
pub struct Drawers {
    labels: DashMap<u32, String>,
}

impl Drawers {
    fn above(&self, least: u32) -> impl Iterator<Item = dashmap::mapref::multiple::RefMulti<'_, u32, String>> + '_ {
        self.labels.iter().filter(move |it| *it.key() > least)
    }

    pub fn empties_the_first(&self, least: u32) {
        let above: Vec<_> = self.above(least).collect();
        if above.len() > 3 {
            self.labels.remove(&least); //~ double-lock warning
        }
    }

    pub fn empties_the_first_by_its_key(&self, least: u32) {
        let above: Vec<u32> = self.above(least).map(|it| *it.key()).collect();
        if above.len() > 3 {
            self.labels.remove(&least);
        }
    }

    pub fn empties_the_first_afterwards(&self, least: u32) {
        let above: Vec<_> = self.labels.iter().collect();
        let count = above.len();
        drop(above);
        if count > 3 {
            self.labels.remove(&least);
        }
    }

    pub fn empties_the_first_meanwhile(&self, least: u32) -> usize {
        let above: Vec<_> = self.labels.iter().collect();
        self.removes(least);
        above.len()
    }

    fn removes(&self, at: u32) {
        self.labels.remove(&at); //~ double-lock warning
    }
}

/// An iterator keeps the part of the entry for which a closure runs.
pub struct Shelves {
    boxes: DashMap<u32, String>,
    counts: DashMap<u32, u32>,
}

impl Shelves {
    fn take(&self, key: u32) -> Option<String> {
        self.counts.remove(&key);
        self.boxes.remove(&key).map(|it| it.1) //~ double-lock warning
    }

    fn those_above(&self, least: u32) -> impl Iterator<Item = u32> + '_ {
        self.boxes.iter().map(|it| *it.key()).filter(move |it| *it > least)
    }

    pub fn takes_the_empty_ones(&self) -> usize {
        self.boxes.iter().filter(|it| it.value().is_empty()).filter_map(|it| self.take(*it.key())).count()
    }

    pub fn puts_others_beside(&self, least: u32) {
        self.those_above(least).for_each(|it| {
            self.boxes.insert(it + 1, String::new()); //~ double-lock warning
        });
    }

    pub fn takes_the_empty_ones_by_their_keys(&self) -> usize {
        let keys: Vec<u32> = self.boxes.iter().filter(|it| it.value().is_empty()).map(|it| *it.key()).collect();
        keys.into_iter().filter_map(|it| self.take(it)).count()
    }

    pub fn counts_all(&self) {
        self.boxes.iter().for_each(|it| {
            self.counts.insert(*it.key(), 1);
        });
    }

    pub fn has_some_twice(&self) -> bool {
        self.boxes.iter().any(|it| self.boxes.contains_key(&(it.key() + 1)))
    }
}
