//! A hash table of instance numbers that knows nothing of the instances: who asks brings hash and equality.
//!
//! Open addressing with linear probing. Slots hold half of the hash, so that a probe seldom has to look at an instance.

/// See the module. A number occurs at most once for each hash and key; equal keys are the caller's business.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// Hash and number plus one; `(_, 0)` is an empty slot. The length is a power of two, or 0.
    slots: Vec<(u32, u32)>,
    used: usize,
}

impl Table {
    #[inline]
    fn ideal_slot(&self, hash: u32) -> usize {
        // The top bits are the best mixed ones.
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize
    }

    /// The first number of this hash for which `same` holds.
    #[inline]
    pub(super) fn find(&self, hash: u32, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let wrap = self.slots.len() - 1;
        let mut at = self.ideal_slot(hash);
        loop {
            let (found, number) = self.slots[at];
            if number == 0 {
                return None;
            }
            if found == hash && same(number - 1) {
                return Some(number - 1);
            }
            at = (at + 1) & wrap;
        }
    }

    /// Adds a number.
    pub(super) fn insert(&mut self, hash: u32, number: u32) {
        if self.used * 2 >= self.slots.len() {
            self.grow();
        }
        self.place(hash, number + 1);
        self.used += 1;
    }

    fn place(&mut self, hash: u32, entry: u32) {
        let wrap = self.slots.len() - 1;
        let mut at = self.ideal_slot(hash);
        while self.slots[at].1 != 0 {
            at = (at + 1) & wrap;
        }
        self.slots[at] = (hash, entry);
    }

    #[cold]
    fn grow(&mut self) {
        let larger = (self.slots.len() * 2).max(16);
        let old = std::mem::replace(&mut self.slots, vec![(0, 0); larger]);
        for (hash, entry) in old {
            if entry != 0 {
                self.place(hash, entry);
            }
        }
    }

    /// The slot of a number, if it is there.
    fn slot(&self, hash: u32, number: u32) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let wrap = self.slots.len() - 1;
        let mut at = self.ideal_slot(hash);
        while self.slots[at].1 != 0 {
            if self.slots[at] == (hash, number + 1) {
                return Some(at);
            }
            at = (at + 1) & wrap;
        }
        None
    }

    /// Puts a number in the place of another one of the same hash.
    pub(super) fn replace(&mut self, hash: u32, number: u32, by: u32) {
        if let Some(at) = self.slot(hash, number) {
            self.slots[at].1 = by + 1;
        }
    }

    /// Takes a number out.
    pub(super) fn remove(&mut self, hash: u32, number: u32) {
        let Some(mut hole) = self.slot(hash, number) else { return };
        self.used -= 1;
        let wrap = self.slots.len() - 1;
        let mut at = hole;
        // Close the gap with whatever may stand nearer to its ideal slot, so that no search ends too early.
        loop {
            at = (at + 1) & wrap;
            if self.slots[at].1 == 0 {
                break;
            }
            let ideal_slot = self.ideal_slot(self.slots[at].0);
            if (at.wrapping_sub(ideal_slot) & wrap) >= (at.wrapping_sub(hole) & wrap) {
                self.slots[hole] = self.slots[at];
                hole = at;
            }
        }
        self.slots[hole] = (0, 0);
    }
}

/// Mixes one more number into a hash.
#[inline]
pub(super) const fn mix(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(26) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn it_agrees_with_a_set_through_inserts_and_removes() {
        let mut state = 1_u64;
        for spread in [1_u32, 7, u32::MAX] {
            let mut table = Table::default();
            let mut set = BTreeSet::new();
            for _ in 0..4000 {
                state = mix(state, 77);
                let number = (state >> 40) as u32 % 200;
                let hash = (mix(0, number.into()) >> 32) as u32 % spread;
                if set.insert(number) {
                    table.insert(hash, number);
                } else if state & 1 == 0 {
                    set.remove(&number);
                    table.remove(hash, number);
                }
                let found = table.find(hash, |it| it == number);
                assert_eq!(found.is_some(), set.contains(&number));
            }
            for number in 0..200 {
                let hash = (mix(0, number.into()) >> 32) as u32 % spread;
                assert_eq!(table.find(hash, |it| it == number).is_some(), set.contains(&number));
            }
        }
    }
}
