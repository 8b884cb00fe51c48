//! Findings that are made up, for tests and for looking at the pages without running anything.

use rvcheck_page::{
    Act, Ending, FindingPage, FindingRow, IndexPage, LockEdge, Object, ObjectKind, Picture, Pictures, Place,
    PropertyRow, Run, Second, SlowRow, Source, Step, Target, Track, TrackKind,
};

fn track(name: &str, kind: TrackKind) -> Track {
    Track { name: name.to_owned(), kind }
}

fn object(name: &str, kind: ObjectKind) -> Object {
    Object { name: name.to_owned(), kind }
}

fn place(line: u32) -> Place {
    Place { file: "src/lib.rs".to_owned(), line, column: 9 }
}

/// Steps from the number of the event, the track, the act and the line; 0 is no line.
fn steps(all: Vec<(u64, usize, Act, u32)>, has_times: bool) -> Vec<Step> {
    let step = |(event, track, act, line)| Step {
        event: Some(event),
        track,
        time: has_times.then_some(event * 700_000),
        act,
        place: (line > 0).then(|| place(line)),
    };
    all.into_iter().map(step).collect()
}

/// Two tasks that take two locks in opposite orders, one after the other.
pub(crate) fn deadlock() -> (Picture, Picture) {
    let wait = |it| Act::Wait(Target::Object(it));
    let tracks =
        vec![track("the test `pays`", TrackKind::Task), track("the thread `auditor`", TrackKind::Thread)];
    let objects =
        vec![object("`self.balances`", ObjectKind::Lock), object("`self.journal`", ObjectKind::Lock)];
    let happened = Picture {
        tracks: tracks.clone(),
        objects: objects.clone(),
        steps: steps(
            vec![
                (1, 0, Act::Begin, 0),
                (2, 0, Act::Spawn(1), 3),
                (3, 0, Act::Take(0), 11),
                (4, 0, Act::Take(1), 12),
                (5, 0, Act::Release(1), 12),
                (6, 0, Act::Release(0), 11),
                (7, 0, Act::Wait(Target::Track(1)), 5),
                (8, 1, Act::Begin, 0),
                (9, 1, Act::Take(1), 21),
                (10, 1, Act::Take(0), 22),
                (11, 1, Act::Release(0), 22),
                (12, 1, Act::Release(1), 21),
                (13, 1, Act::End(Ending::Finished), 0),
                (14, 0, Act::Join(1), 5),
                (15, 0, Act::End(Ending::Finished), 0),
            ],
            true,
        ),
        runs: vec![Run { track: 0, from: 0, to: 6 }, Run { track: 0, from: 13, to: 14 }],
        ..Picture::default()
    };
    let other = Picture {
        tracks,
        objects,
        steps: steps(
            vec![
                (1, 0, Act::Begin, 0),
                (2, 0, Act::Spawn(1), 3),
                (8, 1, Act::Begin, 0),
                (9, 1, Act::Take(1), 21),
                (3, 0, Act::Take(0), 11),
                (4, 0, wait(1), 12),
                (10, 1, wait(0), 22),
            ],
            false,
        ),
        stuck: true,
        ..Picture::default()
    };
    (happened, other)
}

/// A task that waits for a signal that was given before.
pub(crate) fn lost_wakeup() -> Picture {
    Picture {
        tracks: vec![
            track("the test `wakes`", TrackKind::Task),
            track("the task spawned in `wakes`", TrackKind::Task),
        ],
        objects: vec![object("`bell`", ObjectKind::Signal), object("`orders`", ObjectKind::Channel)],
        steps: steps(
            vec![
                (1, 0, Act::Spawn(1), 3),
                (2, 0, Act::Send(1, 1), 4),
                (3, 0, Act::Signal(0), 5),
                (4, 0, Act::Wait(Target::Track(1)), 6),
                (5, 1, Act::Begin, 0),
                (6, 1, Act::Receive(1, 1), 31),
                (7, 1, Act::Wait(Target::Object(0)), 32),
            ],
            true,
        ),
        stuck: true,
        omitted: 12,
        ..Picture::default()
    }
}

/// A task that puts its thread to sleep, and another one of that thread.
pub(crate) fn blocked() -> Picture {
    Picture {
        tracks: vec![track("the task spawned in `rates`", TrackKind::Task); 2],
        objects: Vec::new(),
        steps: steps(
            vec![
                (1, 0, Act::Begin, 0),
                (2, 0, Act::Block("sleep".to_owned()), 41),
                (9, 0, Act::Unblock("sleep".to_owned()), 41),
                (10, 0, Act::End(Ending::Failed), 0),
                (11, 1, Act::Begin, 0),
                (12, 1, Act::Wait(Target::Other("for a timer (`sleep`)".to_owned())), 42),
                (13, 1, Act::Leave(Target::Other("for a timer (`sleep`)".to_owned())), 42),
                (14, 1, Act::Other("panics, and the panic is caught".to_owned(), None), 43),
            ],
            true,
        ),
        runs: vec![Run { track: 0, from: 0, to: 3 }],
        fault: Some(1),
        ..Picture::default()
    }
}

/// The lines around some places.
pub(crate) fn sources() -> Vec<Source> {
    let lines = |line: u32| {
        (line - 2..=line + 2).map(|it| (it, format!("    let line_{it} = self.balances.lock();")))
    };
    let source =
        |line: u32| Source { place: place(line), label: String::new(), lines: lines(line).collect() };
    [3, 4, 5, 6, 11, 12, 21, 22, 31, 32, 41, 42, 43].map(source).into()
}

/// A page with these pictures.
pub(crate) fn page<'a>(
    pictures: Pictures<'a>,
    sources: &'a [Source],
    notes: &'a [String],
) -> FindingPage<'a> {
    FindingPage {
        tool: "rvcheck 0.1.0",
        property: "lock-order",
        title: "Locks are taken in one order",
        level: "error",
        seen: "predicted from what was observed in it::pays",
        message: "another schedule of these events deadlocks: `pays` waits for `self.journal`",
        places: &sources[..2],
        notes,
        advice: "take `self.balances` before `self.journal` everywhere",
        command: "cargo rvcheck test --test it -- --exact pays",
        command_is: "to see it again",
        explain: "cargo rvcheck explain lock-order",
        address: "https://example.org/docs/properties/lock-order.md",
        suppression: Some(("src/lib.rs", 12, "    // rvcheck: allow(lock-order, reason = \"…\")")),
        pictures,
        sources,
    }
}

/// Pages of all pictures, by their names.
pub(crate) fn pages() -> Vec<(&'static str, String)> {
    let sources = sources();
    let notes = ["confirmed: it happened when the tasks were delayed".to_owned()];
    let (happened, other) = deadlock();
    let (lost, blocked) = (lost_wakeup(), blocked());
    let both = Pictures { happened: Some(&happened), second: Some((Second::Predicted, &other)) };
    let one = |it| Pictures { happened: Some(it), second: None };
    let page = |pictures| page(pictures, &sources, &notes).document(Some("index.html"));
    vec![
        ("finding-1", page(both)),
        ("finding-2", page(one(&lost))),
        ("finding-3", page(one(&blocked))),
        ("finding-4", page(Pictures::default())),
        ("index", index().document(&[])),
    ]
}

/// An index.
pub(crate) fn index() -> IndexPage<'static> {
    let finding = |at: usize, level, property: &str| FindingRow {
        href: format!("finding-{at}.html"),
        level,
        property: property.to_owned(),
        message: "`pays` waits for `self.journal`".to_owned(),
        place: "src/lib.rs:12:9".to_owned(),
        test: "it::pays".to_owned(),
        pictured: at < 4,
    };
    let edge = |held: &str, wanted: &str, finding: Option<&str>| LockEdge {
        held: format!("src/{held}.rs:1:1"),
        held_name: format!("`self.{held}`"),
        wanted: format!("src/{wanted}.rs:1:1"),
        wanted_name: format!("`self.{wanted}`"),
        at: "src/lib.rs:12:9".to_owned(),
        test: "it::pays".to_owned(),
        finding: finding.map(str::to_owned),
    };
    let slow = |nanos| SlowRow {
        nanos,
        who: "the task spawned in `rates`".to_owned(),
        what: "ran until its end".to_owned(),
        place: "src/lib.rs:41:9".to_owned(),
        test: "it::rates".to_owned(),
    };
    IndexPage {
        tool: "rvcheck 0.1.0",
        summary: "2 errors, 1 warning, 1 note".to_owned(),
        facts: vec![("tests", "4 passed, 0 failed, 0 ignored".to_owned()), ("events", "159".to_owned())],
        findings: vec![
            finding(1, "error", "lock-order"),
            finding(2, "error", "lost-wakeup"),
            finding(3, "warning", "blocking-in-async"),
            finding(4, "note", "task-leak"),
        ],
        allowed: 1,
        properties: vec![PropertyRow {
            id: "lock-order".to_owned(),
            title: "Locks are taken in one order".to_owned(),
            verdict: "violated".to_owned(),
            bad: true,
            tests: "tests: 1 violated".to_owned(),
            events: 20,
        }],
        locks: vec![
            edge("balances", "journal", Some("finding-1.html")),
            edge("journal", "balances", Some("finding-1.html")),
            edge("balances", "rates", None),
            edge("rates", "audit", None),
            edge("audit", "audit", None),
        ],
        polls: vec![slow(5_200_000), slow(31_000), slow(900)],
        waits: vec![slow(2_000_000_000)],
        sites: (22, 20, 2),
        unmonitored: vec![("the file could not be edited".to_owned(), 2)],
        notes: &[],
    }
}
