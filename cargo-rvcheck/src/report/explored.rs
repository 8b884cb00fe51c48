//! The block that says for people what was explored.

use super::Report;
use super::exploration::{Control, Exploration, ExploredTest};
use super::table::counted;
use std::fmt::Write as _;
use std::io::{self, Write};

/// How many tests are named before the rest is only counted.
const NAMED: usize = 10;

/// Writes what was explored, and what could not be.
pub(super) fn exploration(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let Some(explored) = &report.exploration else { return Ok(()) };
    writeln!(out, "exploration")?;
    for line in lines(explored) {
        writeln!(out, "  {line}")?;
    }
    writeln!(out)
}

fn lines(explored: &Exploration) -> Vec<String> {
    let runs = explored.sum(|it| it.runs);
    let controlled = explored.count(Control::Controlled);
    let mut lines = vec![format!(
        "{} of {} in {:.1} s, {} a second",
        counted(runs, "run"),
        counted(explored.tests.len() as u64, "test"),
        explored.seconds,
        (runs as f64 / explored.seconds.max(0.001)).round()
    )];
    if controlled > 0 {
        let (both, one) = (explored.sum(|it| it.orders.both), explored.sum(|it| it.orders.one));
        lines.push(format!("orders of operations: {both} seen both ways, {one} one way only"));
        let awaits = explored.sum(|it| it.awaits.suspended);
        if awaits > 0 {
            let cancelled = explored.sum(|it| it.awaits.cancelled);
            lines.push(format!("awaits: a task was dropped at {cancelled} of {awaits}"));
        }
        lines.push(outlook(explored.sum(|it| it.orders.once), runs));
        let preemptions = |it: &&ExploredTest| {
            it.preemptions.possible > 0 && it.preemptions.chosen == it.preemptions.possible
        };
        let whole = explored.tests.iter().filter(preemptions).count() as u64;
        if whole > 0 {
            lines.push(format!(
                "all schedules that depart once from the default order were planned in {whole} of {}",
                counted(controlled, "test")
            ));
        }
    }
    for (control, what) in [
        (Control::Alone, "have one task or thread, and so one schedule"),
        (Control::NotReached, "were not reached in time"),
    ] {
        let count = explored.count(control);
        if count > 0 {
            lines.push(format!(
                "{} {}",
                counted(count, "test"),
                if count == 1 { singular(what) } else { what.to_owned() }
            ));
        }
    }
    lines.extend(named(explored));
    lines
}

/// Whether more runs would show anything new, where so many orders were shown by only one of so many runs: by the estimate of Good and
/// Turing, that is how many new ones each further run shows.
fn outlook(once: u64, runs: u64) -> String {
    if once == 0 {
        return "exploring further is unlikely to show new orders: each was seen in several runs".to_owned();
    }
    let further = if once >= runs {
        let each = (once as f64 / runs.max(1) as f64).round() as u64;
        format!("about {} in each run", counted(each, "new order"))
    } else {
        format!("about 1 new order in {} runs", (runs as f64 / once as f64).round())
    };
    format!("exploring further would show more: {further}")
}

fn singular(what: &str) -> String {
    what.replacen("have ", "has ", 1).replacen("were ", "was ", 1)
}

/// The tests that could not be controlled, and what is odd about others.
fn named(explored: &Exploration) -> Vec<String> {
    let mut all = Vec::new();
    for test in &explored.tests {
        if test.control == Control::NotControlled {
            all.push(format!("not controlled: {}: {}", test.test, test.reasons.join("; ")));
        }
        all.extend(test.notes.iter().map(|it| format!("{}: {it}", test.test)));
        if test.not_ended > 0 {
            all.push(format!("{}: {} did not end in time", test.test, counted(test.not_ended, "run")));
        }
    }
    if all.len() > NAMED {
        let more = all.split_off(NAMED).len();
        let mut last = String::new();
        let _ = write!(last, "… and {more} more, in the JSON form");
        all.push(last);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::exploration::{Awaits, Orders};
    use super::*;

    #[test]
    fn whether_it_is_worth_to_go_on_is_said_in_runs() {
        let cases = [
            (0, 50, "exploring further is unlikely to show new orders: each was seen in several runs"),
            (1, 40, "exploring further would show more: about 1 new order in 40 runs"),
            (50, 50, "exploring further would show more: about 1 new order in each run"),
            (9174, 1000, "exploring further would show more: about 9 new orders in each run"),
        ];
        for (once, runs, expected) in cases {
            assert_eq!(outlook(once, runs), expected);
        }
    }

    #[test]
    fn a_person_sees_what_was_covered_and_what_could_not_be() {
        let test = |name: &str, control| ExploredTest {
            test: name.into(),
            control,
            runs: 2,
            ..ExploredTest::default()
        };
        let controlled = ExploredTest {
            runs: 800,
            orders: Orders { both: 4, one: 2, once: 8 },
            awaits: Awaits { cancelled: 1, suspended: 3 },
            notes: vec!["2 of its runs were made before".into()],
            ..test("it::a", Control::Controlled)
        };
        let other = ExploredTest {
            reasons: vec!["sockets".into()],
            not_ended: 1,
            ..test("it::b", Control::NotControlled)
        };
        let tests = vec![controlled, other, test("it::c", Control::Alone)];
        let shown = lines(&Exploration { seconds: 4.0, tests, ..Exploration::default() });
        assert_eq!(
            shown,
            [
                "804 runs of 3 tests in 4.0 s, 201 a second",
                "orders of operations: 4 seen both ways, 2 one way only",
                "awaits: a task was dropped at 1 of 3",
                "exploring further would show more: about 1 new order in 101 runs",
                "1 test has one task or thread, and so one schedule",
                "it::a: 2 of its runs were made before",
                "not controlled: it::b: sockets",
                "it::b: 1 run did not end in time",
            ]
        );
    }
}
