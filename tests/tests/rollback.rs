//! What does not compile under watch is undone, as little as possible, and told; the rest is watched all the same.

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;

/// What was not watched, as `file:line:column reason`.
fn unmonitored(run: &Run) -> Vec<String> {
    let places = run.report()["unmonitored"].as_array().expect("it is a list");
    let place = |it: &Value| {
        let text = |name: &str| it[name].as_str().expect("it is a text").to_owned();
        format!("{}:{}:{} {}", text("file"), it["line"], it["column"], text("reason"))
    };
    places.iter().map(place).collect()
}

/// All sites, those that were watched, and those that were not.
fn sites(run: &Run) -> (u64, u64, u64) {
    let sites = &run.report()["run"]["sites"];
    let number = |name: &str| sites[name].as_u64().expect("it is a number");
    (number("total"), number("residual"), number("unmonitored"))
}

/// Two awaits are undone for what they are, and two because they nest too deep.
const UNDONE: [&str; 4] = [
    "marks/src/deep.rs:21:21 the marker does not compile here: queries overflow the depth limit!",
    "marks/src/deep.rs:32:27 the marker does not compile here: queries overflow the depth limit!",
    "marks/src/lib.rs:12:33 the marker does not compile here: type annotations needed (E0282)",
    "marks/src/lib.rs:27:20 the marker does not compile here: no rules expected `__rv_await`",
];

#[test]
fn only_the_marks_that_do_not_compile_are_undone() {
    let tree = Fixture::tree("rollback");
    let run = tree.test(&["-p", "marks"]).expect(0);
    assert_eq!(unmonitored(&run), UNDONE);
    assert_eq!(sites(&run), (9, 5, 4));
    assert_eq!(run.report()["run"]["tests"]["passed"], 1);
    // Cargo has shown no message of the rounds that failed.
    assert!(!run.stderr.contains("error:") && !run.stderr.contains("error["), "{}", run.stderr);

    let again = tree.test(&["-p", "marks", "--message-format", "short"]).expect(0);
    assert!(!again.stderr.contains("Compiling"), "{}", again.stderr);
    assert!(again.stderr.contains("\nmarks/src/lib.rs:12:33: unmonitored: the marker"), "{}", again.stderr);

    let listed = tree.run(&["list", "sites", "-p", "marks", "--message-format", "json"]).expect(0);
    let sites: Vec<Value> =
        listed.stdout.lines().map(|it| serde_json::from_str(it).expect("each line is JSON")).collect();
    assert_eq!(sites.iter().filter(|it| it["unmonitored"].is_string()).count(), 4);
    let shown = tree.run(&["instrument", "-p", "marks"]).expect(0);
    let listed: Vec<&str> =
        shown.stdout.lines().skip_while(|it| *it != "not changed:").skip(1).map(str::trim).collect();
    assert_eq!(listed, UNDONE.map(|it| it.replacen(' ', ": ", 1)));

    // What was undone in a file is tried again when the file changes.
    tree.edit("marks/src/lib.rs", "async |future|", "async |future: std::future::Ready<u32>|");
    let mended = tree.test(&["-p", "marks"]).expect(0);
    assert_eq!(unmonitored(&mended), [UNDONE[0], UNDONE[1], UNDONE[3]]);
}

#[test]
fn an_error_of_the_users_own_is_shown_as_the_compiler_says_it() {
    let tree = Fixture::tree("rollback");
    tree.edit(
        "marks/src/lib.rs",
        "first + add_one(ready(2)).await",
        "first + add_one(ready(2)).await + \"\"",
    );
    let run = tree.test(&["-p", "marks"]).expect(4);
    assert!(run.stderr.contains("cannot add `&str` to `u32`"), "{}", run.stderr);
    assert!(!run.stderr.contains("__rv_") && !run.stderr.contains("rv_undone"), "{}", run.stderr);
    assert_eq!(run.report()["run"]["build"], "failed-plainly");
}
