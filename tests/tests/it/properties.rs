//! Each property fires where it should, and nowhere else: the tree `properties` says on its lines what is expected.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rvcheck_tests::guide::assert_sample;
use rvcheck_tests::{Fixture, Run};

/// A line of the tree and a property.
type Place = (String, u64, String);

/// What the markers of a tree expect: the levels that are right at each place; `none` for no finding.
fn expected(tree: &Path) -> BTreeMap<Place, BTreeSet<String>> {
    let mut markers = BTreeMap::new();
    for entry in std::fs::read_dir(tree.join("src")).expect("the tree has sources") {
        let path = entry.expect("the entry can be read").path();
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("the source can be read");
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.starts_with("//!")) {
            let Some((_, marker)) = text.split_once("//~ ") else { continue };
            for finding in marker.split("; ") {
                let (levels, property) = finding.split_once(' ').expect("a marker is `level property`");
                let levels = levels.split('|').map(str::to_owned).collect();
                let place = (format!("src/{name}"), line, property.to_owned());
                assert!(markers.insert(place, levels).is_none(), "{name}:{line} is marked twice");
            }
        }
    }
    markers
}

/// Properties of hangs and of explored tests, which have trees of their own, and those that only the source shows.
const ELSEWHERE: [&str; 8] = [
    "cancel_unsafe",
    "channel_deadlock",
    "futurelock",
    "lost_wakeup",
    "order_dependence",
    "partial_deadlock",
    "protocol",
    "stall",
];

/// What was found, but what only the source shows at places without a marker: the lints have fixtures of their own.
fn found(run: &Run, expected: &BTreeMap<Place, BTreeSet<String>>) -> BTreeMap<Place, String> {
    let text = |it: &serde_json::Value| it.as_str().expect("the field is a text").to_owned();
    let findings = run.report()["findings"].as_array().expect("findings are a list");
    findings
        .iter()
        .filter_map(|it| {
            let (file, line) = (text(&it["primary"]["file"]), it["primary"]["line"].as_u64());
            let place = (file, line.expect("a line is a number"), text(&it["property"]));
            let counts = it["proof"] != "static" || expected.contains_key(&place);
            counts.then(|| (place, text(&it["level"])))
        })
        .collect()
}

/// Compares both, and reports all differences at once.
#[track_caller]
fn check(tree: &Path, run: &Run) {
    let expected = expected(tree);
    let found = found(run, &expected);
    assert!(!expected.is_empty(), "the tree has markers");
    let mut wrong = Vec::new();
    for place in expected.keys().chain(found.keys()).collect::<BTreeSet<_>>() {
        let level = found.get(place).map_or("none", String::as_str);
        if !expected.get(place).map_or(level == "none", |levels| levels.contains(level)) {
            let (file, line, property) = place;
            wrong
                .push(format!("{file}:{line} {property}: {:?} expected, found {level}", expected.get(place)));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), run.stderr);
}

#[test]
fn every_property_fires_where_it_is_marked_and_nowhere_else() {
    let tree = Fixture::tree("properties");
    // One after another, so that what measures time has a core for itself.
    let run = tree.test(&["--", "--test-threads=1"]).expect(10);
    check(tree.path(), &run);
    for id in ["affinity", "cancel-unresponsive", "lock-order", "panic-as-result", "task-leak"] {
        assert_sample(run.human(), id);
    }
}

#[test]
fn every_property_of_the_library_has_both_kinds_of_case() {
    let tests = include_str!("../../trees/properties/tests/it.rs");
    let listed =
        Fixture::tree("properties").run(&["list", "properties", "--message-format", "json"]).expect(0);
    let mut properties = 0;
    for line in listed.stdout.lines() {
        let property: serde_json::Value = serde_json::from_str(line).expect("each line is JSON");
        let id = property["id"].as_str().expect("a property has an id").replace('-', "_");
        if ELSEWHERE.contains(&id.as_str()) {
            continue;
        }
        for kind in ["fires", "stays_silent"] {
            assert!(tests.contains(&format!("fn {id}_{kind}_")), "there is no test `{id}_{kind}_…`");
        }
        properties += 1;
    }
    assert!(properties >= 6, "{}", listed.stdout);
}
