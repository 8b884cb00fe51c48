//! The excerpts of a trace that findings have.

use super::*;
use crate::finding::Finding;
use crate::report::stored;
use rvcheck_event::id::ObjectId;
use rvcheck_event::kind::{Mode, ObjectKind};
use rvcheck_page::{Act, Ending, Picture, Second, Target};

fn only(report: &Report) -> &Finding {
    assert_eq!(report.findings.len(), 1);
    &report.findings[0]
}

fn acts(picture: &Picture) -> Vec<(&str, &Act)> {
    picture.steps.iter().map(|it| (picture.tracks[it.track].name.as_str(), &it.act)).collect()
}

#[test]
fn a_violation_has_the_events_of_its_tasks() {
    let report = Scene::new(&one_test((3, 9), Outcome::Err), &[("records", TestOutcome::Passed)]).report();
    let picture = only(&report).pictures.happened.as_deref().expect("it has a picture");
    let (test, task) = ("the test `records`", "the task spawned in `Journal::append`");
    let expected = [
        (test, &Act::Spawn(1)),
        (test, &Act::Other(format!("drops the handle of {task}"), None)),
        (task, &Act::Begin),
        (task, &Act::End(Ending::Failed)),
    ];
    assert_eq!(acts(picture), expected);
    assert_eq!((picture.fault, picture.stuck, picture.omitted), (Some(3), false, 0));
    let lines: Vec<_> = picture.steps.iter().map(|it| it.place.as_ref().map(|it| it.line)).collect();
    assert_eq!(lines, [Some(3), None, None, None]);
    // The lines of its places are kept, too.
    assert!(!report.excerpts.around("src/lib.rs", 3).is_empty());
}

/// A thread and the test take two locks in opposite orders, one after the other, after so many rounds with the first lock alone.
fn opposite_orders(repeats: u32) -> Report {
    let mut trace = TraceBuilder::new();
    let test = trace.test("records");
    let [born, other_born, outer, inner] = [1, 2, 3, 4].map(|line| trace.site("src/lib.rs", line, 5));
    let first = trace.object(test, ObjectKind::StdMutex, born, 0);
    let second = trace.object(test, ObjectKind::StdMutex, other_born, 0);
    let task = trace.spawn(test, TaskKind::Thread, outer, "()");
    let thread = trace.thread("");
    let both = |trace: &mut TraceBuilder, thread, locks: &[ObjectId]| {
        for (lock, site) in locks.iter().zip([outer, inner]) {
            trace.lock(thread, EventKind::Acquire, *lock, Mode::Write, site);
        }
        for (lock, site) in locks.iter().zip([outer, inner]).rev() {
            trace.lock(thread, EventKind::Release, *lock, Mode::Write, site);
        }
    };
    for _ in 0..repeats {
        both(&mut trace, test, &[first]);
    }
    both(&mut trace, test, &[first, second]);
    trace.pass(1000);
    trace.poll(thread, task);
    both(&mut trace, thread, &[second, first]);
    trace.finish(thread, task, Outcome::Unknown);
    trace.end_test(test, UnitId(1), Ended::Ok);
    let entry = rvcheck_specs::find("lock-order").expect("the library has it");
    Scene::new(&trace.build(), &[("records", TestOutcome::Passed)]).report_by(entry.toml)
}

#[test]
fn a_prediction_has_its_schedule_beside_what_happened() {
    let report = opposite_orders(0);
    let pictures = &only(&report).pictures;
    let happened = pictures.happened.as_deref().expect("it has a picture");
    let Some((Second::Predicted, predicted)) = &pictures.second else { panic!("a schedule was predicted") };
    assert!(predicted.stuck && !happened.stuck);
    let locks = |it: &Picture| {
        let locks = it.steps.iter().filter(|it| matches!(it.act, Act::Take(_) | Act::Wait(_)));
        locks.map(|it| (it.track, it.act.clone())).collect::<Vec<_>>()
    };
    let wait = |object| Act::Wait(Target::Object(object));
    assert_eq!(locks(happened), [(0, Act::Take(0)), (0, Act::Take(1)), (1, Act::Take(1)), (1, Act::Take(0))]);
    let mut taken = locks(predicted);
    let waits = taken.split_off(2);
    taken.sort_by_key(|it| it.0);
    assert_eq!(taken, [(0, Act::Take(0)), (1, Act::Take(1))]);
    assert!(waits.len() == 2 && waits.contains(&(0, wait(1))) && waits.contains(&(1, wait(0))), "{waits:?}");
    // The same events are known by their numbers.
    let numbers = |it: &Picture| it.steps.iter().filter_map(|it| it.event).collect::<BTreeSet<u64>>();
    assert!(numbers(predicted).is_subset(&numbers(happened)));
}

#[test]
fn of_a_long_trace_only_the_end_is_kept_and_how_tasks_came_about() {
    let report = opposite_orders(3000);
    let picture = only(&report).pictures.happened.as_deref().expect("it has a picture");
    assert!((200..400).contains(&picture.steps.len()), "{}", picture.steps.len());
    assert!(picture.omitted > 5000, "{}", picture.omitted);
    assert!(picture.steps.iter().any(|it| matches!(it.act, Act::Spawn(_))));
    assert!(only(&report).pictures.second.is_some());
}

#[test]
fn pictures_are_kept_beside_the_report() {
    let report = opposite_orders(0);
    let guard = tempfile::tempdir().expect("there is room for a folder");
    let folder = camino::Utf8Path::from_path(guard.path()).expect("its name is Unicode");
    stored::write(&report, folder).expect("it can be written");
    let again = stored::read(folder).expect("it can be read");
    assert_eq!((again.findings, again.page), (report.findings, report.page));
    fs::remove_file(folder.join("pages.json")).expect("it is there");
    let without = stored::read(folder).expect("it can be read without them");
    assert_eq!(without.findings[0].pictures.happened, None);
}

#[test]
fn the_longest_polls_and_waits_are_kept() {
    let mut trace = TraceBuilder::new().with_tickets();
    let thread = trace.test("records");
    let [spawns, asks] = [(3, 9), (4, 13)].map(|(line, column)| trace.site("src/lib.rs", line, column));
    let lock = trace.object(thread, ObjectKind::StdMutex, spawns, 0);
    let task = trace.spawn(thread, TaskKind::Async, spawns, "()");
    let closure = trace.spawn(thread, TaskKind::Blocking, spawns, "()");
    trace.poll(thread, task);
    trace.pass(3_000_000);
    trace.lock(thread, EventKind::Request, lock, Mode::Write, asks);
    trace.pass(2_000_000);
    trace.lock(thread, EventKind::Acquire, lock, Mode::Write, asks);
    trace.lock(thread, EventKind::Release, lock, Mode::Write, asks);
    trace.finish(thread, task, Outcome::Unknown);
    // A closure of a blocking pool may take as long as it likes.
    trace.poll(thread, closure);
    trace.pass(9_000_000);
    trace.finish(thread, closure, Outcome::Unknown);
    trace.end_test(thread, UnitId(1), Ended::Ok);
    let page = Scene::new(&trace.build(), &[("records", TestOutcome::Passed)]).report().page;
    let ms = |nanos: u64| nanos / 1_000_000;
    let rows = |rows: &[rvcheck_page::SlowRow]| {
        let row =
            |it: &rvcheck_page::SlowRow| (ms(it.nanos), it.who.clone(), it.place.clone(), it.test.clone());
        rows.iter().filter(|it| ms(it.nanos) > 0).map(row).collect::<Vec<_>>()
    };
    let row = |ms, place: &str| {
        (ms, "the task spawned in `Journal::append`".to_owned(), place.to_owned(), "it::records".to_owned())
    };
    assert_eq!(rows(&page.polls), [row(5, "src/lib.rs:3:9")]);
    assert_eq!(rows(&page.waits), [row(2, "src/lib.rs:4:13")]);
}
