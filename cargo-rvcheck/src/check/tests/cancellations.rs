//! Errors that say that somebody ended the task, and such that may.

use super::*;
use rvcheck_event::id::ThreadId;
use rvcheck_event::kind::ObjectKind;
use rvcheck_event::record::flag;

/// What a task has met before it returned its error.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Met {
    Nothing,
    /// It took the result of a task that was cancelled; so it did in the poll before.
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
        (own, Met::Nothing, error),
        (own, Met::CancelledBefore, note.clone()),
        (own, Met::Cancelled, note.clone()),
        (own, Met::ClosedByOwner, note),
    ];
    for (output, met, levels) in cases {
        let verdict = if levels == [Level::Error] { Verdict::Violated } else { Verdict::Held };
        assert_eq!(lost(output, met), (levels, verdict), "{output} {met:?}");
    }
}

/// The levels of what is found where a task or thread ends with an error of its own after `before`.
fn lost_after(kind: TaskKind, before: impl Fn(&mut TraceBuilder, ThreadId, SiteId)) -> Vec<Level> {
    let mut trace = TraceBuilder::new();
    let thread = trace.test("records");
    let site = trace.site("src/lib.rs", 3, 9);
    let task = trace.spawn(thread, kind, site, "core::result::Result<(), shop::Stopped>");
    trace.about(thread, EventKind::Detach, task, SiteId::NONE);
    trace.poll(thread, task);
    before(&mut trace, thread, site);
    trace.finish(thread, task, Outcome::Err);
    trace.end_test(thread, UnitId(1), Ended::Ok);
    let entry = rvcheck_specs::find("lost-error").expect("the library has it");
    let report = Scene::new(&trace.build(), &[("records", TestOutcome::Passed)]).report_by(entry.toml);
    report.findings.iter().map(|it| it.level).collect()
}

#[test]
fn the_error_of_a_task_that_finds_its_channel_closed_or_its_token_cancelled_may_only_say_that() {
    let object = |kind: ObjectKind, met: EventKind| {
        move |trace: &mut TraceBuilder, thread, site| {
            let object = trace.object(thread, kind, site, 1);
            trace.event(thread, met, object, 0, site);
        }
    };
    for kind in [TaskKind::Async, TaskKind::Thread] {
        assert_eq!(lost_after(kind, object(ObjectKind::StdMpsc, EventKind::Closed)), [Level::Note]);
        assert_eq!(lost_after(kind, object(ObjectKind::TokioNotify, EventKind::Signalled)), [Level::Error]);
    }
    let cancelled = object(ObjectKind::CancellationToken, EventKind::Signalled);
    assert_eq!(lost_after(TaskKind::Async, cancelled), [Level::Note]);
    let works_on = |trace: &mut TraceBuilder, thread, site| {
        let [closed, other] = [(); 2].map(|()| trace.object(thread, ObjectKind::StdMpsc, site, 1));
        trace.event(thread, EventKind::Closed, closed, 0, site);
        trace.event(thread, EventKind::Recv, other, 1, site);
    };
    assert_eq!(lost_after(TaskKind::Thread, works_on), [Level::Error]);
}

#[test]
fn a_task_that_has_just_sent_a_message_may_have_reported_its_error() {
    let sends = |then: Option<EventKind>| {
        move |trace: &mut TraceBuilder, thread, site| {
            let channel = trace.object(thread, ObjectKind::StdMpsc, site, 1);
            trace.event(thread, EventKind::Send, channel, 1, site);
            if let Some(then) = then {
                trace.event(thread, then, channel, 2, site);
            }
        }
    };
    for kind in [TaskKind::Async, TaskKind::Thread] {
        assert_eq!(lost_after(kind, sends(None)), [Level::Note]);
    }
    assert_eq!(lost_after(TaskKind::Thread, sends(Some(EventKind::Recv))), [Level::Error]);
}

#[test]
fn a_task_that_has_just_seen_a_flag_set_may_fail_because_of_that() {
    let sees = |counts: bool, goes_on: bool, flags: u8| {
        move |trace: &mut TraceBuilder, thread, site| {
            let flag = trace.object(thread, ObjectKind::StdAtomic, site, 1);
            if counts {
                trace.event(thread, EventKind::AtomicStore, flag, 0, site);
            }
            trace.ordered(thread, EventKind::AtomicLoad, flags, flag, 0, site);
            if goes_on {
                let other = trace.object(thread, ObjectKind::TokioNotify, site, 1);
                trace.event(thread, EventKind::Signalled, other, 0, site);
            }
        }
    };
    for kind in [TaskKind::Async, TaskKind::Thread] {
        assert_eq!(lost_after(kind, sees(false, false, 0)), [Level::Note]);
        assert_eq!(lost_after(kind, sees(true, false, 0)), [Level::Error]);
        assert_eq!(lost_after(kind, sees(false, false, flag::MADE_ONCE)), [Level::Error]);
    }
    assert_eq!(lost_after(TaskKind::Thread, sees(false, true, 0)), [Level::Error]);
}

#[test]
fn what_fails_while_the_recorder_waits_for_the_rest_is_nobodys_loss() {
    let mut trace = TraceBuilder::new();
    let thread = trace.test("records");
    let site = trace.site("src/lib.rs", 3, 9);
    for (late, ends) in [(true, EventKind::Finish), (true, EventKind::Panic), (false, EventKind::Panic)] {
        let task = trace.spawn(thread, TaskKind::Async, site, "core::result::Result<(), shop::Stopped>");
        trace.about(thread, EventKind::Detach, task, SiteId::NONE);
        trace.poll(thread, task);
        trace.fail(thread, ends, if late { flag::LATE } else { 0 }, task);
    }
    trace.end_test(thread, UnitId(1), Ended::Ok);
    let entry = rvcheck_specs::find("lost-error").expect("the library has it");
    let report = Scene::new(&trace.build(), &[("records", TestOutcome::Passed)]).report_by(entry.toml);
    assert_eq!(
        report.findings.iter().map(|it| (it.level, it.occurrences)).collect::<Vec<_>>(),
        [(Level::Error, 1)]
    );
}
