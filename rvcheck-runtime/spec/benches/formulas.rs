//! How many events a second of processor time formulas take, beside automata that were written by hand for the same, and how much
//! memory they hold.
//!
//! ```text
//! cargo bench -p rvcheck-spec --bench formulas
//! cargo bench -p rvcheck-spec --bench formulas -- churn 100000000
//! ```
//!
//! The second form lets objects come and go for so many events, and shows that the memory stays as it is. Another word chooses
//! the rows whose names contain it.
//!
//! The rows with `emit` are of two automata of one file: for each event of the trace, one emits an event that the other takes.
//! Beside them stand two that take the events of the trace themselves.

#[path = "../tests/kit/event.rs"]
mod event;

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Instant;

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::world::World;
use rvcheck_spec::{EventSource, Monitor, Property, PropertySource, UnitEnd, Vocabulary, compile};

/// Counts what is allocated.
struct Counting;

static BYTES: AtomicI64 = AtomicI64::new(0);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: it only counts, and leaves the work to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size() as i64, Ordering::Relaxed);
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps to the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: the caller keeps to the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// A property, as a formula or as an automaton.
enum Written<'a> {
    Formula(&'a str),
    Automaton(&'a [&'a str], &'a [&'a str], &'a [&'a str]),
}

fn property(written: &Written<'_>, vocabulary: &Vocabulary) -> Property {
    let owned = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let source = match written {
        Written::Formula(formula) => PropertySource {
            id: "p".to_owned(),
            logic: "ltl".to_owned(),
            formula: Some((*formula).to_owned()),
            ..PropertySource::default()
        },
        Written::Automaton(params, end_bad, transitions) => PropertySource {
            id: "p".to_owned(),
            logic: "automaton".to_owned(),
            params: owned(params),
            initial: Some("idle".to_owned()),
            bad: if transitions.iter().any(|it| it.ends_with("bad")) { owned(&["bad"]) } else { Vec::new() },
            end_bad: owned(end_bad),
            transitions: owned(transitions),
            ..PropertySource::default()
        },
    };
    let (property, problems) = compile(&source, vocabulary);
    assert_eq!(problems, []);
    let property = property.expect("there are no problems");
    assert_eq!(property.is_decided_at_end(), None);
    property
}

fn monitor(written: &Written<'_>) -> Monitor {
    Monitor::new(vec![property(written, &Vocabulary::default())])
}

/// Two automata over locks, of a file that declares events for what the first of them emits.
fn pair_of_automata(first: &[&str], second: &[&str]) -> Monitor {
    let mut vocabulary = Vocabulary::of_file(0);
    for name in ["asked", "given"] {
        let source = EventSource { name: name.to_owned(), params: vec!["l: lock".to_owned()] };
        assert_eq!(vocabulary.declare_event(&source), []);
    }
    let of =
        |transitions| property(&Written::Automaton(&["l: lock"], &["waiting"], transitions), &vocabulary);
    Monitor::new(vec![of(first), of(second)])
}

fn event(kind: EventKind, task: u32, object: u32, time: u64) -> Event {
    Event { time, ..event::event(kind, task, object) }
}

/// The time for which a processor ran this thread, so that other work on the machine counts as little as can be. Where the
/// system does not tell, the time on the clock.
struct Timer(Option<f64>, Instant);

impl Timer {
    fn start() -> Timer {
        Timer(on_processor(), Instant::now())
    }

    fn seconds(&self) -> f64 {
        match (self.0, on_processor()) {
            (Some(start), Some(end)) => end - start,
            _ => self.1.elapsed().as_secs_f64(),
        }
    }
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn on_processor() -> Option<f64> {
    #[repr(C)]
    struct Timespec {
        seconds: i64,
        nanoseconds: i64,
    }
    const THREAD: i32 = 3;
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
    }
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    // SAFETY: the C library has this function, and it writes nothing but the time.
    let failed = unsafe { clock_gettime(THREAD, &raw mut time) };
    (failed == 0).then_some(time.seconds as f64 + time.nanoseconds as f64 / 1e9)
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
fn on_processor() -> Option<f64> {
    None
}

/// What one run came to.
struct Measured {
    /// Events a second; the best of some passes.
    rate: f64,
    /// Bytes held after warm-up.
    bytes: i64,
    /// Allocations after warm-up.
    allocations: u64,
}

fn measure(build: impl FnOnce() -> Monitor, events: &[Event]) -> Measured {
    let world = World::default();
    let before = BYTES.load(Ordering::Relaxed);
    let mut monitor = build();
    let mut pass = || {
        let timer = Timer::start();
        for event in events {
            monitor.step(black_box(event), &world);
        }
        events.len() as f64 / timer.seconds()
    };
    pass();
    let (bytes, allocations) = (BYTES.load(Ordering::Relaxed) - before, ALLOCATIONS.load(Ordering::Relaxed));
    let rate = (0..5).map(|_| pass()).fold(0.0, f64::max);
    let allocations = ALLOCATIONS.load(Ordering::Relaxed) - allocations;
    monitor.end_of_unit(UnitId(1), UnitEnd::Complete);
    assert_eq!(monitor.fault(0), None);
    Measured { rate, bytes, allocations }
}

fn compare(name: &str, bar: f64, formula: &str, automaton: &Written<'_>, events: &[Event]) {
    let formula = measure(|| monitor(&Written::Formula(formula)), events);
    let by_hand = measure(|| monitor(automaton), events);
    println!(
        "{name:28} {:7.1} M/s {:8.1} MB {:6} allocations | by hand {:7.1} M/s {:8.1} MB | ratio {:4.2} | bar {bar}",
        formula.rate / 1e6,
        formula.bytes as f64 / 1e6,
        formula.allocations,
        by_hand.rate / 1e6,
        by_hand.bytes as f64 / 1e6,
        formula.rate / by_hand.rate,
    );
}

/// What it costs that one automaton hears of each event from another one.
fn emit(keys: u64) {
    const EMITTER: [&str; 2] = [
        "idle -- request(_, l) / emit asked(l) --> waiting",
        "waiting -- acquire(_, l) / emit given(l) --> idle",
    ];
    const TAKER: [&str; 2] = ["idle -- asked(l) --> waiting", "waiting -- given(l) --> idle"];
    const ALONE: [&str; 2] = ["idle -- request(_, l) --> waiting", "waiting -- acquire(_, l) --> idle"];
    let events = response(keys, 7);
    let emitting = measure(|| pair_of_automata(&EMITTER, &TAKER), &events);
    let apart = measure(|| pair_of_automata(&ALONE, &ALONE), &events);
    println!(
        "{:28} {:7.1} M/s {:8.1} MB {:6} allocations | without {:7.1} M/s {:8.1} MB | ratio {:4.2} | {:.0} ns an emitted event",
        format!("emit, {keys}"),
        emitting.rate / 1e6,
        emitting.bytes as f64 / 1e6,
        emitting.allocations,
        apart.rate / 1e6,
        apart.bytes as f64 / 1e6,
        emitting.rate / apart.rate,
        1e9 / emitting.rate - 1e9 / apart.rate,
    );
}

const EVENTS: u64 = 1 << 20;

/// Requests and acquisitions of so many locks in turn, each by one of `tasks` tasks.
fn response(keys: u64, tasks: u64) -> Vec<Event> {
    (0..EVENTS.max(2 * keys))
        .map(|time| {
            let asks = (time / keys).is_multiple_of(2);
            let key = time % keys + 1;
            event(
                if asks { EventKind::Request } else { EventKind::Acquire },
                (key % tasks + 1) as u32,
                key as u32,
                time,
            )
        })
        .collect()
}

/// Pairs of so many keys, always the smaller one first.
fn pairs(keys: u64) -> Vec<Event> {
    let mut state = 1_u64;
    (0..EVENTS)
        .map(|time| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let one = (state >> 33) % keys;
            let other = (one + 1 + (state >> 13) % (keys - 1)) % keys;
            event(EventKind::Join, one.min(other) as u32 + 1, one.max(other) as u32 + 1, time)
        })
        .collect()
}

/// Tasks that take two of so many locks, the smaller one first.
fn nested(locks: u64, tasks: u64) -> Vec<Event> {
    let mut state = 1_u64;
    (0..EVENTS / 4)
        .flat_map(|time| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let one = (state >> 33) % locks;
            let other = (one + 1 + (state >> 13) % (locks - 1)) % locks;
            let (low, high) = (one.min(other) as u32 + 1, one.max(other) as u32 + 1);
            let task = ((state >> 50) % tasks) as u32 + 1;
            [
                event(EventKind::Acquire, task, low, 4 * time),
                event(EventKind::Acquire, task, high, 4 * time + 1),
                event(EventKind::Release, task, high, 4 * time + 2),
                event(EventKind::Release, task, low, 4 * time + 3),
            ]
        })
        .collect()
}

const PAIRS: &str = "forall t: task, u: task where t != u . G (join(t, u) -> G !join(u, t))";

const REVERSAL: &str = "forall t: task, u: task, a: lock, b: lock where t != u && a != b .
    G !(acquire(t, b) && holds(t, a)) || G !(acquire(u, a) && holds(u, b))";

const ORDER: &str = "forall a: lock, b: lock where a != b .
    (forall t: task . G !(acquire(t, b) && holds(t, a))) || (forall u: task . G !(acquire(u, a) && holds(u, b)))";

fn churn(events: u64) {
    let world = World::default();
    let mut monitor = monitor(&Written::Formula("forall l: lock . G (request(_, l) -> F acquire(_, l))"));
    let timer = Timer::start();
    let mut dead = Vec::new();
    for time in 0..events {
        let lock = (time / 4 + 1) as u32;
        let kind = if time.is_multiple_of(2) { EventKind::Request } else { EventKind::Acquire };
        monitor.step(&event(kind, 1, lock, time), &world);
        if time % 4 == 3 {
            dead.push((Sort::Lock, lock));
        }
        if time % 256 == 255 {
            monitor.collect(dead.drain(..));
        }
        if (time + 1).is_multiple_of((events / 8).max(1)) {
            println!(
                "churn {:>11} events {:7.1} M/s {:9} bytes {:4} instances",
                time + 1,
                (time + 1) as f64 / timer.seconds() / 1e6,
                BYTES.load(Ordering::Relaxed),
                monitor.instances(),
            );
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    if let [name, events] = arguments.as_slice()
        && name == "churn"
    {
        churn(events.parse().expect("a number of events"));
        return;
    }
    let wanted = |name: &str| arguments.is_empty() || arguments.iter().any(|it| name.contains(it.as_str()));
    let propositional = Written::Automaton(
        &[],
        &["waiting"],
        &["idle -- request(_, _) --> waiting", "waiting -- acquire(_, _) --> idle"],
    );
    if wanted("propositional") {
        let formula = "G (request(_, _) -> F acquire(_, _))";
        compare("propositional response", 20.0, formula, &propositional, &response(1, 7));
    }
    for (keys, bar) in [(100, 8.0), (1_000, 8.0), (100_000, 5.0), (1_000_000, 0.0)] {
        if wanted(&format!("one key, {keys}")) {
            let formula = "forall l: lock . G (request(_, l) -> F acquire(_, l))";
            let automaton = Written::Automaton(
                &["l: lock"],
                &["waiting"],
                &["idle -- request(_, l) --> waiting", "waiting -- acquire(_, l) --> idle"],
            );
            compare(&format!("one key, {keys}"), bar, formula, &automaton, &response(keys, 7));
        }
        if wanted(&format!("key pair, {keys}")) {
            let formula = "forall t: task, l: lock . G (request(t, l) -> F acquire(t, l))";
            let automaton = Written::Automaton(
                &["t: task", "l: lock"],
                &["waiting"],
                &["idle -- request(t, l) --> waiting", "waiting -- acquire(t, l) --> idle"],
            );
            compare(&format!("key pair, {keys}"), bar, formula, &automaton, &response(keys, 7));
        }
    }
    for keys in [10, 100] {
        if wanted(&format!("swapped keys, {keys}")) {
            let automaton = Written::Automaton(
                &["t: task", "u: task"],
                &[],
                &["idle -- join(t, u) --> seen", "seen -- join(u, t) --> bad"],
            );
            compare(&format!("swapped keys, {keys}"), 5.0, PAIRS, &automaton, &pairs(keys));
        }
    }
    for keys in [100, 1_000, 100_000] {
        if wanted(&format!("emit, {keys}")) {
            emit(keys);
        }
    }
    for locks in [10, 100] {
        for (name, formula) in [("reversal", REVERSAL), ("order", ORDER)] {
            if wanted(&format!("{name} by held locks, {locks}")) {
                // Each order in which a task took two locks is related to all that others hold, which takes long.
                let events = &nested(locks, 4)[..1 << 14];
                let found = measure(|| monitor(&Written::Formula(formula)), events);
                println!(
                    "{:28} {:7.3} M/s {:8.1} MB {:6} allocations",
                    format!("{name} by held locks, {locks}"),
                    found.rate / 1e6,
                    found.bytes as f64 / 1e6,
                    found.allocations
                );
            }
        }
    }
    if wanted("churn") {
        churn(10_000_000);
    }
}
