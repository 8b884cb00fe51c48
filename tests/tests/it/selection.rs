//! Which tests run: names, filtersets, marks, parts and attempts.

use rvcheck_tests::{Fixture, Run};
use std::collections::BTreeSet;

const LIBRARY: &str = "
/// Fails.
///
/// ```
/// assert_eq!(1 + 1, 2);
/// ```
pub async fn fail() -> Result<(), u32> {
    tokio::task::yield_now().await;
    Err(1)
}

/// Has it fail where nobody looks.
pub fn start() {
    drop(tokio::spawn(fail()));
}

#[cfg(test)]
mod tests {
    #[test]
    fn inside() {
        std::thread::spawn(|| ()).join().unwrap();
    }
}
";

const TESTS: &str = "
#[tokio::test]
async fn one() {
    assert!(sample::fail().await.is_err());
}
#[tokio::test]
async fn two() {
    assert!(sample::fail().await.is_err());
}
#[test]
#[ignore = \"it is slow\"]
fn slow() {}
#[tokio::test]
async fn fails_at_first() {
    let mark = std::path::Path::new(env!(\"CARGO_MANIFEST_DIR\")).join(\"tried\");
    if std::fs::exists(&mark).unwrap() {
        sample::start();
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
    } else {
        std::fs::write(mark, \"\").unwrap();
        panic!();
    }
}
";

fn fixture() -> Fixture {
    Fixture::sample(&[("src/lib.rs", LIBRARY), ("tests/it.rs", TESTS)])
}

/// The tests that a list names.
fn listed(run: &Run) -> Vec<String> {
    let line = |it: &str| serde_json::from_str::<serde_json::Value>(it).unwrap_or_else(|_| panic!("{it}"));
    run.stdout.lines().map(|it| line(it)["unit"].as_str().expect("a string").to_owned()).collect()
}

/// The tests that ran, by the properties that were asked of them.
fn ran(run: &Run) -> BTreeSet<String> {
    let properties = run.report()["properties"].as_array().expect("a list").clone();
    let units = properties.iter().flat_map(|it| it["units"].as_array().expect("a list"));
    units.map(|it| it["test"].as_str().expect("a string").to_owned()).collect()
}

#[test]
fn tests_are_listed_as_they_would_be_run() {
    let fixture = fixture();
    let list = |arguments: &[&str]| {
        let all = [&["list", "tests", "--message-format", "json"], arguments].concat();
        listed(&fixture.run(&all).expect(0))
    };
    let inside = "sample::tests::inside";
    let doctest = "sample::src/lib.rs - fail (line 4)";
    let of_it = ["it::fails_at_first", "it::one", "it::slow", "it::two"];
    assert_eq!(list(&[]), [&[inside], &of_it[..], &[doctest]].concat());
    assert_eq!(list(&["--lib"]), [inside]);
    assert_eq!(list(&["-E", "kind(lib) | test(=two)"]), [inside, "it::two"]);
    assert_eq!(list(&["-E", "binary(it) - test(/^f/)", "--run-ignored", "only"]), ["it::slow"]);
    assert_eq!(list(&["--test", "it", "one", "two"]), ["it::one", "it::two"]);
    assert_eq!(list(&["--test", "it", "--", "--skip", "o"]), ["it::fails_at_first"]);
    assert_eq!(list(&["-E", "kind(doc)"]), [doctest]);
    let slices = ["slice:1/2", "slice:2/2"].map(|it| list(&["--lib", "--tests", "--partition", it]));
    assert_eq!(slices, [vec![inside, "it::one", "it::two"], vec!["it::fails_at_first", "it::slow"]]);
    let human = fixture.run(&["list", "tests", "--test", "it"]).expect(0).stdout;
    assert!(human.contains("it::slow (ignored)\n"), "{human}");
    let none = fixture.run(&["list", "tests", "-E", "test(three)"]).expect(3);
    assert!(
        none.stderr.contains("there is no test that is selected by `-E 'test(three)'`"),
        "{}",
        none.stderr
    );
}

#[test]
fn only_selected_tests_run_and_none_is_no_success() {
    let fixture = fixture();
    let run = fixture.test(&["-E", "test(=one) + kind(lib)"]).expect(0);
    assert_eq!(ran(&run), BTreeSet::from(["it::one".to_owned(), "sample::tests::inside".to_owned()]));
    assert_eq!(run.report()["run"]["partial"], true);
    let cases: [(&[&str], &str); 4] = [
        (&["nowhere"], "no test is selected by `nowhere`"),
        (
            &["-E", "package(sample) & test(three)"],
            "no test is selected by `-E 'package(sample) & test(three)'`",
        ),
        (&["--test", "it", "slow"], "the one test that is selected by `slow` is ignored"),
        (&["--test", "it", "--", "one", "--exact", "--skip", "one"], "`-- one --exact --skip one`"),
    ];
    for (arguments, message) in cases {
        let run = fixture.test(arguments).expect(3);
        assert!(run.stderr.contains(message), "{message} in {}", run.stderr);
        assert!(run.report()["run"]["notes"].to_string().contains("selected by"), "{}", run.report());
    }
    fixture.test(&["nowhere", "--allow-empty"]).expect(0);
    let run = fixture.test(&["--test", "it", "slow", "--run-ignored", "all"]);
    assert_eq!(run.report()["run"]["tests"]["passed"], 1);
    let refused = fixture.run(&["test", "-E", "test(one) &"]).expect(2).stderr;
    assert!(refused.contains("-E:1:") && refused.contains("test(one) &"), "{refused}");
}

#[test]
fn a_test_that_passes_at_a_later_attempt_is_flaky_and_each_attempt_is_checked() {
    let fixture = fixture();
    let run = fixture.test(&["--test", "it", "fails_at_first", "--retries", "2"]).expect(10);
    let tests = &run.report()["run"]["tests"];
    assert_eq!((&tests["flaky"], &tests["passed"], &tests["failed"]), (&1.into(), &0.into(), &0.into()));
    // Only the second attempt has lost it.
    let findings = run.report()["findings"].as_array().expect("a list").clone();
    assert!(findings.iter().any(|it| it["property"] == "lost-error"), "{findings:?}");
}
