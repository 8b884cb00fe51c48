//! Every property of the library: it is complete, and it fires where it should and nowhere else.

mod cases;
mod support;

use std::collections::BTreeSet;

use cases::CASES;
use rvcheck_event::kind::EventKind;
use rvcheck_spec::{Property, UnitEnd, Verdict};
use rvcheck_specs::LIBRARY;
use support::{check, kinds, of_file, offences, property, sources};

#[test]
fn properties_fire_where_they_should_and_nowhere_else() {
    for (id, name, wanted, script) in CASES {
        let (states, verdicts) = check(&property(id), UnitEnd::Complete, *script);
        let wanted: Vec<String> = wanted.iter().map(|state| (*state).to_owned()).collect();
        assert_eq!(states, wanted, "{id}: {name}");
        let unit = &verdicts.properties[0].units[1];
        if wanted.is_empty() {
            assert!(unit.verdict > Verdict::Inconclusive, "{id}: {name}: {unit:?}");
        } else {
            assert_eq!(unit.verdict, Verdict::Violated, "{id}: {name}");
        }
    }
}

#[test]
fn what_is_missing_at_the_end_of_a_test_that_was_cut_says_nothing() {
    let mut at_end = 0;
    for (id, name, _, script) in CASES {
        let (_, complete) = check(&property(id), UnitEnd::Complete, *script);
        if !complete.violations.is_empty() && complete.violations.iter().all(|it| it.at_end) {
            let (wrong, verdicts) = check(&property(id), UnitEnd::Cut, *script);
            assert_eq!(wrong, Vec::<String>::new(), "{id}: {name}");
            assert_eq!(verdicts.properties[0].units[1].verdict, Verdict::Inconclusive, "{id}: {name}");
            at_end += 1;
        }
    }
    assert!(at_end > 5, "{at_end}");
}

#[test]
fn every_state_that_violates_has_a_firing_case_and_every_property_a_silent_one() {
    for entry in LIBRARY {
        let property = property(entry.id);
        let cases: Vec<_> = CASES.iter().filter(|(id, ..)| *id == entry.id).collect();
        let fired: BTreeSet<_> = cases.iter().filter_map(|(_, _, state, _)| *state).collect();
        assert_eq!(fired, offences(&property).into_iter().collect(), "{}", entry.id);
        let silent = cases.iter().any(|(_, _, state, _)| state.is_none());
        assert!(silent || matches!(property, Property::BuiltIn(_)), "{}", entry.id);
    }
}

#[test]
fn a_violation_shows_what_led_to_it() {
    let (_, script) = CASES
        .iter()
        .find(|it| it.1.contains("detached task returns an error"))
        .map(|it| (it.1, it.3))
        .unwrap();
    let (_, verdicts) = check(&property("lost-error"), UnitEnd::Complete, script);
    let witness = &verdicts.violations[0].witness;
    assert_eq!(kinds(witness.iter()), [EventKind::Spawn, EventKind::Detach, EventKind::Finish]);
    assert!(witness.iter().next().is_some_and(|event| event.site.is_some()));
}

#[test]
fn every_property_is_complete() {
    let mut files = BTreeSet::new();
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/lib")).expect("the library is there")
    {
        files.insert(file.expect("an entry").file_name().into_string().expect("a plain name"));
    }
    for entry in LIBRARY {
        let sources = sources(entry.toml);
        assert_eq!(sources.len(), 1, "{}", entry.id);
        assert_eq!(sources[0].id, entry.id);
        let property = of_file(entry.toml);
        let seen_in_runs = !entry.docs.contains("**Seen in:** the source.\n");
        assert_eq!(!property.presentation().primary.is_empty(), seen_in_runs, "{}", entry.id);
        assert!(property.presentation().next.is_some(), "{}", entry.id);
        assert_eq!(property.is_decided_at_end(), None, "{}: it would have all events kept", entry.id);
        assert!(entry.docs.starts_with(&format!("# {}\n", entry.id)), "{}", entry.id);
        for heading in ["What it does", "Why is this bad", "Example", "Use instead", "When to suppress"] {
            assert!(entry.docs.contains(&format!("\n## {heading}\n")), "{}: {heading}", entry.id);
        }
        let allow = format!("// rvcheck: allow({}, reason = \"", entry.id);
        assert!(entry.docs.contains(&allow), "{}", entry.id);
        for extension in ["toml", "md"] {
            assert!(files.remove(&format!("{}.{extension}", entry.id)), "{}.{extension}", entry.id);
        }
    }
    // Models are no properties of every program.
    assert!(files.remove("models"));
    assert_eq!(files, BTreeSet::new(), "files that no line of the library names");
    assert!(LIBRARY.is_sorted_by_key(|entry| entry.id));
}
