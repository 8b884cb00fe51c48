//! Numbers that look random and are the same on every machine.

/// The seed of a run: the same for the same root, test, block and run.
pub fn seed_of(root: u64, test: &str, block: u64, run: u64) -> u64 {
    [hash(test), block, run].into_iter().fold(root, |seed, it| mixed(seed ^ mixed(it)))
}

/// A number for a name, which every machine comes to.
pub fn hash(name: &str) -> u64 {
    // FNV-1a; its low bits are good, and its high ones are mixed by whoever needs them.
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, it| (hash ^ u64::from(it)).wrapping_mul(0x0100_0000_01b3))
}

/// Steele et al. 2014, `SplitMix64`: every bit of the result depends on every bit of what was given.
const fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// A sequence of such numbers.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The sequence of this seed.
    pub const fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// The next number.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// The next number below this one; 0 below 0.
    pub fn below(&mut self, limit: usize) -> usize {
        if limit == 0 { 0 } else { (self.roll() % limit as u64) as usize }
    }

    /// One of these.
    pub fn of<'t, T>(&mut self, all: &'t [T]) -> Option<&'t T> {
        all.get(self.below(all.len()))
    }
}

/// So many of these, in their order, spread evenly; all if there are no more.
pub fn sample<T>(all: Vec<T>, count: usize) -> Vec<T> {
    let length = all.len();
    if length <= count {
        return all;
    }
    let is_one = |at: &usize| (at + 1) * count / length > at * count / length;
    all.into_iter().enumerate().filter(|(at, _)| is_one(at)).map(|it| it.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_the_same_for_the_same_run_and_differ_else() {
        assert_eq!(seed_of(0, "it::a", 3, 5), seed_of(0, "it::a", 3, 5));
        let all = [
            seed_of(0, "it::a", 3, 5),
            seed_of(1, "it::a", 3, 5),
            seed_of(0, "it::b", 3, 5),
            seed_of(0, "it::a", 5, 3),
            seed_of(0, "it::a", 3, 6),
        ];
        let different: std::collections::BTreeSet<u64> = all.into_iter().collect();
        assert_eq!(different.len(), 5);
    }

    #[test]
    fn a_sample_is_spread_evenly() {
        assert_eq!(sample((0..10).collect(), 5), [1, 3, 5, 7, 9]);
        assert_eq!(sample(vec![1, 2], 5), [1, 2]);
        assert_eq!(sample((0..100).collect::<Vec<_>>(), 33).len(), 33);
        assert_eq!(sample(vec![1, 2], 0), [0; 0]);
    }
}
