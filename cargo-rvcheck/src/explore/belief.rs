//! Belief: whether what went wrong in one run is a fault of the program, and what it depends on.

use super::seen::{Failure, Seen};
use super::shrink::{Shrunk, shrink};
use rvcheck_event::exploration::plan::Plan;

/// How often a run is repeated.
pub const REPEATS: u32 = 3;
/// How many runs without control have to pass; the second half of them while all cores are busy.
pub const PLAIN: u32 = 10;
/// How many runs shrinking may take.
pub const SHRINKING: u64 = 150;

/// What is concluded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Belief {
    /// It is one.
    Fault(Box<Fault>),
    /// It could not be repeated.
    Unrepeated,
    /// It also fails without control, so often.
    FlakyPlainly(u32),
}

/// A fault with the schedule that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The least schedule.
    pub shrunk: Shrunk,
    /// In how many of the repetitions it came again.
    pub repeated: u32,
    /// What it depends on.
    pub class: Class,
}

/// What a fault depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Only on who goes on.
    Order,
    /// Also on that tasks of a runtime on one thread go on as on several.
    Wide,
    /// Also on a timer that fires while others could go on.
    Time,
}

/// Where a test is run.
pub trait Laboratory {
    /// Why it cannot be run.
    type Error;

    /// Runs it by this plan.
    fn run(&mut self, plan: &Plan) -> Result<Seen, Self::Error>;

    /// Runs it without control, perhaps while all cores are busy; whether it passes.
    fn passes_plainly(&mut self, is_busy: bool) -> Result<bool, Self::Error>;
}

/// What to believe of a run by this plan, in which this went wrong. The test passes in the default order.
pub fn believe<L: Laboratory>(
    given: &Plan,
    seen: &Seen,
    failure: &Failure,
    laboratory: &mut L,
) -> Result<Belief, L::Error> {
    let plan = seen.again(given);
    let mut repeated = 0;
    let mut last = None;
    for _ in 0..REPEATS {
        let again = laboratory.run(&plan)?;
        if again.shows(failure) {
            repeated += 1;
            last = Some(again);
        }
    }
    let Some(last) = last else { return Ok(Belief::Unrepeated) };
    let mut failed = 0;
    for number in 0..PLAIN {
        failed += u32::from(!laboratory.passes_plainly(number >= PLAIN / 2)?);
    }
    if failed > 0 {
        return Ok(Belief::FlakyPlainly(failed));
    }
    let shrunk = shrink(&plan, &last, failure, SHRINKING, |plan| laboratory.run(plan))?;
    let is_timed = shrunk.plan.switches.iter().any(|it| it.to.is_clock());
    let class = match is_timed {
        true => Class::Time,
        false if shrunk.plan.is_narrow => Class::Order,
        false => {
            // What does not happen by the same plan may happen by another one; that much is not looked for.
            let narrow = Plan { is_narrow: true, ..shrunk.plan.clone() };
            if laboratory.run(&narrow)?.shows(failure) { Class::Order } else { Class::Wide }
        }
    };
    Ok(Belief::Fault(Box::new(Fault { shrunk, repeated, class })))
}
