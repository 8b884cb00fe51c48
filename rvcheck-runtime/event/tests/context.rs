//! What records leave to the context: acting tasks, units, times and durations, and what is alive.

use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, TaskId, UnitId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, Outcome, Sort, TaskKind, TestOutcome, What};
use rvcheck_event::record::{COARSE_SHIFT, Record, code, flag};
use rvcheck_event::trace::merge::{self, Merge};
use rvcheck_event::trace::read;
use rvcheck_event::trace::write::TraceBuilder;
use rvcheck_event::{Value, attribute};

const NOWHERE: SiteId = SiteId::NONE;

/// Calls `look` for each event of the trace, with the merge right after it.
fn look(builder: &TraceBuilder, mut look: impl FnMut(&Event, &mut Merge<'_>)) {
    let bytes = builder.build();
    let trace = read::read(&bytes).expect("a trace");
    let mut merge = merge::events(&trace);
    while let Some(event) = merge.next() {
        look(&event, &mut merge);
    }
    assert!(merge.problems().is_empty(), "{}", merge.problems());
}

fn events(builder: &TraceBuilder) -> Vec<Event> {
    let mut all = Vec::new();
    look(builder, |event, _| all.push(*event));
    all
}

#[test]
fn the_innermost_polled_task_acts_else_the_thread_itself() {
    let mut trace = TraceBuilder::new();
    let thread = trace.thread("worker");
    let own = trace.own_task(thread);
    let lock = trace.object(thread, ObjectKind::StdMutex, NOWHERE, 0);
    let mut expected = Vec::new();
    let mut touch = |trace: &mut TraceBuilder, task: TaskId| {
        trace.lock(thread, EventKind::Request, lock, Mode::Write, NOWHERE);
        expected.push(task);
    };
    let outer = trace.spawn(thread, TaskKind::Async, NOWHERE, "()");
    let inner = trace.spawn(thread, TaskKind::Async, NOWHERE, "()");
    touch(&mut trace, own);
    trace.poll(thread, outer);
    touch(&mut trace, outer);
    trace.poll(thread, inner);
    touch(&mut trace, inner);
    trace.panic(thread, inner, true, NOWHERE);
    touch(&mut trace, inner);
    trace.panic(thread, inner, false, NOWHERE);
    touch(&mut trace, outer);
    trace.suspend(thread, outer);
    touch(&mut trace, own);
    let found: Vec<_> =
        events(&trace).iter().filter(|it| it.kind == EventKind::Request).map(|it| it.task).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_task_belongs_to_the_unit_of_its_spawner() {
    let mut trace = TraceBuilder::new();
    let test = trace.test("it::works");
    let worker = trace.thread("worker");
    let task = trace.spawn(test, TaskKind::Async, NOWHERE, "()");
    trace.poll(worker, task);
    let child = trace.spawn(worker, TaskKind::Blocking, NOWHERE, "()");
    trace.finish(worker, task, Outcome::Unknown);
    trace.poll(worker, child);
    trace.event(worker, EventKind::Await, ObjectId::NONE, 0, NOWHERE);
    trace.finish(worker, child, Outcome::Unknown);
    trace.event(worker, EventKind::Await, ObjectId::NONE, 0, NOWHERE);
    trace.about(worker, EventKind::Detach, child, NOWHERE);
    trace.push(worker, Record { code: code::UNIT, object: 9, ..Record::default() });
    trace.event(worker, EventKind::Await, ObjectId::NONE, 0, NOWHERE);
    trace.end_test(test, UnitId(1), TestOutcome::Ok);
    let awaits: Vec<_> =
        events(&trace).iter().filter(|it| it.kind == EventKind::Await).map(|it| it.unit.0).collect();
    assert_eq!(awaits, [1, 0, 9]);
    for event in events(&trace).iter().filter(|it| it.kind != EventKind::Await) {
        assert_eq!(event.unit, UnitId(1), "{event:?}");
    }
}

#[test]
fn times_and_durations_are_those_of_the_clock() {
    let mut trace = TraceBuilder::new();
    let thread = trace.thread("worker");
    let task = trace.spawn(thread, TaskKind::Async, NOWHERE, "()");
    trace.pass(1000);
    trace.poll(thread, task);
    trace.pass(50);
    trace.block(thread, EventKind::Block, What::BlockOn, NOWHERE);
    trace.pass(7);
    trace.block(thread, EventKind::Block, What::Sleep, NOWHERE);
    trace.pass(20);
    trace.block(thread, EventKind::Unblock, What::Sleep, NOWHERE);
    trace.pass(3);
    trace.block(thread, EventKind::Unblock, What::BlockOn, NOWHERE);
    trace.cpu(thread, 44);
    // Longer than a coarse time counts before it begins again.
    trace.pass(6_000_000_000);
    trace.suspend(thread, task);
    trace.poll(thread, task);
    trace.pass(5);
    trace.finish(thread, task, Outcome::Ok);
    let found: Vec<_> = events(&trace).iter().map(|it| (it.kind, it.time, it.ns, it.cpu)).collect();
    let later = 1080 + 6_000_000_000;
    assert_eq!(
        found,
        [
            (EventKind::Spawn, 0, 0, 0),
            (EventKind::Start, 1000, 0, 0),
            (EventKind::Poll, 1000, 0, 0),
            (EventKind::Block, 1050, 0, 0),
            (EventKind::Block, 1057, 0, 0),
            (EventKind::Unblock, 1077, 20, 0),
            (EventKind::Unblock, 1080, 30, 0),
            (EventKind::Suspend, later, later - 1000, 44),
            (EventKind::Poll, later, 0, 0),
            (EventKind::Finish, later + 5, 5, 0),
        ]
    );
}

#[test]
fn a_coarse_time_may_lie_shortly_before_the_last_known_one() {
    let mut trace = TraceBuilder::new();
    let thread = trace.thread("worker");
    let task = trace.spawn(thread, TaskKind::Async, NOWHERE, "()");
    trace.pass(1000);
    trace.event(thread, EventKind::Await, ObjectId::NONE, 0, NOWHERE);
    let before = ((1 << 20) >> COARSE_SHIFT) + 900;
    trace.push(thread, Record::event(EventKind::Poll, 0, before, task.0, 1));
    let after = before + 400;
    trace.push(thread, Record::event(EventKind::Suspend, 0, after, task.0, 2));
    let found: Vec<_> = events(&trace).iter().map(|it| (it.time, it.ns)).collect();
    assert_eq!(found, [(0, 0), (1000, 0), (1000, 0), (1300, 400)]);
}

#[test]
fn times_between_known_ones_are_interpolated() {
    let mut trace = TraceBuilder::new();
    let thread = trace.thread("worker");
    let time = |nanos: u64| Record::wide(code::TIME, 0, 0, (1 << 20) + (nanos << COARSE_SHIFT));
    trace.push(thread, time(0));
    for _ in 0..3 {
        trace.event(thread, EventKind::Await, ObjectId::NONE, 0, NOWHERE);
    }
    trace.push(thread, time(400));
    trace.event(thread, EventKind::Await, ObjectId::NONE, 0, NOWHERE);
    trace.push(thread, time(600));
    let bytes = {
        trace.pass(1000);
        trace.build()
    };
    let trace = read::read(&bytes).expect("a trace");
    let times: Vec<_> = merge::events(&trace).map(|it| it.time).collect();
    assert_eq!(times, [100, 200, 300, 500]);
}

#[test]
fn the_capacity_of_a_semaphore_follows_its_permits() {
    let mut trace = TraceBuilder::new();
    let thread = trace.thread("worker");
    let site = trace.site("src/lib.rs", 7, 9);
    let object = trace.object(thread, ObjectKind::TokioSemaphore, site, 3);
    trace.ordered(thread, EventKind::Permit, 0, object, 2, site);
    trace.ordered(thread, EventKind::PermitRelease, 0, object, 1, site);
    trace.ordered(thread, EventKind::PermitRelease, flag::ADDED, object, 5, site);
    trace.ordered(thread, EventKind::PermitForget, 0, object, 6, site);
    let mut capacities = Vec::new();
    look(&trace, |event, merge| {
        capacities.push(attribute(event, "capacity", merge.world()));
        let class = attribute(event, "class", merge.world())
            .and_then(|it| it.text(merge.world().names()).map(str::to_owned));
        assert_eq!(class.as_deref(), Some("src/lib.rs:7:9"));
    });
    assert_eq!(capacities, [3, 3, 8, 2].map(|it| Some(Value::Int(it))));
}

#[test]
fn the_start_of_a_task_tells_its_kind_and_the_world_its_origin() {
    let mut trace = TraceBuilder::new();
    let thread = trace.thread("worker");
    let site = trace.site("src/lib.rs", 2, 1);
    let task = trace.spawn(thread, TaskKind::Local, site, "Result<u8, Error>");
    trace.name(task, "ticker");
    trace.poll(thread, task);
    let mut seen = 0;
    look(&trace, |event, merge| {
        let world = merge.world();
        let ask = |name: &str| {
            attribute(event, name, world).and_then(|it| it.text(world.names()).map(str::to_owned))
        };
        if matches!(event.kind, EventKind::Spawn | EventKind::Start) {
            seen += 1;
            assert_eq!(ask("kind").as_deref(), Some("local"));
            assert_eq!(ask("name").as_deref(), Some("ticker"));
        }
        if event.kind == EventKind::Spawn {
            assert_eq!(ask("output").as_deref(), Some("Result<u8, Error>"));
            assert_eq!(event.argument(1), Value::Object(Sort::Task, task.0));
        }
        let facts = world.task(task).expect("it is alive");
        assert_eq!((facts.kind, facts.spawned_at), (TaskKind::Local, site));
        assert_eq!(facts.parent, TaskId(1));
    });
    assert_eq!(seen, 2);
}

#[test]
fn a_task_is_dead_once_it_ended_and_its_handle_is_gone() {
    for handle_first in [false, true] {
        let mut trace = TraceBuilder::new();
        let thread = trace.thread("worker");
        let task = trace.spawn(thread, TaskKind::Async, NOWHERE, "()");
        trace.poll(thread, task);
        if handle_first {
            trace.about(thread, EventKind::Detach, task, NOWHERE);
            trace.finish(thread, task, Outcome::Ok);
        } else {
            trace.finish(thread, task, Outcome::Ok);
            trace.about(thread, EventKind::Join, task, NOWHERE);
        }
        trace.event(thread, EventKind::Await, ObjectId::NONE, 0, NOWHERE);
        trace.about(thread, EventKind::Abort, task, NOWHERE);
        let mut dead = Vec::new();
        look(&trace, |event, merge| {
            let alive = !matches!(event.kind, EventKind::Await | EventKind::Abort);
            assert_eq!(merge.world().task(task).is_some(), alive, "{event:?}");
            dead.extend(merge.drain_dead().map(|it| (event.kind, it)));
        });
        assert_eq!(dead, [(EventKind::Await, (Sort::Task, task.0))]);
    }
}

#[test]
fn objects_die_after_their_last_event_on_any_thread() {
    let mut trace = TraceBuilder::new();
    let one = trace.thread("one");
    let two = trace.thread("two");
    let lock = trace.object(one, ObjectKind::StdMutex, NOWHERE, 0);
    for thread in [one, two] {
        trace.lock(thread, EventKind::Acquire, lock, Mode::Write, NOWHERE);
        trace.lock(thread, EventKind::Release, lock, Mode::Write, NOWHERE);
    }
    // Thread one comes first wherever there is a choice.
    trace.drop_object(one, lock);
    for _ in 0..2000 {
        trace.event(one, EventKind::Await, ObjectId::NONE, 0, NOWHERE);
    }
    let mut dead = Vec::new();
    look(&trace, |event, merge| {
        if event.kind != EventKind::Await {
            assert!(merge.world().object(lock).is_some());
        }
        dead.extend(merge.drain_dead());
    });
    assert_eq!(dead, [(Sort::Task, trace.own_task(two).0), (Sort::Lock, lock.0)]);
}

#[test]
fn arguments_that_are_not_known_are_absent() {
    let mut trace = TraceBuilder::new();
    let thread = trace.thread("worker");
    let channel = trace.object(thread, ObjectKind::TokioMpsc, NOWHERE, 1);
    trace.event(thread, EventKind::Recv, channel, 0, NOWHERE);
    let [event] = events(&trace)[..] else { panic!("one event") };
    assert_eq!(event.argument(1), Value::Object(Sort::Chan, channel.0));
    assert_eq!(event.argument(2), Value::Absent);
    assert_eq!(event.argument(3), Value::Absent);
}

#[test]
fn order_counters_may_wrap_around() {
    let mut trace = TraceBuilder::new().with_chunk_pages(64);
    let one = trace.thread("one");
    let two = trace.thread("two");
    let notify = trace.object(one, ObjectKind::TokioNotify, NOWHERE, 0);
    let mut order = Vec::new();
    for step in 0..140_000_u32 {
        let thread = if step % 7 < 3 { two } else { one };
        trace.ordered(thread, EventKind::NotifyOne, 0, notify, 0, NOWHERE);
        order.push(thread);
    }
    let found: Vec<_> = events(&trace).iter().map(|it| it.thread).collect();
    assert!(found == order, "the threads take turns as they did");
}

#[test]
fn a_task_that_nobody_can_join_is_dead_once_it_ended() {
    let mut trace = TraceBuilder::new();
    let thread = trace.thread("worker");
    let mut roots = Vec::new();
    for kind in [TaskKind::Root, TaskKind::Test, TaskKind::Async] {
        let task = trace.spawn(thread, kind, NOWHERE, "()");
        trace.poll(thread, task);
        trace.finish(thread, task, Outcome::Ok);
        if kind != TaskKind::Async {
            roots.push((Sort::Task, task.0));
        }
    }
    trace.event(thread, EventKind::Await, ObjectId::NONE, 0, NOWHERE);
    let mut dead = Vec::new();
    look(&trace, |_, merge| dead.extend(merge.drain_dead()));
    assert_eq!(dead, roots);
}

#[test]
fn an_object_that_a_thread_waits_for_stays_alive_until_the_wait_is_over() {
    let mut trace = TraceBuilder::new();
    let [one, two, three] = ["one", "two", "three"].map(|name| trace.thread(name));
    let channel = trace.object(one, ObjectKind::TokioMpsc, NOWHERE, 5);
    trace.drop_object(one, channel);
    for _ in 0..5000 {
        trace.event(one, EventKind::Await, ObjectId::NONE, 0, NOWHERE);
    }
    trace.pass(1000);
    let number = trace.send(three, channel, NOWHERE);
    trace.event(two, EventKind::Recv, channel, number, NOWHERE);
    let mut received = None;
    look(&trace, |event, merge| {
        if event.kind == EventKind::Recv {
            received = attribute(event, "capacity", merge.world());
        }
    });
    assert_eq!(received, Some(Value::Int(5)));
}
