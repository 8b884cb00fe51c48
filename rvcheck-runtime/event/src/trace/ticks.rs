//! From ticks of the machine's counter to nanoseconds since recording began.

/// Pairs that are closer together than this, in ns, say more about the scheduler than about the clock.
const APART: u64 = 10_000_000;

/// Two readings at one moment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Pair {
    pub(super) ticks: u64,
    pub(super) nanos: u64,
}

/// A monotone, piecewise linear map from ticks to ns.
#[derive(Clone, PartialEq, Debug)]
pub struct Ticks {
    /// Ascending in both readings.
    pairs: Vec<Pair>,
    /// ns a tick, from the pair with the same index on.
    slopes: Vec<f64>,
}

impl Ticks {
    /// The map through these pairs, as far as they make sense together. `start` is the counter at time 0, `last` the final
    /// reading, which is trusted most.
    pub(super) fn new(start: u64, mut chunks: Vec<Pair>, last: Pair) -> Ticks {
        chunks.sort_unstable();
        let mut pairs = vec![Pair { ticks: start, nanos: 0 }];
        let follows = |before: &[Pair], it: &Pair, gap: u64| {
            before.last().is_some_and(|b| it.ticks > b.ticks && it.nanos.saturating_sub(b.nanos) > gap)
        };
        let has_last = follows(&pairs, &last, 0);
        for pair in chunks {
            let fits =
                !has_last || (pair.ticks < last.ticks && pair.nanos.saturating_add(APART) < last.nanos);
            if fits && follows(&pairs, &pair, APART) {
                pairs.push(pair);
            }
        }
        if has_last {
            pairs.push(last);
        }
        let mut slopes: Vec<f64> = pairs
            .windows(2)
            .map(|two| (two[1].nanos - two[0].nanos) as f64 / (two[1].ticks - two[0].ticks) as f64)
            .collect();
        slopes.push(slopes.last().copied().unwrap_or(1.0));
        Ticks { pairs, slopes }
    }

    /// The time of that reading in ns since recording began.
    pub fn nanos(&self, ticks: u64) -> u64 {
        self.nanos_near(ticks, &mut 0)
    }

    /// The same; `hint` remembers where the last answer was found.
    #[inline]
    pub(super) fn nanos_near(&self, ticks: u64, hint: &mut usize) -> u64 {
        let inside = |index: usize| {
            self.pairs.get(index).is_some_and(|it| it.ticks <= ticks)
                && self.pairs.get(index + 1).is_none_or(|it| ticks < it.ticks)
        };
        if !inside(*hint) {
            *hint = self.pairs.partition_point(|it| it.ticks <= ticks).saturating_sub(1);
        }
        let (pair, slope) = (self.pairs[*hint], self.slopes[*hint]);
        let passed = ticks.saturating_sub(pair.ticks) as f64 * slope;
        let nanos = pair.nanos.saturating_add(passed as u64);
        // Rounding must not lead beyond the next pair.
        self.pairs.get(*hint + 1).map_or(nanos, |next| nanos.min(next.nanos))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(ticks: u64, nanos: u64) -> Pair {
        Pair { ticks, nanos }
    }

    #[test]
    fn times_lie_on_the_line_through_the_pairs() {
        let ticks =
            Ticks::new(1000, vec![pair(1000 + 60_000_000, 20_000_000)], pair(1000 + 120_000_000, 60_000_000));
        assert_eq!(ticks.nanos(0), 0);
        assert_eq!(ticks.nanos(1000), 0);
        assert_eq!(ticks.nanos(1000 + 30_000_000), 10_000_000);
        assert_eq!(ticks.nanos(1000 + 90_000_000), 40_000_000);
        assert_eq!(ticks.nanos(1000 + 180_000_000), 100_000_000);
    }

    #[test]
    fn without_any_pair_a_tick_is_a_nanosecond() {
        let ticks = Ticks::new(50, Vec::new(), pair(0, 0));
        assert_eq!(ticks.nanos(75), 25);
    }

    #[test]
    fn pairs_that_contradict_each_other_never_turn_time_back() {
        let mut state = 3_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> (state >> 59)
        };
        for _ in 0..300 {
            let pairs = (0..next() % 8).map(|_| pair(next(), next())).collect();
            let ticks = Ticks::new(next(), pairs, pair(next(), next()));
            let mut asked: Vec<u64> = (0..50).map(|_| next()).collect();
            asked.extend([0, u64::MAX]);
            asked.sort_unstable();
            let times: Vec<u64> = asked.iter().map(|it| ticks.nanos(*it)).collect();
            assert!(times.is_sorted(), "{ticks:?} {asked:?} {times:?}");
        }
    }
}
