//! What the tool keeps in a workspace and reads from it: configuration, snapshots, parts of a run, and what `init` writes.

mod kit;

use cargo_rvcheck::report::{Report, Verdict};
use kit::{Workspace, lost_error, report};
use serde_json::Value;

const CONFIG: &str = ".config/rvcheck.toml";

#[test]
fn the_configuration_decides_where_the_command_line_does_not() {
    let workspace = Workspace::new();
    workspace.store(&report(vec![lost_error("append", 6)]));
    workspace.write(
        CONFIG,
        "[profile.default.levels]\nlost-error = \"warn\"\n\n[profile.ci]\nfail-on = \"warning\"\noutput = [\"json\"]\n",
    );
    workspace.run("report").expect(0).says(&["warning[lost-error]"]);
    let json = workspace.run("report --config-profile ci").expect(10);
    let json: Value = serde_json::from_str(&json.stdout).expect("the profile asks for it");
    assert_eq!(json["findings"][0]["level"], "warning");
    workspace.run("report --no-config").expect(10).says(&["error[lost-error]"]);
    workspace.run("report -D lost-error").expect(10);
    workspace.with("report", &[("RVCHECK_FAIL_ON", "warning")]).expect(10);
    workspace.with("report", &[("RVCHECK_CONFIG_PROFILE", "ci")]).expect(10);
    workspace.with("report --fail-on error", &[("RVCHECK_CONFIG_PROFILE", "ci")]).expect(0);
}

/// A variable and its value.
type Variable<'a> = (&'a str, &'a str);

#[test]
fn output_is_coloured_as_the_user_wants_it() {
    let workspace = Workspace::new();
    workspace.store(&report(vec![lost_error("append", 6)]));
    let (always, never) = (("CARGO_TERM_COLOR", "always"), ("CARGO_TERM_COLOR", "never"));
    let (forced, none) = (("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1"));
    // None of this goes to a terminal.
    let cases: [(&str, &[Variable<'_>], bool); 9] = [
        ("", &[], false),
        ("--color always", &[none], true),
        ("--color never", &[always, forced], false),
        ("", &[always], true),
        ("", &[always, none], true),
        ("", &[never, forced], false),
        ("", &[forced], true),
        ("", &[forced, none], false),
        ("", &[("CLICOLOR", "1")], false),
    ];
    for (options, variables, expected) in cases {
        let shown = workspace.with(&format!("report {options}"), variables).expect(10);
        assert_eq!(shown.stderr.contains('\u{1b}'), expected, "{options} {variables:?}");
        let wrong = workspace.with(&format!("report --in-diff nowhere {options}"), variables).expect(2);
        assert_eq!(wrong.stderr.contains('\u{1b}'), expected, "{options} {variables:?}");
    }
}

#[test]
fn an_error_in_the_configuration_is_reported_with_its_location() {
    let workspace = Workspace::new();
    workspace.store(&report(Vec::new()));
    let cases: [(&str, &[&str]); 3] = [
        (
            "[profile.default]\nfail-onn = \"note\"\n",
            &[".config/rvcheck.toml:2:1", "did you mean `fail-on`?"],
        ),
        (
            "[profile.default.levels]\nlost-eror = \"deny\"\n",
            &["rvcheck.toml:2:1", "did you mean `lost-error`?"],
        ),
        ("[profile.default\n", &[".config/rvcheck.toml:1"]),
    ];
    for (config, words) in cases {
        workspace.write(CONFIG, config);
        workspace.run("report").expect(2).says(words);
        workspace.run("report --no-config").expect(0);
    }
    workspace.run("report --config-file nowhere.toml").expect(2).says(&["nowhere.toml"]);
}

#[test]
fn it_can_be_asked_what_is_in_force_and_why() {
    let workspace = Workspace::new();
    workspace.write(CONFIG, "[profile.default]\nfail-on = \"note\"\ntail = 3\n");
    let run = workspace.with("show-config --tail 5", &[("RVCHECK_SCOPE", "workspace")]).expect(0);
    let line = |start: &str| {
        let found = run.stdout.lines().find(|it| it.starts_with(start));
        found
            .unwrap_or_else(|| panic!("no {start} in {}", run.stdout))
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(line("fail-on"), "fail-on = \"note\" # .config/rvcheck.toml:2:1, profile `default`");
    assert_eq!(line("tail"), "tail = \"5\" # command line");
    assert_eq!(line("scope"), "scope = \"workspace\" # RVCHECK_SCOPE");
    assert_eq!(line("strict"), "strict = false # default");
}

#[test]
fn what_init_writes_is_in_force_and_nothing_is_written_over() {
    let workspace = Workspace::new();
    workspace.write("specs/rvcheck.toml", "# mine\n");
    workspace.run("init").expect(0).says(&["Wrote", "Kept", "specs/rvcheck.toml, which is there already"]);
    assert_eq!(workspace.read("specs/rvcheck.toml"), "# mine\n");
    workspace.store(&report(Vec::new()));
    workspace.run("report --config-profile ci").expect(0);
    assert!(workspace.read(".github/workflows/rvcheck.yml").contains("cargo rvcheck test"));
    assert!(workspace.has("target/rvcheck.sarif"), "the profile asks for it");
}

/// The same report after a change: a property is no longer exercised, and another is violated.
fn changed() -> Report {
    let mut report = report(vec![lost_error("close", 80)]);
    report.properties[1].verdict = Verdict::Held;
    report
}

#[test]
fn the_first_snapshot_is_accepted_from_the_last_run_and_differences_are_reviewed() {
    let workspace = Workspace::new();
    workspace.store(&report(Vec::new()));
    workspace.run("accept").expect(0).says(&["report.snap"]);
    let first = workspace.read("rvcheck/snapshots/report.snap");
    assert_eq!(
        first,
        "---\nsource: rvcheck\nexpression: report\n---\nlost-error: held\nsemaphore: not exercised\n"
    );
    workspace.run("review").expect(0).says(&["nothing is waiting"]);
    let new =
        cargo_rvcheck::snapshot::compare(&workspace.root, &cargo_rvcheck::snapshot::stable_text(&changed()));
    assert!(new.expect("it can be written").is_some());
    workspace.run("review").expect(11).says(&[
        "-lost-error: held",
        "+lost-error: violated",
        "+  error, observed, in `close` of src/lib.rs: the task",
        "+semaphore: held",
        "cargo rvcheck accept",
    ]);
    workspace.run("reject").expect(0).says(&["Rejected"]);
    workspace.run("review").expect(0);
    assert_eq!(workspace.read("rvcheck/snapshots/report.snap"), first);
}

#[test]
fn a_run_of_a_part_is_no_first_snapshot() {
    let workspace = Workspace::new();
    let mut partial = report(Vec::new());
    partial.run.partial = true;
    workspace.store(&partial);
    workspace.run("accept").expect(2).says(&["not a whole one"]);
    assert!(!workspace.has("rvcheck"));
}

#[test]
fn the_parts_of_a_run_are_one_report() {
    let workspace = Workspace::new();
    for index in 1..=2 {
        let mut report = report(if index == 1 { vec![lost_error("append", 6)] } else { Vec::new() });
        report.properties[0].units[0].test = format!("it::test_{index}");
        report.run.part = format!("count:{index}/2").parse().ok();
        let json = serde_json::to_string(&report).expect("it is JSON");
        workspace.write(&format!("{index}.json"), &json);
    }
    let merged = |files: &str| {
        let run = workspace.run(&format!("merge {files} --output json")).expect(10);
        serde_json::from_str::<Value>(&run.stdout).expect("it is JSON")
    };
    let all = merged("1.json 2.json");
    assert_eq!((&all["run"]["partial"], &all["run"]["tests"]["passed"]), (&false.into(), &2.into()));
    assert_eq!(all["run"]["sites"]["total"], 20);
    let units = all["properties"][0]["units"].as_array().expect("a list");
    assert_eq!(units.iter().map(|it| &it["verdict"]).collect::<Vec<_>>(), ["violated", "held"]);
    assert_eq!(merged("1.json")["run"]["partial"], true);
    assert_eq!(merged("1.json 1.json")["findings"][0]["occurrences"], 2);
    workspace.write("other.json", "{\"schema\":\"rvcheck.report/9\"}");
    workspace.run("merge 1.json other.json").expect(2).says(&["other.json", "rvcheck.report/9"]);
    workspace.run("merge nothing.json").expect(2).says(&["nothing.json"]);
}

#[test]
fn only_what_concerns_changed_lines_is_reported_where_that_is_asked_for() {
    let workspace = Workspace::new();
    workspace.store(&report(vec![lost_error("append", 6), lost_error("close", 80)]));
    workspace.write("c.diff", "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -80 +80 @@\n-a\n+b\n");
    let run = workspace.run("report --in-diff c.diff").expect(10).says(&["`close`", "1 finding about lines"]);
    assert!(!run.stderr.contains("`append`"), "{}", run.stderr);
    workspace.write("c.diff", "--- a/src/other.rs\n+++ b/src/other.rs\n@@ -80 +80 @@\n-a\n+b\n");
    workspace.run("report --in-diff c.diff").expect(0);
    workspace.run("report --in-diff nothing.diff").expect(2).says(&["nothing.diff"]);
}

#[test]
fn what_has_changed_is_asked_of_git() {
    let workspace = Workspace::new();
    let git = |words: &str| {
        let done = std::process::Command::new("git")
            .current_dir(&workspace.root)
            .args(["-c", "user.name=a", "-c", "user.email=a@b.c"])
            .args(words.split(' '))
            .output()
            .expect("git runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    let lines: Vec<String> = (1..=100).map(|it| format!("// {it}")).collect();
    workspace.write("src/lib.rs", &lines.join("\n"));
    git("init -q");
    git("add src Cargo.toml");
    git("commit -qm a");
    workspace.store(&report(vec![lost_error("append", 6), lost_error("close", 80)]));
    workspace.run("report --since HEAD").expect(0);
    workspace.write("src/lib.rs", &lines.join("\n").replace("// 80\n", "// eighty\n"));
    workspace.run("report --since HEAD").expect(10).says(&["`close`", "1 error"]);
    workspace.run("report --since no-such-branch").expect(2).says(&["no-such-branch"]);
    workspace.run("report --since --output=x").expect(2);
    assert!(!workspace.has("x"), "nothing of it reaches git as an option");
}

#[test]
fn other_programs_can_ask_what_the_tool_writes() {
    let workspace = Workspace::new();
    let run = workspace.run("--version --json").expect(0);
    let answer: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    assert_eq!(answer["schemas"]["report"], "rvcheck.report/1");
    assert!(workspace.run("completions bash").expect(0).stdout.contains("_rvcheck_of_cargo"));
    assert!(workspace.run("completions elvish").expect(0).stdout.contains("--max-unmonitored"));
    for what in ["report", "config"] {
        let schema = workspace.run(&format!("schema {what}")).expect(0).stdout;
        serde_json::from_str::<Value>(&schema).expect("it is JSON");
    }
}

#[test]
fn thresholds_are_keys_of_the_configuration_and_options() {
    let workspace = Workspace::new();
    workspace.write(CONFIG, "[profile.default]\nlong-poll = \"250ms\"\nouter = 1\n");
    workspace.run("show-config").expect(2).says(&["unknown key `outer`"]);
    workspace.write(CONFIG, "[profile.default]\nlong-poll = \"250ms\"\n");
    let shown = workspace.run("show-config --abort-delay 1s").expect(0);
    for (setting, from) in [
        ("long-poll = \"250ms\"", ".config/rvcheck.toml:2:1, profile `default`"),
        ("abort-delay = \"1s\"", "command line"),
        ("timer-patience = \"30\"", "default"),
    ] {
        let line = shown.stdout.lines().find(|it| it.starts_with(setting));
        assert!(line.is_some_and(|it| it.ends_with(from)), "{setting}: {}", shown.stdout);
    }
    workspace.write(CONFIG, "[profile.default]\nlong-poll = \"0\"\n");
    workspace
        .run("show-config")
        .expect(2)
        .says(&[".config/rvcheck.toml:2:13", "a threshold is at least 1ms"]);
    workspace.write(CONFIG, "[profile.default]\nlock-wait = \"2s\"\n");
    workspace
        .run("replay t.jsonl --library")
        .expect(2)
        .says(&["`lock-wait` is 2 s, which is longer than `long-lock-wait`"]);
}

#[test]
fn a_threshold_decides_what_is_reported_and_is_in_the_message() {
    let workspace = Workspace::new();
    let spawned =
        r#"{"e":"spawn","a":{"t":"main","u":"ann","kind":"async"},"time":1,"site":"src/lib.rs:3:5"}"#;
    let computed = r#"{"e":"suspend","a":{"t":"ann","ns":150000000,"cpu":150000000},"time":150000002}"#;
    workspace.write("t.jsonl", &format!("{spawned}\n{computed}\n"));
    workspace
        .run("replay t.jsonl --library --fail-on warning")
        .expect(10)
        .says(&["blocking-in-async", "computed for more than 100 ms without"]);
    workspace
        .run("replay t.jsonl --library --fail-on warning --long-poll 120ms")
        .expect(10)
        .says(&["computed for more than 120 ms without"]);
    workspace.run("replay t.jsonl --library --fail-on warning --long-poll 200ms").expect(0);
}
