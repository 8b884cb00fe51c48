//! Errors that say that somebody ended the task, and such that may.

use super::*;
use rvcheck_event::kind::ObjectKind;

/// What a task has met in the poll in which it returned its error.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Met {
    Nothing,
    /// It took the result of a task that was cancelled; so it did, but in the poll before.
    Cancelled,
    CancelledBefore,
    /// Its channel was closed, by the one who spawned it or by another task.
    ClosedByOwner,
    ClosedByOther,
}

/// The levels of what is found where a detached task with this type of result returns an error, and the verdict.
fn lost(output: &str, met: Met) -> (Vec<Level>, Verdict) {
    let mut trace = TraceBuilder::new();
    let thread = trace.test("records");
    let site = trace.site("src/lib.rs", 3, 9);
    let task = trace.spawn(thread, TaskKind::Async, site, output);
    let child = trace.spawn(thread, TaskKind::Async, site, "()");
    trace.about(thread, EventKind::Detach, task, SiteId::NONE);
    trace.poll(thread, child);
    trace.cancel(thread, child);
    let channel = trace.object(thread, ObjectKind::TokioMpsc, site, 1);
    if met == Met::ClosedByOwner {
        trace.event(thread, EventKind::ReceiverDrop, channel, 0, SiteId::NONE);
    }
    if met == Met::ClosedByOther {
        let other = trace.spawn(thread, TaskKind::Async, site, "()");
        trace.poll(thread, other);
        trace.event(thread, EventKind::ReceiverDrop, channel, 0, SiteId::NONE);
        trace.finish(thread, other, Outcome::Unknown);
    }
    trace.poll(thread, task);
    if matches!(met, Met::Cancelled | Met::CancelledBefore) {
        trace.about(thread, EventKind::Join, child, SiteId::NONE);
    }
    if met == Met::CancelledBefore {
        trace.suspend(thread, task);
        trace.poll(thread, task);
    }
    if matches!(met, Met::ClosedByOwner | Met::ClosedByOther) {
        trace.event(thread, EventKind::Closed, channel, 0, SiteId::NONE);
    }
    trace.finish(thread, task, Outcome::Err);
    trace.end_test(thread, UnitId(1), Ended::Ok);
    let entry = rvcheck_specs::find("lost-error").expect("the library has it");
    let report = Scene::new(&trace.build(), &[("records", TestOutcome::Passed)]).report_by(entry.toml);
    (report.findings.iter().map(|it| it.level).collect(), report.properties[0].verdict)
}

#[test]
fn an_error_that_says_that_the_owner_ended_the_task_is_not_lost() {
    let (error, note) = (vec![Level::Error], vec![Level::Note]);
    let own = "core::result::Result<(), shop::Failed>";
    let joined = "core::result::Result<(), tokio::runtime::task::error::JoinError>";
    let sent = "core::result::Result<(), tokio::sync::mpsc::error::SendError<u32>>";
    let cases = [
        ("core::result::Result<(), futures_util::abortable::Aborted>", Met::Nothing, vec![]),
        ("core::result::Result<(), tokio::time::error::Elapsed>", Met::Nothing, vec![]),
        (joined, Met::Cancelled, vec![]),
        (joined, Met::Nothing, error.clone()),
        (sent, Met::ClosedByOwner, vec![]),
        (sent, Met::ClosedByOther, note.clone()),
        (sent, Met::Nothing, note.clone()),
        // What the program's own error stands for, nobody knows.
        (own, Met::Nothing, error.clone()),
        (own, Met::CancelledBefore, error),
        (own, Met::Cancelled, note.clone()),
        (own, Met::ClosedByOwner, note),
    ];
    for (output, met, levels) in cases {
        let verdict = if levels == [Level::Error] { Verdict::Violated } else { Verdict::Held };
        assert_eq!(lost(output, met), (levels, verdict), "{output} {met:?}");
    }
}

/// The levels of what is found where the owner of a task drops its handle and the sender of its channel, which ends it with an error.
/// `together` is whether it does nothing in between.
fn lost_with_owner(together: bool) -> Vec<Level> {
    let mut trace = TraceBuilder::new();
    let thread = trace.test("records");
    let site = trace.site("src/lib.rs", 3, 9);
    let task = trace.spawn(thread, TaskKind::Async, site, "core::result::Result<(), shop::Stopped>");
    let channel = trace.object(thread, ObjectKind::TokioMpsc, site, 1);
    trace.about(thread, EventKind::Detach, task, SiteId::NONE);
    if !together {
        trace.send(thread, channel, site);
    }
    trace.event(thread, EventKind::SenderDrop, channel, 0, SiteId::NONE);
    trace.poll(thread, task);
    trace.event(thread, EventKind::Closed, channel, 0, SiteId::NONE);
    trace.finish(thread, task, Outcome::Err);
    trace.end_test(thread, UnitId(1), Ended::Ok);
    let entry = rvcheck_specs::find("lost-error").expect("the library has it");
    let report = Scene::new(&trace.build(), &[("records", TestOutcome::Passed)]).report_by(entry.toml);
    report.findings.iter().map(|it| it.level).collect()
}

#[test]
fn the_error_of_a_task_that_is_given_up_with_its_channel_may_only_say_that() {
    assert_eq!(lost_with_owner(true), [Level::Note]);
    assert_eq!(lost_with_owner(false), [Level::Error]);
}
