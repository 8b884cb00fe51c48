//! Functions of the program are events: their arguments, results and callees, in tasks of named groups, and grammars stop what is not allowed.

use std::collections::BTreeSet;

use rvcheck_tests::Fixture;

const PROPERTIES: [&str; 8] =
    ["small-entries", "open", "settled", "short-notes", "counted", "printing", "news-rise", "taken-later"];

#[test]
fn observed_functions_are_judged_in_each_test_and_a_grammar_stops_them() {
    let fixture = Fixture::tree("observed").with_monitors();
    let run = fixture.test(&[]).expect(10);
    let report = run.report();
    // Each test passes: in those of the presses nothing was printed that may not be.
    assert_eq!(report["run"]["tests"]["failed"], 0, "{}", run.human());
    let mut violated = BTreeSet::new();
    for id in PROPERTIES {
        let properties = report["properties"].as_array().expect("they are a list");
        let property = properties.iter().find(|it| it["id"] == id).unwrap_or_else(|| panic!("{id} is there"));
        let units = property["units"].as_array().expect("they are a list");
        for unit in units.iter().filter(|it| it["verdict"] == "violated") {
            let test = unit["test"].as_str().expect("it is a test");
            assert!(test.contains(&id.replace('-', "_")), "{test} violates {id}");
            violated.insert(id);
        }
        let exercised = units.iter().any(|it| it["verdict"] != "not-exercised");
        assert!(exercised, "{id}: {units:?}");
    }
    assert_eq!(
        violated.into_iter().collect::<Vec<_>>(),
        ["news-rise", "open", "printing", "settled", "short-notes", "small-entries"]
    );
    let properties = report["properties"].as_array().expect("they are a list");
    let named = |id: &str| properties.iter().find(|it| it["id"] == id).expect("it is there");
    // Whether it was doubled first, nobody knows.
    let doubted = named("doubled-first");
    assert_eq!(doubted["verdict"], "inconclusive", "{doubted}");
    let findings = report["findings"].as_array().expect("they are a list");
    let found: Vec<_> = findings.iter().filter(|it| it["property"] == "doubled-first").collect();
    assert!(!found.is_empty() && found.iter().all(|it| it["level"] == "note"), "{found:?}");
    let notes = report["run"]["notes"].to_string();
    assert!(notes.contains("`doubled-first` is not decided: `observed::ledger::doubled` is"), "{notes}");
    let unmonitored = report["unmonitored"].as_array().expect("they are a list");
    let reasons: Vec<&str> = unmonitored.iter().filter_map(|it| it["reason"].as_str()).collect();
    assert!(
        matches!(*reasons, [reason] if reason.contains("`observed::ledger::doubled` is not observed")),
        "{reasons:?}"
    );

    let sites = fixture.run(&["list", "sites"]).expect(0);
    for line in ["observed  settle", "observed  doubled", "in Ledger::close", "a `const fn`", "in bus"] {
        assert!(sites.stdout.contains(line), "{line} in {}", sites.stdout);
    }
    let diff = fixture.run(&["instrument", "--diff"]).expect(0);
    assert!(diff.stdout.contains("Observing::new(\"closes\")"), "{}", diff.stdout);
}

#[test]
fn a_pattern_that_names_no_function_is_an_error_with_a_guess() {
    let fixture = Fixture::tree("observed");
    let cases = [
        (
            "fn = \"Book::note\"",
            "fn = \"Book::notes\"",
            "no function or enum variant of the workspace is called `Book::notes`",
            "did you mean `Book::note`?",
        ),
        (
            "fn = \"Book::note\"",
            "fn = \"tokio::task::spawn\"",
            "is called `tokio::task::spawn`",
            "rvcheck is built upon `tokio`",
        ),
        (
            "spawn = \"press::start\"",
            "spawn = \"press::starts\"",
            "is called `press::starts`",
            "did you mean `press::start`?",
        ),
        (
            "begins(_)",
            "begins()",
            "`observed::press::DeskHandle::begins` has no parameter here",
            "it has 1 in the program",
        ),
        ("side = \"send\"", "side = \"sent\"", "unknown side `sent`", "did you mean `send`?"),
        (
            "fn = \"doubled\"",
            "fn = \"doub-led\"",
            "`doub-led` is no name of a path",
            "`*` is any one segment",
        ),
        ("refusal = ", "refused = ", "unknown key `refused`", "did you mean `refusal`?"),
    ];
    for (from, to, message, help) in cases {
        fixture.edit("specs/own.toml", from, to);
        let run = fixture.run(&["list", "sites"]).expect(2);
        for part in [message, help, "specs/own.toml:", "^"] {
            assert!(run.stderr.contains(part), "{part} in {}", run.stderr);
        }
        fixture.edit("specs/own.toml", to, from);
    }
}

#[test]
fn functions_of_a_dependency_are_events_where_the_program_calls_them() {
    let fixture = Fixture::tree("foreign");
    let run = fixture.test(&[]).expect(10);
    let report = run.report();
    let properties = report["properties"].as_array().expect("they are a list");
    let named = |id: &str| properties.iter().find(|it| it["id"] == id).expect("it is there");
    assert_eq!(named("kept-twice")["verdict"], "violated");
    assert_eq!(named("stored-first")["verdict"], "held");
    // What a crate does with its own functions is no call of them from outside.
    assert_eq!(named("only-inside")["verdict"], "not-exercised");
    let findings = report["findings"].as_array().expect("they are a list");
    let places: Vec<_> = findings.iter().map(|it| (&it["property"], &it["primary"]["file"])).collect();
    assert!(matches!(*places, [(id, file)] if id == "kept-twice" && file == "src/lib.rs"), "{places:?}");

    fixture.edit("specs/own.toml", "slab::Slab::remove", "slab::Slab::removes");
    let run = fixture.run(&["list", "sites"]).expect(2);
    for part in
        ["is called `slab::Slab::removes`", "did you mean `slab::Slab::remove`?", "specs/own.toml:", "^"]
    {
        assert!(run.stderr.contains(part), "{part} in {}", run.stderr);
    }
}

#[test]
fn messages_over_channels_are_events_by_the_variants_of_their_enums() {
    let fixture = Fixture::tree("mailbox");
    let run = fixture.test(&[]).expect(10);
    let report = run.report();
    assert_eq!(report["run"]["tests"]["failed"], 0, "{}", run.human());
    let properties = report["properties"].as_array().expect("they are a list");
    let violated = |id: &str| {
        let property = properties.iter().find(|it| it["id"] == id).expect("it is there");
        let units = property["units"].as_array().expect("they are a list");
        let violated = units.iter().filter(|it| it["verdict"] == "violated");
        violated.map(|it| it["test"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(violated("within-budget"), ["mailbox::tests::within_budget_violated"]);
    assert_eq!(violated("small-payments"), ["mailbox::tests::small_payments_violated"]);
    // A message may be in a `Box`, an `Arc` or an `Option`. What was tried in vain was not sent.
    assert_eq!(violated("tried-once"), ["mailbox::tests::tried_once_violated"]);
    // A message can be two events.
    let tried = properties.iter().find(|it| it["id"] == "tries-are-tried").expect("it is there");
    assert_eq!(tried["verdict"], "held");
}
