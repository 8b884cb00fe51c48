//! Small traces, with their candidate schedules.

use super::{Candidates, Receiver, SiteDelay, Until, WhatIf};
use rvcheck_event::id::{ObjectId, SiteId, TaskId, ThreadId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, TaskKind, What};
use rvcheck_event::record::NO_ROOM;
use rvcheck_event::stream::EventStream;
use rvcheck_event::trace::write::TraceBuilder;
use rvcheck_event::trace::{merge, read};

/// A test with two threads. Whatever happens does so at another time, and places are lines.
struct Script {
    builder: TraceBuilder,
    one: ThreadId,
    two: ThreadId,
    /// The task of two.
    ended: TaskId,
    lines: Vec<SiteId>,
}

impl Script {
    fn new() -> Script {
        let mut builder = TraceBuilder::new();
        let lines = (1..20).map(|line| builder.site("src/lib.rs", line, 5)).collect();
        let one = builder.test("it");
        let mut script = Script { builder, one, two: one, ended: TaskId::NONE, lines };
        (script.two, script.ended) = script.task();
        script
    }

    fn thread(&mut self) -> ThreadId {
        self.task().0
    }

    fn task(&mut self) -> (ThreadId, TaskId) {
        let site = self.line(19);
        let task: TaskId = self.builder.spawn(self.one, TaskKind::Thread, site, "()");
        let thread = self.builder.thread("");
        self.builder.poll(thread, task);
        (thread, task)
    }

    fn line(&self, line: usize) -> SiteId {
        self.lines[line - 1]
    }

    fn object(&mut self, kind: ObjectKind, capacity: u32) -> ObjectId {
        let site = self.line(19);
        self.builder.object(self.one, kind, site, capacity)
    }

    fn lock(&mut self, thread: ThreadId, kind: EventKind, lock: ObjectId, line: usize) {
        self.builder.pass(1000);
        self.builder.lock(thread, kind, lock, Mode::Write, self.line(line));
    }

    fn send(&mut self, thread: ThreadId, channel: ObjectId, line: usize) -> u32 {
        self.builder.pass(1000);
        self.builder.send(thread, channel, self.line(line))
    }

    fn receive(&mut self, thread: ThreadId, channel: ObjectId, number: u32, line: usize) {
        self.builder.pass(1000);
        self.builder.event(thread, EventKind::Recv, channel, number, self.line(line));
    }

    fn count(&mut self, thread: ThreadId, kind: EventKind, object: ObjectId, count: u32, line: usize) {
        self.builder.pass(1000);
        self.builder.ordered(thread, kind, 0, object, count, self.line(line));
    }

    /// Where tasks are delayed, as lines.
    fn delays(&self) -> Vec<SiteDelay> {
        let bytes = self.builder.build();
        let trace = read::read(&bytes).expect("it is a trace");
        let mut candidates = Candidates::new();
        merge::events(&trace).feed(&mut candidates);
        candidates.finish().into_iter().flat_map(|it| it.delays).collect()
    }

    fn delay(&self, at: usize, until: impl Fn(SiteId) -> Until, there: usize) -> SiteDelay {
        SiteDelay::until(self.line(at), until(self.line(there)))
    }
}

impl Script {
    /// What would stand still with more messages: where somebody sends, and where its receiver waits.
    fn what_ifs(&self) -> Vec<(SiteId, SiteId)> {
        let bytes = self.builder.build();
        let trace = read::read(&bytes).expect("it is a trace");
        let mut candidates = Candidates::new();
        merge::events(&trace).feed(&mut candidates);
        let waits = |it: WhatIf| match it.receiver {
            Receiver::Lock { wanted_at, .. } => (it.sends_at, wanted_at),
            Receiver::Room { sends_at, .. } => (it.sends_at, sends_at),
        };
        candidates.what_ifs().into_iter().map(waits).collect()
    }
}

use EventKind as K;

/// One sends three messages with a lock that two takes, after which two receives them.
fn sends_with_a_lock(capacity: u32, keeps: bool, takes: bool) -> Script {
    let mut script = Script::new();
    let (one, two) = (script.one, script.two);
    let lock = script.object(ObjectKind::StdMutex, 0);
    let channel = script.object(ObjectKind::TokioMpsc, capacity);
    for _ in 0..3 {
        script.lock(one, K::Acquire, lock, 1);
        if !keeps {
            script.lock(one, K::Release, lock, 1);
        }
        let number = script.send(one, channel, 2);
        if keeps {
            script.lock(one, K::Release, lock, 1);
        }
        script.receive(two, channel, number, 3);
        if takes {
            script.lock(two, K::Acquire, lock, 4);
            script.lock(two, K::Release, lock, 4);
        }
    }
    script
}

#[test]
fn a_receiver_is_delayed_before_the_lock_with_which_the_sender_may_wait_for_room() {
    for capacity in [2, NO_ROOM] {
        let script = sends_with_a_lock(capacity, true, true);
        assert_eq!(script.delays(), [script.delay(4, Until::Waiting, 2)], "{capacity}");
    }
    for (capacity, keeps, takes) in
        [(3, true, true), (0, true, true), (2, false, true), (2, true, false), (NO_ROOM, false, true)]
    {
        assert_eq!(sends_with_a_lock(capacity, keeps, takes).delays(), [], "{capacity} {keeps} {takes}");
    }
}

#[test]
fn who_answers_is_delayed_before_the_lock_with_which_the_answer_is_awaited() {
    let mut script = Script::new();
    let (one, two) = (script.one, script.two);
    let lock = script.object(ObjectKind::TokioMutex, 0);
    let answer = script.object(ObjectKind::TokioOneshot, 1);
    script.lock(two, K::Acquire, lock, 1);
    script.lock(two, K::Release, lock, 1);
    script.lock(one, K::Acquire, lock, 2);
    let number = script.send(two, answer, 3);
    script.receive(one, answer, number, 4);
    script.lock(one, K::Release, lock, 2);
    assert_eq!(script.delays(), [script.delay(1, Until::Waiting, 4)]);
}

#[test]
fn who_ends_is_delayed_before_the_lock_with_which_its_end_is_awaited() {
    for (holds, expected) in [(true, true), (false, false)] {
        let mut script = Script::new();
        let (one, two) = (script.one, script.two);
        let lock = script.object(ObjectKind::StdMutex, 0);
        script.lock(two, K::Acquire, lock, 1);
        script.lock(two, K::Release, lock, 1);
        script.lock(one, K::Acquire, lock, 2);
        if !holds {
            script.lock(one, K::Release, lock, 2);
        }
        script.builder.about(one, K::Join, script.ended, script.line(3));
        let delays = Vec::from_iter(expected.then(|| script.delay(1, Until::Waiting, 3)));
        assert_eq!(script.delays(), delays);
    }
}

/// One joins two with a lock, and two fills a channel that a third one empties, which takes the lock, too.
fn joins_who_fills(messages: usize, room: u32) -> Script {
    let mut script = Script::new();
    let (one, two) = (script.one, script.two);
    let three = script.thread();
    let lock = script.object(ObjectKind::StdMutex, 0);
    let channel = script.object(ObjectKind::CrossbeamChannel, room);
    for _ in 0..messages {
        let number = script.send(two, channel, 2);
        script.receive(three, channel, number, 3);
        script.lock(three, K::Acquire, lock, 4);
        script.lock(three, K::Release, lock, 4);
    }
    script.lock(one, K::Acquire, lock, 5);
    script.builder.pass(1000);
    script.builder.about(one, K::Join, script.ended, script.line(6));
    script.lock(one, K::Release, lock, 5);
    script
}

#[test]
fn who_keeps_the_one_waiting_that_is_waited_for_is_delayed_before_the_lock() {
    let script = joins_who_fills(3, 2);
    assert_eq!(script.delays(), [script.delay(4, Until::Waiting, 6)]);
    assert_eq!(joins_who_fills(2, 2).delays(), [], "there is room for all");
}

#[test]
fn where_all_take_the_lock_in_one_place_a_delay_also_says_whose_it_is() {
    let mut script = Script::new();
    let (one, two) = (script.one, script.two);
    let lock = script.object(ObjectKind::TokioMutex, 0);
    let answer = script.object(ObjectKind::TokioOneshot, 1);
    script.lock(two, K::Acquire, lock, 3);
    script.lock(two, K::Release, lock, 3);
    let number = script.send(two, answer, 4);
    script.lock(one, K::Acquire, lock, 3);
    script.receive(one, answer, number, 5);
    script.lock(one, K::Release, lock, 3);
    let of_any = script.delay(3, Until::Waiting, 5);
    assert_eq!(script.delays(), [of_any, SiteDelay { by: script.line(19), ..of_any }]);
}

/// So many ask the next one each while they serve a client; the last asks the first if it goes `in_cycle`.
fn asks_on(tasks: usize, in_cycle: bool) -> Script {
    let mut script = Script::new();
    let client = script.one;
    let serving: Vec<_> =
        (0..tasks).map(|_| (script.thread(), script.object(ObjectKind::TokioMpsc, 4))).collect();
    for at in 0..if in_cycle { tasks } else { tasks - 1 } {
        let ((by, own), (to, other), line) = (serving[at], serving[(at + 1) % tasks], 4 * at + 1);
        let number = script.send(client, own, 18);
        script.receive(by, own, number, line);
        let number = script.send(by, other, line + 1);
        script.receive(to, other, number, line + 2);
        let answer = script.object(ObjectKind::TokioOneshot, 1);
        let number = script.send(to, answer, line + 2);
        script.receive(by, answer, number, line + 3);
    }
    script
}

#[test]
fn who_serves_is_delayed_before_it_asks_one_who_may_ask_it() {
    let script = asks_on(2, true);
    let spawned = script.line(19);
    let delay =
        |at, there| SiteDelay { by: spawned, until_by: spawned, ..script.delay(at, Until::Waiting, there) };
    assert_eq!(script.delays(), [delay(2, 8), delay(6, 4)]);
    assert_eq!(asks_on(2, false).delays(), []);
}

#[test]
fn of_several_who_ask_in_a_cycle_all_but_one_are_delayed() {
    let script = asks_on(3, true);
    let spawned = script.line(19);
    let [first, second, third] = [(2, 8), (6, 12), (10, 4)].map(|(at, there)| SiteDelay {
        by: spawned,
        until_by: spawned,
        ..script.delay(at, Until::Waiting, there)
    });
    assert_eq!(script.delays(), [first, second, first, third, second, third]);
    assert_eq!(asks_on(3, false).delays(), []);
}

/// One passes on to two what it receives, and two answers into the channel of one, as a client does: so many messages, with so much room.
fn passes_on(messages: usize, capacity: u32, answers: bool) -> Script {
    let mut script = Script::new();
    let (one, two, client) = (script.thread(), script.two, script.one);
    let [of_one, of_two] = [(); 2].map(|()| script.object(ObjectKind::TokioMpsc, capacity));
    for _ in 0..messages {
        let number = script.send(client, of_one, 1);
        script.receive(one, of_one, number, 2);
        let number = script.send(one, of_two, 3);
        script.receive(two, of_two, number, 4);
        if answers {
            let number = script.send(two, of_one, 5);
            script.receive(one, of_one, number, 2);
        }
    }
    script
}

#[test]
fn who_passes_messages_on_in_a_cycle_is_delayed_until_somebody_waits_for_room() {
    for (messages, capacity) in [(3, 2), (1, NO_ROOM)] {
        let script = passes_on(messages, capacity, true);
        let delay = |at, there| script.delay(at, Until::Waiting, there);
        assert_eq!(script.delays(), [delay(3, 5), delay(5, 1), delay(5, 3)], "{capacity}");
    }
    for (messages, capacity, answers) in [(3, 2, false), (3, 0, true), (3, 6, true), (1, NO_ROOM, false)] {
        assert_eq!(passes_on(messages, capacity, answers).delays(), [], "{messages} {capacity} {answers}");
    }
}

/// One takes a permit of each of two semaphores, and two does so in the other order, if it is another one.
fn two_limits(permits: [u32; 2], crossed: bool) -> Script {
    let mut script = Script::new();
    let [a, b] = permits.map(|it| script.object(ObjectKind::TokioSemaphore, it));
    for (task, line, first, second) in
        [(script.one, 1, a, b), if crossed { (script.two, 3, b, a) } else { (script.two, 3, a, b) }]
    {
        script.count(task, K::Permit, first, 1, line);
        script.count(task, K::Permit, second, 1, line + 1);
        script.count(task, K::PermitRelease, second, 1, line + 1);
        script.count(task, K::PermitRelease, first, 1, line);
    }
    script
}

#[test]
fn permits_of_two_semaphores_in_two_orders_hold_each_other_back() {
    let script = two_limits([2, 1], true);
    let delay = |at, having, until| SiteDelay {
        having: script.line(having),
        ..SiteDelay::until(script.line(at), until)
    };
    let (held, waiting) = (|line| Until::Held(script.line(line)), |line| Until::Waiting(script.line(line)));
    let (one, two) = (delay(2, 1, held(3)), delay(4, 3, waiting(2)));
    let (two_first, one_then) = (delay(4, 3, held(1)), delay(2, 1, waiting(4)));
    let mut expected = [[one, two], [two_first, one_then]];
    for candidate in &mut expected {
        candidate.sort_unstable();
    }
    expected.sort_unstable();
    assert_eq!(script.delays(), expected.concat());
    // Semaphores of one permit are locks, and predicted.
    assert_eq!(two_limits([1, 1], true).delays(), []);
    assert_eq!(two_limits([2, 1], false).delays(), []);
}

/// One takes a registry and then the lock of a session, and two takes that of a session, the same or another one, and then the registry.
fn sessions(is_same: bool, in_order: bool) -> Script {
    let mut script = Script::new();
    let registry = script.object(ObjectKind::StdMutex, 0);
    let made = script.line(18);
    let [first, other] = [(); 2].map(|()| script.builder.object(script.one, ObjectKind::StdMutex, made, 0));
    let second = if is_same { first } else { other };
    let inverted = if in_order { [registry, second] } else { [second, registry] };
    for (task, line, [outer, inner]) in [(script.one, 1, [registry, first]), (script.two, 3, inverted)] {
        script.lock(task, K::Acquire, outer, line);
        script.lock(task, K::Acquire, inner, line + 1);
        script.lock(task, K::Release, inner, line + 1);
        script.lock(task, K::Release, outer, line);
    }
    script
}

#[test]
fn a_lock_that_is_taken_before_one_and_after_another_one_of_the_same_place_is_tried_both_ways() {
    let script = sessions(false, false);
    let delay = |at, having, until| SiteDelay {
        having: script.line(having),
        ..SiteDelay::until(script.line(at), until)
    };
    let (held, waiting) = (|line| Until::Held(script.line(line)), |line| Until::Waiting(script.line(line)));
    let one_waits = [delay(2, 1, held(3)), delay(4, 3, waiting(2))];
    let two_waits = [delay(2, 1, waiting(4)), delay(4, 3, held(1))];
    assert_eq!(script.delays(), [one_waits, two_waits].concat());
    assert_eq!(sessions(true, false).delays(), [], "this is predicted");
    assert_eq!(sessions(false, true).delays(), []);
}

/// Two waits for a signal that one gives, and gives a lock back for that.
fn waits(kind: ObjectKind, notifies: EventKind) -> Script {
    let mut script = Script::new();
    let (one, two) = (script.one, script.two);
    let lock = script.object(ObjectKind::StdMutex, 0);
    let signal = script.object(kind, 0);
    script.lock(two, K::Acquire, lock, 1);
    script.lock(two, K::Release, lock, 1);
    script.builder.event(two, K::SignalWait, signal, 0, script.line(2));
    script.count(one, notifies, signal, 0, 3);
    script.count(two, K::Signalled, signal, 0, 2);
    script
}

#[test]
fn who_waits_for_a_signal_is_delayed_until_it_was_given_unless_it_is_kept() {
    let script = waits(ObjectKind::StdCondvar, K::NotifyOne);
    assert_eq!(script.delays(), [script.delay(1, Until::Done, 3), script.delay(2, Until::Done, 3)]);
    let script = waits(ObjectKind::TokioNotify, K::NotifyAll);
    assert_eq!(script.delays(), [script.delay(2, Until::Done, 3)]);
    assert_eq!(waits(ObjectKind::TokioNotify, K::NotifyOne).delays(), []);
    // It is kept for nobody who begins to listen later.
    let script = waits(ObjectKind::EventListenerEvent, K::NotifyOne);
    assert_eq!(script.delays(), [script.delay(2, Until::Done, 3)]);
}

/// One gives a signal, suspends or not, and takes a lock; two takes it after that, and has waited for the signal or not.
fn signals_early(kind: ObjectKind, suspends: bool, again: bool, waited: bool) -> Script {
    let mut script = Script::new();
    let (one, two) = (script.one, script.two);
    let lock = script.object(ObjectKind::StdMutex, 0);
    let signal = script.object(kind, 0);
    if waited {
        script.builder.event(two, K::SignalWait, signal, 0, script.line(5));
    }
    script.count(one, K::NotifyAll, signal, 0, 1);
    if suspends {
        script.builder.event(one, K::Await, ObjectId(0), 0, script.line(2));
    }
    script.lock(one, K::Acquire, lock, 3);
    script.lock(one, K::Release, lock, 3);
    if again {
        script.count(one, K::NotifyAll, signal, 0, 6);
    }
    script.lock(two, K::Acquire, lock, 4);
    script.lock(two, K::Release, lock, 4);
    script
}

#[test]
fn who_signals_before_the_change_is_delayed_until_another_one_has_looked() {
    use ObjectKind::{StdCondvar, TokioNotify, TokioSemaphore};
    for (kind, suspends, again, waited, before) in [
        (TokioNotify, true, false, false, Some(2)),
        (TokioNotify, false, false, false, Some(3)),
        (StdCondvar, false, false, false, Some(3)),
        // A later signal covers the change; who waits may want the next signal; a semaphore is no signal.
        (TokioNotify, true, true, false, None),
        (TokioSemaphore, true, false, false, None),
    ] {
        let script = signals_early(kind, suspends, again, waited);
        let spawned = script.line(19);
        let delay = |at| SiteDelay { until_by: spawned, ..script.delay(at, Until::Done, 4) };
        assert_eq!(script.delays(), Vec::from_iter(before.map(delay)), "{kind:?} {suspends} {again}");
    }
    let waited = signals_early(TokioNotify, true, false, true).delays();
    assert!(waited.iter().all(|it| it.at != signals_early(TokioNotify, true, false, true).line(2)));
}

/// Two looks, enrols and parks; one changes what two looked at, wakes, and both use the same lock for that if `at_once`.
fn enrols(parks: bool, at_once: bool) -> Script {
    let mut script = Script::new();
    let (one, two) = (script.one, script.two);
    let [state, list] = [(); 2].map(|()| script.object(ObjectKind::StdMutex, 0));
    script.lock(two, K::Acquire, state, 1);
    if !at_once {
        script.lock(two, K::Release, state, 1);
    }
    script.lock(two, K::Acquire, list, 2);
    script.lock(two, K::Release, list, 2);
    if at_once {
        script.lock(two, K::Release, state, 1);
    }
    let what = if parks { What::Park } else { What::Sleep };
    script.builder.block(two, K::Block, what, script.line(3));
    for _ in 0..2 {
        script.lock(one, K::Acquire, state, 4);
        script.lock(one, K::Release, state, 4);
        script.lock(one, K::Acquire, list, 5);
        script.lock(one, K::Release, list, 5);
        script.builder.block(one, K::Block, What::Sleep, script.line(6));
    }
    script
}

#[test]
fn who_enrols_after_a_look_is_delayed_until_the_change_is_made() {
    let script = enrols(true, false);
    let by = script.line(19);
    let delay = |times| SiteDelay { by, times, ..script.delay(2, Until::Done, 5) };
    assert_eq!(script.delays(), [delay(1), delay(2)]);
    // Who does both under one lock, or waits for nobody, is not.
    assert_eq!(enrols(true, true).delays(), []);
    assert_eq!(enrols(false, false).delays(), []);
}

/// So many tasks take permits of two, each at once or one after the other.
fn permits(tasks: usize, at_once: bool) -> Script {
    let mut script = Script::new();
    let pool = script.object(ObjectKind::TokioSemaphore, 2);
    for _ in 0..tasks {
        let task = script.thread();
        if at_once {
            script.count(task, K::Permit, pool, 2, 1);
        } else {
            script.count(task, K::Permit, pool, 1, 1);
            script.count(task, K::Permit, pool, 1, 2);
        }
        script.count(task, K::PermitRelease, pool, if at_once { 2 } else { 1 }, 1);
        if !at_once {
            script.count(task, K::PermitRelease, pool, 1, 2);
        }
    }
    script
}

#[test]
fn who_has_a_permit_is_delayed_before_it_takes_another_one() {
    for (tasks, until) in [(2, Until::Held as fn(SiteId) -> Until), (3, Until::Waiting)] {
        let script = permits(tasks, false);
        let having = script.line(1);
        assert_eq!(script.delays(), [SiteDelay { having, ..script.delay(2, until, 1) }]);
    }
    assert_eq!(permits(1, false).delays(), []);
    assert_eq!(permits(3, true).delays(), []);
}

/// One sends so many messages with a lock before two receives them and takes it.
fn sends_ahead(kind: ObjectKind, messages: usize, capacity: u32) -> Script {
    let mut script = Script::new();
    let (one, two) = (script.one, script.two);
    let lock = script.object(ObjectKind::StdMutex, 0);
    let channel = script.object(kind, capacity);
    script.lock(one, K::Acquire, lock, 1);
    let numbers: Vec<u32> = (0..messages).map(|_| script.send(one, channel, 2)).collect();
    script.lock(one, K::Release, lock, 1);
    for number in numbers {
        script.receive(two, channel, number, 3);
        script.lock(two, K::Acquire, lock, 4);
        script.lock(two, K::Release, lock, 4);
    }
    script
}

#[test]
fn a_channel_that_would_be_full_with_more_messages_counts_if_it_had_several() {
    use ObjectKind::{CrossbeamChannel, TokioBroadcast, TokioMpsc};
    let script = sends_ahead(CrossbeamChannel, 2, 8);
    assert_eq!(script.delays(), []);
    assert_eq!(script.what_ifs(), [(script.line(2), script.line(4))]);
    // What fills it up is tried; one message at a time does not; and one without a limit has always room.
    // Nor does anybody wait who only drops what is old.
    for (kind, messages, capacity) in
        [(TokioMpsc, 3, 2), (TokioMpsc, 1, 8), (TokioMpsc, 2, 0), (TokioBroadcast, 2, 8)]
    {
        assert_eq!(sends_ahead(kind, messages, capacity).what_ifs(), [], "{kind:?} {messages} {capacity}");
    }
}

/// One and two pass on to each other what they receive, so many at a time.
fn passes_back(messages: usize, capacity: u32) -> Script {
    let mut script = Script::new();
    let (one, two, client) = (script.thread(), script.two, script.one);
    let [of_one, of_two] = [(); 2].map(|()| script.object(ObjectKind::TokioMpsc, capacity));
    let mut numbers: Vec<u32> = (0..messages).map(|_| script.send(client, of_one, 1)).collect();
    for (by, from, to, line) in [(one, of_one, of_two, 2), (two, of_two, of_one, 4), (one, of_one, of_two, 2)]
    {
        for number in &numbers {
            script.receive(by, from, *number, line);
        }
        numbers = numbers.iter().map(|_| script.send(by, to, line + 1)).collect();
    }
    script
}

#[test]
fn two_that_would_both_wait_for_room_with_more_messages_count_if_both_had_several() {
    let script = passes_back(2, 8);
    assert_eq!(script.what_ifs(), [(script.line(5), script.line(3))]);
    assert_eq!(passes_back(1, 8).what_ifs(), []);
    assert_eq!(passes_back(2, 1).what_ifs(), []);
}
