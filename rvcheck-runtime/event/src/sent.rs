//! Which messages of a channel were sent, as ranges of numbers.

/// How many ranges are kept. A number that was taken for a send that failed leaves a hole for ever; when there are that
/// many, the oldest hole is taken for sent. Then a receive of it, which there should never be, waits for nothing.
const RANGES: usize = 256;

/// See the module. The ranges are in order, not empty, and do not touch; bounds are included.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sent(Vec<(u32, u32)>);

impl Sent {
    /// Whether this message was sent.
    #[inline]
    pub(crate) fn contains(&self, number: u32) -> bool {
        match self.0.last() {
            Some((first, last)) if number >= *first => number <= *last,
            _ => self.range_of(number).is_ok(),
        }
    }

    fn range_of(&self, number: u32) -> Result<usize, usize> {
        let after = self.0.partition_point(|(_, last)| *last < number);
        match self.0.get(after) {
            Some((first, _)) if *first <= number => Ok(after),
            _ => Err(after),
        }
    }

    /// The message was sent. Whether this let a hole count as sent.
    #[inline]
    pub(crate) fn insert(&mut self, number: u32) -> bool {
        match self.0.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => {
                *last = number;
                false
            }
            _ => self.insert_range(number),
        }
    }

    fn insert_range(&mut self, number: u32) -> bool {
        let Err(at) = self.range_of(number) else { return false };
        let left = at.checked_sub(1).filter(|&it| self.0[it].1.checked_add(1) == Some(number));
        let right = self.0.get(at).is_some_and(|(first, _)| first.checked_sub(1) == Some(number));
        match (left, right) {
            (Some(left), true) => {
                self.0[left].1 = self.0[at].1;
                self.0.remove(at);
            }
            (Some(left), false) => self.0[left].1 = number,
            (None, true) => self.0[at].0 = number,
            (None, false) => self.0.insert(at, (number, number)),
        }
        if self.0.len() <= RANGES {
            return false;
        }
        self.0[1].0 = self.0[0].0;
        self.0.remove(0);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn it_knows_exactly_what_was_sent_while_there_are_few_holes() {
        let mut state = 7_u32;
        for _ in 0..200 {
            let (mut sent, mut model) = (Sent::default(), BTreeSet::new());
            for _ in 0..60 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let number = (state >> 16) % 64;
                assert!(!sent.insert(number));
                model.insert(number);
                for it in 0..66 {
                    assert_eq!(sent.contains(it), model.contains(&it), "{it} in {sent:?}");
                }
            }
        }
    }

    #[test]
    fn the_greatest_number_is_one_like_the_others() {
        let mut sent = Sent::default();
        for number in [u32::MAX, 0, u32::MAX - 1] {
            assert!(!sent.contains(number));
            sent.insert(number);
            assert!(sent.contains(number));
        }
    }

    #[test]
    fn the_oldest_hole_is_given_up_when_there_are_too_many() {
        let mut sent = Sent::default();
        for number in 1..=RANGES as u32 {
            assert!(!sent.insert(number * 2));
        }
        assert!(!sent.contains(3));
        assert!(sent.insert(RANGES as u32 * 2 + 2));
        assert!(sent.contains(3));
        assert!(!sent.contains(5));
    }
}
