//! Belief: whether what went wrong in one run is a fault of the program, and what it depends on.

use super::seen::{Failure, Seen};
use super::shrink::{Shrunk, shrink};
use rvcheck_event::exploration::plan::Plan;

/// How often a run is repeated.
pub const REPEATS: u32 = 3;
/// How many runs without control show whether it fails there, too; the second half of them while all cores are busy.
pub const PLAIN: u32 = 10;
/// How many ns more each decision takes in a run that shows whether a failure depends on that.
const SLOW: u64 = 1_000_000;
/// How many runs shrinking may take.
pub const SHRINKING: u64 = 150;

/// What is concluded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Belief {
    /// It is one.
    Fault(Box<Fault>),
    /// It could not be repeated.
    Unrepeated,
}

/// A fault with the schedule that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The least schedule.
    pub shrunk: Shrunk,
    /// In how many of the repetitions it came again.
    pub repeated: u32,
    /// In how many runs without control the test failed.
    pub plainly: u32,
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
    /// On tasks that were delayed in real time: see [`believe_delayed`].
    Delayed,
    /// Also on how long its steps take: it does not happen where each takes longer.
    Duration,
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
    let Some((repeated, last)) = repeat(&plan, failure, laboratory)? else { return Ok(Belief::Unrepeated) };
    let plainly = fails_plainly(laboratory)?;
    let shrunk = shrink(&plan, &last, failure, SHRINKING, |plan| laboratory.run(plan))?;
    let class = class(&shrunk.plan, &shrunk.seen, failure, |plan| laboratory.run(plan))?;
    Ok(Belief::Fault(Box::new(Fault { shrunk, repeated, plainly, class })))
}

/// The same for a run that was not controlled, in which tasks were only delayed as this plan says. There is nothing to shrink.
pub fn believe_delayed<L: Laboratory>(
    plan: &Plan,
    failure: &Failure,
    laboratory: &mut L,
) -> Result<Belief, L::Error> {
    let Some((repeated, seen)) = repeat(plan, failure, laboratory)? else { return Ok(Belief::Unrepeated) };
    let plainly = fails_plainly(laboratory)?;
    let shrunk = Shrunk { plan: plan.clone(), seen, runs: 0, is_least: true };
    Ok(Belief::Fault(Box::new(Fault { shrunk, repeated, plainly, class: Class::Delayed })))
}

/// In how many repetitions the same went wrong, and the last of them.
fn repeat<L: Laboratory>(
    plan: &Plan,
    failure: &Failure,
    laboratory: &mut L,
) -> Result<Option<(u32, Seen)>, L::Error> {
    let mut repeated = 0;
    let mut last = None;
    for _ in 0..REPEATS {
        let again = laboratory.run(plan)?;
        if again.shows(failure) {
            repeated += 1;
            last = Some(again);
        }
    }
    Ok(last.map(|it| (repeated, it)))
}

/// In how many runs without control the test fails.
fn fails_plainly<L: Laboratory>(laboratory: &mut L) -> Result<u32, L::Error> {
    let mut failed = 0;
    for number in 0..PLAIN {
        failed += u32::from(!laboratory.passes_plainly(number >= PLAIN / 2)?);
    }
    Ok(failed)
}

/// What a failure depends on that this run by this plan has shown. `run` runs the test by another one.
pub fn class<E>(
    plan: &Plan,
    seen: &Seen,
    failure: &Failure,
    mut run: impl FnMut(&Plan) -> Result<Seen, E>,
) -> Result<Class, E> {
    // Who is delayed waits for others to sleep, as it does without control: see `docs/hangs.md`.
    let is_delayed = failure.kind.is_stall() && !plan.delays.is_empty();
    if plan.switches.iter().any(|it| it.to.is_clock()) || seen.is_timed() && !is_delayed {
        return Ok(Class::Time);
    }
    if !is_delayed && !run(&Plan { pace: SLOW, ..plan.clone() })?.shows(failure) {
        return Ok(Class::Duration);
    }
    if plan.is_narrow {
        return Ok(Class::Order);
    }
    // What does not happen by the same plan may happen by another one; that much is not looked for.
    let narrow = run(&Plan { is_narrow: true, ..plan.clone() })?;
    Ok(if narrow.shows(failure) { Class::Order } else { Class::Wide })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::seen::{FailureKind, RunResult};
    use rvcheck_event::exploration::Point;
    use rvcheck_event::exploration::name::Name;
    use rvcheck_event::exploration::outcome::Outcome;
    use rvcheck_event::exploration::plan::Switch;
    use rvcheck_event::exploration::word::End;
    use rvcheck_event::position::{CompiledPosition, ProgramPoint};
    use rvcheck_event::schedule::{Before, Delay, Until};
    use std::convert::Infallible;

    fn failure(kind: FailureKind) -> Failure {
        Failure { kind, signature: "it".to_owned(), panics: Vec::new(), message: String::new() }
    }

    /// A run that fails in this way, and in which these go on instead of others.
    fn seen(kind: FailureKind, switches: Vec<Switch>) -> Seen {
        let outcome = Outcome { switches, ..Outcome::new(End::Hang) };
        Seen { result: RunResult::Failed(failure(kind)), outcome: Some(outcome) }
    }

    fn to(name: Name) -> Switch {
        Switch { from: Point { of: Name::test(), number: 1 }, to: name, at: None }
    }

    fn delay() -> Delay {
        let at = |line| ProgramPoint { file: "a.rs".to_owned(), position: CompiledPosition::new(line, 1) };
        Delay::of(Before::Asking { at: at(1), having: None }, Until::Held(at(2)))
    }

    #[test]
    fn a_fault_depends_on_time_or_on_threads_where_its_run_needs_them() {
        use FailureKind::{Hang, Test};
        let (other, clock) = (vec![to(Name::test().child(1))], vec![to(Name::CLOCK)]);
        let none = Plan::new(0);
        let by = |switches: &[Switch]| Plan { switches: switches.to_vec(), ..none.clone() };
        let narrow = Plan { is_narrow: true, ..none.clone() };
        let delayed = Plan { delays: vec![delay()], ..none.clone() };
        for (plan, kind, made, fails_narrow, fails_slow, expected) in [
            (by(&other), Hang, &other, true, true, Class::Order),
            (by(&other), Hang, &other, false, true, Class::Wide),
            (by(&other), Hang, &other, true, false, Class::Duration),
            (narrow, Hang, &other, false, true, Class::Order),
            (by(&clock), Hang, &clock, true, true, Class::Time),
            // The run has needed it although the plan does not say so.
            (none.clone(), Test, &clock, true, true, Class::Time),
            (delayed.clone(), Hang, &clock, true, true, Class::Order),
            (delayed, Test, &clock, true, true, Class::Time),
        ] {
            let again = |plan: &Plan| -> Result<Seen, Infallible> {
                let fails = if plan.pace == 0 { fails_narrow } else { fails_slow };
                assert!(plan.is_narrow || plan.pace > 0);
                let passed = Seen { result: RunResult::Passed, outcome: None };
                Ok(if fails { seen(kind, Vec::new()) } else { passed })
            };
            let Ok(found) = class(&plan, &seen(kind, made.clone()), &failure(kind), again);
            assert_eq!(found, expected, "{plan} {kind:?}");
        }
    }
}
