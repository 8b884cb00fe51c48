//! What is suggested for the fixtures of rules compiles, and mends what it is for without doing other harm.

#[expect(dead_code, reason = "the other tests use the rest")]
mod fixture;

use fixture::{compiled, edition_of, facades, fixtures, program};
use rayon::prelude::*;
use rvcheck_event::position::SourcePosition;
use rvcheck_source::fixes::{Remedies, Suggestion, suggestion};
use rvcheck_source::program::Program;
use rvcheck_source::rules::{CodeRef, Found, check};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where a reference is in the text of the fixture, if it is a site.
fn place(program: &Program, at: &CodeRef) -> Option<SourcePosition> {
    match at {
        CodeRef::Site(number) => program.site(*number).map(|it| it.start),
        _ => None,
    }
}

/// What was found, as `property line`.
fn lines(program: &Program, found: &[Found]) -> BTreeSet<(&'static str, u32)> {
    let line = |it: &Found| Some((it.rule.property, place(program, &it.hit.primary.0)?.line));
    found.iter().filter_map(line).collect()
}

/// A suggestion, and the property and line that it is for.
type Suggested = (Suggestion, &'static str, u32);

fn suggested(program: &Program, text: &str) -> (Vec<Suggested>, usize) {
    let found = check(program);
    let remedies = Remedies::of(program, &found);
    let of = |it: &Found| {
        let primary = place(program, &it.hit.primary.0)?;
        let related: Option<Vec<_>> = it.hit.related.iter().map(|(at, _)| place(program, at)).collect();
        let remedy = remedies.remedy(it)?;
        let suggestion = suggestion(remedy, text, edition_of(text), primary, &related?)?;
        Some((suggestion, it.rule.property, primary.line))
    };
    (found.iter().filter_map(of).collect(), lines(program, &found).len())
}

fn changed(text: &str, suggestion: &Suggestion) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for it in suggestion.replacements.iter().rev() {
        assert_eq!(it.start.line, it.end.line, "a replaced stretch lies in one line");
        let line = &mut lines[it.start.line as usize - 1];
        let offset = |column: u32| {
            let mut ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
            ends.nth(column as usize - 1).expect("it lies in the line")
        };
        let range = offset(it.start.column)..offset(it.end.column);
        line.replace_range(range, &it.text);
    }
    lines.join("\n")
}

#[test]
fn what_can_be_applied_without_looking_compiles_and_mends() {
    let built = tempfile::tempdir().expect("there is room");
    facades(built.path());
    let of_property = |path: &PathBuf| {
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
        let name = path.file_stem().unwrap_or_default();
        // Of errors there are many fixtures, and in few of them anything can be passed on.
        folder == "blocking-in-async" || folder == "guard-across-await" || name == "passed_on"
    };
    let paths = fixtures("rules").into_iter().filter(of_property).chain(fixtures("fixes"));
    let paths: Vec<PathBuf> = paths.collect();
    let tried: Vec<String> = paths
        .par_iter()
        .flat_map_iter(|path| {
            let text = fs::read_to_string(path).expect("it is there");
            let (all, before) = suggested(&program(path, built.path()), &text);
            let sure = all.into_iter().filter(|it| it.0.is_sure);
            sure.map(|(suggestion, property, line)| {
                let new = changed(&text, &suggestion);
                let what = format!("{}:{line}: {}", path.display(), suggestion.message);
                let program = compiled("changed", &new, built.path()).map(|it| it.program(|_| {}));
                let program = program.unwrap_or_else(|error| panic!("{what}: {error}\n{new}"));
                let left = lines(&program, &check(&program));
                assert!(left.len() < before, "{what}: {left:?}\n{new}");
                assert!(!left.contains(&(property, line)), "{what} is still found");
                what
            })
            .collect::<Vec<_>>()
        })
        .collect();
    for message in ["drop `", "use the timer of the runtime", "pass the error on"] {
        assert!(tried.iter().any(|it| it.contains(message)), "nothing is tried of {message}: {tried:#?}");
    }
}

/// What is said of each suggestion in a fixture, by line.
fn expected(text: &str) -> BTreeSet<(u32, bool)> {
    let said = |(line, text): (u32, &str)| {
        let (_, said) = text.split_once("//~ ")?;
        Some((line, said == "sure"))
    };
    (1..).zip(text.lines()).filter_map(said).collect()
}

#[test]
fn what_may_change_more_than_it_should_is_not_applied_without_looking() {
    let built = tempfile::tempdir().expect("there is room");
    facades(built.path());
    let paths = fixtures("fixes");
    assert!(paths.len() > 2, "{paths:?}");
    paths.par_iter().for_each(|path| {
        let text = fs::read_to_string(path).expect("it is there");
        let (all, _) = suggested(&program(path, built.path()), &text);
        let found: BTreeSet<(u32, bool)> = all.iter().map(|(it, _, line)| (*line, it.is_sure)).collect();
        assert_eq!(found, expected(&text), "{}", path.display());
    });
}
