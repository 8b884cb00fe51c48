//! The strategies find the faults of small programs, and shrinking leaves what matters.

use super::belief::{Belief, Class, Laboratory, believe};
use super::block::{Block, Course, limit};
use super::directed::{Conflict, Directed, conflicts, directed, singles};
use super::ground::{Ground, default_order, ground};
use super::seen::{RunResult, Seen};
use super::simulator::{Op, Program};
use super::walks::{By, Walks};
use Op::{Copy, Join, Lock, Notify, Same, Set, Sleep, Spawn, Unlock, Wait};
use rvcheck_event::exploration::Point;
use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::outcome::{Choice, Outcome};
use rvcheck_event::exploration::plan::Plan;

const TEST: &[Op] = &[Spawn(1), Spawn(2), Join(1), Join(2)];

/// Two that take two locks in opposite orders.
const LOCKS: Program =
    Program(&[TEST, &[Lock(1), Lock(2), Unlock(2), Unlock(1)], &[Lock(2), Lock(1), Unlock(1), Unlock(2)]]);
/// The same in one order.
const SAME_LOCKS: Program =
    Program(&[TEST, &[Lock(1), Lock(2), Unlock(2), Unlock(1)], &[Lock(1), Lock(2), Unlock(2), Unlock(1)]]);
/// A signal that is lost where nobody waits yet.
const SIGNAL: Program = Program(&[
    &[Spawn(1), Spawn(2), Spawn(3), Join(1)],
    &[Set(1, 1), Wait(1)],
    &[Set(2, 1), Notify(1)],
    // Has nothing to do with it.
    &[Lock(7), Unlock(7), Lock(7), Unlock(7)],
]);
/// Somebody who looks twice at what another one changes twice.
const TWICE: Program = Program(&[
    TEST,
    // Sets to 1 and back.
    &[Set(0, 1), Set(3, 0), Set(0, 0)],
    // If the first look shows 1, the second one has to as well.
    &[Copy(1, 0), Copy(2, 0), Same(1, 2)],
]);
/// A wait that is too short where others are slow.
const TIMER: Program = Program(&[
    &[Set(1, 1), Spawn(1), Spawn(2), Join(1), Join(2)],
    &[Sleep(10), Copy(2, 0), Same(1, 2)],
    &[Lock(1), Set(0, 1), Unlock(1)],
]);
const ALL: [&Program; 4] = [&LOCKS, &SIGNAL, &TWICE, &TIMER];

fn default(program: &Program) -> Outcome {
    let run = || program.run(&default_order(0, false));
    match ground(&run(), &run()) {
        Ground::Open(outcome) => outcome,
        other => panic!("{other:?}"),
    }
}

fn course(program: &Program, by: Option<By>, room: usize, runs: u64) -> Course {
    let outcome = default(program);
    Course {
        is_narrow: false,
        test: "it::a".to_owned(),
        directed: if room == 0 { Directed::default() } else { directed(&outcome, 0, room, &[], &[]) },
        walks: Walks::new(by, 0, "it::a", &outcome, Vec::new()),
        known: outcome.pairs.iter().cloned().collect(),
        runs: Some(runs),
        limit: limit(outcome.points),
    }
}

/// The runs of these blocks: the number of each, its plan and what it came to.
fn runs<'a>(
    program: &'a Program,
    course: &'a Course,
    blocks: impl IntoIterator<Item = u64> + 'a,
) -> impl Iterator<Item = (u64, Plan, Seen)> + 'a {
    blocks.into_iter().flat_map(move |number| {
        let mut block = Block::new(course, number);
        let mut all = Vec::new();
        while let Some((index, plan)) = block.next_plan() {
            let seen = program.run(&plan);
            block.learn(&plan, seen.outcome.as_ref().expect("a model says what it did"));
            all.push((index, plan, seen));
        }
        all
    })
}

fn first_failure(program: &Program, course: &Course) -> Option<(u64, Plan, Seen)> {
    let blocks = course.runs.expect("it is limited").div_ceil(super::block::RUNS);
    runs(program, course, 0..blocks).find(|it| it.2.failure().is_some())
}

struct Model<'p>(&'p Program);

impl Laboratory for Model<'_> {
    type Error = ();

    fn run(&mut self, plan: &Plan) -> Result<Seen, ()> {
        Ok(self.0.run(plan))
    }

    fn passes_plainly(&mut self, _: bool) -> Result<bool, ()> {
        Ok(self.0.run(&Plan::new(7)).result == RunResult::Passed)
    }
}

#[test]
fn the_default_order_passes() {
    for program in ALL {
        assert_eq!(program.run(&Plan::new(0)).result, RunResult::Passed);
    }
}

#[test]
fn reversing_conflicts_finds_a_lost_signal_and_locks_in_opposite_orders() {
    for (program, first) in [(&SIGNAL, 1), (&LOCKS, 6)] {
        let outcome = default(program);
        let reversals = conflicts(&outcome).iter().flat_map(Conflict::reversals).collect::<Vec<_>>();
        let plans = reversals.into_iter().map(|(hold, switch)| Plan {
            holds: hold.into_iter().collect(),
            switches: switch.into_iter().collect(),
            ..Plan::new(0)
        });
        let found = plans.map(|it| program.run(&it)).position(|it| it.failure().is_some());
        assert!(found.is_some_and(|it| it < first), "{found:?}");
    }
}

#[test]
fn one_preemption_finds_what_takes_one() {
    let fails = |program: &Program| {
        let plans = singles(&default(program), 1000).into_iter();
        let mut plans = plans.map(|it| Plan { switches: vec![it.switch], ..Plan::new(0) });
        plans.any(|it| program.run(&it).failure().is_some())
    };
    assert!(fails(&LOCKS) && fails(&SIGNAL) && fails(&TIMER));
    assert!(!fails(&TWICE), "it takes two");
}

#[test]
fn directed_schedules_find_what_takes_two() {
    let found = first_failure(&TWICE, &course(&TWICE, None, 1000, 1000));
    let room = course(&TWICE, None, 1000, 1000).directed.plans.len() as u64;
    assert!(found.is_some_and(|it| it.0 < room));
}

#[test]
fn each_sort_of_walk_finds_each_fault() {
    for by in [None, Some(By::Random), Some(By::Pct), Some(By::Surw), Some(By::Pos)] {
        for (index, program) in ALL.into_iter().enumerate() {
            let found = first_failure(program, &course(program, by, 0, 1000));
            // Priorities that never fall let no clock go on.
            assert!(found.is_some() || (by, index) == (Some(By::Pct), 3), "{by:?} {index}");
        }
    }
}

#[test]
fn a_correct_program_never_fails() {
    for by in [None, Some(By::Random), Some(By::Pct), Some(By::Surw), Some(By::Pos)] {
        assert!(first_failure(&SAME_LOCKS, &course(&SAME_LOCKS, by, 500, 2000)).is_none());
    }
}

#[test]
fn shrinking_ends_at_the_deviations_that_matter() {
    for (program, least, class) in [
        (&LOCKS, 1, Class::Order),
        (&SIGNAL, 1, Class::Order),
        (&TWICE, 2, Class::Order),
        (&TIMER, 1, Class::Time),
    ] {
        let course = course(program, Some(By::Random), 0, 1000);
        let failures = runs(program, &course, 0..16).filter(|it| it.2.failure().is_some());
        for (_, plan, seen) in failures.take(20) {
            let failure = seen.failure().expect("it is one").clone();
            let Ok(Belief::Fault(fault)) = believe(&plan, &seen, &failure, &mut Model(program)) else {
                panic!("it is a fault")
            };
            assert_eq!(fault.repeated, 3);
            assert!(fault.shrunk.is_least && fault.shrunk.runs <= 150);
            let switches = fault.shrunk.plan.switches.len();
            assert!((least..=least + 2).contains(&switches), "{:?}", fault.shrunk.plan.switches);
            assert!(program.run(&fault.shrunk.plan).shows(&failure));
            assert_eq!(fault.class, class);
        }
    }
}

#[test]
fn what_does_not_come_again_is_not_believed_and_what_also_fails_plainly_is() {
    struct Odd(RunResult, bool);
    impl Laboratory for Odd {
        type Error = ();
        fn run(&mut self, _: &Plan) -> Result<Seen, ()> {
            Ok(Seen { result: self.0.clone(), outcome: None })
        }
        fn passes_plainly(&mut self, is_busy: bool) -> Result<bool, ()> {
            Ok(self.1 || !is_busy)
        }
    }
    let seen = SIGNAL.run(&directed(&default(&SIGNAL), 0, 100, &[], &[]).plans[0]);
    let failure = seen.failure().expect("the signal is lost").clone();
    let plan = Plan::new(0);
    let belief =
        |result: &RunResult, plainly| believe(&plan, &seen, &failure, &mut Odd(result.clone(), plainly));
    assert_eq!(belief(&RunResult::Passed, true), Ok(Belief::Unrepeated));
    for (plainly, expected) in [(false, 5), (true, 0)] {
        let Ok(Belief::Fault(fault)) = belief(&seen.result, plainly) else { panic!("it is a fault") };
        assert_eq!(fault.plainly, expected);
    }
}

#[test]
fn several_machines_make_the_runs_of_one() {
    let course = course(&TWICE, None, 200, 1000);
    let whole: Vec<_> = runs(&TWICE, &course, 0..16).collect();
    assert_eq!(whole.len(), 1000);
    for count in [1, 2, 3, 7] {
        let part = |index| {
            let blocks: Vec<u64> = (0..16).filter(|it| course.is_dealt(*it, index, count)).collect();
            runs(&TWICE, &course, blocks).collect::<Vec<_>>()
        };
        let mut all: Vec<_> = (1..=count).flat_map(part).collect();
        all.sort_by_key(|it| it.0);
        assert!(all == whole, "{count}");
    }
}

#[test]
fn a_run_with_very_many_choices_is_looked_through_in_no_time() {
    let mut outcome = default(&LOCKS);
    let like = outcome.choices.clone();
    for number in 1..5000 {
        outcome.choices.extend(like.iter().map(|it| Choice {
            from: Point { number: it.from.number + number * 100, ..it.from.clone() },
            candidates: (1..100).map(|it| Name::test().child(it)).collect(),
            ..it.clone()
        }));
    }
    let begun = std::time::Instant::now();
    let found = directed(&outcome, 0, 10_000, &[], &[]);
    assert!(begun.elapsed().as_secs() < 20);
    assert!(found.plans.len() <= 10_000 && found.preemptions.0 > 1_000_000);
}
