//! How many events a second are checked: from a trace file to the report, with the whole library.

use cargo_rvcheck::check::{Options, check_run};
use cargo_rvcheck::recorded::{End, Origin, Process, Recorded, TestOutcome, TestResult};
use cargo_rvcheck::specs::library;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rvcheck_event::id::{ObjectId, SiteId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, Outcome, TaskKind};
use rvcheck_event::trace::write::TraceBuilder;
use std::fs;

/// How many tasks are spawned one after another.
const TASKS: u32 = 50_000;

/// A test in which tasks come and go, each with a lock, a suspension and a message.
fn trace() -> Vec<u8> {
    let mut trace = TraceBuilder::new().with_chunk_pages(64);
    let thread = trace.test("busy");
    let [spawned, locked, sent, awaited] =
        [(3, 9), (4, 20), (5, 12), (6, 14)].map(|(line, column)| trace.site("src/lib.rs", line, column));
    let lock = trace.object(thread, ObjectKind::StdMutex, spawned, 0);
    let channel = trace.object(thread, ObjectKind::TokioMpsc, spawned, 8);
    for _ in 0..TASKS {
        let task = trace.spawn(thread, TaskKind::Async, spawned, "Result<(), E>");
        trace.poll(thread, task);
        for _ in 0..4 {
            trace.lock(thread, EventKind::Acquire, lock, Mode::Write, locked);
            trace.lock(thread, EventKind::Release, lock, Mode::Write, SiteId::NONE);
        }
        let message = trace.send(thread, channel, sent);
        trace.event(thread, EventKind::Recv, channel, message, sent);
        trace.event(thread, EventKind::Await, ObjectId::NONE, 0, awaited);
        trace.suspend(thread, task);
        trace.pass(50);
        trace.poll(thread, task);
        trace.event(thread, EventKind::Resume, ObjectId::NONE, 0, awaited);
        trace.finish(thread, task, Outcome::Ok);
        trace.about(thread, EventKind::Join, task, awaited);
    }
    trace.build()
}

fn checking(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let root = camino::Utf8PathBuf::try_from(folder.path().to_owned()).expect("its name is UTF-8");
    let path = root.join("p0.rvt");
    fs::write(&path, trace()).expect("it can be written");
    let test = TestResult { name: "busy".into(), outcome: TestOutcome::Passed, should_panic: false };
    let process = Process {
        package: "shop".into(),
        target: "it".into(),
        select: "--test it".into(),
        libtest: true,
        origin: Origin::Tool,
        only: None,
        command: Vec::new(),
        end: End::Exited(0),
        tests: vec![test],
        trace: Some(path),
        seconds: 1.0,
    };
    let recorded = Recorded { workspace_root: root, processes: vec![process], ..Recorded::default() };
    let options = Options {
        properties: library().properties.into_iter().map(|it| it.compiled).collect(),
        ..Options::default()
    };
    let events = check_run(&recorded, &options).run.events;
    let mut group = c.benchmark_group("check");
    group.throughput(Throughput::Elements(events)).sample_size(10);
    group.bench_function(format!("{events} events"), |b| b.iter(|| check_run(&recorded, &options)));
    group.finish();
}

criterion_group!(benches, checking);
criterion_main!(benches);
