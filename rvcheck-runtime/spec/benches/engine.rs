//! How many events a second the engine takes.
//!
//! The property is a response: what was requested is acquired. `one key` has the given number of keys alive and visits
//! them in turn, the worst case for caches; `two parameters` also binds the task; `churn` makes and forgets an instance
//! every four events.

#[path = "../tests/kit/event.rs"]
mod event;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rvcheck_event::event::Event;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::world::World;
use rvcheck_spec::{Monitor, PropertySource, compile_automaton};

const EVENTS: u32 = 1 << 20;

fn response(params: &[&str]) -> Monitor {
    let who = if params.len() == 1 { "_" } else { "t" };
    let source = PropertySource {
        id: "response".to_owned(),
        logic: "automaton".to_owned(),
        params: params.iter().map(|it| (*it).to_owned()).collect(),
        initial: Some("idle".to_owned()),
        end_bad: vec!["waiting".to_owned()],
        transitions: vec![
            format!("idle -- request({who}, l) --> waiting"),
            format!("waiting -- acquire({who}, l) --> idle"),
        ],
        ..PropertySource::default()
    };
    let (automaton, problems) = compile_automaton(&source);
    assert_eq!(problems, []);
    Monitor::new(automaton.into_iter().collect())
}

fn event(kind: EventKind, key: u32, time: u32) -> Event {
    Event { time: time.into(), ..event::event(kind, key % 7 + 1, key) }
}

/// Requests and acquisitions of so many locks in turn.
fn trace(keys: u32) -> Vec<Event> {
    (0..EVENTS)
        .map(|time| {
            let kind = if (time / keys).is_multiple_of(2) { EventKind::Request } else { EventKind::Acquire };
            event(kind, time % keys + 1, time)
        })
        .collect()
}

fn engine(criterion: &mut Criterion) {
    let world = World::default();
    let mut group = criterion.benchmark_group("engine");
    group.throughput(Throughput::Elements(EVENTS.into())).sample_size(10);
    for (name, params) in [("one key", &["l: lock"][..]), ("two parameters", &["t: task", "l: lock"])] {
        for keys in [100, 1_000, 100_000] {
            let events = trace(keys);
            let mut monitor = response(params);
            group.bench_with_input(BenchmarkId::new(name, keys), &events, |bencher, events| {
                bencher.iter(|| {
                    for event in events {
                        monitor.step(black_box(event), &world);
                    }
                });
            });
        }
    }
    let churn: Vec<Event> = (0..EVENTS)
        .map(|time| {
            event(
                if time.is_multiple_of(2) { EventKind::Request } else { EventKind::Acquire },
                time / 4 + 1,
                time,
            )
        })
        .collect();
    let mut monitor = response(&["l: lock"]);
    group.bench_with_input(BenchmarkId::new("churn", 1), &churn, |bencher, events| {
        bencher.iter(|| {
            for event in events {
                monitor.step(black_box(event), &world);
                if event.time % 4 == 3 {
                    monitor.collect([(Sort::Lock, event.object)]);
                }
            }
        });
    });
    assert!(monitor.instances() <= 1);
    group.finish();
}

criterion_group!(benches, engine);
criterion_main!(benches);
