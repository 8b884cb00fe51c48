//! Each end of a run has its exit code, a message that says what and where, and a report.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;

/// A library with one site and a lost error in `drop_it`.
const LIBRARY: &str = "
pub async fn fail() -> Result<(), u32> {
    tokio::task::yield_now().await;
    Err(1)
}
pub fn drop_it() {
    tokio::spawn(fail());
}
";

/// A test in which all is well, to be put beside others.
const FINE: &str = "
#[tokio::test]
async fn fine() {
    assert_eq!(sample::fail().await, Err(1));
}
";

/// A crate of the library and these integration tests.
fn with_tests(tests: &str) -> Fixture {
    Fixture::sample(&[("src/lib.rs", LIBRARY), ("tests/it.rs", &format!("{FINE}{tests}"))])
}

/// What the tool printed contains each of these.
#[track_caller]
fn says(run: &Run, words: &[&str]) {
    for word in words {
        assert!(run.stderr.contains(word), "nothing is said of {word:?}:\n{}", run.stderr);
    }
}

fn notes(run: &Run) -> String {
    let notes = run.report()["run"]["notes"].as_array().expect("notes are a list");
    notes.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_clean_run_ends_with_0() {
    let run = Fixture::example("clean").test(&[]).expect(0);
    says(&run, &["no findings"]);
    assert_eq!(run.findings(), [""; 0]);
}

#[test]
fn findings_end_with_10_from_the_level_of_the_gate_on() {
    let bank = Fixture::example("bank");
    let run = bank.test(&[]).expect(10);
    says(&run, &["error[lost-error]", "src/lib.rs:52:9"]);
    let warning = Fixture::sample(&[
        (
            "src/lib.rs",
            "pub async fn read() { tokio::task::yield_now().await; let _ = std::fs::read(\"x\"); }",
        ),
        ("tests/it.rs", "#[tokio::test] async fn reads() { tokio::spawn(sample::read()).await.unwrap(); }"),
    ]);
    warning.test(&[]).expect(0);
    warning.test(&["--fail-on", "warning"]).expect(10);
}

#[test]
fn what_cannot_be_understood_ends_with_2_and_without_a_report() {
    let clean = Fixture::example("clean");
    let cases: [(&[&str], &[&str]); 6] = [
        (&["--no-such-flag"], &["--no-such-flag"]),
        (&["-p", "nothing"], &["nothing", "clean"]),
        (&["--output", "xml"], &["xml", "json"]),
        (&["--trace-cap", "many"], &["many"]),
        (&["--manifest-path", "no/Cargo.toml"], &["no/Cargo.toml"]),
        (&["--test", "nothing"], &["nothing"]),
    ];
    for (arguments, words) in cases {
        let run = clean.test(arguments).expect(2);
        says(&run, words);
        assert_eq!(run.report, None, "{arguments:?}");
    }
}

#[test]
fn a_manifest_with_an_error_ends_with_2_and_is_named() {
    let broken = Fixture::sample(&[("src/lib.rs", LIBRARY), ("Cargo.toml", "[package]\nname = 7\n")]);
    says(&broken.test(&[]).expect(2), &["Cargo.toml:2", "name = 7"]);
}

#[test]
fn nothing_to_check_ends_with_3_unless_that_is_allowed() {
    let no_tests = Fixture::sample(&[("src/lib.rs", LIBRARY)]);
    let no_sites = Fixture::sample(&[("src/lib.rs", "#[test]\nfn adds() {\n    assert_eq!(1 + 1, 2);\n}\n")]);
    let none_chosen = with_tests("");
    let cases: [(&str, &Fixture, &[&str]); 3] = [
        ("no tests", &no_tests, &[]),
        ("no sites", &no_sites, &[]),
        ("none chosen", &none_chosen, &["no_such_test"]),
    ];
    for (case, fixture, arguments) in cases {
        let run = fixture.test(arguments);
        assert_eq!(run.code, 3, "{case}: {}", run.stderr);
        // The source may show something nevertheless.
        assert!(run.report()["findings"].is_array(), "{case}");
        assert_eq!(run.observed(), [""; 0], "{case}");
        assert_eq!(fixture.test(&[arguments, &["--allow-empty"]].concat()).code, 0, "{case}");
    }
}

#[test]
fn a_crate_that_does_not_build_plainly_ends_with_4() {
    let broken = Fixture::sample(&[("src/lib.rs", "pub fn broken() -> u32 {\n    missing\n}\n")]);
    let run = broken.test(&[]).expect(4);
    says(&run, &["src/lib.rs:2:5", "missing"]);
    assert_eq!(run.report()["run"]["build"], "failed-plainly");
}

#[test]
fn a_test_that_fails_plainly_is_named_and_the_rest_is_checked() {
    let tree = with_tests(
        "#[test]\nfn wrong() {\n    assert_eq!(1, 2);\n}\n#[tokio::test]\nasync fn loses() {\n    sample::drop_it();\n    tokio::time::sleep(std::time::Duration::from_millis(20)).await;\n}\n",
    );
    let run = tree.test(&[]).expect(4);
    says(&run, &["test wrong ... FAILED"]);
    assert!(notes(&run).contains("wrong"), "{}", notes(&run));
    assert_eq!(run.report()["run"]["tests"]["failed_plainly"], 1);
    assert_eq!(run.report()["run"]["tests"]["passed"], 2);
    assert_eq!(run.findings(), ["error lost-error src/lib.rs:7"]);
}

#[test]
fn a_crate_that_builds_only_plainly_ends_with_5_and_the_place_is_named() {
    // Nothing can be left out that would help a build script that wants no wrapper.
    let strict = Fixture::sample(&[
        ("src/lib.rs", "pub async fn ask() -> u32 {\n    std::future::ready(3).await\n}\n"),
        (
            "build.rs",
            "fn main() {\n    assert!(std::env::var_os(\"RUSTC_WRAPPER\").is_none(), \"no wrapper, please\");\n}\n",
        ),
    ]);
    let run = strict.test(&[]).expect(5);
    says(&run, &["no wrapper, please"]);
    assert_eq!(run.report()["run"]["build"], "failed-under-tool");
}

#[test]
fn a_test_that_fails_only_under_the_tool_ends_with_5_and_is_named() {
    let tree =
        with_tests("#[test]\nfn small() {\n    assert!(size_of::<std::sync::Mutex<u32>>() <= 16);\n}\n");
    let run = tree.test(&[]).expect(5);
    assert_eq!(run.report()["run"]["tests"]["failed_under_tool"], 1);
    assert!(notes(&run).contains("small"), "{}", notes(&run));
}

#[test]
fn a_flaky_test_ends_with_6_and_is_named() {
    let tree = with_tests(
        "#[test]\nfn shaky() {\n    let path = concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/ran\");\n    if !std::fs::exists(path).unwrap() {\n        std::fs::write(path, \"\").unwrap();\n        panic!(\"only once\");\n    }\n}\n",
    );
    let run = tree.test(&[]).expect(6);
    assert_eq!(run.report()["run"]["tests"]["flaky"], 1);
    assert!(notes(&run).contains("shaky"), "{}", notes(&run));
}

#[test]
fn a_process_that_was_killed_once_ends_with_6() {
    let tree = with_tests(
        "#[test]\nfn killed() {\n    let path = concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/ran\");\n    if !std::fs::exists(path).unwrap() {\n        std::fs::write(path, \"\").unwrap();\n        std::process::Command::new(\"kill\").args([\"-9\", &std::process::id().to_string()]).status().unwrap();\n        std::thread::park();\n    }\n}\n",
    );
    let run = tree.test(&[]).expect(6);
    assert!(notes(&run).contains("signal 9"), "{}", notes(&run));
    assert_eq!(run.report()["run"]["tests"]["passed"], 2);
}

#[test]
fn a_trace_at_its_cap_ends_with_6() {
    let tree = with_tests(
        "#[tokio::test]\nasync fn busy() {\n    for _ in 0..100_000 {\n        let _ = sample::fail().await;\n    }\n}\n",
    );
    let run = tree.test(&["--trace-cap", "1M"]).expect(6);
    assert_eq!(run.report()["run"]["truncated"], true);
    assert!(notes(&run).contains("truncated"), "{}", notes(&run));
}

#[test]
fn a_folder_that_cannot_be_written_ends_with_1_and_is_named() {
    let clean = Fixture::example("clean");
    // Below a file nobody can make a folder, whoever runs this.
    let cases: [(&[&str], [&str; 2]); 3] = [
        (&["--target-dir", "Cargo.toml/target"], ["Cargo.toml/", "move the file"]),
        (&["--output", "short=Cargo.toml/report"], ["Cargo.toml", "move the file"]),
        // A disk without room.
        (&["--output", "human=/dev/full"], ["/dev/full", "free some space"]),
    ];
    for (arguments, [path, what_to_do]) in cases {
        says(&clean.test(arguments).expect(1), &["cannot write", path, what_to_do]);
    }
}

/// A compiler that is older than it is, and does not let a crate stand in for `std`.
const OTHER_COMPILER: &str = r#"#!/bin/sh
case "$*" in
  *-vV*) rustc -vV | sed 's/^release: .*/release: 1.940.0/'; exit ;;
  *librvprobe.rlib*) echo "error: there is only one std" >&2; exit 1 ;;
esac
exec rustc "$@"
"#;

#[test]
fn a_compiler_that_cannot_be_used_ends_with_2_and_the_known_ones_are_named() {
    let tree = Fixture::tree("mirror").with_own_target();
    let compiler = tree.path().join("other-rustc");
    std::fs::write(&compiler, OTHER_COMPILER).expect("it can be written");
    std::fs::set_permissions(&compiler, Permissions::from_mode(0o755)).expect("it can be made executable");
    let output = tree.command(&["test"]).env("RUSTC", &compiler).output().expect("the tool starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    for word in ["1.940.0", "1.95", "there is only one std"] {
        assert!(said.contains(word), "nothing is said of {word:?}:\n{said}");
    }
}

/// A build script that needs what only the tool tells it.
const ONLY_UNDER_A_WRAPPER: &str = "fn main() { std::env::var(\"RUSTC_WRAPPER\").expect(\"a wrapper\"); }\n";

#[test]
fn a_failed_test_that_cannot_be_compared_because_the_plain_build_fails_ends_with_6_and_that_is_said() {
    let failing = "#[test]\nfn needs_a_file() { std::fs::read(\"no/such/fixture\").unwrap(); }\n";
    let tree = with_tests(failing);
    std::fs::write(tree.path().join("build.rs"), ONLY_UNDER_A_WRAPPER).expect("it can be written");
    let run = tree.test(&[]).expect(6);
    says(&run, &["inconclusive: the build without rvcheck fails", "inconclusive: `it::needs_a_file` failed"]);
    let reasons = run.report()["run"]["undecided"].to_string();
    assert!(reasons.contains("it::needs_a_file") && reasons.contains("could not be compared"), "{reasons}");
}
