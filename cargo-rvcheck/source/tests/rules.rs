//! Each rule finds what the fixtures of its property say, at the lines that they say, and nothing else.
//!
//! A fixture is a source under `tests/rules/<property>/`. `//~ property` at the end of a line says that a finding of that property has
//! its primary place in this line; `//~ property note` says its level, too, and `//~ property note "words"` a part of its message. Everything
//! else has to be silent. `//~ also property` says
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
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// What is found, and the lines of its places.
pub(crate) struct Located {
    found: Found,
    line: Option<u32>,
    related: Vec<u32>,
}

/// What all rules find in a program.
fn located(program: &Program) -> Vec<Located> {
    let line_of = |mark: &CodeRef| match mark {
        CodeRef::Site(number) => program.site(*number).map(|it| it.start.line),
        CodeRef::Position { position, .. } => Some(position.line),
        CodeRef::Item(_) => None,
    };
    let locate = |found: Found| {
        let line = line_of(&found.hit.primary.0);
        let related = found.hit.related.iter().filter_map(|(at, _)| line_of(at)).collect();
        Located { found, line, related }
    };
    check(program).into_iter().map(locate).collect()
}

/// A fixture as it stands.
pub(crate) struct Checked {
    path: PathBuf,
    text: String,
    found: Vec<Located>,
}

/// The fixtures as they stand, compiled and looked at once for all tests.
static CHECKED: LazyLock<Vec<Checked>> = LazyLock::new(|| {
    let built = tempfile::tempdir().expect("there is room");
    facades(built.path());
    let checked = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("it is there");
        let found = located(&program(&path, built.path()));
        Checked { path, text, found }
    };
    fixtures("rules").into_par_iter().map(checked).collect()
});

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

/// The parts of messages that a fixture expects, by their lines.
fn said(text: &str) -> impl Iterator<Item = (u32, &str)> {
    (1..).zip(text.lines()).filter_map(|(number, line)| {
        let (_, after) = line.split_once("//~ ")?;
        Some((number, after.split('"').nth(1)?))
    })
}

/// What is missing and what is too much in a fixture; empty if nothing is.
fn difference(Checked { path, text, found }: &Checked) -> String {
    let mut wanted = expected(text);
    let mut difference = String::new();
    for Located { found: Found { rule, hit }, line, .. } in found {
        let line = line.unwrap_or_default();
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
    for (line, words) in said(text) {
        let says = |it: &Located| it.line == Some(line) && it.found.hit.message.contains(words);
        if !found.iter().any(says) {
            let messages: Vec<&str> = found
                .iter()
                .filter(|it| it.line == Some(line))
                .map(|it| it.found.hit.message.as_str())
                .collect();
            let _ =
                writeln!(difference, "  {}:{line}: does not say \"{words}\": {messages:?}", path.display());
        }
    }
    for (line, property) in related(text) {
        let is_there =
            found.iter().any(|it| it.found.rule.property == property && it.related.contains(&line));
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
    let differences: String = CHECKED.iter().map(difference).collect();
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
