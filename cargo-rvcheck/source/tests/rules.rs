//! Each rule finds what the fixtures of its property say, at the lines that they say, and nothing else.
//!
//! A fixture is a source under `tests/rules/<property>/`. `//~ property` at the end of a line says that a finding of that property has
//! its primary place in this line; `//~ property note` says its level, too. Everything else has to be silent. `//~ also property` says
//! that such a finding has a related place in this line. It is compiled against a facade of each crate: the paths and signatures, without
//! bodies.

mod changes;
mod fixture;

use fixture::{expected, facades, fixtures, program};
use rayon::prelude::*;
use rvcheck_primitives::libraries;
use rvcheck_source::program::Program;
use rvcheck_source::rules::{Certainty, CodeRef, Found, RULES, check};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The line of a place.
fn line_of(program: &Program, mark: &CodeRef) -> Option<u32> {
    match mark {
        CodeRef::Site(number) => program.site(*number).map(|it| it.start.line),
        CodeRef::Position { position, .. } => Some(position.line),
        CodeRef::Item(_) => None,
    }
}

const fn level(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Unseen => "unseen",
        Certainty::Doubt => "note",
        Certainty::Usually => "warning",
        Certainty::Definite => "error",
    }
}

/// The related places that a fixture expects: line and property.
fn related(text: &str) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some((_, said)) = line.split_once("//~ ") else { continue };
        found.extend(said.split(", ").filter_map(|it| Some((number, it.strip_prefix("also ")?.to_owned()))));
    }
    found
}

/// What is missing and what is too much in a fixture; empty if nothing is.
fn difference(path: &Path, facades: &Path) -> String {
    let text = fs::read_to_string(path).expect("it is there");
    let program = program(path, facades);
    let hits = check(&program);
    let mut wanted = expected(&text);
    let mut difference = String::new();
    for Found { rule, hit } in &hits {
        let line = line_of(&program, &hit.primary.0).unwrap_or_default();
        let fits = |(number, property, said): &(u32, String, Option<String>)| {
            *number == line
                && property == rule.property
                && said.as_deref().is_none_or(|it| it == level(hit.certainty))
        };
        if let Some(at) = wanted.iter().position(fits) {
            wanted.remove(at);
        } else if hit.certainty > Certainty::Unseen {
            let _ = writeln!(
                difference,
                "  {}:{line}: too much: {} {}: {}\n    {:?}",
                path.display(),
                rule.id,
                level(hit.certainty),
                hit.message,
                hit.related
            );
        }
    }
    for (line, property) in related(&text) {
        let is_there = hits
            .iter()
            .filter(|it| it.rule.property == property)
            .any(|it| it.hit.related.iter().any(|(at, _)| line_of(&program, at) == Some(line)));
        if !is_there {
            let _ = writeln!(difference, "  {}:{line}: missing: also {property}", path.display());
        }
    }
    for (line, property, said) in wanted {
        let _ = writeln!(
            difference,
            "  {}:{line}: missing: {property} {}",
            path.display(),
            said.unwrap_or_default()
        );
    }
    difference
}

#[test]
fn each_fixture_has_the_findings_that_it_says() {
    let built = tempfile::tempdir().expect("there is room");
    facades(built.path());
    let fixtures = fixtures("rules");
    let differences: Vec<String> = fixtures.par_iter().map(|it| difference(it, built.path())).collect();
    let differences = differences.concat();
    assert!(differences.is_empty(), "\n{differences}");
}

#[test]
fn each_property_with_rules_has_a_fixture_in_which_it_fires() {
    let mut fired = BTreeSet::new();
    for path in fixtures("rules") {
        let text = fs::read_to_string(&path).expect("it is there");
        fired.extend(expected(&text).into_iter().map(|(_, property, _)| property));
    }
    for rule in RULES {
        assert!(
            fired.contains(rule.property) || std::env::var_os("RVCHECK_FIXTURE").is_some(),
            "{}",
            rule.property
        );
    }
}

/// How many libraries of the rows have what a property is about, where that is fewer than three.
const FEWER: [(&str, usize); 3] = [("affinity", 2), ("protocol", 2), ("semaphore", 2)];

#[test]
fn each_property_with_rules_has_fixtures_over_three_libraries() {
    if std::env::var_os("RVCHECK_FIXTURE").is_some() {
        return;
    }
    let mut used: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for path in fixtures("rules") {
        let text = fs::read_to_string(&path).expect("it is there");
        let property = path.parent().and_then(Path::file_name).expect("it is in a folder");
        let of = used.entry(property.to_string_lossy().into_owned()).or_default();
        of.extend(libraries().iter().map(|it| it.name).filter(|it| {
            // `futures` hands its parts on.
            text.contains(&format!("{it}::")) || *it == "futures_util" && text.contains("futures::")
        }));
    }
    for rule in RULES {
        let fewer = FEWER.iter().find(|(property, _)| *property == rule.property);
        let wanted = fewer.map_or(3, |(_, wanted)| *wanted);
        let names = &used[rule.property];
        assert!(names.len() >= wanted, "{}: {names:?}", rule.property);
    }
}
