//! Strategies: who is chosen where no line of the plan says it.

use std::collections::{BTreeMap, BTreeSet};

use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::plan::Strategy;

use super::participant::Participant;
use super::random::Random;
use super::state::CLOCK;

/// Who chooses.
pub(super) struct Chooser {
    random: Random,
    way: Way,
}

enum Way {
    Default,
    Random,
    Pct(Pct),
    Surw(Surw),
    Pos(Priorities),
}

/// Priorities of participants, and of the clock.
struct Priorities {
    of: Vec<u64>,
    /// That of the clock is drawn anew each time that it goes on, since it can always do so again. It tends to fall, so that who only
    /// sleeps again and again does not keep others from going on.
    clock: u64,
    ticks: u32,
}

impl Priorities {
    fn new(random: &mut Random) -> Priorities {
        Priorities { of: Vec::new(), clock: random.high(), ticks: 0 }
    }

    fn get(&self, it: usize) -> u64 {
        self.of.get(it).copied().unwrap_or(self.clock)
    }

    /// Those that are new get one.
    fn complete(&mut self, random: &mut Random, count: usize) {
        while self.of.len() < count {
            self.of.push(random.high());
        }
    }

    fn highest(&mut self, random: &mut Random, candidates: &[usize]) -> usize {
        let highest = candidates.iter().copied().max_by_key(|it| self.get(*it)).unwrap_or(candidates[0]);
        if highest == CLOCK {
            self.ticks += 1;
            self.clock = random.high() >> (self.ticks / 4).min(63);
        }
        highest
    }
}

/// Probabilistic concurrency testing. With `n` participants and `k` points, a fault of depth `d` is found with a probability of at least
/// 1 / (n · k^(d−1)): Burckhardt, Kothari, Musuvathi and Nagarakatti 2010.
struct Pct {
    priorities: Priorities,
    /// How often somebody has let others go on.
    yields: u64,
    /// The points at which the priority of the one that comes by falls, the last of them first.
    falls: Vec<u64>,
    points: u64,
}

/// Selectively uniform random walk: each is chosen by how much it is expected to have left to do: Zhao, Wolff, Mathur and Roychoudhury
/// 2025.
struct Surw {
    weights: BTreeMap<Name, u64>,
    /// What is expected of whom the plan does not name.
    mean: u64,
    focus: BTreeSet<u32>,
    /// By participants: how many of its points at places of the focus it had.
    done: Vec<u64>,
    /// Who goes on until it has come to such a point.
    intended: Option<usize>,
}

/// Priorities that are drawn begin here.
const HIGH: u64 = 1 << 33;
/// Those that have fallen begin here. Whoever lets others go on comes below.
const FALLEN: u64 = 1 << 32;

impl Random {
    /// A priority above all those of whom has fallen.
    fn high(&mut self) -> u64 {
        HIGH + self.below(HIGH)
    }
}

impl Chooser {
    /// Chooses in this way.
    pub(super) fn new(
        strategy: Strategy,
        seed: u64,
        weights: Vec<(Name, u64)>,
        focus: BTreeSet<u32>,
    ) -> Chooser {
        let mut random = Random::new(seed);
        let way = match strategy {
            Strategy::Default => Way::Default,
            Strategy::Random => Way::Random,
            Strategy::Pct { depth, points } => {
                let mut falls: Vec<u64> = (1..depth).map(|_| 1 + random.below(points.max(1))).collect();
                falls.sort_unstable_by(|one, other| other.cmp(one));
                Way::Pct(Pct { priorities: Priorities::new(&mut random), yields: 0, falls, points: 0 })
            }
            Strategy::Surw => {
                let weights: BTreeMap<Name, u64> = weights.into_iter().collect();
                let mean = weights.values().sum::<u64>() / weights.len().max(1) as u64;
                let mean = mean.max(1);
                Way::Surw(Surw { weights, mean, focus, done: Vec::new(), intended: None })
            }
            Strategy::Pos => Way::Pos(Priorities::new(&mut random)),
        };
        Chooser { random, way }
    }

    /// One of the candidates; the first of them is the one of the default order. `current` has just come to a point.
    pub(super) fn choose(
        &mut self,
        all: &[Participant],
        candidates: &[usize],
        current: Option<usize>,
    ) -> usize {
        let Chooser { random, way } = self;
        let first = candidates[0];
        match way {
            Way::Default => first,
            Way::Random => candidates[random.below(candidates.len() as u64) as usize],
            Way::Pct(pct) => pct.choose(random, all.len(), candidates, current),
            Way::Surw(surw) => surw.choose(random, all, candidates),
            Way::Pos(priorities) => {
                priorities.complete(random, all.len());
                priorities.highest(random, candidates)
            }
        }
    }

    /// Any of these, of which there is one.
    pub(super) fn any(&mut self, all: &[usize]) -> usize {
        all[self.random.below(all.len() as u64) as usize]
    }

    /// True once in so many times.
    pub(super) fn is_one_in(&mut self, count: u64) -> bool {
        self.random.below(count) == 0
    }

    /// This one lets others go on: it may do so until they have done something.
    pub(super) fn yields(&mut self, it: usize) {
        match &mut self.way {
            Way::Pct(pct) => pct.yields(it),
            Way::Surw(surw) => surw.intended = None,
            Way::Default | Way::Random | Way::Pos(_) => {}
        }
    }

    /// This one was chosen, and does what it was about to do.
    pub(super) fn goes(&mut self, all: &[Participant], chosen: usize) {
        let Chooser { random, way } = self;
        match way {
            Way::Pos(priorities) => {
                let object = all[chosen].next.object;
                for (other, priority) in priorities.of.iter_mut().enumerate() {
                    if other == chosen || object != 0 && all[other].next.object == object {
                        *priority = random.high();
                    }
                }
            }
            Way::Surw(surw) => surw.goes(all, chosen),
            _ => {}
        }
    }
}

impl Pct {
    /// All others come before whoever lets them go on.
    fn yields(&mut self, it: usize) {
        self.yields += 1;
        if let Some(priority) = self.priorities.of.get_mut(it) {
            *priority = FALLEN.saturating_sub(self.yields);
        }
    }

    fn choose(
        &mut self,
        random: &mut Random,
        count: usize,
        candidates: &[usize],
        current: Option<usize>,
    ) -> usize {
        self.priorities.complete(random, count);
        self.points += 1;
        while self.falls.last().is_some_and(|it| *it <= self.points) {
            self.falls.pop();
            // The later one falls, the lower it comes.
            let lowest = FALLEN + self.falls.len() as u64;
            let falls = current.filter(|it| candidates.contains(it));
            let highest = candidates.iter().copied().max_by_key(|it| self.priorities.get(*it));
            if let Some(it) = falls.or(highest)
                && let Some(priority) = self.priorities.of.get_mut(it)
            {
                *priority = lowest;
            }
        }
        self.priorities.highest(random, candidates)
    }
}

impl Surw {
    fn choose(&mut self, random: &mut Random, all: &[Participant], candidates: &[usize]) -> usize {
        self.done.resize(all.len(), 0);
        if let Some(intended) = self.intended.filter(|it| candidates.contains(it)) {
            return intended;
        }
        let left = |it: usize| {
            if it == CLOCK {
                return self.mean;
            }
            let weight = self.weights.get(&all[it].name).copied().unwrap_or(self.mean);
            weight.saturating_sub(self.done[it]).max(1)
        };
        let total: u64 = candidates.iter().map(|it| left(*it)).sum();
        let mut at = random.below(total);
        let mut chosen = candidates[0];
        for it in candidates {
            chosen = *it;
            match at.checked_sub(left(*it)) {
                Some(rest) => at = rest,
                None => break,
            }
        }
        self.intended = Some(chosen).filter(|it| *it != CLOCK);
        chosen
    }

    fn goes(&mut self, all: &[Participant], chosen: usize) {
        self.done.resize(all.len(), 0);
        if self.focus.is_empty() || self.focus.contains(&all[chosen].next.place) {
            self.done[chosen] += 1;
            self.intended = None;
        }
    }
}
