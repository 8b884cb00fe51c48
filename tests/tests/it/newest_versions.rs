//! The newest locks and channels, beside older ones in the same program, are monitored like those before.

use rvcheck_tests::{Fixture, Run};

/// How many instances of a property were exercised.
fn exercised(run: &Run, property: &str) -> u64 {
    let properties = run.report()["properties"].as_array().expect("properties are a list");
    let property = properties.iter().find(|it| it["id"] == property).expect("the library has it");
    let units = property["units"].as_array().expect("units are a list");
    units.iter().filter_map(|it| it["exercised"].as_u64()).sum()
}

#[test]
fn all_sites_are_monitored_and_only_one_inversion_is_reported() {
    let run = Fixture::tree("newest").test(&["--confirm-budget", "0", "--fail-on", "note"]).expect(10);
    let facts = &run.report()["run"];
    assert_eq!((&facts["tests"]["passed"], &facts["tests"]["failed"]), (&7.into(), &0.into()));
    assert_eq!(facts["sites"]["unmonitored"], 0, "{}", run.stderr);
    assert_eq!(run.report()["unmonitored"].as_array().map(Vec::len), Some(0), "{}", run.stderr);

    let findings = run.report()["findings"].as_array().expect("findings are a list");
    let [finding] = &findings[..] else { panic!("{}", run.stderr) };
    assert_eq!((&finding["property"], &finding["proof"]), (&"lock-order".into(), &"witnessed".into()));
    assert_eq!(finding["level"], "warning", "the source warns of it, and nobody has tried to make it happen");
    assert_eq!(finding["test"], "it::one_changes_and_another_one_pays");
    let message = finding["message"].as_str().expect("a text");
    assert!(message.contains("`self.coins`") && message.contains("`self.notes`"), "{message}");

    // The condition variable, the channels, and the locks of each kind, of the newest and of the older lock_api.
    assert!(exercised(&run, "lost-wakeup") > 0, "{}", run.stderr);
    assert!(exercised(&run, "channel-deadlock") > 0, "{}", run.stderr);
    assert!(exercised(&run, "guard-across-await") >= 14, "{}", run.stderr);
}
