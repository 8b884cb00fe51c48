//! What the recorder writes is what happened: each scenario runs in a process of its own, whose trace is read back.

mod scenarios;

use std::io::{BufRead, BufReader};
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rvcheck_event::event::Event;
use rvcheck_event::id::StringId;
use rvcheck_event::kind::Sort;
use rvcheck_event::record::{Record, argument, code, flag};
use rvcheck_event::trace::{merge, read};
use rvcheck_event::{Value, attribute};
use rvcheck_runtime::task::Unrun;
use rvcheck_runtime::{Awaited, EventKind, Head, Mode, ObjectKind, RvAwait, TaskKind, Timer, What};

use scenarios::{block_on, every_hook, forked, memory, observed, once_pending, signals};

/// Names the scenario that this process is to act out.
const SCENARIO: &str = "RECORDING_SCENARIO";
/// Longer than any of them takes on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

fn scenario(name: &str) {
    let here = Location::caller();
    let lock = Head::new(ObjectKind::StdMutex, here);
    match name {
        "lock" => {
            let held = rvcheck_runtime::lock::acquired(&lock, Mode::Write, false, here);
            drop(held);
            let request = rvcheck_runtime::lock::request(&lock, Mode::Write, here);
            drop(request.acquired());
            drop(rvcheck_runtime::lock::request(&lock, Mode::Write, here));
        }
        "tasks" => {
            let id = rvcheck_runtime::task::spawned(TaskKind::Async, here, "", None);
            let handle = rvcheck_runtime::task::Handle::new(id);
            block_on(rvcheck_runtime::task::tracked(id, async {
                once_pending().__rv_await::<0>().await;
                Err::<(), u8>(1)
            }))
            .unwrap_err();
            drop(handle);
            let cancelled = rvcheck_runtime::task::spawned(TaskKind::Async, here, "", None);
            drop(rvcheck_runtime::task::tracked(cancelled, async {}));
            let panicking = rvcheck_runtime::task::spawned(TaskKind::Blocking, here, "", None);
            let caught = std::panic::catch_unwind(|| {
                rvcheck_runtime::task::run(Unrun::new(panicking), || panic!("as planned"))
            });
            assert!(caught.is_err());
        }
        "late" => drop(rvcheck_runtime::lock::acquired(&lock, Mode::Write, false, here)),
        "speech" => {
            for count in 0..1_000 {
                rvcheck_runtime::event("count", (count, format!("number {}", count % 7)));
            }
            println!("ready");
            std::thread::sleep(Duration::from_secs(60));
        }
        "annotations" => {
            let held = rvcheck_runtime::object!(lock);
            rvcheck_runtime::set("busy", rvcheck_runtime::task());
            rvcheck_runtime::event("grant", (rvcheck_runtime::task(), -3, true, "blue", held, None::<i64>));
            rvcheck_runtime::event("tick", ());
            rvcheck_runtime::clear("busy", rvcheck_runtime::task());
            rvcheck_runtime::check("calm", "G busy(_)");
            rvcheck_runtime::remove("calm");
        }
        "callees" => observed::callees(&lock),
        "arguments" => observed::arguments(&lock),
        "timers" => {
            let id = rvcheck_runtime::task::spawned(TaskKind::Async, here, "", None);
            block_on(rvcheck_runtime::task::tracked(id, async {
                once_pending().__rv_await::<0>().await;
                rvcheck_runtime::timer::running();
                Awaited::timer(once_pending(), Timer::Timeout, here).await;
                once_pending().__rv_await::<0>().await;
            }));
        }
        "threads" => {
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        for _ in 0..5_000 {
                            drop(rvcheck_runtime::lock::acquired(&lock, Mode::Read, false, here));
                        }
                    });
                }
            });
        }
        "endless" => {
            for count in 0u64.. {
                drop(rvcheck_runtime::block(What::Sleep, here));
                if count == 1_000 {
                    println!("ready");
                    std::thread::sleep(Duration::from_secs(60));
                }
            }
        }
        "flood" => {
            for _ in 0..100_000 {
                drop(rvcheck_runtime::lock::acquired(&lock, Mode::Write, false, here));
            }
        }
        "descriptors" => {
            drop(rvcheck_runtime::lock::acquired(&lock, Mode::Write, false, here));
            for descriptor in 3..256 {
                // SAFETY: nothing here uses a file any more; the recorder has to find out.
                unsafe { close(descriptor) };
            }
            for _ in 0..100_000 {
                drop(rvcheck_runtime::lock::acquired(&lock, Mode::Write, false, here));
            }
        }
        "parent" => {
            drop(rvcheck_runtime::lock::acquired(&lock, Mode::Write, false, here));
            let own = std::env::current_exe().unwrap();
            let mut child = Command::new(&own);
            child.args(["act", "--exact", "--nocapture"]).env(SCENARIO, "lock").stdout(Stdio::null());
            assert!(child.status().unwrap().success());
            // A shell stands between.
            let mut shell = Command::new("sh");
            shell
                .args(["-c", "\"$0\" act --exact; true"])
                .arg(own)
                .env(SCENARIO, "lock")
                .stdout(Stdio::null());
            assert!(shell.status().unwrap().success());
        }
        "fork" => forked::leaves_the_trace_alone(&lock, forked::by_the_library),
        #[cfg(target_os = "linux")]
        "system-fork" => forked::leaves_the_trace_alone(&lock, forked::by_the_system),
        "busy-fork" => forked::waits_for_nobody(&lock),
        "signals" => signals::arrive(&lock),
        "memory" => {
            // What allocates while it is forbidden ends the process.
            memory::forbid(true);
            every_hook(&lock);
            memory::forbid(false);
        }
        "allocating" => {
            use rvcheck_runtime::RvAllocator;
            let held = rvcheck_runtime::lock::acquired(&lock, Mode::Write, false, here);
            let allocating = memory::Monitored.__rv_allocating();
            let other = Head::new(ObjectKind::StdMutex, here);
            drop(rvcheck_runtime::lock::acquired(&other, Mode::Write, false, here));
            drop(rvcheck_runtime::lock::acquired(&lock, Mode::Write, false, here));
            drop(allocating);
            drop(held);
        }
        other => panic!("no scenario {other}"),
    }
}

unsafe extern "C" {
    fn close(descriptor: i32) -> i32;
}

/// Has a thread lock something after the recorder has noted that the process is over.
#[cfg(target_os = "linux")]
mod late {
    use super::{Head, Location, Mode, ObjectKind, SCENARIO};

    unsafe extern "C" {
        fn atexit(callback: extern "C" fn()) -> i32;
    }

    // What is registered first is called last. So this comes before the recorder, which comes before `main`.
    #[used]
    #[unsafe(link_section = ".init_array.00101")]
    static EARLY: extern "C" fn() = early;

    extern "C" fn early() {
        if std::env::var(SCENARIO).is_ok_and(|it| it == "late") {
            // SAFETY: the function may be called at any time.
            unsafe { atexit(act) };
        }
    }

    extern "C" fn act() {
        let act = || {
            let here = Location::caller();
            let lock = Head::new(ObjectKind::StdMutex, here);
            drop(rvcheck_runtime::lock::acquired(&lock, Mode::Write, false, here));
        };
        std::thread::spawn(act).join().expect("it does not panic");
    }
}

/// The other side: acts out the scenario when this process was started for one.
#[test]
fn act() {
    if let Ok(name) = std::env::var(SCENARIO) {
        scenario(&name);
    }
}

fn start(name: &str, settings: &str) -> (Child, PathBuf) {
    // Tests that act out the same scenario run side by side.
    static STARTED: AtomicUsize = AtomicUsize::new(0);
    let started = STARTED.fetch_add(1, Ordering::Relaxed);
    let trace =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{started}.rvt", std::process::id()));
    let _ = std::fs::remove_file(&trace);
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["act", "--exact", "--nocapture"])
        .env(SCENARIO, name)
        .env("RVCHECK_RUN", format!("trace={}\nlibtest=1\n{settings}", trace.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    (child, trace)
}

/// The trace of a scenario, from a process that was left to end.
fn record(name: &str, settings: &str) -> Vec<u8> {
    let (mut child, trace) = start(name, settings);
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > TIMEOUT {
            child.kill().unwrap();
            panic!("{name} does not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(child.wait().unwrap().success(), "{name}");
    let bytes = std::fs::read(&trace).unwrap();
    std::fs::remove_file(trace).unwrap();
    bytes
}

/// The events of a trace, without those of the test harness.
fn events(bytes: &[u8]) -> Vec<Event> {
    let trace = read::read(bytes).unwrap();
    let mut merge = merge::events(&trace);
    let events: Vec<_> = merge.by_ref().collect();
    assert_eq!(merge.problems(), trace.problems(), "the merge found gaps");
    events
}

fn names(events: &[Event]) -> Vec<&'static str> {
    events.iter().map(|it| it.kind.signature().name).collect()
}

#[test]
fn an_uncontended_lock_is_two_records_and_a_wait_is_one_more() {
    let events = events(&record("lock", ""));
    assert_eq!(
        names(&events),
        [
            "test_begin",
            "acquire",
            "release",
            "request",
            "acquire",
            "release",
            "request",
            "withdraw",
            "test_end"
        ]
    );
}

#[test]
fn a_task_starts_polls_suspends_and_ends_in_one_of_four_ways() {
    let bytes = record("tasks", "");
    let events = events(&bytes);
    assert_eq!(
        names(&events),
        [
            "test_begin",
            "spawn",
            "start",
            "poll",
            "await",
            "suspend",
            "poll",
            "resume",
            "finish",
            "detach",
            "spawn",
            "start",
            "poll",
            "cancel",
            "spawn",
            "start",
            "poll",
            "panic",
            "test_end"
        ]
    );
    let finish = events.iter().find(|it| it.kind == EventKind::Finish).unwrap();
    assert_eq!(finish.flags, rvcheck_runtime::Outcome::Err as u8);
    let panic = events.iter().find(|it| it.kind == EventKind::Panic).unwrap();
    let trace = read::read(&bytes).unwrap();
    assert!(trace.names().site(panic.site).unwrap().file.ends_with("recording.rs"));
}

/// The events of the program's own, with their arguments.
fn reported(bytes: &[u8]) -> Vec<String> {
    let trace = read::read(bytes).unwrap();
    let mut merge = merge::events(&trace);
    let mut reported = Vec::new();
    while let Some(event) = merge.next() {
        if event.kind != EventKind::User {
            continue;
        }
        let world = merge.world();
        let text = |id| world.names().text(id).to_owned();
        let words = world.arguments().iter().map(|it| match it {
            Value::Str(id) => text(*id),
            Value::Object(sort, id) => {
                let own = *sort == Sort::Task && *id == event.task.0;
                if own { "itself".to_owned() } else { sort.name().to_owned() }
            }
            other => format!("{other:?}"),
        });
        let mark = if event.flags & flag::CONTROL == 0 { "" } else { "! " };
        reported.push(format!(
            "{mark}{}: {}",
            text(StringId(event.object)),
            words.collect::<Vec<_>>().join(" ")
        ));
        let place = &world.names().site(event.site).unwrap().file;
        assert!(place.ends_with("recording.rs") || place.ends_with("observed.rs"), "{place}");
    }
    assert!(!merge.problems().events_lost());
    reported
}

#[test]
fn what_a_program_says_is_recorded_with_its_arguments() {
    let bytes = record("annotations", "");
    assert_eq!(
        reported(&bytes),
        [
            "set busy: itself",
            "grant: itself Int(-3) Bool(true) blue lock Absent",
            "tick: ",
            "clear busy: itself",
            "! check calm: G busy(_) Int(9)",
            "! remove calm: ",
        ]
    );
}

#[test]
fn observed_calls_are_recorded_with_the_values_of_any_expression() {
    let bytes = record("arguments", "");
    assert_eq!(
        reported(&bytes),
        [
            "receive Worker::accept: Int(-3) 1.5 é blue Int(3) Int(5) Absent Absent Absent Absent lock lock Ok Absent \
             Int(2000) Absent",
            "receive Worker::accept: ",
        ]
    );
    let trace = read::read(&bytes).unwrap();
    let notes = trace.names().notes();
    let names = ["dyn core::marker::Send", "recording::scenarios::observed::Unknown", "(i32, i32)"];
    assert_eq!(notes.len(), names.len(), "{notes:?}");
    for (note, name) in notes.iter().zip(names) {
        assert!(note.starts_with(&format!("`{name}` is nothing that a property can speak of")), "{note}");
        assert!(note.contains("derive") && note.contains("observed.rs:"), "{note}");
    }
}

#[test]
fn a_callee_is_what_its_type_says_or_else_where_it_is() {
    let bytes = record("callees", "");
    assert_eq!(
        reported(&bytes),
        [
            "by_reference: Worker#1",
            "by_mutable_reference: Worker#1",
            "used: Desk#1",
            "by_box: Worker#1",
            "pinned: Worker#1",
            "work: Worker#1",
            "work: Worker#1",
            "by_arc_reference: Worker#2",
            "by_arc: Worker#2",
            "by_reference: Worker#2",
            "other: Worker#3",
            "itself: Absent",
            "work: str#1",
            "work: Absent",
            "work: Absent",
            "work: Absent",
            "numbered: Int(-7)",
            "locked: lock",
            "generic: Numbered#1 Absent Int(9)",
        ]
    );
    // The record of a callee is another one than that of the argument, and stands right before the event.
    let trace = read::read(&bytes).unwrap();
    let records: Vec<Record> = trace.threads().flat_map(|it| trace.records(it)).collect();
    let callees = records.windows(2).filter(|it| it[0].flags & argument::CALLEE != 0);
    let callees: Vec<_> = callees.map(|it| (it[0].site, it[1].object, it[0].code)).collect();
    assert_eq!(callees.len(), 15);
    assert!(callees.iter().all(|it| it.0 == it.1 && it.2 == code::ARGUMENT), "{callees:?}");
    let notes = trace.names().notes();
    assert_eq!(notes.len(), 4, "{notes:?}");
    for (note, name) in notes.iter().zip(["Worker<u8>`", "`str`", "Empty`", "Numbered`"]) {
        assert!(note.contains(name), "{note}");
    }
}

#[test]
fn what_was_said_before_a_kill_is_there() {
    let (mut child, trace) = start("speech", "");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|it| it.unwrap().contains("ready")));
    child.kill().unwrap();
    child.wait().unwrap();
    let bytes = std::fs::read(&trace).unwrap();
    std::fs::remove_file(trace).unwrap();
    let trace = read::read(&bytes).unwrap();
    let mut merge = merge::events(&trace);
    let mut count = 0;
    while let Some(event) = merge.next() {
        if event.kind == EventKind::User {
            let Value::Str(text) = merge.world().arguments()[1] else { panic!("a text was given") };
            assert_eq!(merge.world().arguments()[0], Value::Int(count));
            assert_eq!(merge.world().names().text(text), format!("number {}", count % 7));
            count += 1;
        }
    }
    assert_eq!(count, 1_000);
}

#[test]
fn awaits_say_which_timer_keeps_them_and_polls_that_one_runs() {
    let bytes = record("timers", "");
    let trace = read::read(&bytes).unwrap();
    let mut merge = merge::events(&trace);
    let mut reported = Vec::new();
    while let Some(event) = merge.next() {
        let world = merge.world();
        let name = event.kind.signature().name;
        match attribute(&event, "what", world).or_else(|| attribute(&event, "timer", world)) {
            Some(Value::Symbol(what)) => reported.push(format!("{name} {what}")),
            Some(Value::Bool(timer)) => reported.push(format!("{name} {timer}")),
            _ if [EventKind::Await, EventKind::Resume].contains(&event.kind) => {
                reported.push(name.to_owned());
            }
            _ => {}
        }
    }
    assert_eq!(
        reported,
        [
            "await",
            "suspend false",
            "resume",
            "await timeout",
            "suspend true",
            "resume timeout",
            "await",
            "suspend false",
            "resume"
        ]
    );
}

#[test]
fn a_test_is_the_unit_of_what_its_thread_does() {
    let bytes = record("lock", "");
    let trace = read::read(&bytes).unwrap();
    assert_eq!(trace.names().units().map(|(_, name)| name).collect::<Vec<_>>(), ["act"]);
    assert!(events(&bytes).iter().all(|it| it.unit.is_some()));
}

#[test]
fn readers_on_many_threads_have_one_order_without_gaps() {
    let events = events(&record("threads", ""));
    assert_eq!(events.iter().filter(|it| it.kind == EventKind::Acquire).count(), 20_000);
    assert_eq!(events.iter().filter(|it| it.kind == EventKind::Release).count(), 20_000);
}

#[test]
fn a_child_process_writes_its_own_trace_and_names_the_thread_that_started_it() {
    let (mut parent, path) = start("parent", "");
    assert!(parent.wait().unwrap().success());
    let folder = path.parent().unwrap();
    let prefix = format!("{}.", path.file_name().unwrap().display());
    let mut children = Vec::new();
    for entry in folder.read_dir().unwrap().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            children.push(std::fs::read(entry.path()).unwrap());
            std::fs::remove_file(entry.path()).unwrap();
        }
    }
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    let trace = read::read(&bytes).unwrap();
    assert_eq!(trace.starter(), None);
    assert_eq!(names(&events(&bytes)), ["test_begin", "acquire", "release", "test_end"]);
    assert_eq!(children.len(), 2);
    for child in &children {
        assert_eq!(events(child).len(), 9);
        let starter = read::read(child).unwrap().starter().unwrap();
        assert_eq!(starter.process, trace.pid());
        let thread = trace.system_thread(starter.thread).and_then(|it| trace.names().thread(it)).unwrap();
        assert_eq!((&*thread.name, &*starter.thread_name), ("act", "act"));
    }
}

#[test]
fn a_process_that_only_forks_off_leaves_the_trace_alone() {
    let scenarios = if cfg!(target_os = "linux") { &["fork", "system-fork"][..] } else { &["fork"] };
    for scenario in scenarios {
        let bytes = record(scenario, "");
        let trace = read::read(&bytes).unwrap();
        assert!(trace.is_finished());
        assert_eq!((trace.dropped(), trace.names().threads().count()), (0, 1), "{scenario}");
        let events = events(&bytes);
        let count = |kind| events.iter().filter(|it| it.kind == kind).count();
        assert_eq!([EventKind::Acquire, EventKind::Release].map(count), [20_001; 2], "{scenario}");
        let once = [
            EventKind::Request,
            EventKind::Withdraw,
            EventKind::Unblock,
            EventKind::Cancel,
            EventKind::Detach,
        ];
        assert_eq!(once.map(count), [1; 5], "{scenario}");
        assert_eq!(count(EventKind::User), 0, "{scenario}");
    }
}

#[test]
fn a_forked_process_waits_for_no_lock_that_a_thread_of_its_parent_holds() {
    let bytes = record("busy-fork", "");
    let events = events(&bytes);
    assert!(events.iter().any(|it| it.kind == EventKind::User));
    assert!(
        !events.iter().any(|it| matches!(it.kind, EventKind::Acquire | EventKind::Spawn | EventKind::Panic))
    );
}

#[test]
fn hooks_allocate_nothing_but_from_the_system() {
    let bytes = record("memory", "");
    let trace = read::read(&bytes).unwrap();
    assert_eq!(trace.dropped(), 0);
    let events = events(&bytes);
    let count = |kind| events.iter().filter(|it| it.kind == kind).count();
    assert_eq!((count(EventKind::Acquire), count(EventKind::User)), (2_001, 108));
}

#[test]
fn what_an_allocator_does_is_not_recorded_and_not_missed() {
    let bytes = record("allocating", "");
    assert_eq!(read::read(&bytes).unwrap().dropped(), 0);
    assert_eq!(names(&events(&bytes)), ["test_begin", "acquire", "release", "test_end"]);
}

#[test]
fn a_signal_in_the_middle_of_a_record_tears_nothing() {
    let bytes = record("signals", "");
    let trace = read::read(&bytes).unwrap();
    let mut merge = merge::events(&trace);
    let mut handled = 0;
    while let Some(event) = merge.next() {
        let world = merge.world();
        let name = world.names().text(StringId(event.object)).to_owned();
        match event.kind {
            EventKind::User => {
                assert!(["handled", "round"].contains(&&*name), "{name}");
                // Its argument comes in a record of its own, and belongs to it.
                let Value::Str(text) = world.arguments()[0] else { panic!("{name} has lost its text") };
                let is_number = world.names().text(text).bytes().all(|it| it.is_ascii_digit());
                assert_eq!(is_number, name == "round");
                handled += u64::from(!is_number);
            }
            EventKind::Acquire | EventKind::Release => {
                let place = world.names().site(event.site).unwrap();
                assert!(place.file.ends_with("signals.rs"), "{}", place.file);
            }
            EventKind::TestBegin | EventKind::TestEnd => {}
            other => panic!("nobody has done {other:?}"),
        }
    }
    // What is not there is counted.
    assert!(handled > 100 && handled + trace.dropped() >= 2_000, "{handled} {}", trace.dropped());
}

#[test]
fn a_killed_process_leaves_all_that_it_recorded() {
    let (mut child, trace) = start("endless", "");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().ends_with("ready")));
    // SIGKILL cannot be caught, so nothing is flushed or finished.
    child.kill().unwrap();
    child.wait().unwrap();
    let bytes = std::fs::read(&trace).unwrap();
    std::fs::remove_file(trace).unwrap();
    assert!(!read::read(&bytes).unwrap().is_finished());
    assert_eq!(events(&bytes).iter().filter(|it| it.kind == EventKind::Block).count(), 1_001);
}

#[test]
fn a_program_that_closes_all_descriptors_keeps_its_trace() {
    let events = events(&record("descriptors", ""));
    let acquired = events.iter().filter(|it| it.kind == EventKind::Acquire);
    assert_eq!(acquired.count(), 100_001);
}

#[test]
fn a_full_trace_keeps_its_beginning_and_counts_the_rest() {
    let bytes = record("flood", "cap=262144\n");
    let trace = read::read(&bytes).unwrap();
    let kept: Vec<_> = merge::events(&trace).collect();
    assert_eq!(kept[0].kind, EventKind::TestBegin);
    assert!(trace.dropped() > 100_000, "{}", trace.dropped());
    assert!(bytes.len() <= 262_144 && kept.len() > 10_000);
}

#[test]
#[cfg(target_os = "linux")]
fn what_happens_after_the_end_of_the_process_is_not_missed() {
    let bytes = record("late", "");
    let trace = read::read(&bytes).expect("it is a trace");
    assert_eq!((trace.dropped(), trace.lost()), (0, read::Lost::Nothing));
    assert_eq!(events(&bytes).iter().filter(|it| it.kind == EventKind::Acquire).count(), 1);
}

#[test]
fn nothing_is_recorded_unless_the_tool_asks_for_it() {
    assert!(!rvcheck_runtime::on());
}
