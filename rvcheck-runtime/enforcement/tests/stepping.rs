//! The monitors in the program see what the monitors see that read its trace afterwards.

use rvcheck_enforcement::{Action, Enforced, EnforcedProperties, Enforcer};
use rvcheck_event::event::Event;
use rvcheck_event::id::{ThreadId, UnitId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind};
use rvcheck_event::record::{Record, code};
use rvcheck_event::trace::follow::Ticketed;
use rvcheck_event::trace::format::{PAGE, chunk};
use rvcheck_event::trace::write::TraceBuilder;
use rvcheck_event::trace::{merge, read};
use rvcheck_event::value::Value;
use rvcheck_spec::compilation::source_of;
use rvcheck_spec::{Monitor, PropertySource, Vocabulary, compile};

/// A lock is requested by a task that holds one.
fn one_lock(action: Action) -> Enforced {
    let text = |it: &str| Some(it.to_owned());
    let source = PropertySource {
        id: "one-lock".into(),
        logic: "automaton".into(),
        message: text("{t} waits"),
        params: vec!["t: task".into()],
        vars: vec![("held".into(), "0".into())],
        initial: text("free"),
        bad: vec!["waiting".into()],
        transitions: vec![
            "free -- acquire(t, _) / held = held + 1 --> free".into(),
            "free -- release(t, _) / held = held - 1 --> free".into(),
            "free -- request(t, _) [held > 0] --> waiting".into(),
        ],
        ..PropertySource::default()
    };
    Enforced { source, action, ..Enforced::default() }
}

/// A formula that is decided while the program runs.
fn calm() -> Enforced {
    let source = PropertySource {
        id: "calm".into(),
        logic: "ltl".into(),
        formula: Some("forall t: task, l: lock . G (request(t, l) -> !holds(t, l))".into()),
        ..PropertySource::default()
    };
    Enforced { source, ..Enforced::default() }
}

/// Hands the definitions and the records of a trace to somebody, in the order of the tickets.
fn replay(bytes: &[u8], enforcement: &mut Enforcer, mut step: impl FnMut(&mut Enforcer, ThreadId, Ticketed)) {
    let mut at = PAGE + chunk::CONTENTS;
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    while number(at) != 0 {
        let length = number(at) as usize;
        enforcement.define(number(at + 4), &bytes[at + 8..at + 8 + length]);
        at = (at + 8 + length).next_multiple_of(8);
    }
    let trace = read::read(bytes).expect("a trace");
    let mut all: Vec<(ThreadId, Ticketed)> = Vec::new();
    for thread in trace.threads() {
        let (mut ticket, mut nanos) = (0, 0);
        for record in trace.records(thread) {
            match record.code {
                code::TICKET => (ticket, nanos) = (record.ticket_number(), record.value()),
                code::TIME => {}
                _ => all.push((thread, Ticketed { ticket, nanos, record })),
            }
        }
    }
    all.sort_by_key(|it| it.1.ticket);
    for (thread, next) in all {
        step(enforcement, thread, next);
    }
}

/// Two tests whose threads take and release three locks at random, so that nothing is held twice.
fn program(mut seed: u64, steps: usize) -> Vec<u8> {
    let mut next = move |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound
    };
    let mut trace = TraceBuilder::new().with_tickets();
    let sites: Vec<_> = (1..4).map(|line| trace.site("src/lib.rs", line, 1)).collect();
    let threads = [trace.test("it::one"), trace.test("it::two")];
    let locks: Vec<_> =
        (0..3).map(|at| trace.object(threads[0], ObjectKind::StdMutex, sites[at], 0)).collect();
    let mut held: [Option<ThreadId>; 3] = [None; 3];
    for _ in 0..steps {
        let (at, thread, site) = (next(3), threads[next(2)], sites[next(3)]);
        trace.pass(next(50) as u64);
        let (kind, by, holder) = match held[at] {
            None => (EventKind::Acquire, thread, Some(thread)),
            Some(by) if next(3) > 0 => (EventKind::Release, by, None),
            Some(by) => (EventKind::Request, thread, Some(by)),
        };
        trace.lock(by, kind, locks[at], Mode::Write, site);
        held[at] = holder;
    }
    trace.build()
}

#[test]
fn it_stops_where_the_monitors_find_a_violation_afterwards() {
    let orders = EnforcedProperties(vec![one_lock(Action::Panic), calm()]);
    let mut stops = 0;
    for seed in 0..200 {
        let bytes = program(seed, 60);
        let trace = read::read(&bytes).expect("a trace");
        let compiled = orders.0.iter().map(|it| compile(&it.source, &Vocabulary::default()).0);
        let properties: Vec<_> = compiled.map(|it| it.expect("nothing is wrong")).collect();
        let ids: Vec<String> = properties.iter().map(|it| it.id().to_owned()).collect();
        let mut monitor = Monitor::new(properties);
        let mut merge = merge::events(&trace);
        let mut afterwards: Vec<(u64, String, UnitId)> = Vec::new();
        while let Some(event) = merge.next() {
            let event: Event = event;
            monitor.step(&event, merge.world());
            // Of several at one event the first one counts.
            let found = monitor.take_violations().into_iter().next();
            afterwards.extend(found.map(|it| (event.time, ids[it.property].clone(), it.unit)));
        }
        let mut inside = Vec::new();
        replay(&bytes, &mut Enforcer::new(&orders), |enforcement, thread, next| {
            inside.extend(enforcement.step(thread, next).map(|it| (next.nanos, it.property, it.unit)));
        });
        assert_eq!(inside, afterwards, "seed {seed}");
        stops += inside.len();
    }
    assert!(stops > 100, "there is something to stop");
}

#[test]
fn it_says_the_property_the_place_and_the_binding() {
    let mut trace = TraceBuilder::new().with_tickets();
    let site = trace.site("src/lib.rs", 7, 1);
    let thread = trace.test("it::one");
    let locks = [0, 1].map(|_| trace.object(thread, ObjectKind::StdMutex, site, 0));
    trace.lock(thread, EventKind::Acquire, locks[0], Mode::Write, site);
    trace.lock(thread, EventKind::Request, locks[1], Mode::Write, site);
    let bytes = trace.build();
    let orders = EnforcedProperties(vec![one_lock(Action::Abort)]);
    let mut stops = Vec::new();
    replay(&bytes, &mut Enforcer::new(&orders), |enforcement, thread, next| {
        stops.extend(enforcement.step(thread, next));
    });
    let [stop] = stops.as_slice() else { panic!("{stops:?}") };
    assert_eq!((stop.property.as_str(), stop.action, stop.unit), ("one-lock", Action::Abort, UnitId(1)));
    assert_eq!(
        stop.message,
        "rvcheck: `one-lock` is violated at src/lib.rs:7: task 1 `it::one` waits (t = task 1 `it::one`)"
    );
    let mut reported = Vec::new();
    replay(&bytes, &mut Enforcer::new(&orders), |enforcement, thread, next| {
        reported.extend(enforcement.watch(thread, next));
    });
    let [live] = reported.as_slice() else { panic!("{reported:?}") };
    assert_eq!((live.test.as_deref(), live.place.as_str()), (Some("it::one"), "src/lib.rs:7"));
}

/// A grammar whose messages the program itself records.
fn protocol() -> Enforced {
    let pairs =
        |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let source = PropertySource {
        id: "protocol".into(),
        logic: "grammar".into(),
        per: vec!["job".into()],
        view: pairs(&[("put", "send Queue::put(job, size)"), ("run", "receive Worker::run(job, size)")]),
        grammar: pairs(&[
            ("start", "New"),
            ("New", "put Queued { Queued.size = put.size }"),
            ("Queued", "run assert run.size == Queued.size"),
        ]),
        ..PropertySource::default()
    };
    let mut vocabulary = Vocabulary::default();
    vocabulary.declare_messages(&source);
    let events = vocabulary.messages().map(source_of).collect();
    Enforced { source, events, action: Action::Panic, ..Enforced::default() }
}

#[test]
fn a_grammar_stops_the_program_at_the_message_that_it_does_not_allow() {
    let orders = EnforcedProperties(vec![protocol()]);
    // It comes to the program as a text.
    let orders = EnforcedProperties::read(&orders.to_text()).expect("it was written so");
    let mut trace = TraceBuilder::new().with_tickets();
    let site = trace.site("src/lib.rs", 7, 1);
    let thread = trace.test("it::one");
    let mut say = |name: &str, job: i64, size: i64| {
        trace.say(thread, name, &[Value::Int(job), Value::Int(size)], site);
    };
    say("send Queue::put", 1, 5);
    say("send Queue::put", 2, 6);
    say("receive Worker::run", 1, 5);
    say("receive Worker::run", 2, 5);
    say("receive Worker::run", 2, 6);
    let bytes = trace.build();
    let (mut stops, mut messages) = (Vec::new(), 0);
    replay(&bytes, &mut Enforcer::new(&orders), |enforcement, thread, next| {
        messages += usize::from(next.record.code == EventKind::User as u8);
        stops.extend(enforcement.step(thread, next).map(|it| (messages, it.message)));
    });
    let [(at, message)] = stops.as_slice() else { panic!("{stops:?}") };
    assert_eq!(*at, 4, "right before the body");
    assert_eq!(
        message,
        "rvcheck: `protocol` is violated at src/lib.rs:7: protocol (job = 2)\n  \
         so far New → put Queued, now in `Queued` with size = 6\n  \
         then comes `run`: receive Worker::run(job = 2, size = 5)\n  \
         this is false of it: run.size == Queued.size"
    );
}

#[test]
fn a_lifestate_stops_the_program_before_the_call_that_it_prohibits() {
    let source = PropertySource {
        id: "once".into(),
        logic: "lifestate".into(),
        rules: vec!["_*; ci Task::execute(t) |- ci Task::execute(t)".into()],
        message: Some("{t} is executed twice".into()),
        ..PropertySource::default()
    };
    let orders = EnforcedProperties(vec![Enforced { source, action: Action::Panic, ..Enforced::default() }]);
    // It comes to the program as a text.
    let orders = EnforcedProperties::read(&orders.to_text()).expect("it was written so");
    let mut trace = TraceBuilder::new().with_tickets();
    let site = trace.site("src/lib.rs", 7, 1);
    let thread = trace.test("it::one");
    for task in [1, 2, 1] {
        trace.say(thread, "ci Task::execute", &[Value::Int(task)], site);
    }
    let bytes = trace.build();
    let mut stops = Vec::new();
    replay(&bytes, &mut Enforcer::new(&orders), |enforcement, thread, next| {
        stops.extend(enforcement.step(thread, next).map(|it| it.message));
    });
    assert_eq!(
        stops,
        ["rvcheck: `once` is violated at src/lib.rs:7: 1 is executed twice (t = 1)\n  \
          prohibited by rule 1: _*; ci Task::execute(t) |- ci Task::execute(t)"]
    );
}

#[test]
fn records_that_make_no_sense_stop_nothing() {
    let mut enforcement = Enforcer::new(&EnforcedProperties(vec![one_lock(Action::Panic)]));
    enforcement.define(99, &[1, 2, 3]);
    enforcement.define(1, &[]);
    for number in 0..2000_u64 {
        let record = Record::from_parts(number.wrapping_mul(0x9E37_79B9_7F4A_7C15), number << 20 | number);
        let next = Ticketed { ticket: number, nanos: 5000 - number, record };
        assert_eq!(enforcement.step(ThreadId((number % 5) as u32), next), None);
    }
}
