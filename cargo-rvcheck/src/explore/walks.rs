//! Walks: schedules in which chance chooses, in several ways.

use super::seed::{Dice, seed_of};
use clap::ValueEnum;
use rvcheck_event::exploration::Point;
use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::outcome::{Choice, Outcome};
use rvcheck_event::exploration::plan::{Plan, Strategy, Switch};
use rvcheck_event::position::ProgramPoint;
use std::collections::{BTreeMap, BTreeSet};

/// One walk in so many may end time limits early.
const EARLY: u64 = 4;
/// In one walk in so many chance makes use of freedoms.
const FREE: u64 = 4;

/// How it is chosen who goes on, where that is not in several ways by turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// Nobody deviates from the default order
    Default,
    /// Anybody who can
    Random,
    /// By priorities that fall at a few points
    Pct,
    /// By how much each has still to do
    Surw,
    /// By priorities that are drawn anew for those in a race
    Pos,
}

/// What walks are made from.
#[derive(Clone, Debug)]
pub struct Walks {
    by: Option<By>,
    root: u64,
    test: String,
    /// Among how many decisions priorities fall.
    points: u64,
    /// The time limits that may be over early.
    early: Vec<ProgramPoint>,
    /// How many choices each participant had.
    weights: Vec<(Name, u64)>,
    /// For each object of several participants: how many choices each had there, and at which places.
    objects: Vec<Contended>,
}

/// An object that several participants use.
#[derive(Clone, Debug)]
struct Contended {
    weights: Vec<(Name, u64)>,
    places: Vec<ProgramPoint>,
}

impl Walks {
    /// The walks of this test, whose run by the default order is known. In some of them these time limits may be over early.
    pub fn new(by: Option<By>, root: u64, test: &str, default: &Outcome, early: Vec<ProgramPoint>) -> Walks {
        let mut by_object: BTreeMap<u64, Vec<&Choice>> = BTreeMap::new();
        for choice in default.choices.iter().filter(|it| it.object != 0) {
            by_object.entry(choice.object).or_default().push(choice);
        }
        let contended = |choices: &Vec<&Choice>| {
            let weights = weights(choices.iter().copied());
            let places: BTreeSet<&ProgramPoint> = choices.iter().map(|it| &it.at).collect();
            let places = places.into_iter().cloned().collect();
            (weights.len() > 1).then_some(Contended { weights, places })
        };
        Walks {
            by,
            root,
            test: test.to_owned(),
            points: default.decisions.max(1),
            early,
            weights: weights(&default.choices),
            objects: by_object.values().filter_map(contended).collect(),
        }
    }

    /// The plan of this run of a block, in which runs by these plans have shown something new so far.
    pub fn plan(&self, block: u64, run: u64, parents: &[Plan]) -> Plan {
        let seed = seed_of(self.root, &self.test, block, run);
        let mut dice = Dice::new(seed);
        let mut plan = Plan::new(seed);
        if self.by.is_none() && run % EARLY == 1 {
            plan.early.clone_from(&self.early);
        }
        plan.is_free = self.by.is_none() && run % FREE == 2;
        match self.by {
            Some(By::Default) => plan,
            Some(By::Random) => Plan { by: Strategy::Random, ..plan },
            Some(By::Pos) => Plan { by: Strategy::Pos, ..plan },
            Some(By::Pct) => Plan { by: self.pct(&mut dice), ..plan },
            Some(By::Surw) => self.surw(plan, &mut dice),
            // Three walks in five, one, and one that goes on from what was new.
            None => match run % 5 {
                3 => Plan { by: self.pct(&mut dice), ..plan },
                4 => match dice.of(parents) {
                    Some(parent) => Plan { early: self.early_as(parent), ..continued(parent, &mut dice) },
                    None => Plan { by: Strategy::Random, ..plan },
                },
                _ => self.surw(plan, &mut dice),
            },
        }
    }

    /// The time limits that may be over early where a run goes on from this one: those that it may have needed.
    fn early_as(&self, parent: &Plan) -> Vec<ProgramPoint> {
        let is_timed = parent.switches.iter().any(|it| it.to.is_clock());
        if is_timed { self.early.clone() } else { Vec::new() }
    }

    fn pct(&self, dice: &mut Dice) -> Strategy {
        Strategy::Pct { depth: 2 + dice.below(2) as u32, points: self.points }
    }

    /// One object is looked at in most of the walks.
    fn surw(&self, plan: Plan, dice: &mut Dice) -> Plan {
        let object = if dice.below(4) == 0 { None } else { dice.of(&self.objects) };
        let (weights, focus) = match object {
            Some(object) => (object.weights.clone(), object.places.clone()),
            None => (self.weights.clone(), Vec::new()),
        };
        Plan { by: Strategy::Surw, weights, focus, ..plan }
    }
}

/// How many of these choices each participant had.
fn weights<'c>(choices: impl IntoIterator<Item = &'c Choice>) -> Vec<(Name, u64)> {
    let mut weights: BTreeMap<&Name, u64> = BTreeMap::new();
    for choice in choices {
        *weights.entry(&choice.from.of).or_default() += 1;
    }
    weights.into_iter().map(|(name, weight)| (name.clone(), weight)).collect()
}

/// Begins as this run did, and then goes on at random. With the same seed, what is kept happens in the same way.
fn continued(parent: &Plan, dice: &mut Dice) -> Plan {
    let kept = dice.below(parent.switches.len() + 1);
    let switches: Vec<Switch> = parent.switches.iter().take(kept).cloned().collect();
    let from: Option<Point> = parent.switches.get(kept).or(switches.last()).map(|it| it.from.clone());
    Plan { by: Strategy::Random, from, switches, ..parent.clone() }
}
