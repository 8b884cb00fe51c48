//! What decides how the tool ends, on runs that are stored: levels, thresholds, the baseline, and what is wrong with any of them.

mod kit;

use cargo_rvcheck::finding::SUPPRESSION;
use cargo_rvcheck::finding::{Finding, Level, SuppressionLine};
use kit::{Workspace, lost_error, report};
use serde_json::Value;

#[test]
fn levels_of_properties_decide_what_fails() {
    let workspace = Workspace::new();
    workspace.store(&report(vec![lost_error("append", 6)]));
    let cases: [(&str, i32); 8] = [
        ("", 10),
        ("-W lost-error", 0),
        ("--warn lost-error --fail-on warning", 10),
        ("-A lost-error", 0),
        ("-A all", 0),
        ("-A all -D lost-error", 10),
        ("-W all -D warnings", 0),
        ("-A semaphore", 10),
    ];
    for (options, code) in cases {
        let run = workspace.run(&format!("report {options}"));
        assert_eq!(run.code, code, "{options}: {}", run.stderr);
    }
    workspace.run("report -D lost-eror").expect(2).says(&["lost-eror", "did you mean `lost-error`?"]);
    workspace.run("report -D lost-error -A lost-error").expect(2).says(&["cannot be both"]);
}

#[test]
fn what_is_allowed_is_still_in_the_json_with_the_reason_why_it_does_not_count() {
    let workspace = Workspace::new();
    workspace.store(&report(vec![lost_error("append", 6)]));
    let run = workspace.run("report -A lost-error --output json").expect(0);
    let json: Value = serde_json::from_str(&run.stdout).expect("standard output has nothing else");
    assert_eq!(json["findings"][0]["suppression"]["by"], "level");
    assert_eq!(json["outcome"]["standing"], "clean");
    let shown = run.stderr;
    assert!(!shown.contains("error[lost-error]"), "{shown}");
}

#[test]
fn too_much_that_is_not_monitored_fails() {
    let workspace = Workspace::new();
    workspace.store(&report(Vec::new()));
    workspace.run("report --max-unmonitored 5%").expect(0);
    workspace
        .run("report --max-unmonitored 4.9%")
        .expect(10)
        .says(&["error[unmonitored]", "1 of 20 sites (5%) are unmonitored; at most 4.9% may be"]);
    workspace.run("report --max-unmonitored five").expect(2).says(&["five", "2.5%"]);
}

#[test]
fn a_baseline_lets_known_findings_pass_until_there_is_one_more() {
    let workspace = Workspace::new();
    workspace.store(&report(vec![lost_error("append", 6)]));
    workspace.run("baseline").expect(0).says(&["1 finding, +1 -0"]);
    let first = workspace.read("rvcheck/baseline.toml");
    assert!(first.contains("item = \"append\"") && !first.contains('6'), "{first}");
    // It moved.
    workspace.store(&report(vec![lost_error("append", 60)]));
    workspace.run("report").expect(0).says(&["no findings"]);
    workspace.run("report --no-baseline").expect(10);
    // There are two now.
    let two = report(vec![lost_error("append", 60), lost_error("close", 80)]);
    workspace.store(&two);
    workspace.run("report").expect(10).says(&["`close`", "1 error"]);
    workspace.run("baseline").expect(10).says(&["1 finding of the last run", "--accept-new"]);
    assert_eq!(workspace.read("rvcheck/baseline.toml"), first, "it does not grow by itself");
    workspace.run("baseline --accept-new").expect(0).says(&["2 findings, +1 -0"]);
    workspace.run("report").expect(0);
    // One is mended.
    workspace.store(&report(vec![lost_error("close", 80)]));
    workspace.run("report").expect(0).says(&["note[baseline]", "`append` of src/lib.rs was not found again"]);
    workspace.run("report --strict").expect(12);
    workspace.run("baseline").expect(0).says(&["1 finding, +0 -1"]);
    workspace.run("report --strict").expect(0);
}

#[test]
fn a_run_that_was_not_whole_removes_nothing_from_the_baseline() {
    let workspace = Workspace::new();
    workspace.store(&report(vec![lost_error("append", 6)]));
    workspace.run("baseline").expect(0);
    let mut partial = report(Vec::new());
    partial.run.partial = true;
    workspace.store(&partial);
    workspace.run("report --strict").expect(0);
    let before = workspace.read("rvcheck/baseline.toml");
    workspace.run("baseline").expect(0).says(&["nothing was removed"]);
    assert_eq!(workspace.read("rvcheck/baseline.toml"), before);
}

#[test]
fn a_baseline_that_cannot_be_read_is_an_error_and_stays_as_it_is() {
    let workspace = Workspace::new();
    workspace.store(&report(Vec::new()));
    let cases = [
        ("version = 7\nfindings = []\n", "version 7"),
        ("version = 1\nfindings = [\n<<<<<<< HEAD\n=======\n>>>>>>> b\n]\n", "baseline.toml:3"),
        ("version = 1\nfindings = [{ property = \"x\" }]\n", "missing field"),
    ];
    for (text, word) in cases {
        workspace.write("rvcheck/baseline.toml", text);
        for command in ["report", "baseline"] {
            workspace.run(command).expect(2).says(&[word]);
        }
        assert_eq!(workspace.read("rvcheck/baseline.toml"), text);
    }
}

#[test]
fn stale_suppressions_fail_only_with_strict() {
    let workspace = Workspace::new();
    let remark = Finding { property: SUPPRESSION.into(), level: Level::Note, ..lost_error("append", 6) };
    workspace.store(&report(vec![remark]));
    workspace.run("report").expect(0);
    workspace.run("report --strict").expect(12);
    workspace.run("report --strict -A suppression").expect(0);
}

#[test]
fn without_a_run_there_is_nothing_to_accept() {
    let workspace = Workspace::new();
    workspace.run("baseline").expect(2).says(&["there is no stored run"]);
    assert!(!workspace.has("rvcheck"));
}

#[test]
fn annotations_go_to_standard_output_and_the_summary_to_its_file() {
    let workspace = Workspace::new();
    workspace.store(&report(vec![lost_error("append", 6)]));
    let summary = workspace.root.join("summary.md");
    workspace.write("summary.md", "# Before\n");
    let run = workspace
        .with("report --message-format github", &[("GITHUB_STEP_SUMMARY", summary.as_str())])
        .expect(10);
    assert!(run.stdout.starts_with("::error file=src/lib.rs,line=6,"), "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 1);
    assert!(run.stderr.contains("error[lost-error]"), "{}", run.stderr);
    let written = workspace.read("summary.md");
    assert!(written.starts_with("# Before\n## rvcheck: 1 error\n"), "{written}");
}

#[test]
fn what_explains_a_finding_offers_the_comment_that_suppresses_it() {
    let workspace = Workspace::new();
    let comment = "    // rvcheck: allow(lost-error, reason = \"…\")";
    let mut found = lost_error("append", 6);
    found.guidance.suppression =
        Some(SuppressionLine { file: "src/lib.rs".into(), line: 6, text: comment.into() });
    workspace.store(&report(vec![found]));
    let plain = workspace.run("report").expect(10);
    assert!(
        plain.stderr.contains("details, and how to suppress: cargo rvcheck explain lost-error\n1 error\n"),
        "{}",
        plain.stderr
    );
    assert!(!plain.stderr.contains("rvcheck: allow"), "{}", plain.stderr);
    let offered = "to suppress it, insert before src/lib.rs:6:";
    workspace.run("report --verbose").expect(10).says(&[offered, comment]);
    for asked in ["lost-error", "src/lib.rs:6", "suppression lost-error"] {
        workspace.run(&format!("explain {asked}")).expect(0).says(&["# lost-error", offered, comment]);
    }
    workspace
        .run("explain src/lib.rs:7")
        .expect(2)
        .says(&["no finding at `src/lib.rs:7`", "there are src/lib.rs:6"]);
    workspace.run("explain baseline unmonitored").expect(0).says(&[
        "# baseline",
        "# unmonitored",
        "docs/gate.md",
    ]);
    let json = workspace.run("report --output json").expect(10);
    let json: Value = serde_json::from_str(&json.stdout).expect("standard output has nothing else");
    let guidance = &json["findings"][0]["guidance"];
    assert_eq!(guidance["explain"], "cargo rvcheck explain lost-error");
    assert!(
        guidance["page"].as_str().is_some_and(|it| it.ends_with("docs/properties/lost-error.md")),
        "{guidance}"
    );
    assert_eq!(
        (&guidance["suppression"]["line"], &guidance["suppression"]["text"]),
        (&6.into(), &comment.into())
    );
}
