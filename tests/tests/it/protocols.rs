//! The protocols of `specs/protocols`: each fires in the test that is called after it, and in no other.

use std::collections::{BTreeMap, BTreeSet};

use rvcheck_tests::guide::blocks;
use rvcheck_tests::{Fixture, repository};

/// The property files by their names.
fn protocols() -> BTreeMap<String, String> {
    let folder = repository().join("specs/protocols").read_dir().expect("the folder is there");
    let file = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().expect("a plain name");
        (name, std::fs::read_to_string(entry.path()).expect("it is a text"))
    };
    folder.map(|it| file(it.expect("an entry"))).collect()
}

#[test]
fn the_page_shows_each_file() {
    let shown: BTreeSet<String> =
        blocks("protocols.md").into_iter().filter(|it| it.kind == "toml").map(|it| it.text).collect();
    assert_eq!(shown, protocols().into_values().collect());
}

#[test]
fn each_protocol_fires_in_its_own_test_and_nowhere_else() {
    let fixture = Fixture::tree("protocols");
    std::fs::create_dir(fixture.path().join("specs")).expect("the folder can be made");
    for (name, text) in protocols() {
        std::fs::write(fixture.path().join("specs").join(name), text).expect("the file can be written");
    }
    let run = fixture.test(&["--lib"]).expect(10);
    let report = run.report();
    assert_eq!(report["run"]["tests"]["failed"], 0, "{}", run.human());
    assert_eq!(report["unmonitored"].as_array().map(Vec::len), Some(0), "{}", run.human());
    let mut violated = BTreeSet::new();
    for property in report["properties"].as_array().expect("they are a list") {
        let id = property["id"].as_str().expect("it is a text");
        for unit in
            property["units"].as_array().into_iter().flatten().filter(|it| it["verdict"] == "violated")
        {
            let test = unit["test"].as_str().expect("it is a test");
            assert!(test.ends_with(&format!("_{}_violated", id.replace('-', "_"))), "{test} violates {id}");
            violated.insert(id);
        }
    }
    let all = ["one-reply", "open-while-used", "ready-first", "started-once", "transaction-ends"];
    assert_eq!(violated.into_iter().collect::<Vec<_>>(), all, "{}", run.human());
    // In the others each was exercised, and held.
    for id in all {
        let found = report["properties"].as_array().into_iter().flatten().find(|it| it["id"] == id);
        let units = found.and_then(|it| it["units"].as_array()).into_iter().flatten();
        assert!(units.into_iter().any(|it| it["verdict"] == "held"), "{id}");
    }
}
