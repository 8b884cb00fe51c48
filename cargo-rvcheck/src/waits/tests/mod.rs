//! Who waits for whom: small traces, and cycles against a naive search.

mod left;

use super::cycle::Kinds;
use super::{Cause, Waits, explain};
use proptest::prelude::*;
use rvcheck_event::id::{ObjectId, SiteId, ThreadId, UnitId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, Outcome, TaskKind, What};
use rvcheck_event::record::{Record, flag};
use rvcheck_event::stream::EventStream;
use rvcheck_event::trace::write::TraceBuilder;
use rvcheck_event::trace::{merge, read};
use rvcheck_event::world::World;

/// A test with threads of its own, each of which is a task.
struct Script {
    builder: TraceBuilder,
    line: u32,
}

impl Script {
    fn new() -> Script {
        Script { builder: TraceBuilder::new(), line: 0 }
    }

    fn site(&mut self) -> SiteId {
        self.line += 1;
        let line = self.line;
        self.builder.site("src/lib.rs", line, 5)
    }

    /// A thread of the one test.
    fn thread(&mut self, parent: ThreadId) -> ThreadId {
        let site = self.site();
        let task = self.builder.spawn(parent, TaskKind::Thread, site, "()");
        let thread = self.builder.thread("");
        self.builder.poll(thread, task);
        thread
    }

    fn object(&mut self, thread: ThreadId, kind: ObjectKind, capacity: u32) -> ObjectId {
        let site = self.site();
        self.builder.object(thread, kind, site, capacity)
    }

    fn take(&mut self, thread: ThreadId, lock: ObjectId, mode: Mode) {
        let site = self.site();
        self.builder.lock(thread, EventKind::Acquire, lock, mode, site);
    }

    /// Waits with the thread blocked.
    fn want(&mut self, thread: ThreadId, lock: ObjectId, mode: Mode) {
        let site = self.site();
        self.builder.lock(thread, EventKind::Request, lock, mode, site);
        self.builder.block(thread, EventKind::Block, What::Lock, site);
    }

    fn wait(&mut self, thread: ThreadId, kind: EventKind, object: ObjectId, count: u32) {
        let site = self.site();
        self.builder.event(thread, kind, object, count, site);
        self.builder.block(thread, EventKind::Block, What::Recv, site);
    }

    fn situation(&self) -> (Waits, World) {
        let bytes = self.builder.build();
        let trace = read::read(&bytes).expect("it is a trace");
        let mut merge = merge::events(&trace);
        let mut waits = Waits::new();
        merge.feed(&mut waits);
        (waits, merge.world().clone())
    }

    fn causes(&self, last: bool) -> Vec<Cause> {
        let (waits, world) = self.situation();
        explain(&waits, &waits.stuck(UnitId(1)), &world, last).iter().map(|it| it.cause).collect()
    }
}

#[test]
fn two_locks_in_opposite_orders_are_certain_at_once() {
    let mut script = Script::new();
    let one = script.builder.test("it");
    let two = script.thread(one);
    let locks = [(); 2].map(|()| script.object(one, ObjectKind::StdMutex, 0));
    script.take(one, locks[0], Mode::Write);
    script.take(two, locks[1], Mode::Write);
    script.want(one, locks[1], Mode::Write);
    assert_eq!(script.causes(false), []);
    script.want(two, locks[0], Mode::Write);
    assert_eq!(script.causes(false), [Cause::LockOrder]);
}

#[test]
fn a_lock_that_is_wanted_twice_is_a_double_lock_and_one_that_is_read_twice_is_not() {
    for (first, second, expected) in [
        (Mode::Write, Mode::Write, vec![Cause::DoubleLock]),
        (Mode::Read, Mode::Write, vec![Cause::DoubleLock]),
        (Mode::Write, Mode::Read, vec![Cause::DoubleLock]),
        (Mode::Read, Mode::Read, vec![]),
    ] {
        let mut script = Script::new();
        let one = script.builder.test("it");
        let lock = script.object(one, ObjectKind::StdRwLock, 0);
        script.take(one, lock, first);
        script.want(one, lock, second);
        assert_eq!(script.causes(false), expected, "{first:?} {second:?}");
    }
}

#[test]
fn a_reader_waits_for_the_writer_before_it_that_waits_for_the_reader() {
    let mut script = Script::new();
    let one = script.builder.test("it");
    let two = script.thread(one);
    let lock = script.object(one, ObjectKind::StdRwLock, 0);
    script.take(two, lock, Mode::Read);
    script.want(one, lock, Mode::Write);
    script.want(two, lock, Mode::Read);
    assert_eq!(script.causes(false), [Cause::DoubleLock]);
}

/// Two tasks with a lock each, of which each wants that of the other; `flags` says how the second one is suspended.
fn crossed(flags: &[u8]) -> Script {
    let mut script = Script::new();
    let test = script.builder.test("it");
    let site = script.site();
    let tasks = [(); 2].map(|()| script.builder.spawn(test, TaskKind::Async, site, "()"));
    let locks = [(); 2].map(|()| script.object(test, ObjectKind::TokioMutex, 0));
    let worker = script.builder.thread("worker");
    for (at, task) in tasks.iter().enumerate() {
        script.builder.poll(worker, *task);
        script.take(worker, locks[at], Mode::Write);
        script.builder.suspend(worker, *task);
    }
    for (at, task) in tasks.iter().enumerate() {
        script.builder.poll(worker, *task);
        let site = script.site();
        script.builder.lock(worker, EventKind::Request, locks[1 - at], Mode::Write, site);
        let flags = if at == 1 { flags } else { &[0] };
        for (turn, flags) in flags.iter().enumerate() {
            if turn > 0 {
                script.builder.poll(worker, *task);
            }
            script.builder.suspend_with(worker, *task, *flags);
        }
    }
    let site = script.site();
    script.builder.block(test, EventKind::Block, What::Sleep, site);
    script
}

#[test]
fn a_lock_that_something_unknown_may_give_up_is_in_no_certain_cycle() {
    assert_eq!(crossed(&[0]).causes(false), [Cause::LockOrder]);
    assert_eq!(crossed(&[flag::UNRECORDED]).causes(false), []);
    // Whoever keeps the first waker need not do so again.
    assert_eq!(crossed(&[flag::UNRECORDED, 0]).causes(false), []);
    let (waits, world) = crossed(&[flag::UNRECORDED]).situation();
    let found = explain(&waits, &waits.stuck(UnitId(1)), &world, true);
    assert_eq!(
        found.iter().map(|it| (it.cause, it.in_doubt, it.waits.len())).collect::<Vec<_>>(),
        [(Cause::Stall, true, 2)]
    );
}

#[test]
fn a_test_that_sleeps_or_joins_one_that_does_may_come_to_its_end() {
    let goes_on = |script: &Script| script.situation().0.body_waits_for_timer(UnitId(1));
    assert!(goes_on(&crossed(&[0])));

    let mut script = Script::new();
    let test = script.builder.test("it");
    let site = script.site();
    let child = script.builder.spawn(test, TaskKind::Thread, site, "()");
    let thread = script.builder.thread("");
    script.builder.poll(thread, child);
    script.builder.event(test, EventKind::JoinWait, ObjectId(child.0), 0, site);
    script.builder.block(test, EventKind::Block, What::Join, site);
    assert!(!goes_on(&script));
    script.builder.block(thread, EventKind::Block, What::Sleep, site);
    assert!(goes_on(&script));
}

#[test]
fn who_waits_for_nothing_that_is_monitored_stands_outside() {
    let mut script = Script::new();
    let one = script.builder.test("it");
    let site = script.site();
    let root = script.builder.spawn(one, TaskKind::Test, site, "()");
    script.builder.block(one, EventKind::Block, What::BlockOn, site);
    let worker = script.builder.thread("");
    script.builder.poll(worker, root);
    let (waits, world) = script.situation();
    let found = explain(&waits, &waits.stuck(UnitId(1)), &world, true);
    assert_eq!(found.len(), 1);
    assert!(found[0].waits.is_empty() && found[0].in_doubt);
    assert_eq!(found[0].outside.as_ref().map(|it| it.0), Some(root));
}

#[test]
fn a_timed_request_is_no_deadlock() {
    let mut script = Script::new();
    let one = script.builder.test("it");
    let two = script.thread(one);
    let locks = [(); 2].map(|()| script.object(one, ObjectKind::LockApiMutex, 0));
    script.take(one, locks[0], Mode::Write);
    script.take(two, locks[1], Mode::Write);
    script.want(one, locks[1], Mode::Write);
    let site = script.site();
    let flags = Mode::Write as u8 | flag::TRY;
    script.builder.push(two, Record::event(EventKind::Request, flags, site.0, locks[0].0, 0));
    script.builder.block(two, EventKind::Block, What::Lock, site);
    assert_eq!(script.causes(false), []);
}

#[test]
fn a_wait_that_was_given_up_is_none() {
    let mut script = Script::new();
    let one = script.builder.test("it");
    let channel = script.object(one, ObjectKind::StdMpsc, 0);
    let site = script.site();
    script.builder.event(one, EventKind::RecvWait, channel, 0, site);
    script.builder.event(one, EventKind::RecvCancel, channel, 0, site);
    assert_eq!(script.causes(true), []);
}

#[test]
fn a_message_that_nobody_will_send_is_reported_only_when_nothing_moves() {
    let mut script = Script::new();
    let one = script.builder.test("it");
    let two = script.thread(one);
    let channel = script.object(one, ObjectKind::StdMpsc, 0);
    script.wait(one, EventKind::RecvWait, channel, 0);
    assert_eq!(script.causes(false), []);
    // The other thread runs, as far as is known.
    assert_eq!(script.causes(true), [Cause::Stall]);
    let (waits, world) = script.situation();
    assert!(explain(&waits, &waits.stuck(UnitId(1)), &world, true)[0].in_doubt);
    script.wait(two, EventKind::RecvWait, channel, 0);
    assert_eq!(script.causes(true), [Cause::Channels]);
}

#[test]
fn nobody_is_too_early_at_a_barrier() {
    for (kind, expected) in
        [(ObjectKind::StdBarrier, Cause::Stall), (ObjectKind::StdCondvar, Cause::LostWakeup)]
    {
        let mut script = Script::new();
        let one = script.builder.test("it");
        let two = script.thread(one);
        let lock = script.object(one, ObjectKind::StdMutex, 0);
        let all = script.object(one, kind, 0);
        script.take(one, lock, Mode::Write);
        let site = script.site();
        script.builder.ordered(one, EventKind::NotifyAll, 0, all, 0, site);
        script.wait(one, EventKind::SignalWait, all, 0);
        script.want(two, lock, Mode::Write);
        assert_eq!(script.causes(true), [expected], "{kind:?}");
    }
}

#[test]
fn more_permits_than_there_are_and_permits_of_ones_own() {
    let mut script = Script::new();
    let one = script.builder.test("it");
    let pool = script.object(one, ObjectKind::TokioSemaphore, 3);
    let site = script.site();
    script.builder.ordered(one, EventKind::Permit, 0, pool, 1, site);
    script.wait(one, EventKind::PermitWait, pool, 3);
    assert_eq!(script.causes(false), [Cause::Permits]);
    let mut script = Script::new();
    let one = script.builder.test("it");
    let pool = script.object(one, ObjectKind::TokioSemaphore, 3);
    script.wait(one, EventKind::PermitWait, pool, 4);
    assert_eq!(script.causes(true), [Cause::Permits]);
}

#[test]
fn permits_are_not_out_of_reach_while_somebody_can_give_or_add_some() {
    for (others, wanted, is_over, expected) in [
        (1, 2, false, vec![]),
        (1, 2, true, vec![]),
        (0, 3, false, vec![]),
        (0, 3, true, vec![Cause::Permits]),
    ] {
        let mut script = Script::new();
        let one = script.builder.test("it");
        let two = script.thread(one);
        let pool = script.object(one, ObjectKind::TokioSemaphore, 3);
        let lock = script.object(one, ObjectKind::StdMutex, 0);
        let site = script.site();
        script.builder.ordered(one, EventKind::Permit, 0, pool, 1, site);
        if others > 0 {
            script.builder.ordered(two, EventKind::Permit, 0, pool, others, site);
        }
        script.take(one, lock, Mode::Write);
        script.wait(one, EventKind::PermitWait, pool, wanted);
        let site = script.site();
        if is_over {
            // It waits for a message, which somebody outside of the unit may send.
            let channel = script.object(two, ObjectKind::StdMpsc, 0);
            script.wait(two, EventKind::RecvWait, channel, 0);
        } else {
            script.builder.block(two, EventKind::Block, What::Sleep, site);
        }
        assert_eq!(script.causes(false), expected, "{others} {wanted} {is_over}");
    }
}

#[test]
fn a_signal_that_is_kept_is_not_lost() {
    for (kind, notified, expected) in [
        (ObjectKind::TokioNotify, vec![EventKind::NotifyAll], Cause::LostWakeup),
        (ObjectKind::TokioNotify, vec![EventKind::NotifyOne], Cause::Stall),
        (ObjectKind::TokioNotify, vec![EventKind::NotifyOne; 2], Cause::LostWakeup),
        (ObjectKind::StdCondvar, vec![EventKind::NotifyOne], Cause::LostWakeup),
        (ObjectKind::StdCondvar, vec![], Cause::Stall),
        (ObjectKind::EventListenerEvent, vec![EventKind::NotifyAll], Cause::LostWakeup),
        // A listener got it before it waited.
        (ObjectKind::EventListenerEvent, vec![EventKind::NotifyAll, EventKind::Signalled], Cause::Stall),
    ] {
        let mut script = Script::new();
        let one = script.builder.test("it");
        let signal = script.object(one, kind, 0);
        for notify in &notified {
            let site = script.site();
            script.builder.ordered(one, *notify, 0, signal, 0, site);
        }
        script.wait(one, EventKind::SignalWait, signal, 0);
        let found = script.causes(true);
        assert_eq!(found, [expected], "{kind:?} {notified:?}");
    }
}

#[test]
fn who_was_woken_leaves_the_wait_of_another_thread_alone() {
    let mut script = Script::new();
    let one = script.builder.test("it");
    let two = script.thread(one);
    let signal = script.object(one, ObjectKind::StdCondvar, 0);
    let site = script.site();
    for thread in [one, two] {
        script.builder.event(thread, EventKind::SignalWait, signal, 0, site);
        script.builder.block(thread, EventKind::Block, What::Lock, site);
    }
    let notifying = script.site();
    script.builder.ordered(one, EventKind::NotifyOne, 0, signal, 0, notifying);
    script.builder.block(two, EventKind::Unblock, What::Lock, site);
    script.builder.ordered(two, EventKind::Signalled, 0, signal, 0, site);
    let (waits, _) = script.situation();
    // `two` runs, and `one` still waits for the signal.
    let stuck = waits.stuck(UnitId(1));
    let waiting: Vec<_> = stuck.waiting().flat_map(|(_, all)| all).map(|it| it.wanted).collect();
    assert_eq!(waiting, [super::For::Signal(signal)]);
}

#[test]
fn a_signal_for_one_of_several_is_lost_for_who_waits_on() {
    for (kind, expected) in [(EventKind::NotifyOne, Cause::LostWakeup), (EventKind::NotifyAll, Cause::Stall)]
    {
        let mut script = Script::new();
        let one = script.builder.test("it");
        let [two, three] = [(); 2].map(|()| script.thread(one));
        let signal = script.object(one, ObjectKind::StdCondvar, 0);
        for thread in [two, three] {
            let site = script.site();
            script.builder.ordered(thread, EventKind::SignalWait, 0, signal, 0, site);
            script.builder.block(thread, EventKind::Block, What::Lock, site);
        }
        let site = script.site();
        script.builder.ordered(one, kind, 0, signal, 0, site);
        let barrier = script.object(one, ObjectKind::StdBarrier, 4);
        script.wait(one, EventKind::SignalWait, barrier, 0);
        assert_eq!(script.causes(true), [expected], "{kind:?}");
    }
}

#[test]
fn a_test_that_is_over_and_a_task_that_has_ended_wait_for_nothing() {
    let mut script = Script::new();
    let one = script.builder.test("it");
    let site = script.site();
    let task = script.builder.spawn(one, TaskKind::Async, site, "()");
    let lock = script.object(one, ObjectKind::TokioMutex, 0);
    script.take(one, lock, Mode::Write);
    let worker = script.builder.thread("worker");
    script.builder.poll(worker, task);
    let site = script.site();
    script.builder.lock(worker, EventKind::Request, lock, Mode::Write, site);
    script.builder.suspend(worker, task);
    let (waits, _) = script.situation();
    assert_eq!(waits.stuck(UnitId(1)).waiting().count(), 1);
    script.builder.poll(worker, task);
    script.builder.finish(worker, task, Outcome::Ok);
    script.builder.end_test(one, UnitId(1), rvcheck_event::kind::TestOutcome::Ok);
    let (waits, _) = script.situation();
    assert_eq!(waits.stuck(UnitId(1)).waiting().count(), 0);
    assert!(waits.is_ended(UnitId(1)));
}

proptest! {
    /// Each thread holds its own lock and perhaps waits for that of another: a cycle is found exactly where a walk along
    /// the waits comes back to where it began.
    #[test]
    fn cycles_are_those_that_a_walk_finds(wanted in proptest::collection::vec(proptest::option::of(0_usize..6), 6)) {
        let mut script = Script::new();
        let first = script.builder.test("it");
        let mut threads = vec![first];
        for _ in 1..wanted.len() {
            let thread = script.thread(first);
            threads.push(thread);
        }
        let locks: Vec<ObjectId> = threads.iter().map(|_| script.object(first, ObjectKind::StdMutex, 0)).collect();
        for (thread, lock) in threads.iter().zip(&locks) {
            script.take(*thread, *lock, Mode::Write);
        }
        for (thread, want) in threads.iter().zip(&wanted) {
            if let Some(want) = want {
                script.want(*thread, locks[*want], Mode::Write);
            }
        }
        let (waits, _) = script.situation();
        let found: Vec<usize> = waits.cycles(&waits.stuck(UnitId(1)), Kinds::Certain).iter().map(Vec::len).collect();
        let mut expected = Vec::new();
        let mut seen = [false; 6];
        for start in 0..6 {
            let mut at = start;
            let mut way = Vec::new();
            while let Some(next) = wanted[at].filter(|_| !way.contains(&at)) {
                way.push(at);
                at = next;
            }
            if at == start && wanted[start].is_some() && !seen[start] {
                for at in &way {
                    seen[*at] = true;
                }
                expected.push(way.len());
            }
        }
        let sorted = |mut lengths: Vec<usize>| { lengths.sort_unstable(); lengths };
        prop_assert_eq!(sorted(found), sorted(expected));
    }
}
