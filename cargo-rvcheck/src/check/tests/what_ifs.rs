//! Channels that no test fills up.

use super::*;
use crate::finding::{Finding, Proof};
use rvcheck_event::kind::{Mode, ObjectKind};

/// What is found where a task sends two messages with a lock that their receiver takes, and there is so much room: level, proof, the
/// lines of the places, and whether it says that it was not tried.
fn found(room: u32) -> Vec<(Level, Proof, Vec<u32>, bool)> {
    let mut trace = TraceBuilder::new();
    let sender = trace.test("records");
    let [born, takes, sends, receives, wants] = [1, 2, 3, 4, 5].map(|line| trace.site("src/lib.rs", line, 5));
    let lock = trace.object(sender, ObjectKind::StdMutex, born, 0);
    let channel = trace.object(sender, ObjectKind::TokioMpsc, born, room);
    let task = trace.spawn(sender, TaskKind::Thread, born, "()");
    let receiver = trace.thread("");
    trace.lock(sender, EventKind::Acquire, lock, Mode::Write, takes);
    let numbers = [(); 2].map(|()| trace.send(sender, channel, sends));
    trace.lock(sender, EventKind::Release, lock, Mode::Write, takes);
    trace.poll(receiver, task);
    for number in numbers {
        trace.pass(1000);
        trace.event(receiver, EventKind::Recv, channel, number, receives);
        trace.lock(receiver, EventKind::Acquire, lock, Mode::Write, wants);
        trace.lock(receiver, EventKind::Release, lock, Mode::Write, wants);
    }
    trace.finish(receiver, task, Outcome::Unknown);
    trace.end_test(sender, UnitId(1), Ended::Ok);
    let entry = rvcheck_specs::find("channel-deadlock").expect("the library has it");
    let report = Scene::new(&trace.build(), &[("records", TestOutcome::Passed)]).report_by(entry.toml);
    let places =
        |it: &Finding| std::iter::once(&it.primary).chain(&it.related).map(|it| it.line).collect::<Vec<_>>();
    let untried = |it: &Finding| it.tried.as_ref().is_some_and(|it| it.times == 0 && !it.untried.is_empty());
    report.findings.iter().map(|it| (it.level, it.proof, places(it), untried(it))).collect()
}

#[test]
fn what_a_full_channel_would_stop_is_a_note_that_was_not_tried() {
    assert_eq!(found(8), [(Level::Note, Proof::Potential, vec![3, 2, 5], true)]);
    assert_eq!(found(0), []);
}
