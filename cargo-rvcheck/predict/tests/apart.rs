//! Two orders of two locks: what keeps them apart, and what is made of tasks that share a thread.

mod support;

use rvcheck_event::id::SiteId;
use rvcheck_predict::history::{Ask, HappensBefore, History, LockIx, Op, Seen, TaskIx};
use rvcheck_predict::{Limits, Proof, Why, predict};
use support::{lock, task};

/// The place where the first task tells that it is done, and the one where the second hears of it.
const NOTIFIED: [u32; 2] = [50, 51];

fn step(history: &mut History, task: TaskIx, op: Op, site: u32) -> u32 {
    history.add_step(task, op, Seen { site: SiteId(site), ..Seen::default() })
}

/// One lock inside another, from `site` on.
fn nested(history: &mut History, task: TaskIx, locks: [LockIx; 2], ask: Ask, site: u32) {
    let mode = rvcheck_event::kind::Mode::Write;
    let taken = locks.map(|lock| (lock, step(history, task, Op::Acquire { lock, mode, ask }, site + lock)));
    for (lock, acquire) in taken.into_iter().rev() {
        step(history, task, Op::Release { lock, acquire }, 0);
    }
}

/// Two tasks and two locks.
fn pair() -> (History, [TaskIx; 2], [LockIx; 2]) {
    let mut history = History::default();
    let tasks = [0, 1].map(|it| history.add_task(task(it)));
    let locks = [0, 1].map(|it| history.add_lock(lock(Some(it))));
    (history, tasks, locks)
}

/// The second task takes the locks the other way round when it has heard that the first one is done, if it does, perhaps by chance.
fn notified(hears: bool, by_chance: bool) -> History {
    let (mut history, [one, other], [a, b]) = pair();
    nested(&mut history, one, [a, b], Ask::Blocks, 10);
    let from = step(&mut history, one, Op::Point, NOTIFIED[0]);
    step(&mut history, other, Op::Point, NOTIFIED[1]);
    if hears {
        history.add_edge(HappensBefore { from, careful: false });
    }
    if by_chance {
        history.set_loose();
    }
    nested(&mut history, other, [b, a], Ask::Blocks, 20);
    history
}

#[test]
fn what_the_program_keeps_apart_is_reported_and_what_only_its_test_keeps_apart_is_not() {
    let free = predict(&notified(false, false), &Limits::default());
    assert_eq!((free.all.len(), free.ordered.len()), (1, 0));
    let kept = predict(&notified(true, false), &Limits::default());
    assert!(kept.all.is_empty());
    let asked: Vec<Vec<u32>> =
        kept.ordered.iter().map(|it| it.asked.iter().map(|it| it.0).collect()).collect();
    assert_eq!(asked, [[11, 20]]);
    for place in NOTIFIED {
        let mut history = notified(true, false);
        history.set_of_tests([SiteId(place)]);
        let kept = predict(&history, &Limits::default());
        assert!(kept.all.is_empty() && kept.ordered.is_empty(), "{kept:?}");
    }
    let kept = predict(&notified(true, true), &Limits::default());
    assert!(kept.all.is_empty() && kept.ordered.is_empty(), "{kept:?}");
}

/// Two tasks take their turns on one thread, each with both locks.
fn on_one_thread(ask: Ask) -> History {
    let (mut history, tasks, [a, b]) = pair();
    let turn = history.add_lock(lock(None));
    for (task, locks) in tasks.into_iter().zip([[a, b], [b, a]]) {
        let mode = rvcheck_event::kind::Mode::Write;
        let acquire = step(&mut history, task, Op::Acquire { lock: turn, mode, ask: Ask::Tries }, 0);
        nested(&mut history, task, locks, ask, 10 * (task + 1));
        step(&mut history, task, Op::Release { lock: turn, acquire }, 0);
    }
    history
}

#[test]
fn tasks_of_one_thread_meet_only_where_they_can_be_suspended() {
    let proofs = |ask| -> Vec<Proof> {
        predict(&on_one_thread(ask), &Limits::default()).all.into_iter().map(|it| it.proof).collect()
    };
    assert_eq!(proofs(Ask::Suspends), [Proof::Potential(Why::OneThread)]);
    assert_eq!(proofs(Ask::Blocks), []);
}
