//! Whatever runs the tests, each is checked by what happened in it, also in the processes that it has started.

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;

/// The verdicts of `lost-error` by test.
fn verdicts(run: &Run) -> BTreeMap<String, String> {
    verdicts_of(run, "lost-error")
}

/// The verdicts of a property by test.
fn verdicts_of(run: &Run, id: &str) -> BTreeMap<String, String> {
    let properties = run.report()["properties"].as_array().expect("properties are a list");
    let property = properties.iter().find(|it| it["id"] == id).expect("the library has it");
    let units = property["units"].as_array().expect("units are a list");
    let text = |it: &Value| it.as_str().expect("the field is a text").to_owned();
    units.iter().map(|it| (text(&it["test"]), text(&it["verdict"]))).collect()
}

/// The verdicts of the integration test.
const OF_IT: [(&str, &str); 4] = [
    ("it::keeps_its_errors", "held"),
    ("it::programs_end_as_they_do_without_watch", "violated"),
    ("it::starts_a_program_that_is_killed", "violated"),
    ("it::starts_a_program_that_loses", "violated"),
];

fn expected(more: &[(&str, &str)]) -> BTreeMap<String, String> {
    OF_IT.iter().chain(more).map(|(test, verdict)| ((*test).to_owned(), (*verdict).to_owned())).collect()
}

fn tests(run: &Run) -> (u64, u64) {
    let tests = &run.report()["run"]["tests"];
    let count = |what: &str| tests[what].as_u64().expect("it is a number");
    assert_eq!(count("failed") + count("flaky") + count("unfinished"), 0, "{}", run.stderr);
    (count("passed"), count("ignored"))
}

#[test]
fn what_a_program_does_belongs_to_the_test_that_has_started_it() {
    let run = Fixture::tree("harnesses").test(&["--tests", "--benches"]).expect(10);
    assert_eq!(verdicts(&run), expected(&[("own::main", "violated"), ("speed::main", "held")]));
    assert_eq!(tests(&run), (4, 1));
    assert_eq!(run.findings(), ["error lost-error src/lib.rs:49"]);
    assert!(run.stderr.contains("`helper`, started by `it::starts_a_program_that_is_killed`, was killed"));
}

#[test]
fn doctests_are_instrumented_one_by_one() {
    let tree = Fixture::tree("harnesses");
    let lines = |run: &Run| {
        let of_lose = verdicts(run).into_iter().filter(|it| it.0.contains(" - lose (line "));
        of_lose.map(|(_, verdict)| verdict).collect::<Vec<_>>()
    };
    for edition in ["2021", "2024"] {
        tree.edit("Cargo.toml", "edition = \"2021\"", &format!("edition = \"{edition}\""));
        let run = tree.test(&["--doc"]).expect(10);
        assert_eq!(tests(&run), (5, 1), "{edition}");
        let fails = "harnesses::src/lib.rs - fail (line 10)";
        // What the code in documentation loses is test code's loss: a note, which violates nothing.
        assert_eq!(verdicts(&run).get(fails).map(String::as_str), Some("held"), "{edition}");
        assert_eq!(lines(&run), ["violated", "not-exercised", "not-exercised", "not-exercised"], "{edition}");
        let findings = ["error lost-error src/lib.rs:49", "note lost-error src/lib.rs:10"];
        assert_eq!(run.findings(), findings, "{edition}");
        assert!(run.stderr.contains("cargo rvcheck test --doc lose"), "{}", run.stderr);
    }
}

#[test]
fn doctests_that_fail_are_compared_with_a_plain_build() {
    let tree = Fixture::tree("harnesses");
    tree.edit(
        "src/lib.rs",
        "/// ```no_run",
        "/// ```\n/// assert!(size_of::<std::sync::Mutex<u32>>() <= 16);\n/// ```\n///\n/// ```\n\
         /// const SMALL: () = assert!(size_of::<std::sync::Mutex<u32>>() <= 16);\n/// let () = SMALL;\n/// ```\n///\n\
         /// ```\n/// assert_eq!(1, 2);\n/// ```\n///\n/// ```no_run",
    );
    let run = tree.test(&["--doc"]).expect(5);
    let count = &run.report()["run"]["tests"];
    assert_eq!((&count["failed_plainly"], &count["failed_under_tool"]), (&1.into(), &1.into()), "{count}");
    assert_eq!(count["passed"], 6, "{}", run.stderr);
    let unmonitored = run.report()["unmonitored"].as_array().expect("it is a list");
    let reasons: Vec<&str> = unmonitored.iter().filter_map(|it| it["reason"].as_str()).collect();
    assert!(
        reasons.iter().any(|it| it.contains("compiles only without instrumentation: error[E0080]")),
        "{reasons:?}"
    );
}

/// A rustdoc that does not read an instrumented library, or as long as `never` is there.
const OTHER_RUSTDOC: &str = r#"#!/bin/sh
case "$*" in *"--extern std="*) echo "error: there is only one std" >&2; exit 1 ;; esac
[ -e never ] && exit 1
exec rustdoc "$@"
"#;

#[test]
fn doctests_run_uninstrumented_where_rustdoc_cannot_read_the_instrumented_library() {
    let tree = Fixture::tree("harnesses");
    let rustdoc = tree.path().join("other-rustdoc");
    std::fs::write(&rustdoc, OTHER_RUSTDOC).expect("it can be written");
    std::fs::set_permissions(&rustdoc, Permissions::from_mode(0o755)).expect("it can be made executable");
    let configuration = format!("[build]\nrustdoc = {rustdoc:?}\n");
    std::fs::create_dir(tree.path().join(".cargo")).expect("the folder can be made");
    std::fs::write(tree.path().join(".cargo/config.toml"), configuration).expect("it can be written");
    let run = tree.test(&["--doc"]).expect(0);
    assert_eq!(tests(&run), (5, 1));
    assert!(run.stderr.contains("there is only one std"), "{}", run.stderr);
    assert!(run.stderr.contains("rustdoc cannot read the instrumented library"), "{}", run.stderr);
    std::fs::write(tree.path().join("never"), "").expect("it can be written");
    let run = tree.test(&["--doc"]).expect(4);
    assert!(run.stderr.contains("`harnesses::documentation` fails without rvcheck too"), "{}", run.stderr);
}

#[test]
fn nextest_runs_each_test_in_a_process_of_its_own() {
    let tree = Fixture::tree("harnesses");
    if !Command::new("cargo").args(["nextest", "--version"]).output().is_ok_and(|it| it.status.success()) {
        let run = tree.test(&["--test-tool", "nextest"]).expect(2);
        assert!(run.stderr.contains("cargo install cargo-nextest"), "{}", run.stderr);
        return;
    }
    let run = tree.test(&["--test-tool", "nextest"]).expect(10);
    assert_eq!(verdicts(&run), expected(&[("own::all_of_it", "violated")]));
    assert_eq!(tests(&run), (5, 0));
    // What cargo understands behind the dashes, nextest does as well. A retry that passes shows that the test is flaky.
    std::fs::create_dir(tree.path().join(".config")).expect("the folder can be made");
    let retries = "[profile.default]\nretries = 2\n";
    std::fs::write(tree.path().join(".config/nextest.toml"), retries).expect("the file can be written");
    tree.edit("tests/it.rs", "assert_eq!(harnesses::fail().await, Err(1));\n}\n\n#[test]\nfn starts_a_program_that_loses",
        "assert_eq!(harnesses::fail().await, Err(1));\n    assert_ne!(std::env::var(\"NEXTEST_ATTEMPT\").as_deref(), Ok(\"1\"));\n}\n\n#[test]\nfn starts_a_program_that_loses");
    let run = tree.test(&["keeps", "--", "--skip", "programs"]).expect(6);
    assert!(run.stderr.contains("Using nextest (.config/nextest.toml)"), "{}", run.stderr);
    assert_eq!(run.report()["run"]["tests"]["flaky"], 1);
    assert_eq!(run.report()["run"]["tests"]["passed"], 0);
}

#[test]
fn arguments_behind_the_dashes_mean_what_they_mean_to_cargo() {
    let tree = Fixture::tree("harnesses");
    let list = tree.run(&["test", "--test", "it", "--", "--list"]).expect(0);
    let names: Vec<&str> = list.stdout.lines().filter_map(|it| it.strip_suffix(": test")).collect();
    assert_eq!(names.len(), 5, "{}", list.stdout);
    let cases: [(&[&str], (u64, u64)); 4] = [
        (&["--exact", "keeps_its_errors", "--test-threads=1", "--nocapture"], (1, 0)),
        (&["keeps", "--skip", "keeps_its"], (0, 0)),
        (&["--ignored", "--skip", "is_ignored"], (0, 0)),
        (&["keeps", "is_ignored", "-q"], (1, 1)),
    ];
    for (arguments, counts) in cases {
        let run = tree.test(&[&["--test", "it", "--allow-empty", "--"], arguments].concat()).expect(0);
        assert_eq!(tests(&run), counts, "{arguments:?}");
    }
}

#[test]
fn a_program_that_runs_passes_its_exit_code_on_unless_there_is_something_to_report() {
    let tree = Fixture::tree("harnesses");
    tree.edit("src/bin/helper.rs", "if what != \"idle\"", "if what == \"lose\"");
    assert_eq!(tree.run(&["run", "exit"]).code, 7);
    assert_eq!(tree.run(&["run", "lose"]).code, 10);
    let aborted = tree.run(&["run", "abort"]).expect(6);
    assert!(aborted.stderr.contains("signal 6"), "{}", aborted.stderr);
}

#[test]
fn a_test_with_its_own_main_that_aborts_keeps_what_it_recorded() {
    let tree = Fixture::tree("harnesses");
    tree.edit(
        "tests/own.rs",
        "    harnesses::lose().await;\n",
        "    harnesses::lose().await;\n    std::process::abort();\n",
    );
    let run = tree.test(&["--test", "own"]).expect(4);
    assert_eq!(run.findings(), ["error lost-error src/lib.rs:49"]);
    assert!(run.stderr.contains("`own` was ended by signal 6"), "{}", run.stderr);
    assert!(run.stderr.contains("`own::main` fails without rvcheck too"), "{}", run.stderr);
}

#[test]
fn a_test_with_its_own_main_that_does_as_libtest_does_has_its_tests_counted() {
    let tree = Fixture::tree("harnesses");
    let printed = "    println!(\"\\nrunning 3 tests\\ntest one   ... ok\\ntest two   ... ok\\ntest three ... ignored\\n\");\n    \
        println!(\"test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\");\n";
    tree.edit("tests/own.rs", "    harnesses::lose().await;\n", printed);
    let run = tree.test(&["--test", "own"]).expect(0);
    assert_eq!(tests(&run), (2, 1));
    assert_eq!(verdicts(&run).keys().collect::<Vec<_>>(), ["own::main"]);
}

#[test]
fn time_that_is_mocked_neither_hides_blocking_nor_feigns_it() {
    let run = Fixture::tree("harnesses").test(&["--features", "mocked-time", "--test", "time"]).expect(0);
    assert_eq!(tests(&run), (3, 0));
    let expected = [
        ("time::a_long_sleep_takes_no_time", "held"),
        // It is the test's own body that blocks.
        ("time::a_thread_blocks_though_time_is_stopped", "held"),
        ("time::time_is_stopped_and_moved_by_hand", "held"),
    ];
    let expected = expected.map(|(test, verdict)| (test.to_owned(), verdict.to_owned()));
    assert_eq!(verdicts_of(&run, "blocking-in-async"), BTreeMap::from(expected));
}
