//! Formulas that a program brings along, from its calls to the report.

use super::*;
use crate::check::Options;
use rvcheck_event::value::Value;

/// The trace of a test `records` in which the program says these lines: `check NAME: FORMULA`, `check-tail NAME: FORMULA`,
/// `remove NAME`, or the name of an event, `set NAME` or `clear NAME` with one integer.
fn trace(lines: &[&str]) -> Vec<u8> {
    let mut trace = TraceBuilder::new();
    let thread = trace.test("records");
    // The test of the source, and behind it.
    let site = trace.site("src/lib.rs", 3, 9);
    for line in lines {
        trace.pass(10);
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, rest.split_once(": ")) {
            ("check" | "check-tail", Some((name, formula))) => {
                let text = trace.string(formula);
                let length = Value::Int(i64::try_from(formula.len()).expect("it is short"));
                trace.control(thread, &format!("{word} {name}"), &[Value::Str(text), length], site);
            }
            ("remove", _) => trace.control(thread, line, &[], site),
            _ => {
                let (name, number) = line.rsplit_once(' ').expect("a number is the last word");
                let number = Value::Int(number.parse().expect("it is a number"));
                trace.say(thread, name, &[number], site);
            }
        }
    }
    trace.end_test(thread, UnitId(1), Ended::Ok);
    trace.build()
}

/// `verdict name` for each formula of the program's, and then the messages of the findings.
fn checked(lines: &[&str]) -> Vec<String> {
    let report = report(&trace(lines));
    let rows = report.properties.iter().filter(|it| it.live.is_some());
    let rows = rows.map(|it| format!("{} {}", it.verdict.name(), it.id));
    rows.chain(report.findings.iter().map(|it| it.message.clone())).collect()
}

fn report(trace: &[u8]) -> Report {
    Scene::new(trace, &[("records", TestOutcome::Passed)]).report()
}

const CALM: &str = "check calm: G (event grant(_) -> !busy(_))";

#[test]
fn a_formula_is_checked_from_its_call_to_its_removal() {
    let violated = ["violated calm", "`calm` does not hold: `G (event grant(_) -> !busy(_))`"];
    let cases: [(&[&str], &[&str]); 5] = [
        (&[CALM, "set busy 1", "grant 1"], &violated),
        (&["set busy 1", "grant 1", CALM, "grant 2"], &["held calm"]),
        (&[CALM, "grant 1", "remove calm", "set busy 1", "grant 1"], &["held calm"]),
        (&[CALM, "grant 1", "remove calm", CALM, "set busy 1", "grant 1"], &violated),
        (&[CALM, "remove calm", "grant 1"], &["not-exercised calm"]),
    ];
    for (lines, expected) in cases {
        assert_eq!(checked(lines), expected, "{lines:?}");
    }
}

#[test]
fn what_is_due_at_the_end_is_due_at_the_removal() {
    let due = "check due: G (event ask(_) -> F event answer(_))";
    assert_eq!(checked(&[due, "ask 1", "answer 1", "remove due"]), ["held due"]);
    let late = checked(&[due, "ask 1", "remove due", "answer 1"]);
    assert_eq!(late[0], "violated due");
}

#[test]
fn a_tail_begins_with_the_test() {
    assert_eq!(checked(&["grant 1", "check once: F event grant(1)", "tick 2"])[0], "violated once");
    assert_eq!(checked(&["grant 1", "check-tail once: F event grant(1)", "tick 2"]), ["held once"]);
    let report = report(&trace(&["grant 1", "check-tail never: G !event grant(1)"]));
    assert!(report.findings[0].message.ends_with(", since the tail"), "{}", report.findings[0].message);
    assert!(report.properties.iter().any(|it| it.live.as_ref().is_some_and(|live| live.since_tail)));
}

#[test]
fn a_formula_that_fails_stops_no_other_and_equal_ones_are_checked_alike() {
    let other = "check other: G (event grant(_) -> !busy(_))";
    let lines = [CALM, other, "check bad: G (", CALM, "set busy 1", "remove other", "grant 1"];
    let found = checked(&lines);
    assert_eq!(found[..3], ["inconclusive bad", "violated calm", "held other"]);
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(found.iter().any(|it| it.starts_with("`bad` is not checked: ")), "{found:?}");
}

#[test]
fn one_name_is_one_formula_at_a_time() {
    let found = checked(&[CALM, "check calm: G !event grant(_)", "check lost: G !event grant(_)", "grant 1"]);
    assert_eq!(
        found,
        [
            "held calm",
            "`calm` is not checked: another one of this name is being checked",
            "`lost` is not checked: a property of this name is in a property file",
        ]
    );
}

#[test]
fn a_violation_comes_with_the_tail_that_is_asked_for() {
    let trace = trace(&[CALM, "tick 1", "set busy 1", "tick 2", "grant 1", "tick 3"]);
    let scene = Scene::new(&trace, &[("records", TestOutcome::Passed)]);
    let tail = |tail: usize| {
        let report = check_run(&scene.recorded, &Options { tail, ..Options::default() });
        let mut out = Vec::new();
        Format::Human.render(&report, &mut out, Style::PLAIN).expect("a vector takes everything");
        let events = &report.findings[0].witness.tail;
        let shown =
            events.iter().map(|it| format!("{} {}", it.event, it.arguments.join(" "))).collect::<Vec<_>>();
        (shown, String::from_utf8(out).expect("renderers write UTF-8"))
    };
    let (shown, human) = tail(3);
    assert_eq!(shown, ["set busy 1", "tick 2", "grant 1"]);
    assert!(human.contains("0.000 grant(1) by the test `records` at src/lib.rs:3:9"), "{human}");
    assert_eq!(tail(0).0, [] as [&str; 0]);
}

#[test]
fn the_tail_of_what_is_removed_ends_there() {
    let trace = trace(&["tick 1", "check due: F event answer(_)", "tick 2", "remove due", "tick 3"]);
    let scene = Scene::new(&trace, &[("records", TestOutcome::Passed)]);
    let report = check_run(&scene.recorded, &Options { tail: 2, ..Options::default() });
    let shown: Vec<String> = report.findings[0]
        .witness
        .tail
        .iter()
        .map(|it| format!("{} {}", it.event, it.arguments.join(" ")))
        .collect();
    assert_eq!(shown, ["tick 1", "tick 2"]);
}

#[test]
fn what_is_wrong_with_a_formula_is_an_error_even_in_a_test() {
    let report = report(&trace(&["check typo: forall t: tsk . G busy(t)"]));
    assert_eq!(report.findings[0].level, Level::Error);
    assert_eq!(report.exit_code(GATE), 10);
    let note = report.run.notes.iter().find(|it| it.contains("the formula of `typo`:1:11"));
    assert!(note.is_some_and(|it| it.contains("^^^")), "{:?}", report.run.notes);
}

#[test]
fn formulas_can_use_what_files_declare_and_the_rest_is_the_programs_own() {
    let vocabulary = crate::specs::read(&[(
        "own.toml".to_owned(),
        "schema = 1\n[events]\ngrant = [\"n: int\"]\n[fluent.busy]\nparams = [\"n: int\"]\n".to_owned(),
    )])
    .vocabulary();
    let scene = Scene::new(
        &trace(&[
            "check sorts: forall n: int . G (grant(n) -> busy(n))",
            "set busy 2",
            "grant 2",
            "check odd: G !hm()",
        ]),
        &[("records", TestOutcome::Passed)],
    );
    let report = check_run(&scene.recorded, &Options { vocabulary, ..Options::default() });
    let verdicts: Vec<_> = report.properties.iter().map(|it| (it.id.as_str(), it.verdict)).collect();
    assert_eq!(verdicts, [("odd", Verdict::NotExercised), ("sorts", Verdict::Held)]);
    assert!(report.run.notes.iter().any(|it| it.contains("`odd` refers to `hm`")), "{:?}", report.run.notes);
}

#[test]
fn calls_are_no_positions_of_any_trace() {
    let lines = ["check next: X event b(_)", "a 1", "check x: G true", "remove x", "b 1"];
    assert_eq!(checked(&lines)[0], "held next");
}

#[test]
fn a_formula_that_was_cut_or_lost_is_not_checked() {
    for (arguments, reason) in [(2, "too long"), (0, "lost")] {
        let mut trace = TraceBuilder::new();
        let thread = trace.test("records");
        let site = trace.site("src/lib.rs", 3, 9);
        let text = trace.string("G true");
        let all = [Value::Str(text), Value::Int(9000)];
        trace.control(thread, "check p", &all[..arguments], site);
        trace.end_test(thread, UnitId(1), Ended::Ok);
        let report = report(&trace.build());
        assert!(report.findings[0].message.contains(reason), "{}", report.findings[0].message);
    }
}
