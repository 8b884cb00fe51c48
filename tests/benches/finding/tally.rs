//! What came of running a test again and again.

/// The runs of one test, with one seed.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tried {
    /// How many there were.
    pub(crate) runs: u64,
    /// In how many of them something went wrong.
    pub(crate) failing: u64,
    /// Which of them was the first, from 1.
    pub(crate) first: Option<u64>,
}

impl Tried {
    /// Takes in one more run.
    pub(crate) fn note(&mut self, passes: bool) {
        self.runs += 1;
        if !passes {
            self.failing += 1;
            self.first = self.first.or(Some(self.runs));
        }
    }
}

/// The same with many seeds.
#[derive(Clone, Default)]
pub(crate) struct Tally(Vec<Tried>);

impl Tally {
    /// Takes in the runs with one more seed.
    pub(crate) fn add(&mut self, tried: Tried) {
        self.0.push(tried);
    }

    /// Takes in those of another test.
    pub(crate) fn unite(&mut self, other: &Tally) {
        self.0.extend(&other.0);
    }

    /// How many seeds there were.
    pub(crate) fn seeds(&self) -> usize {
        self.0.len()
    }

    /// With how many of the seeds something went wrong.
    pub(crate) fn found(&self) -> usize {
        self.0.iter().filter(|it| it.first.is_some()).count()
    }

    /// In how many of 1,000 runs something went wrong.
    pub(crate) fn per_thousand(&self) -> f64 {
        let sum = |of: fn(&Tried) -> u64| self.0.iter().map(of).sum::<u64>() as f64;
        1000.0 * sum(|it| it.failing) / sum(|it| it.runs).max(1.0)
    }

    /// The median number of runs to the first fault. `None` if most seeds have shown none.
    pub(crate) fn median(&self) -> Option<u64> {
        let mut all: Vec<u64> = self.0.iter().map(|it| it.first.unwrap_or(u64::MAX)).collect();
        all.sort_unstable();
        all.get(all.len().saturating_sub(1) / 2).copied().filter(|it| *it != u64::MAX)
    }
}
