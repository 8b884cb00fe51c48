//! How instances come about, go, and are limited: cases that were worth a test of their own.

mod kit;

use kit::event;
use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_spec::evaluation::engine::Options;
use rvcheck_spec::{Fault, Limits, Monitor, PropertySource, UnitEnd, Verdict, Verdicts, compile_automaton};

fn monitor(limits: Limits, params: &[&str], transitions: &[&str]) -> Monitor {
    monitor_with(limits, Options::ALL, params, transitions)
}

fn monitor_with(limits: Limits, options: Options, params: &[&str], transitions: &[&str]) -> Monitor {
    let mentions = |state: &str| transitions.iter().any(|it| it.ends_with(state));
    let listed = |state: &str| if mentions(state) { vec![state.to_owned()] } else { Vec::new() };
    let source = PropertySource {
        id: "test".to_owned(),
        logic: "automaton".to_owned(),
        params: params.iter().map(|it| (*it).to_owned()).collect(),
        vars: vec![("n".to_owned(), "0".to_owned())],
        initial: Some("start".to_owned()),
        bad: listed("bad"),
        end_bad: listed("stuck"),
        transitions: transitions.iter().map(|it| (*it).to_owned()).collect(),
        ..PropertySource::default()
    };
    let (automaton, problems) = compile_automaton(&source);
    assert_eq!(problems, []);
    Monitor::with(automaton.into_iter().collect(), limits, options)
}

fn step(monitor: &mut Monitor, kind: EventKind, task: u32, object: u32) {
    monitor.step(&event(kind, task, object), &World::default());
}

fn finish(mut monitor: Monitor) -> Verdicts {
    monitor.end_of_unit(UnitId(1), UnitEnd::Complete);
    monitor.finish(&World::default())
}

#[test]
fn a_binding_inherits_what_happened_before_it_was_complete() {
    let transitions = ["start -- finish(t) --> over", "over -- acquire(t, l) --> bad"];
    let mut monitor = monitor(Limits::DEFAULT, &["t: task", "l: lock"], &transitions);
    step(&mut monitor, EventKind::Acquire, 1, 7);
    step(&mut monitor, EventKind::Finish, 1, 0);
    step(&mut monitor, EventKind::Acquire, 1, 8);
    step(&mut monitor, EventKind::Acquire, 2, 8);
    let verdicts = finish(monitor);
    let binding = |task, lock| vec![Value::Object(Sort::Task, task), Value::Object(Sort::Lock, lock)];
    let violated: Vec<_> = verdicts.violations.iter().map(|it| it.binding.clone()).collect();
    assert_eq!(violated, [binding(1, 8)]);
    assert_eq!(verdicts.properties[0].units[0].bindings, 3);
    assert_eq!(verdicts.violations[0].witness.first.len(), 2);
}

#[test]
fn events_that_bind_a_part_of_the_parameters_do_not_make_pairs_of_everything() {
    let transitions =
        ["start -- spawn(t, u) --> kept", "kept -- finish(t) --> loose", "loose -- poll(u) --> stuck"];
    let mut monitor = monitor(Limits::DEFAULT, &["t: task", "u: task"], &transitions);
    for task in 1..=1000 {
        step(&mut monitor, EventKind::Poll, task, 0);
        step(&mut monitor, EventKind::Finish, task, 0);
    }
    assert_eq!(monitor.instances(), 0);
}

#[test]
fn instances_go_with_their_objects() {
    let transitions = [
        "start -- request(_, l) --> waiting",
        "waiting -- acquire(_, l) --> start",
        "waiting -- release(_, l) --> bad",
    ];
    let mut monitor = monitor(Limits::DEFAULT, &["l: lock"], &transitions);
    for lock in 1..=10_000 {
        step(&mut monitor, EventKind::Request, 1, lock);
        monitor.collect([(Sort::Lock, lock)]);
    }
    assert_eq!(monitor.instances(), 0);
    let verdicts = finish(monitor);
    assert_eq!(verdicts.properties[0].units[0].bindings, 10_000);
}

#[test]
fn what_is_bad_at_the_end_outlives_its_object() {
    let transitions = ["start -- request(_, l) --> stuck", "stuck -- acquire(_, l) --> start"];
    let mut monitor = monitor(Limits::DEFAULT, &["l: lock"], &transitions);
    step(&mut monitor, EventKind::Request, 1, 5);
    monitor.collect([(Sort::Lock, 5)]);
    let verdicts = finish(monitor);
    assert_eq!(verdicts.properties[0].units[0].verdict, Verdict::Violated);
    assert!(verdicts.violations[0].at_end);
}

#[test]
fn a_part_that_is_bad_stays_until_its_binding_is_complete() {
    let transitions = ["start -- acquire(u, _) --> bad", "start -- abort(t, u) --> start"];
    let mut monitor = monitor(Limits::DEFAULT, &["t: task", "u: task"], &transitions);
    step(&mut monitor, EventKind::Acquire, 2, 9);
    monitor.collect([(Sort::Task, 2)]);
    step(&mut monitor, EventKind::Abort, 1, 2);
    assert_eq!(finish(monitor).violations.len(), 1);
}

#[test]
fn a_monitor_that_would_need_too_many_instances_says_so() {
    let limits = Limits { instances: 10, ..Limits::DEFAULT };
    let transitions = ["start -- request(_, l) --> stuck"];
    let mut monitor = monitor(limits, &["l: lock"], &transitions);
    for lock in 1..=11 {
        step(&mut monitor, EventKind::Request, 1, lock);
    }
    assert_eq!(monitor.fault(0), Some(&Fault::Instances { limit: 10 }));
    let verdicts = finish(monitor);
    assert_eq!(verdicts.properties[0].units[0].verdict, Verdict::Inconclusive);
    assert_eq!(verdicts.violations, []);
}

#[test]
fn a_monitor_that_would_take_for_ever_says_so() {
    let limits = Limits { work: 5000, ..Limits::DEFAULT };
    let transitions = [
        "start -- request(_, l) --> waiting",
        "waiting -- test_end(_) --> waiting",
        "waiting -- release(_, l) --> bad",
    ];
    let mut monitor = monitor(limits, &["l: lock"], &transitions);
    for lock in 1..=100 {
        step(&mut monitor, EventKind::Request, 1, lock);
    }
    for _ in 0..100 {
        step(&mut monitor, EventKind::TestEnd, 0, 1);
    }
    assert_eq!(monitor.fault(0), Some(&Fault::Work { limit: 5000 }));
}

/// Many tasks take one lock in turn. Whoever asks for it concerns those who have it, and not those who have had it.
#[test]
fn an_event_looks_only_at_instances_that_it_could_move() {
    let transitions = [
        "start -- acquire(t, l) --> held",
        "held -- release(t, l) --> start",
        "held -- request(_, l) --> wanted",
        "wanted -- release(t, l) --> start",
        "wanted -- finish(t) --> bad",
    ];
    let run = |listen: bool| {
        let limits = Limits { work: 20_000, ..Limits::DEFAULT };
        let mut monitor =
            monitor_with(limits, Options { listen, ..Options::ALL }, &["t: task", "l: lock"], &transitions);
        for task in 1..500 {
            step(&mut monitor, EventKind::Acquire, task, 7);
            step(&mut monitor, EventKind::Request, 500, 7);
            if task != 400 {
                step(&mut monitor, EventKind::Release, task, 7);
            }
            step(&mut monitor, EventKind::Finish, task, 0);
        }
        finish(monitor)
    };
    let verdicts = run(true);
    assert_eq!(verdicts.properties[0].fault, None);
    let binding = vec![Value::Object(Sort::Task, 400), Value::Object(Sort::Lock, 7)];
    assert_eq!(verdicts.violations.iter().map(|it| it.binding.clone()).collect::<Vec<_>>(), [binding]);
    assert_eq!(verdicts.properties[0].units[0].bindings, 499);
    assert_eq!(run(false).properties[0].fault, Some(Fault::Work { limit: 20_000 }));
}

#[test]
fn transitions_that_clash_in_the_run_are_a_fault() {
    let transitions = ["start -- poll(t) [n < 2] --> bad", "start -- poll(t) [n < 1] --> start"];
    let mut monitor = monitor(Limits::DEFAULT, &["t: task"], &transitions);
    step(&mut monitor, EventKind::Poll, 1, 0);
    assert!(matches!(monitor.fault(0), Some(Fault::Overlap { transitions: (0, 1), .. })));
    assert_eq!(finish(monitor).properties[0].units[0].verdict, Verdict::Inconclusive);
}

#[test]
fn a_witness_keeps_the_first_and_the_last_events() {
    let transitions = ["start -- poll(t) / n = n + 1 --> start", "start -- finish(t) --> bad"];
    let mut monitor = monitor(Limits::DEFAULT, &["t: task"], &transitions);
    for time in 0..100 {
        monitor.step(&Event { time, ..event(EventKind::Poll, 1, 0) }, &World::default());
    }
    step(&mut monitor, EventKind::Finish, 1, 0);
    let violations = finish(monitor).violations;
    let times: Vec<u64> = violations[0].witness.iter().map(|event| event.time).collect();
    assert_eq!(times, (0..16).chain(85..100).chain([0]).collect::<Vec<_>>());
    assert_eq!(violations[0].witness.skipped, 69);
}
