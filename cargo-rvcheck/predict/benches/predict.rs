//! How quickly deadlocks are predicted, on four shapes of traces. `cargo bench -p rvcheck-predict` prints the figures, with a word
//! behind `--` those of the shapes that have it in their names. Times are those that the process had a core, where the system tells.

use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::EventKind;
use rvcheck_event::observer::Observer;
use rvcheck_event::world::World;
use rvcheck_predict::history::History;
use rvcheck_predict::{Facts, Gather, Limits, Predictions, Proof, Survey, predict};
use std::time::{Duration, Instant};

fn event(kind: EventKind, task: u32, object: u32, site: u32) -> Event {
    Event {
        kind,
        flags: 0,
        thread: ThreadId(task),
        task: TaskId(task),
        unit: UnitId(1),
        site: SiteId(site),
        object,
        number: 0,
        time: 0,
        ns: 0,
        cpu: 0,
    }
}

/// One lock inside another, by one task.
fn nested(events: &mut Vec<Event>, task: u32, outer: u32, inner: u32) {
    let site = outer * 2 + 1;
    events.push(event(EventKind::Acquire, task, outer, site));
    events.push(event(EventKind::Acquire, task, inner, site + 1));
    events.push(event(EventKind::Release, task, inner, site + 1));
    events.push(event(EventKind::Release, task, outer, site));
}

fn survey(events: impl Iterator<Item = Event>) -> (u64, Option<Facts>) {
    let (mut survey, mut count, world) = (Survey::new(), 0, World::default());
    for event in events {
        survey.observe(&event, &world);
        count += 1;
    }
    (count, survey.suspicion())
}

fn gathered(events: &[Event], facts: Facts) -> History {
    let (mut gather, world) = (Gather::new(facts), World::default());
    for event in events {
        gather.observe(event, &world);
    }
    gather.finish()
}

fn witnessed(predictions: &Predictions) -> usize {
    predictions.all.iter().filter(|it| matches!(it.proof, Proof::Witnessed(_))).count()
}

/// When something began.
struct Began {
    wall: Instant,
    core: Option<Duration>,
}

impl Began {
    fn now() -> Began {
        Began { wall: Instant::now(), core: on_core() }
    }

    /// How long the process had a core since then. That is counted in ticks, so for what is short the wall's clock counts.
    fn elapsed(&self) -> Duration {
        let on_core = on_core().zip(self.core).map(|(now, then)| now.saturating_sub(then));
        on_core.filter(|it| *it >= LONG).unwrap_or_else(|| self.wall.elapsed())
    }
}

const LONG: Duration = Duration::from_millis(30);

/// How long the process had a core by now, where the system tells.
fn on_core() -> Option<Duration> {
    let schedstat = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    schedstat.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

fn rate(count: u64, took: Duration) -> f64 {
    count as f64 / took.as_secs_f64() / 1e6
}

fn all(name: &str, events: &[Event], limits: &Limits) {
    let began = Began::now();
    let (count, facts) = survey(events.iter().copied());
    let Some(facts) = facts else { return println!("{name}: nothing to look for") };
    let surveyed = began.elapsed();
    let history = gathered(events, facts);
    let made = began.elapsed().saturating_sub(surveyed);
    let predictions = predict(&history, limits);
    let took = began.elapsed();
    println!(
        "{name}: {count} events in {took:.3?} ({:.1} M events/s; first look {surveyed:.3?}, second {made:.3?}): {} witnessed{}, {} bytes an event",
        rate(count, took),
        witnessed(&predictions),
        if predictions.bounded { ", bounded" } else { "" },
        history.bytes() / count.max(1),
    );
}

/// A name, what makes the events, and how much is tried.
type Case = (&'static str, fn() -> Vec<Event>, Limits);

fn main() {
    // Only those whose names have this word.
    let word = std::env::args().skip(1).find(|it| !it.starts_with('-')).unwrap_or_default();
    let is_asked_for = |name: &str| name.contains(&word);
    if is_asked_for(FREE) {
        let began = Began::now();
        let free = (0..2_500_000_u32).flat_map(|turn| {
            let mut events = Vec::with_capacity(4);
            let (task, outer) = (turn % 16 + 1, turn % 50 + 1);
            nested(&mut events, task, outer, outer + turn % 7 + 1);
            events
        });
        let (count, facts) = survey(free);
        let took = began.elapsed();
        assert!(facts.is_none(), "the locks are taken in ascending order");
        println!("{FREE}: {count} events in {took:.3?} ({:.1} M events/s)", rate(count, took));
    }
    let cases: [Case; 3] = [
        ("two locks, one inversion", two_locks, Limits::default()),
        ("200 inversions by 800 threads", many_inversions, Limits { distinct: false, ..Limits::default() }),
        ("a cycle of 200 locks with 4 threads an edge", cycle, Limits::default()),
    ];
    for (name, events, limits) in cases.into_iter().filter(|it| is_asked_for(it.0)) {
        all(name, &events(), &limits);
    }
}

const FREE: &str = "without a cycle";

fn two_locks() -> Vec<Event> {
    let mut events = Vec::new();
    for turn in 0..250_000_u32 {
        let task = turn % 8 + 1;
        let (outer, inner) = if turn == 249_999 { (2, 1) } else { (1, 2) };
        nested(&mut events, if turn == 249_999 { 9 } else { task }, outer, inner);
    }
    events
}

fn many_inversions() -> Vec<Event> {
    let mut events = Vec::new();
    for pair in 0..200_u32 {
        for task in 0..4_u32 {
            let (left, right) = (pair * 2 + 1, pair * 2 + 2);
            let (outer, inner) = if task % 2 == 0 { (left, right) } else { (right, left) };
            nested(&mut events, pair * 4 + task + 1, outer, inner);
        }
    }
    events
}

fn cycle() -> Vec<Event> {
    let mut events = Vec::new();
    for lock in 0..200_u32 {
        for task in 0..4_u32 {
            nested(&mut events, lock * 4 + task + 1, lock + 1, (lock + 1) % 200 + 1);
        }
    }
    events
}
