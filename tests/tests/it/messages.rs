//! What is reported of a run while it goes on, with `--message-format json`.

use rvcheck_tests::{Fixture, Run, assert_valid};
use serde_json::Value;

const LIBRARY: &str = "
/// Adds.
///
/// ```
/// assert_eq!(sample::add(1, 2), 3);
/// ```
pub fn add(a: u32, b: u32) -> u32 {
    let unused = 0;
    a + b
}

pub fn drop_it() {
    tokio::spawn(async { Err::<(), u32>(1) });
}
";

const TESTS: &str = "
#[tokio::test]
async fn adds() {
    assert_eq!(sample::add(1, 2), 3);
}

#[tokio::test]
async fn loses_an_error() {
    sample::drop_it();
    tokio::task::yield_now().await;
}

#[test]
fn fails() {
    panic!();
}

#[test]
#[ignore]
fn is_left_out() {}
";

fn messages(run: &Run) -> Vec<Value> {
    let line = |it: &str| serde_json::from_str(it).unwrap_or_else(|error| panic!("{it}: {error}"));
    let messages: Vec<Value> = run.stdout.lines().map(line).collect();
    for message in &messages {
        assert_valid(message, "messages.json");
    }
    messages
}

/// What a message reports, in short: the reason and what distinguishes it from others.
fn short(message: &Value) -> String {
    let fields = ["reason", "watched", "success", "level", "kind", "target", "tests", "test", "outcome"];
    let shown = fields.iter().filter_map(|it| message.get(it).filter(|it| !it.is_object()));
    shown.map(|it| it.as_str().map_or_else(|| it.to_string(), str::to_owned)).collect::<Vec<_>>().join(" ")
}

/// Those that begin with one of these words.
fn of(messages: &[Value], words: &[&str]) -> Vec<String> {
    messages.iter().map(short).filter(|it| words.iter().any(|word| it.starts_with(word))).collect()
}

#[test]
fn a_run_is_reported_line_by_line_and_the_last_line_is_the_report() {
    let fixture = Fixture::sample(&[("src/lib.rs", LIBRARY), ("tests/it.rs", TESTS)]);
    let run = fixture.test(&["--message-format", "json", "--", "--test-threads=1"]).expect(4);
    let messages = messages(&run);
    assert_eq!(messages[0]["reason"], "run-started");
    assert_eq!(messages[0]["schema"], "rvcheck.messages/1");
    let folder = messages[0]["folder"].as_str().expect("the run has a folder");
    let kept = |name: &str| {
        std::fs::read_to_string(std::path::Path::new(folder).join(name))
            .unwrap_or_else(|it| panic!("{name}: {it}"))
    };
    assert!(run.stdout.starts_with(&kept("messages.jsonl")), "the lines are kept");
    let log = kept("log.txt");
    assert!(log.contains(" Checking ") && log.contains("cargo") && !log.contains('\u{1b}'), "{log}");

    assert_eq!(of(&messages, &["build-"])[..2], ["build-started true", "build-finished true"]);
    assert_eq!(of(&messages, &["build-started false"]).len(), 1, "the test that failed is compared");
    assert!(of(&messages, &["artifact"]).contains(&"artifact it".to_owned()));
    let warned = messages.iter().find(|it| it["reason"] == "compiler-message").expect("there is a warning");
    assert_eq!(
        (&warned["level"], &warned["message"]),
        (&"warning".into(), &"unused variable: `unused`".into())
    );
    assert!(run.stderr.contains("unused variable"), "a person sees it, too: {}", run.stderr);

    // Where the machine is slow, what is left out may seem to begin.
    let odd = |it: &String| it.contains(" lib ") || it == "test-started test it is_left_out";
    let suites: Vec<String> = of(&messages, &["suite-", "test-"]).into_iter().filter(|it| !odd(it)).collect();
    let expected = [
        "suite-started test it 4",
        "test-started test it adds",
        "test-finished test it adds passed",
        "test-started test it fails",
        "test-finished test it fails failed",
        "test-finished test it is_left_out ignored",
        "test-started test it loses_an_error",
        "test-finished test it loses_an_error passed",
        "suite-finished false test it",
        "suite-started doc sample 1",
        "test-started doc sample src/lib.rs - add (line 4)",
        "test-finished doc sample src/lib.rs - add (line 4) passed",
        "suite-finished true doc sample",
        "test-decided test it fails failed-plainly",
    ];
    assert_eq!(suites, expected);

    let last = messages.last().expect("there are messages");
    assert_eq!((&last["reason"], &last["schema"]), (&"report".into(), &"rvcheck.report/1".into()));
    let mut report = last.clone();
    report.as_object_mut().expect("it is an object").remove("reason");
    assert_eq!(report, *run.report());
    let findings = messages.iter().filter(|it| it["reason"] == "finding").map(|it| it["finding"].clone());
    assert_eq!(&Value::Array(findings.collect()), &report["findings"]);
    assert!(!report["findings"].as_array().expect("a list").is_empty());
    // A person can still read what the tests print, and the program what is reported.
    assert!(run.stderr.contains("test adds ... ok") && run.stderr.contains("Checking"), "{}", run.stderr);

    let again = fixture.run(&["report", "--message-format", "json"]).expect(4);
    assert_eq!(self::messages(&again).last(), Some(last));
}

#[test]
fn a_build_that_fails_is_reported() {
    let broken = LIBRARY.replace("a + b", "missing");
    let fixture = Fixture::sample(&[("src/lib.rs", &broken)]);
    let run = fixture.test(&["--message-format", "json"]).expect(4);
    let messages = messages(&run);
    assert_eq!(of(&messages, &["build-started"]), ["build-started true", "build-started false"]);
    assert_eq!(of(&messages, &["build-finished true"]), [""; 0]);
    let said = messages.iter().find(|it| it["level"] == "error").expect("the compiler says why");
    assert!(said["rendered"].as_str().expect("a text").contains("src/lib.rs"), "{said}");
    assert_eq!(messages.last().map(|it| it["reason"].clone()), Some("report".into()));
}
