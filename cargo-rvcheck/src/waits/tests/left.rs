//! Who is left behind when a test ends.

use super::Script;
use crate::waits::{Abandoned, Cause, Ends, Frames, Left, Lost};
use rvcheck_event::id::{ObjectId, SiteId, ThreadId, UnitId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, TaskKind, TestOutcome, What};
use rvcheck_event::record::{Record, flag};
use rvcheck_event::stream::EventStream;
use rvcheck_event::trace::{merge, read};
use rvcheck_event::world::World;
use rvcheck_source::facts::keeping::Class;
use std::collections::{BTreeMap, BTreeSet};

impl Script {
    /// Later than all that the other threads have done.
    fn ends(&mut self, test: ThreadId) {
        self.builder.pass(1000);
        self.builder.end_test(test, UnitId(1), TestOutcome::Ok);
    }

    fn left(&self) -> Vec<Abandoned> {
        let bytes = self.builder.build();
        let trace = read::read(&bytes).expect("it is a trace");
        let mut left = Left::new();
        merge::events(&trace).feed(&mut left);
        left.finish().1
    }

    fn left_for(&self) -> Vec<(Cause, bool)> {
        self.left().iter().map(|it| (it.explanation.cause, it.lost == Lost::Work)).collect()
    }

    /// An end of the channel is dropped, and so many are left.
    fn drops(&mut self, thread: ThreadId, kind: EventKind, channel: ObjectId, left: u32) {
        self.builder.push(thread, Record::event(kind, 0, 0, channel.0, left));
    }
}

#[test]
fn a_thread_that_takes_its_lock_twice_is_left_behind_also_where_others_go_on() {
    let mut script = Script::new();
    let test = script.builder.test("it");
    let [twice, sleeps] = [(); 2].map(|()| script.thread(test));
    let lock = script.object(test, ObjectKind::StdMutex, 0);
    script.take(twice, lock, Mode::Write);
    script.want(twice, lock, Mode::Write);
    let site = script.site();
    script.builder.block(sleeps, EventKind::Block, What::Sleep, site);
    assert_eq!(script.left_for(), []);
    script.ends(test);
    assert_eq!(script.left_for(), [(Cause::DoubleLock, true)]);
}

#[test]
fn a_message_may_come_from_whoever_may_still_go_on() {
    for is_alone in [false, true] {
        let mut script = Script::new();
        let test = script.builder.test("it");
        let waits = script.thread(test);
        let channel = script.object(test, ObjectKind::StdMpsc, 0);
        script.wait(waits, EventKind::RecvWait, channel, 0);
        if !is_alone {
            let sleeps = script.thread(test);
            let site = script.site();
            script.builder.block(sleeps, EventKind::Block, What::Sleep, site);
        }
        script.ends(test);
        let expected: &[(Cause, bool)] = if is_alone { &[(Cause::Channels, false)] } else { &[] };
        assert_eq!(script.left_for(), expected, "{is_alone}");
    }
}

/// Ends of which it is known what those keep who wait in these lines, and what statics keep, and that channels of orders are made.
#[derive(Default)]
struct Known {
    lines: BTreeMap<u32, BTreeSet<Class>>,
    statics: BTreeSet<Class>,
}

fn channel(of: &str) -> Class {
    Class::Channel(Some(of.to_owned()))
}

impl Ends for Known {
    fn kept(&self, frames: Frames<'_>, world: &World) -> Option<BTreeSet<Class>> {
        let Frames::Thread { at, .. } = frames else { return None };
        self.lines.get(&world.names().site(at)?.position.line).cloned()
    }

    fn statics(&self, takes_locks: bool) -> Option<BTreeSet<Class>> {
        takes_locks.then(|| self.statics.clone()).or_else(|| Some(BTreeSet::new()))
    }

    fn hidden(&self) -> Option<BTreeSet<Class>> {
        Some(BTreeSet::new())
    }

    fn made(&self, _: SiteId, _: &World) -> Option<BTreeSet<Class>> {
        Some(BTreeSet::from([channel("Order")]))
    }
}

#[test]
fn a_message_comes_from_nobody_who_keeps_no_end_of_its_channel() {
    for (kept, is_left) in [
        (None, false),
        (Some(vec![]), true),
        (Some(vec![Class::Signal, channel("Bell")]), true),
        (Some(vec![channel("Order")]), false),
        (Some(vec![Class::Channel(None)]), false),
    ] {
        let mut script = Script::new();
        let test = script.builder.test("it");
        let waits = script.thread(test);
        let channel = script.object(test, ObjectKind::StdMpsc, 0);
        script.wait(waits, EventKind::RecvWait, channel, 0);
        let sleeps = script.thread(test);
        let site = script.site();
        script.builder.block(sleeps, EventKind::Block, What::Sleep, site);
        script.ends(test);
        let lines = kept.iter().map(|it| (script.line, it.iter().cloned().collect())).collect();
        let known = Known { lines, ..Known::default() };
        let bytes = script.builder.build();
        let trace = read::read(&bytes).expect("it is a trace");
        let mut left = Left::knowing(&known);
        merge::events(&trace).feed(&mut left);
        assert_eq!(left.finish().1.len(), usize::from(is_left), "{kept:?}");
    }
}

#[test]
fn a_message_may_come_from_whoever_takes_the_lock_of_a_static_that_may_keep_an_end_of_its_channel() {
    for (takes_lock, statics, is_left) in [
        (true, vec![], true),
        (true, vec![channel("Bell")], true),
        (true, vec![channel("Order")], false),
        (false, vec![channel("Order")], true),
    ] {
        let mut script = Script::new();
        let test = script.builder.test("it");
        let waits = script.thread(test);
        let channel = script.object(test, ObjectKind::StdMpsc, 0);
        if takes_lock {
            let site = script.site();
            let lock = script.builder.static_lock(test, ObjectKind::StdMutex, site);
            script.take(test, lock, Mode::Write);
            script.builder.lock(test, EventKind::Release, lock, Mode::Write, site);
        }
        script.wait(waits, EventKind::RecvWait, channel, 0);
        script.ends(test);
        let known = Known { statics: statics.iter().cloned().collect(), ..Known::default() };
        let bytes = script.builder.build();
        let trace = read::read(&bytes).expect("it is a trace");
        let mut left = Left::knowing(&known);
        merge::events(&trace).feed(&mut left);
        assert_eq!(left.finish().1.len(), usize::from(is_left), "{takes_lock} {statics:?}");
    }
}

#[test]
fn in_a_unit_that_goes_on_only_locks_are_known_where_nothing_is_known_of_ends() {
    let mut script = Script::new();
    let test = script.builder.test("it");
    let [twice, waits] = [(); 2].map(|()| script.thread(test));
    let lock = script.object(test, ObjectKind::StdMutex, 0);
    script.take(twice, lock, Mode::Write);
    script.want(twice, lock, Mode::Write);
    let channel = script.object(test, ObjectKind::StdMpsc, 0);
    script.wait(waits, EventKind::RecvWait, channel, 0);
    let site = script.site();
    script.builder.block(test, EventKind::Block, What::Sleep, site);
    let bytes = script.builder.build();
    let trace = read::read(&bytes).expect("it is a trace");
    let found = |mut left: Left<'_>| {
        let mut merge = merge::events(&trace);
        merge.feed(&mut left);
        left.goes_on(merge.world());
        let causes = left.finish().1.into_iter().map(|it| (it.explanation.cause, it.is_over));
        causes.collect::<Vec<_>>()
    };
    assert_eq!(found(Left::new()), [(Cause::DoubleLock, false)]);
    let known = Known { lines: BTreeMap::from([(script.line, BTreeSet::new())]), ..Known::default() };
    assert_eq!(found(Left::knowing(&known)), [(Cause::DoubleLock, false), (Cause::Channels, false)]);
}

#[test]
fn who_has_only_not_noticed_yet_is_not_left_behind() {
    let waits_for = |kind: EventKind, capacity: u32, then: &dyn Fn(&mut Script, ThreadId, ObjectId)| {
        let mut script = Script::new();
        let test = script.builder.test("it");
        let thread = script.thread(test);
        let channel = script.object(test, ObjectKind::StdMpsc, capacity);
        if kind == EventKind::SendWait {
            let site = script.site();
            script.builder.event(thread, EventKind::Send, channel, 1, site);
        }
        script.wait(thread, kind, channel, 0);
        script.builder.pass(1000);
        then(&mut script, test, channel);
        script.ends(test);
        script.left_for().len()
    };
    assert_eq!(waits_for(EventKind::RecvWait, 0, &|_, _, _| ()), 1);
    assert_eq!(
        waits_for(EventKind::RecvWait, 0, &|it, by, of| it.drops(by, EventKind::SenderDrop, of, 1)),
        1
    );
    assert_eq!(
        waits_for(EventKind::RecvWait, 0, &|it, by, of| it.drops(by, EventKind::SenderDrop, of, 0)),
        0
    );
    assert_eq!(waits_for(EventKind::SendWait, 1, &|_, _, _| ()), 1);
    assert_eq!(
        waits_for(EventKind::SendWait, 1, &|it, by, of| it.drops(by, EventKind::ReceiverDrop, of, 0)),
        0
    );
    let sends = |it: &mut Script, by: ThreadId, of: ObjectId| {
        let site = it.site();
        it.builder.event(by, EventKind::Send, of, 1, site);
    };
    assert_eq!(waits_for(EventKind::RecvWait, 0, &sends), 0);
}

#[test]
fn who_goes_on_after_the_end_was_not_stuck() {
    let mut script = Script::new();
    let test = script.builder.test("it");
    let thread = script.thread(test);
    let signal = script.object(test, ObjectKind::StdCondvar, 0);
    script.wait(thread, EventKind::SignalWait, signal, 0);
    script.ends(test);
    assert_eq!(script.left_for(), [(Cause::Abandoned, false)]);
    let site = script.site();
    script.builder.pass(1000);
    script.builder.ordered(thread, EventKind::Signalled, 0, signal, 0, site);
    assert_eq!(script.left_for(), []);
}

#[test]
fn a_signal_was_not_missed_where_the_waiter_looked_after_it() {
    // Whether the waiter takes the lock after the signal, and whether the test takes it later.
    for (looks, changes, expected) in
        [(false, false, Cause::LostWakeup), (true, false, Cause::Abandoned), (true, true, Cause::LostWakeup)]
    {
        let mut script = Script::new();
        let test = script.builder.test("it");
        let waiter = script.thread(test);
        let lock = script.object(test, ObjectKind::StdMutex, 0);
        let signal = script.object(test, ObjectKind::StdCondvar, 0);
        let look = |script: &mut Script, thread| {
            script.take(thread, lock, Mode::Write);
            let site = script.site();
            script.builder.lock(thread, EventKind::Release, lock, Mode::Write, site);
            script.builder.pass(1000);
        };
        look(&mut script, waiter);
        let site = script.site();
        script.builder.ordered(test, EventKind::NotifyAll, 0, signal, 0, site);
        script.builder.pass(1000);
        if looks {
            look(&mut script, waiter);
        }
        if changes {
            look(&mut script, test);
        }
        script.wait(waiter, EventKind::SignalWait, signal, 0);
        script.ends(test);
        assert_eq!(script.left_for(), [(expected, false)], "{looks} {changes}");
    }
}

#[test]
fn a_task_whose_waker_nobody_has_any_more_waits_for_ever() {
    // When the last clone of its waker is dropped, in events of the task: never, or before or after it was polled again.
    for (dropped, expected) in [(None, false), (Some(2), false), (Some(4), true)] {
        let mut script = Script::new();
        let test = script.builder.test("it");
        let site = script.site();
        let task = script.builder.spawn(test, TaskKind::Async, site, "()");
        let worker = script.builder.thread("worker");
        for _ in 0..2 {
            script.builder.poll(worker, task);
            script.builder.suspend_with(worker, task, flag::WAKER);
        }
        script.builder.pass(1000);
        if let Some(order) = dropped {
            script.builder.push(test, Record::event(EventKind::WakerDrop, 0, 0, task.0, order));
        }
        script.ends(test);
        let expected = Vec::from_iter(expected.then_some((Cause::LostWakeup, false)));
        assert_eq!(script.left_for(), expected, "{dropped:?}");
    }
}

/// A runtime is shut down after its root has ended: the future of a task is dropped where it waits.
#[test]
fn a_task_that_is_dropped_where_it_waits_for_nothing_was_left_behind() {
    for sends_before in [false, true] {
        let mut script = Script::new();
        let test = script.builder.test("it");
        let site = script.site();
        let root = script.builder.spawn(test, TaskKind::Test, site, "()");
        let driving = script.site();
        script.builder.block(test, EventKind::Block, What::BlockOn, driving);
        script.builder.poll(test, root);
        let task = script.builder.spawn(test, TaskKind::Async, site, "()");
        let channel = script.object(test, ObjectKind::TokioMpsc, 1);
        script.builder.suspend(test, root);
        script.builder.poll(test, task);
        script.builder.event(test, EventKind::RecvWait, channel, 0, site);
        script.builder.suspend(test, task);
        script.builder.poll(test, root);
        script.builder.finish(test, root, rvcheck_event::kind::Outcome::Unknown);
        script.builder.block(test, EventKind::Unblock, What::BlockOn, driving);
        if sends_before {
            script.builder.event(test, EventKind::Send, channel, 1, site);
        }
        script.builder.poll(test, task);
        script.builder.cancel(test, task);
        script.ends(test);
        let expected: &[(Cause, bool)] = if sends_before { &[] } else { &[(Cause::Channels, false)] };
        assert_eq!(script.left_for(), expected, "{sends_before}");
    }
}

#[test]
fn two_that_wait_for_different_things_are_distinguished_and_two_that_wait_for_each_other_are_not() {
    let mut script = Script::new();
    let test = script.builder.test("it");
    let threads = [(); 4].map(|()| script.thread(test));
    let locks = [(); 2].map(|()| script.object(test, ObjectKind::StdMutex, 0));
    let channels = [(); 2].map(|()| script.object(test, ObjectKind::StdMpsc, 0));
    for at in 0..2 {
        script.take(threads[at], locks[at], Mode::Write);
        script.wait(threads[2 + at], EventKind::RecvWait, channels[at], 0);
    }
    for at in 0..2 {
        script.want(threads[at], locks[1 - at], Mode::Write);
    }
    script.ends(test);
    let found: Vec<_> = script.left().iter().map(|it| (it.explanation.cause, it.stuck.tasks.len())).collect();
    assert_eq!(found, [(Cause::LockOrder, 2), (Cause::Channels, 1), (Cause::Channels, 1)]);
}

#[test]
fn idle_workers_of_several_kinds_may_have_each_other_s_handles() {
    for (kinds, has_sent, expected) in
        [(1, false, &[false][..]), (2, false, &[true, true]), (2, true, &[false])]
    {
        let mut script = Script::new();
        let test = script.builder.test("it");
        let workers: Vec<_> =
            (0..kinds).map(|_| (script.thread(test), script.object(test, ObjectKind::StdMpsc, 0))).collect();
        if has_sent {
            let site = script.site();
            script.builder.event(workers[0].0, EventKind::Send, workers[1].1, 1, site);
            script.builder.event(workers[1].0, EventKind::Recv, workers[1].1, 1, site);
        }
        for (worker, inbox) in workers {
            script.wait(worker, EventKind::RecvWait, inbox, 0);
        }
        script.ends(test);
        let found: Vec<bool> = script.left().iter().map(|it| it.lost == Lost::Services).collect();
        assert_eq!(found, expected, "{kinds} {has_sent}");
    }
}

#[test]
fn who_was_polled_since_a_value_was_set_waits_for_another_one() {
    for (polled, expected) in [(false, 0), (true, 1)] {
        let mut script = Script::new();
        let test = script.builder.test("it");
        let site = script.site();
        let task = script.builder.spawn(test, TaskKind::Async, site, "()");
        let worker = script.builder.thread("worker");
        let watch = script.object(test, ObjectKind::TokioWatch, 0);
        script.builder.poll(worker, task);
        script.builder.event(worker, EventKind::RecvWait, watch, 0, site);
        script.builder.suspend(worker, task);
        script.builder.pass(1000);
        script.builder.event(test, EventKind::Send, watch, 1, site);
        if polled {
            script.builder.pass(1000);
            script.builder.poll(worker, task);
            script.builder.suspend(worker, task);
        }
        script.ends(test);
        assert_eq!(script.left().len(), expected, "{polled}");
    }
}

/// On a busy machine, it may be cancelled long after the test has ended.
#[test]
fn who_is_aborted_while_it_is_polled_is_not_left_behind_where_it_waits_then() {
    for (aborts, expected) in [("", 1), ("by its handle", 0), ("with its set", 0)] {
        let mut script = Script::new();
        let test = script.builder.test("it");
        let site = script.site();
        let task = script.builder.spawn(test, TaskKind::Async, site, "()");
        let worker = script.builder.thread("worker");
        let channel = script.object(test, ObjectKind::TokioMpsc, 1);
        script.builder.poll(worker, task);
        script.builder.pass(1000);
        match aborts {
            "by its handle" => script.builder.about(test, EventKind::Abort, task, site),
            "with its set" => script.builder.detach_by_owner(test, task, site),
            _ => {}
        }
        script.builder.pass(1000);
        script.builder.event(worker, EventKind::RecvWait, channel, 0, site);
        script.builder.suspend(worker, task);
        script.ends(test);
        assert_eq!(script.left().len(), expected, "{aborts}");
    }
}
