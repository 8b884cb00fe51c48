//! Lock-order inversions that no test shows alone.

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;
use std::path::PathBuf;

/// What is reported of several tests together.
fn notes(run: &Run) -> Vec<&Value> {
    let findings = run.report()["findings"].as_array().expect("a list");
    findings.iter().filter(|it| it["property"] == "lock-order" && it["proof"] == "potential").collect()
}

/// The file with what earlier runs have shown.
fn remembered(fixture: &Fixture) -> PathBuf {
    let folder = fixture.target().join("rvcheck/orders");
    let mut files: Vec<_> =
        folder.read_dir().expect("it is there").map(|it| it.expect("an entry").path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "json"));
    assert_eq!(files.len(), 1, "{files:?}");
    files.remove(0)
}

const SELLS: &[&str] = &["--", "--exact", "sells"];
const REFUNDS: &[&str] = &["--", "--exact", "refunds"];

#[test]
fn inversions_are_noted_whether_one_run_shows_them_or_two() {
    let fixture = Fixture::tree("inversions").with_own_target();
    let together = fixture.test(&[]).expect(0);
    let [note] = notes(&together)[..] else { panic!("{}", together.stderr) };
    assert_eq!(note["level"], "note");
    assert_eq!(note["witness"]["state"], "together");
    let message = note["message"].as_str().expect("a text");
    assert!(message.contains("`self.pieces` before `self.coins` in it::sells"), "{message}");
    assert!(message.contains("`self.coins` before `self.pieces` in it::refunds"), "{message}");

    // With nothing remembered one of the tests has no finding, and then the other one has.
    std::fs::remove_file(remembered(&fixture)).expect("it can be removed");
    assert!(notes(&fixture.test(SELLS).expect(0)).is_empty());
    let later = fixture.test(REFUNDS).expect(0);
    let [note] = notes(&later)[..] else { panic!("{}", later.stderr) };
    assert_eq!((&note["level"], &note["witness"]["state"]), (&"note".into(), &"earlier".into()));

    // What stood elsewhere then is forgotten.
    std::fs::remove_file(remembered(&fixture)).expect("it can be removed");
    assert!(notes(&fixture.test(SELLS).expect(0)).is_empty());
    fixture.edit("src/lib.rs", "pub trait Counter", "\npub trait Counter");
    assert!(notes(&fixture.test(REFUNDS).expect(0)).is_empty());

    for (text, why) in
        [("{", "EOF"), (r#"{"schema":"rvcheck.orders/0","files":{},"orders":[]}"#, "another version")]
    {
        std::fs::write(remembered(&fixture), text).expect("it can be written");
        let run = fixture.test(SELLS).expect(0);
        assert!(run.stderr.contains("it was set aside") && run.stderr.contains(why), "{}", run.stderr);
    }
}
