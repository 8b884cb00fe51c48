//! A check and an act that are not atomic fail by the interleaved order alone.

use rvcheck_tests::Fixture;
use serde_json::Value;

#[test]
fn a_check_that_is_out_of_date_is_made_to_happen_and_what_checks_again_is_silent() {
    let fixture = Fixture::tree("atomicity");
    let run = fixture.reporting("test", &[]).expect(0);
    let findings = run.report()["findings"].as_array().expect("a list");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let reported: Vec<_> = findings
        .iter()
        .map(|it| {
            (text(&it["level"]), text(&it["property"]), text(&it["test"]), it["primary"]["line"].clone())
        })
        .collect();
    let expected = (
        "warning".to_owned(),
        "order-dependence".to_owned(),
        "it::a_guest_has_one_locker".to_owned(),
        30.into(),
    );
    assert_eq!(reported, [expected]);
    let message = text(&findings[0]["message"]);
    assert!(
        message.starts_with("this acts on a check that may be out of date: when src/lib.rs:"),
        "{message}"
    );
    // The schedule makes it happen again.
    let command = text(&findings[0]["next"]["command"]);
    let words: Vec<&str> = command.split(' ').skip(2).collect();
    let again = fixture.reporting(words[0], &words[1..]).expect(6);
    assert_eq!(again.report()["findings"].as_array().map(Vec::len), Some(1));
    // What was found is found again, and what was silent is not tried again.
    let run = fixture.reporting("test", &[]).expect(0);
    assert_eq!(run.report()["findings"].as_array().map(Vec::len), Some(1));
    assert!(run.stderr.contains("Interleaving checks and acts of 1 test\n"), "{}", run.stderr);
    // Nobody asks for it.
    let run = fixture.reporting("test", &["--confirm-budget", "0"]).expect(0);
    assert_eq!(run.report()["findings"].as_array().map(Vec::len), Some(0));
}
