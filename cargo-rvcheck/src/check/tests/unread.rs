//! Panics of which somebody learns who waits for a reply.

use super::*;
use rvcheck_event::kind::ObjectKind;

/// The levels of what is found where a detached task panics and drops a sender of this kind of channel, and who then finds it closed.
fn lost(kind: ObjectKind, seen_by_test: bool) -> Vec<Level> {
    let mut trace = TraceBuilder::new();
    let thread = trace.test("records");
    let site = trace.site("src/lib.rs", 3, 9);
    let channel = trace.object(thread, kind, site, 1);
    let task = trace.spawn(thread, TaskKind::Async, site, "()");
    trace.about(thread, EventKind::Detach, task, SiteId::NONE);
    trace.poll(thread, task);
    trace.event(thread, EventKind::SenderDrop, channel, 0, SiteId::NONE);
    trace.panic(thread, task, false, site);
    if seen_by_test {
        trace.event(thread, EventKind::Closed, channel, 0, SiteId::NONE);
    }
    trace.end_test(thread, UnitId(1), Ended::Ok);
    let entry = rvcheck_specs::find("lost-error").expect("the library has it");
    let report = Scene::new(&trace.build(), &[("records", TestOutcome::Passed)]).report_by(entry.toml);
    report.findings.iter().map(|it| it.level).collect()
}

#[test]
fn a_panic_is_not_lost_where_whoever_waits_for_the_reply_finds_its_channel_closed() {
    for kind in [ObjectKind::TokioOneshot, ObjectKind::TokioWatch, ObjectKind::FuturesOneshot] {
        assert_eq!(lost(kind, true), [Level::Note], "{kind:?}");
        assert_eq!(lost(kind, false), [Level::Error], "{kind:?}");
    }
    // The end of a stream of messages may be taken for its regular end.
    assert_eq!(lost(ObjectKind::TokioMpsc, true), [Level::Error]);
}

#[test]
fn tasks_that_have_ended_well_take_no_room_from_those_that_panic() {
    let mut trace = TraceBuilder::new();
    let thread = trace.test("records");
    let site = trace.site("src/lib.rs", 3, 9);
    for panics in (0..1500).map(|it| it == 1499) {
        let channel = trace.object(thread, ObjectKind::TokioOneshot, site, 1);
        let task = trace.spawn(thread, TaskKind::Async, site, "()");
        trace.about(thread, EventKind::Detach, task, SiteId::NONE);
        trace.poll(thread, task);
        trace.event(thread, EventKind::SenderDrop, channel, 0, SiteId::NONE);
        if panics {
            trace.panic(thread, task, false, site);
            trace.event(thread, EventKind::Closed, channel, 0, SiteId::NONE);
        } else {
            trace.finish(thread, task, Outcome::Unknown);
        }
    }
    trace.end_test(thread, UnitId(1), Ended::Ok);
    let entry = rvcheck_specs::find("lost-error").expect("the library has it");
    let report = Scene::new(&trace.build(), &[("records", TestOutcome::Passed)]).report_by(entry.toml);
    assert_eq!(report.findings.iter().map(|it| it.level).collect::<Vec<_>>(), [Level::Note]);
}
