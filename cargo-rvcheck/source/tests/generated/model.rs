//! Small programs with locks, and which of their locks take part in a deadlock: found by trying all interleavings.

use super::features::Feature;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

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

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Event {
    Acquire(usize),
    Release(usize),
    /// Together with others who do the same.
    Share(usize),
    Unshare(usize),
}

impl Event {
    const fn lock(self) -> usize {
        let (Event::Acquire(lock) | Event::Release(lock) | Event::Share(lock) | Event::Unshare(lock)) = self;
        lock
    }
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
        let threads: Vec<Automaton> =
            self.threads.iter().map(|it| Automaton::of(&ways(it, &self.locks), self.locks.len())).collect();
        explore(&threads)
    }
}

/// All ways through a thread.
fn ways(ops: &[Op], locks: &[Lock]) -> BTreeSet<Vec<Event>> {
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

/// What a thread can still do, from each of its states.
///
/// Ways that go on alike are in one state, so that there are as many states as places, however many branches there are.
struct Automaton {
    states: Vec<State>,
    first: usize,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    next: BTreeMap<Event, usize>,
    /// How often each lock is held, and how often it is shared. What is released later is held now.
    held: Vec<(usize, usize)>,
}

impl Automaton {
    fn of(ways: &BTreeSet<Vec<Event>>, locks: usize) -> Automaton {
        let mut automaton = Automaton { states: Vec::new(), first: 0 };
        let ways: Vec<&[Event]> = ways.iter().map(Vec::as_slice).collect();
        automaton.first = automaton.state(&ways, locks, &mut HashMap::new());
        automaton
    }

    fn state(&mut self, ways: &[&[Event]], locks: usize, known: &mut HashMap<State, usize>) -> usize {
        let mut by_event: BTreeMap<Event, Vec<&[Event]>> = BTreeMap::new();
        for (event, rest) in ways.iter().filter_map(|it| it.split_first()) {
            by_event.entry(*event).or_default().push(rest);
        }
        let next: BTreeMap<Event, usize> =
            by_event.into_iter().map(|(event, ways)| (event, self.state(&ways, locks, known))).collect();
        let mut held = vec![(0, 0); locks];
        if let Some((event, state)) = next.first_key_value() {
            held.clone_from(&self.states[*state].held);
            match *event {
                Event::Acquire(lock) => held[lock].0 -= 1,
                Event::Release(lock) => held[lock].0 += 1,
                Event::Share(lock) => held[lock].1 -= 1,
                Event::Unshare(lock) => held[lock].1 += 1,
            }
        }
        let state = State { next, held };
        *known.entry(state.clone()).or_insert_with(|| {
            self.states.push(state);
            self.states.len() - 1
        })
    }
}

/// A thread that cannot take its next step.
struct Wait {
    thread: usize,
    lock: usize,
    /// The threads that hold the lock.
    holders: Vec<usize>,
}

/// Goes through all interleavings: the locks on which some threads wait for each other for ever.
fn explore(threads: &[Automaton]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let first: Vec<usize> = threads.iter().map(|it| it.first).collect();
    let mut seen = HashSet::from([first.clone()]);
    let mut todo = vec![first];
    while let Some(at) = todo.pop() {
        let held = |thread: usize, lock: usize| threads[thread].states[at[thread]].held[lock];
        // Whom a step of a thread waits for.
        let holders = |event: Event| -> Vec<usize> {
            let keeps_out = |it: &usize| match event {
                Event::Acquire(lock) => held(*it, lock) != (0, 0),
                Event::Share(lock) => held(*it, lock).0 > 0,
                Event::Release(_) | Event::Unshare(_) => false,
            };
            (0..threads.len()).filter(keeps_out).collect()
        };
        // A thread that may do either of two things is not there yet: it waits once it has chosen, which is a way of its own.
        let mut waits: Vec<Wait> = Vec::new();
        for (thread, automaton) in threads.iter().enumerate() {
            for (event, next) in &automaton.states[at[thread]].next {
                let holders = holders(*event);
                if holders.is_empty() {
                    let mut after = at.clone();
                    after[thread] = *next;
                    if seen.insert(after.clone()) {
                        todo.push(after);
                    }
                } else {
                    waits.push(Wait { thread, lock: event.lock(), holders });
                }
            }
        }
        for wait in &waits {
            close(wait, &waits, &mut Vec::new(), &mut found);
        }
    }
    found
}

/// Takes in the locks of each cycle of waiting threads that leads back to the first of `path`.
fn close<'a>(wait: &'a Wait, waits: &'a [Wait], path: &mut Vec<&'a Wait>, found: &mut BTreeSet<usize>) {
    path.push(wait);
    for holder in &wait.holders {
        if *holder == path[0].thread {
            found.extend(path.iter().map(|it| it.lock));
        } else if path.iter().all(|it| it.thread != *holder) {
            for next in waits.iter().filter(|it| it.thread == *holder) {
                close(next, waits, path, found);
            }
        }
    }
    path.pop();
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
