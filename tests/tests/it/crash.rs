//! A test that takes its process with it costs neither what was seen before nor the other tests.

use rvcheck_tests::{Fixture, Run};

const LIBRARY: &str = "
pub async fn fail() -> Result<(), u32> {
    tokio::task::yield_now().await;
    Err(1)
}
pub fn drop_it() {
    tokio::spawn(fail());
}
pub fn drop_another() {
    tokio::spawn(fail());
}
";

/// Tests around one that ends in this way after it lost an error.
fn ending(how: &str) -> Fixture {
    let tests = format!(
        "
const PAUSE: std::time::Duration = std::time::Duration::from_millis(20);

#[tokio::test]
async fn a_first() {{
    assert_eq!(sample::fail().await, Err(1));
}}

#[tokio::test]
async fn b_ends_the_process() {{
    sample::drop_it();
    tokio::time::sleep(PAUSE).await;
    {how}
}}

#[tokio::test]
async fn c_loses_as_well() {{
    tokio::time::sleep(3 * PAUSE).await;
    sample::drop_another();
    tokio::time::sleep(PAUSE).await;
}}

#[tokio::test]
#[should_panic(expected = \"on purpose\")]
async fn d_panics() {{
    tokio::task::yield_now().await;
    panic!(\"on purpose\");
}}

#[test]
#[ignore = \"takes long\"]
fn e_is_ignored() {{
    std::process::abort();
}}
"
    );
    Fixture::sample(&[("src/lib.rs", LIBRARY), ("tests/it.rs", &tests)])
}

/// Both errors are found, and the tests around the one that ended the process count as if it were not there.
#[track_caller]
fn all_is_checked(run: &Run) {
    assert_eq!(
        run.findings(),
        ["error lost-error src/lib.rs:7", "error lost-error src/lib.rs:10"],
        "{}",
        run.stderr
    );
    let tests = &run.report()["run"]["tests"];
    assert_eq!((&tests["passed"], &tests["ignored"]), (&3.into(), &1.into()), "{tests}\n{}", run.stderr);
}

#[test]
fn an_abort_is_checked_up_to_that_moment_and_the_rest_in_new_processes() {
    let tree = ending("std::process::abort();");
    for threads in ["--test-threads=1", "--test-threads=4"] {
        // It aborts without the tool as well.
        let run = tree.test(&["--", threads]).expect(4);
        all_is_checked(&run);
        assert_eq!(run.report()["run"]["tests"]["failed_plainly"], 1, "{threads}");
        assert!(run.stderr.contains("it::b_ends_the_process"), "{threads}: it is named\n{}", run.stderr);
    }
}

#[test]
fn a_process_that_is_killed_once_leaves_what_it_recorded() {
    let tree = ending(
        "let path = concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/ran\");
    if !std::fs::exists(path).unwrap() {
        std::fs::write(path, \"\").unwrap();
        std::process::Command::new(\"kill\").args([\"-9\", &std::process::id().to_string()]).status().unwrap();
        std::thread::park();
    }",
    );
    let run = tree.test(&["--", "--test-threads=1"]).expect(10);
    assert_eq!(run.findings(), ["error lost-error src/lib.rs:7", "error lost-error src/lib.rs:10"]);
    assert_eq!(run.report()["run"]["inconclusive"], true);
    assert!(run.stderr.contains("ended by signal 9"), "{}", run.stderr);
}

#[test]
fn a_test_that_should_panic_or_is_ignored_is_understood() {
    let run = ending("").test(&["--fail-on", "note"]).expect(10);
    assert_eq!(run.findings(), ["error lost-error src/lib.rs:7", "error lost-error src/lib.rs:10"]);
    let tests = &run.report()["run"]["tests"];
    assert_eq!((&tests["passed"], &tests["failed"], &tests["ignored"]), (&4.into(), &0.into(), &1.into()));
    assert_eq!(run.report()["run"]["inconclusive"], false);
}
