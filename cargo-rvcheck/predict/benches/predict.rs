//! How quickly deadlocks are predicted, on four shapes of traces. `cargo bench -p rvcheck-predict` prints the figures.

use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::EventKind;
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
        survey.see(&event, &world);
        count += 1;
    }
    (count, survey.suspicion())
}

fn gathered(events: &[Event], facts: Facts) -> History {
    let (mut gather, world) = (Gather::new(facts), World::default());
    for event in events {
        gather.see(event, &world);
    }
    gather.finish()
}

fn witnessed(predictions: &Predictions) -> usize {
    predictions.all.iter().filter(|it| matches!(it.proof, Proof::Witnessed(_))).count()
}

fn rate(count: u64, took: Duration) -> f64 {
    count as f64 / took.as_secs_f64() / 1e6
}

fn all(name: &str, events: &[Event], limits: &Limits) {
    let began = Instant::now();
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

fn main() {
    let began = Instant::now();
    let free = (0..2_500_000_u32).flat_map(|turn| {
        let mut events = Vec::with_capacity(4);
        let (task, outer) = (turn % 16 + 1, turn % 50 + 1);
        nested(&mut events, task, outer, outer + turn % 7 + 1);
        events
    });
    let (count, facts) = survey(free);
    let took = began.elapsed();
    assert!(facts.is_none(), "the locks are taken in ascending order");
    println!("without a cycle: {count} events in {took:.3?} ({:.1} M events/s)", rate(count, took));

    let mut two = Vec::new();
    for turn in 0..250_000_u32 {
        let task = turn % 8 + 1;
        let (outer, inner) = if turn == 249_999 { (2, 1) } else { (1, 2) };
        nested(&mut two, if turn == 249_999 { 9 } else { task }, outer, inner);
    }
    all("two locks, one inversion", &two, &Limits::default());

    let mut many = Vec::new();
    for pair in 0..200_u32 {
        for task in 0..4_u32 {
            let (left, right) = (pair * 2 + 1, pair * 2 + 2);
            let (outer, inner) = if task % 2 == 0 { (left, right) } else { (right, left) };
            nested(&mut many, pair * 4 + task + 1, outer, inner);
        }
    }
    all("200 inversions by 800 threads", &many, &Limits { distinct: false, ..Limits::default() });

    let mut ring = Vec::new();
    for lock in 0..200_u32 {
        for task in 0..4_u32 {
            nested(&mut ring, lock * 4 + task + 1, lock + 1, (lock + 1) % 200 + 1);
        }
    }
    all("a ring of 200 locks with 4 threads an edge", &ring, &Limits::default());
}
