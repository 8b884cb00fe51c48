//! Applications upon frameworks: a web service with middleware, a store straight on HTTP, a command on all cores.
//! They behave as they do plainly, the tasks that frameworks spawn for them are known, and nothing is falsely
//! reported.

use std::process::Command;

use rvcheck_tests::{Fixture, Run};

/// How many instances of a property were exercised in this test.
fn exercised(run: &Run, property: &str, test: &str) -> u64 {
    let properties = run.report()["properties"].as_array().expect("properties are a list");
    let property = properties.iter().find(|it| it["id"] == property).expect("the library has it");
    let units = property["units"].as_array().expect("units are a list");
    let unit = units.iter().find(|it| it["test"] == test);
    unit.and_then(|it| it["exercised"].as_u64()).unwrap_or(0)
}

/// One test, since frameworks take long to compile.
#[test]
fn applications_behave_as_they_do_plainly_and_nothing_is_falsely_reported() {
    let fixture = Fixture::tree("apps");
    frameworks_and_their_tasks_are_instrumented(&fixture);
    a_command_prints_the_same(&fixture);
}

fn frameworks_and_their_tasks_are_instrumented(fixture: &Fixture) {
    let run = fixture.test(&["--fail-on", "note"]).expect(0);
    assert_eq!(run.findings(), [""; 0], "{}", run.stderr);
    let facts = &run.report()["run"];
    assert_eq!(facts["tests"]["passed"], 4);
    assert_eq!(facts["inconclusive"], false, "{}", facts["notes"]);
    assert_eq!(facts["sites"]["unmonitored"], 0, "{}", run.stderr);
    // Each binding is a task that was spawned: by the tests, by the handlers, and by the framework for each
    // connection and for the buffer.
    let web = 7 + 7 + 1;
    assert!(exercised(&run, "lost-error", "web::it::hits_are_counted") >= web);
    // The actor, the server, three writers; five connections, each with a client and a server side.
    let store = 5 + 2 * 5;
    assert!(exercised(&run, "lost-error", "store::it::texts_are_kept") >= store);
    // Two threads of its own through a library, and the pool's.
    assert!(exercised(&run, "lost-error", "crunch::it::words_are_counted") > 2);
}

fn a_command_prints_the_same(fixture: &Fixture) {
    let texts = ["crunch/tests/one.txt", "crunch/tests/two.txt"];
    let plain = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--bin", "crunch", "--"])
        .args(texts)
        .current_dir(fixture.path())
        .env("CARGO_TARGET_DIR", fixture.target().join("plain-apps"))
        .output()
        .expect("cargo runs");
    let expected = String::from_utf8_lossy(&plain.stdout);
    assert!(expected.starts_with("     5 the\n"), "{expected}{}", String::from_utf8_lossy(&plain.stderr));
    let instrumented = fixture.run(&[&["run", "--bin", "crunch", "--"], &texts[..]].concat()).expect(0);
    assert_eq!(instrumented.stdout, expected);
    assert!(instrumented.stderr.contains("held           lost-error"), "{}", instrumented.stderr);
}
