//! Small programs with locks, and which of their locks take part in a deadlock: found by trying all interleavings.

use super::features::Feature;
use std::collections::{BTreeSet, HashSet};

/// A program: two or three threads, each with what it does.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// Its number.
    pub(super) number: usize,
    /// By number.
    pub(super) locks: Vec<Lock>,
    /// A poisoned lock is taken all the same.
    pub(super) is_tolerant: bool,
    pub(super) threads: Vec<Vec<Op>>,
}

/// What a lock is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::enum_variant_names, reason = "the name of the type")]
pub(super) enum Lock {
    Mutex,
    /// It is only written.
    RwLock,
    ParkingLot,
    /// Tasks wait for it, not threads.
    Task,
    /// The value of a `watch` channel: it is held by being borrowed, and asked for by being replaced.
    Latest,
}

impl Lock {
    /// What threads wait for.
    pub(super) const OF_THREADS: [Lock; 6] =
        [Lock::Mutex, Lock::Mutex, Lock::Mutex, Lock::RwLock, Lock::ParkingLot, Lock::Latest];
}

/// One thing that a thread does.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// A lock is held while something is done.
    Hold { id: usize, lock: usize, form: Form, body: Vec<Op> },
    /// On some runs something is done.
    Maybe { body: Vec<Op> },
    /// A lock is requested and let go of by way of a feature of the language, or none is.
    Act { id: usize, feature: Feature, lock: Option<usize> },
}

/// How a lock is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// By a variable in a block.
    Block,
    /// By a variable that is dropped by name.
    Dropped,
    /// By a temporary.
    Temporary,
    /// By a guard that a function returns.
    Returned,
    /// By a function that calls a closure.
    Around,
    /// By a guard that a function is given.
    Given,
}

impl Form {
    pub(super) const ALL: [Form; 6] =
        [Form::Block, Form::Dropped, Form::Temporary, Form::Returned, Form::Around, Form::Given];

    /// Whether what is done meanwhile is still in the body of the task.
    pub(super) const fn is_in_place(self) -> bool {
        matches!(self, Form::Block | Form::Dropped | Form::Temporary)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Event {
    Acquire(usize),
    Release(usize),
    /// Together with others who do the same.
    Share(usize),
    Unshare(usize),
}

/// One way through a thread.
#[derive(Clone, Default)]
struct Run {
    events: Vec<Event>,
    /// The thread-locals that were used, and what their destructors do.
    used: BTreeSet<usize>,
    at_exit: Vec<Option<usize>>,
}

impl Run {
    fn touch(&mut self, lock: Option<usize>) {
        if let Some(lock) = lock {
            self.events.extend([Event::Acquire(lock), Event::Release(lock)]);
        }
    }
}

impl Model {
    /// The locks that take part in some deadlock that can be reached.
    pub(super) fn deadlocked(&self) -> BTreeSet<usize> {
        let ways: Vec<Vec<Vec<Event>>> = self.threads.iter().map(|it| ways(it, &self.locks)).collect();
        let mut found = BTreeSet::new();
        let mut chosen = vec![0; ways.len()];
        loop {
            let threads: Vec<&[Event]> =
                ways.iter().zip(&chosen).map(|(ways, at)| ways[*at].as_slice()).collect();
            explore(&threads, &mut found);
            let Some(next) = (0..ways.len()).find(|it| chosen[*it] + 1 < ways[*it].len()) else {
                return found;
            };
            chosen[next] += 1;
            chosen[..next].fill(0);
        }
    }
}

/// All ways through a thread.
fn ways(ops: &[Op], locks: &[Lock]) -> Vec<Vec<Event>> {
    let mut runs = run(ops, locks, vec![Run::default()]);
    for it in &mut runs {
        for lock in std::mem::take(&mut it.at_exit).into_iter().rev() {
            it.touch(lock);
        }
    }
    runs.into_iter().map(|it| it.events).collect()
}

fn run(ops: &[Op], locks: &[Lock], mut runs: Vec<Run>) -> Vec<Run> {
    for op in ops {
        match op {
            Op::Hold { lock, body, .. } => {
                let (begin, end) = match locks[*lock] {
                    Lock::Latest => (Event::Share(*lock), Event::Unshare(*lock)),
                    _ => (Event::Acquire(*lock), Event::Release(*lock)),
                };
                for it in &mut runs {
                    it.events.push(begin);
                }
                runs = run(body, locks, runs);
                for it in &mut runs {
                    it.events.push(end);
                }
            }
            Op::Maybe { body } => {
                let taken = run(body, locks, runs.clone());
                runs.extend(taken);
            }
            Op::Act { id, feature, lock } => {
                for it in &mut runs {
                    match feature {
                        Feature::ThreadLocalMade | Feature::Lazy | Feature::Initialised
                            if !it.used.insert(*id) => {}
                        Feature::ThreadLocalDropped => it.at_exit.push(*lock),
                        _ => it.touch(*lock),
                    }
                }
            }
        }
    }
    runs
}

/// Goes through all interleavings, and takes in the locks on which some threads wait for each other for ever.
fn explore(threads: &[&[Event]], found: &mut BTreeSet<usize>) {
    let mut seen = HashSet::new();
    let mut todo = vec![vec![0; threads.len()]];
    while let Some(at) = todo.pop() {
        if !seen.insert(at.clone()) {
            continue;
        }
        let owner = |lock: usize, alone: bool| {
            (0..threads.len()).find(|it| {
                let done = &threads[*it][..at[*it]];
                let count = |event| done.iter().filter(|it| **it == event).count();
                let shares = count(Event::Share(lock)) > count(Event::Unshare(lock));
                count(Event::Acquire(lock)) > count(Event::Release(lock)) || alone && shares
            })
        };
        let waits = |thread: usize| match threads[thread].get(at[thread]) {
            Some(Event::Acquire(lock)) => owner(*lock, true).map(|it| (*lock, it)),
            Some(Event::Share(lock)) => owner(*lock, false).map(|it| (*lock, it)),
            _ => None,
        };
        for thread in 0..threads.len() {
            let (mut locks, mut next) = (Vec::new(), thread);
            while let Some((lock, holder)) = waits(next).filter(|_| locks.len() <= threads.len()) {
                locks.push(lock);
                next = holder;
                if next == thread {
                    found.extend(locks.iter().copied());
                    break;
                }
            }
            if at[thread] < threads[thread].len() && waits(thread).is_none() {
                let mut after = at.clone();
                after[thread] += 1;
                todo.push(after);
            }
        }
    }
}

#[test]
fn two_orders_and_one_lock_twice_are_deadlocks_and_one_order_is_none() {
    let hold = |lock, body| Op::Hold { id: 0, lock, form: Form::Block, body };
    let touch = |lock| Op::Act { id: 0, feature: Feature::Direct, lock: Some(lock) };
    let locks = vec![Lock::Mutex, Lock::RwLock, Lock::ParkingLot, Lock::Latest];
    let model = |threads| Model { number: 0, locks: locks.clone(), is_tolerant: false, threads };
    let of = |threads: Vec<Vec<Op>>| model(threads).deadlocked().into_iter().collect::<Vec<_>>();
    let (ab, ba) = (hold(0, vec![touch(1)]), hold(1, vec![touch(0)]));
    assert_eq!(of(vec![vec![ab.clone()], vec![ba.clone()]]), [0, 1]);
    assert_eq!(of(vec![vec![ab.clone()], vec![ab.clone()]]), [0; 0]);
    assert_eq!(of(vec![vec![ab.clone(), ba.clone()], vec![]]), [0; 0]);
    assert_eq!(of(vec![vec![hold(2, vec![touch(2)])], vec![]]), [2]);
    // A lock that both take first keeps them apart.
    assert_eq!(of(vec![vec![hold(2, vec![ab.clone()])], vec![hold(2, vec![ba.clone()])]]), [0; 0]);
    let cycle = [(0, 1), (1, 2), (2, 0)].map(|(outer, inner)| vec![hold(outer, vec![touch(inner)])]);
    assert_eq!(of(cycle.to_vec()), [0, 1, 2]);
    // Borrows of one value keep nobody out but who replaces it.
    assert_eq!(of(vec![vec![hold(3, vec![hold(3, vec![])])], vec![]]), [0; 0]);
    assert_eq!(of(vec![vec![hold(3, vec![touch(3)])], vec![]]), [3]);
    assert_eq!(of(vec![vec![hold(3, vec![touch(0)])], vec![hold(0, vec![touch(3)])]]), [0, 3]);
    assert_eq!(of(vec![vec![Op::Maybe { body: vec![ab] }], vec![ba]]), [0, 1]);
}
