//! A table by id whose size follows the entries that are alive.
//!
//! Ids are given out in order, so a page of neighbours fills up, dies and is freed as a whole. Ids that cannot be real,
//! because they are greater than the trace has records, come from damaged traces; a map holds them.

use std::collections::BTreeMap;

/// How many neighbours share a page.
const PAGE: usize = 256;

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Table<T> {
    pages: Vec<Page<T>>,
    /// Ids from here on are kept in `rest`.
    limit: u32,
    rest: BTreeMap<u32, Slot<T>>,
}

#[derive(Clone, Debug)]
enum Page<T> {
    Vacant,
    Live {
        slots: Box<[Slot<T>]>,
        /// How many of them are dead.
        dead: usize,
    },
    Dead,
}

#[derive(Clone, Debug)]
enum Slot<T> {
    Vacant,
    Live(T),
    Dead,
}

impl<T> Slot<T> {
    fn live(&self) -> Option<&T> {
        if let Slot::Live(value) = self { Some(value) } else { None }
    }

    fn live_mut(&mut self) -> Option<&mut T> {
        if let Slot::Live(value) = self { Some(value) } else { None }
    }
}

impl<T: Default> Slot<T> {
    fn entry(&mut self) -> Option<&mut T> {
        if matches!(self, Slot::Vacant) {
            *self = Slot::Live(T::default());
        }
        self.live_mut()
    }
}

impl<T: Default> Page<T> {
    #[inline]
    fn entry(&mut self, id: u32) -> Option<&mut T> {
        if let Page::Live { slots, .. } = self { slots[id as usize % PAGE].entry() } else { None }
    }
}

impl<T: Default> Table<T> {
    /// An empty table, for ids that are mostly below `limit`.
    pub(crate) fn new(limit: u32) -> Table<T> {
        Table { pages: Vec::new(), limit, rest: BTreeMap::new() }
    }

    /// The entry of that id; a default one if it is new, `None` if it is dead.
    #[inline]
    pub(crate) fn entry(&mut self, id: u32) -> Option<&mut T> {
        let index = id as usize / PAGE;
        if matches!(self.pages.get(index), None | Some(Page::Vacant)) {
            return self.new_entry(id);
        }
        self.pages.get_mut(index).and_then(|page| page.entry(id))
    }

    #[cold]
    #[inline(never)]
    fn new_entry(&mut self, id: u32) -> Option<&mut T> {
        if id >= self.limit {
            return self.rest.entry(id).or_insert(Slot::Vacant).entry();
        }
        let index = id as usize / PAGE;
        if self.pages.len() <= index {
            self.pages.resize_with(index + 1, || Page::Vacant);
        }
        let slots = (0..PAGE).map(|_| Slot::Vacant).collect();
        self.pages[index] = Page::Live { slots, dead: 0 };
        self.pages[index].entry(id)
    }

    /// The entry of that id, if it is alive.
    #[inline]
    pub(crate) fn get(&self, id: u32) -> Option<&T> {
        match self.pages.get(id as usize / PAGE) {
            Some(Page::Live { slots, .. }) => slots[id as usize % PAGE].live(),
            Some(Page::Dead) => None,
            _ => self.rest.get(&id).and_then(Slot::live),
        }
    }

    /// Forgets the entry for good.
    pub(crate) fn kill(&mut self, id: u32) {
        if self.entry(id).is_none() {
            return;
        }
        let index = id as usize / PAGE;
        match self.pages.get_mut(index) {
            Some(Page::Live { slots, dead }) => {
                slots[id as usize % PAGE] = Slot::Dead;
                *dead += 1;
                if *dead == PAGE {
                    self.pages[index] = Page::Dead;
                }
            }
            _ => {
                self.rest.insert(id, Slot::Dead);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_live_until_they_are_killed() {
        let mut table: Table<u64> = Table::new(1000);
        for id in [0, 3, 999, 1000, u32::MAX] {
            assert_eq!(table.get(id), None);
            *table.entry(id).unwrap() = u64::from(id) + 1;
            assert_eq!(table.get(id), Some(&(u64::from(id) + 1)));
            table.kill(id);
            assert_eq!(table.get(id), None);
            assert_eq!(table.entry(id), None);
        }
    }

    #[test]
    fn a_page_is_freed_when_all_of_it_is_dead() {
        let mut table: Table<u64> = Table::new(1 << 20);
        for id in 0..2 * PAGE as u32 {
            table.entry(id);
            table.kill(id);
            table.kill(id);
        }
        assert!(table.pages.iter().all(|page| matches!(page, Page::Dead)));
        assert_eq!(table.entry(5), None);
    }

    #[test]
    fn absurd_ids_take_no_room_for_their_neighbours() {
        let mut table: Table<u64> = Table::new(100);
        table.entry(u32::MAX);
        assert!(table.pages.is_empty());
    }
}
