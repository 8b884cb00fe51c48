//! Properties with `on_violation = "stop"` stop the program where they are violated, and `--online` reports violations while it
//! runs. The report is what it is without.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;

/// The line of the fixture with this text.
fn line(text: &str) -> usize {
    let source = include_str!("../../trees/stops/src/lib.rs");
    source.lines().position(|it| it.contains(text)).expect("it is there") + 1
}

/// The test of the fixture that ends its process.
const ENDED: &str = "the_process_is_ended_where_a_task_would_swallow_the_panic";

#[test]
fn what_violates_a_property_is_stopped_there_and_reported_once() {
    let fixture = Fixture::tree("stops").with_monitors();
    in_the_thread(&fixture);
    in_the_process(&fixture);
}

fn in_the_thread(fixture: &Fixture) {
    let run = fixture.test(&["--lib", "--", "--skip", ENDED]).expect(10);
    let expected = [
        format!("error one-lock src/lib.rs:{}", line("*a + *pair.b.lock()")),
        format!("error in-order src/lib.rs:{}", line("self.b.try_lock()")),
    ];
    assert_eq!(run.observed(), expected);
    let findings = run.report()["findings"].as_array().expect("a list");
    let once = |it: &Value| it["occurrences"] == 1 && it["proof"] == "observed";
    assert!(findings.iter().all(|it| once(it) || it["proof"] == "static"), "{findings:?}");
    let message =
        format!("rvcheck: `one-lock` is violated at src/lib.rs:{}: task", line("*a + *pair.b.lock()"));
    assert!(run.stderr.contains(&message), "{message}\n{}", run.stderr);
    // A destructor does not unwind, so that test passes. Nothing is said to fail because of the tool, or run again.
    let tests = &run.report()["run"]["tests"];
    assert_eq!((&tests["passed"], &tests["failed"], &tests["stopped"]), (&2.into(), &1.into(), &1.into()));
    assert_eq!((&tests["failed_under_tool"], &tests["unfinished"]), (&0.into(), &0.into()));
    let verdicts = |id: &str| {
        let properties = run.report()["properties"].as_array().expect("a list");
        let found = properties.iter().find(|it| it["id"] == id).expect("it was checked");
        let units = found["units"].as_array().expect("a list").iter();
        units.map(|it| (it["test"].as_str().unwrap().to_owned(), it["verdict"].clone())).collect::<Vec<_>>()
    };
    let held = ("stops::tests::holding_two_locks_is_fine".to_owned(), "held".into());
    assert!(verdicts("one-lock").contains(&held));
}

/// The whole process is ended where that is asked for.
fn in_the_process(fixture: &Fixture) {
    let run = fixture.test(&["--lib", "--", ENDED]).expect(10);
    let place = line("sender.send(number)");
    assert_eq!(run.observed(), [format!("error two-messages src/lib.rs:{place}")]);
    let message = format!("rvcheck: `two-messages` is violated at src/lib.rs:{place}: a third message");
    assert!(run.stderr.contains(&message), "{message}\n{}", run.stderr);
    let tests = &run.report()["run"]["tests"];
    assert_eq!(
        (&tests["failed"], &tests["stopped"], &tests["failed_under_tool"]),
        (&1.into(), &1.into(), &0.into())
    );
}

/// The findings and verdicts of a report, without what depends on the clock.
fn verdicts_and_findings(run: &Run) -> (Value, Value) {
    let mut findings = run.report()["findings"].clone();
    for finding in findings.as_array_mut().expect("a list") {
        for event in finding["witness"]["events"].as_array_mut().expect("a list") {
            event["time"] = 0.into();
        }
    }
    (findings, run.report()["properties"].clone())
}

#[test]
fn what_is_reported_while_the_tests_run_is_in_the_report_which_is_what_it_is_otherwise() {
    let fixture = Fixture::tree("stops");
    for key in ["on_violation = \"stop\"\n", "stop = \"abort\"\n"] {
        fixture.edit("specs/own.toml", key, "");
    }
    // One by one, so that the tests begin in the same sequence.
    let select = ["--lib", "--", "--skip", "a_thread_is_stopped", "--test-threads=1"];
    let without = fixture.test(&select).expect(10);
    let online = fixture.test(&[&["--online"], &select[..]].concat()).expect(10);
    assert_eq!(verdicts_and_findings(&online), verdicts_and_findings(&without));
    // It may stand behind what cargo has begun to print.
    let reported = online.stderr.lines().filter_map(|it| it.find("rvcheck: ").map(|at| &it[at..]));
    let reported: Vec<&str> = reported.collect();
    let crossed = "tests::a_destructor_is_not_stopped";
    let place =
        format!("rvcheck: error[in-order] at src/lib.rs:{} in `{crossed}`: ", line("self.b.try_lock()"));
    let sent = format!(
        "rvcheck: error[two-messages] at src/lib.rs:{} in `tests::{ENDED}`: ",
        line("sender.send(number)")
    );
    assert!(
        matches!(reported.as_slice(), [one, two] if one.starts_with(&place) && two.starts_with(&sent)),
        "{reported:?}"
    );
    assert!(!without.stderr.contains("rvcheck: error["));
}

#[test]
fn a_program_that_serves_for_long_is_reported_on_while_it_runs() {
    let specification = include_str!("../../trees/stops/specs/own.toml");
    let (head, rest) = specification.split_once("[[property]]\nid = \"two-messages\"").expect("it is there");
    let (head, _) = head.split_once("[[property]]").expect("there are others before");
    let own = format!("{head}[[property]]\nid = \"two-messages\"{rest}");
    let own = own.replace("on_violation = \"stop\"\nstop = \"abort\"\n", "");
    let main = "
        fn main() {
            let (sender, receiver) = std::sync::mpsc::channel();
            for number in 0..3 {
                sender.send(number).unwrap();
            }
            // It goes on until somebody says that it is enough.
            std::io::stdin().read_line(&mut String::new()).unwrap();
            println!(\"enough {}\", receiver.iter().take(3).count());
        }";
    let manifest = "[package]\nname = \"sample\"\nedition = \"2024\"\n[workspace]\n";
    let files = [("Cargo.toml", manifest), ("src/main.rs", main), ("specs/own.toml", &own)];
    let fixture = Fixture::files(&files).with_own_target();
    let mut tool = fixture
        .command(&["run", "--online"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    let mut lines = BufReader::new(tool.stderr.take().expect("it is a pipe")).lines();
    let reported =
        lines.by_ref().map_while(Result::ok).find(|it| it.starts_with("rvcheck: error[two-messages]"));
    assert!(reported.is_some_and(|it| it.contains("at src/main.rs:5: a third message goes into")));
    tool.stdin.take().expect("it is a pipe").write_all(b"enough\n").expect("it still runs");
    let report: Vec<String> = lines.map_while(Result::ok).collect();
    let mut printed = String::new();
    tool.stdout.take().expect("it is a pipe").read_to_string(&mut printed).expect("it is text");
    assert_eq!(printed, "enough 3\n");
    assert_eq!(tool.wait().expect("it ends").code(), Some(10), "{report:#?}");
    assert_eq!(report.iter().filter(|it| it.starts_with("error[two-messages]")).count(), 1, "{report:#?}");
}
