//! Facts of fixtures are what the fixtures say, before any rule asks for them.
//!
//! A fixture is a source under `tests/facts/<fact>/`. `//~ disposition(own) = lost` at the end of a line says what becomes of an error that is
//! taken in this line: `own` is what was returned, `panic` that of a task or thread. Several are divided by `;`. `//~ iterations = deaf` says what
//! the iterations of a loop do that let time pass there. `//~ keeps = channel u32, signal` says what somebody keeps who waits there,
//! and `//~ hidden = nothing` what is kept where no body has it.

#[allow(dead_code, reason = "rules expect findings, facts do not")]
mod fixture;

use fixture::{facades, fixtures, program};
use rvcheck_source::facts::Facts;
use rvcheck_source::facts::disposition::{Becomes, Whose, takings};
use rvcheck_source::facts::keeping::{Class, Waiting, hidden, waitings};
use rvcheck_source::facts::loops::{Hears, rests};
use rvcheck_source::program::Program;
use rvcheck_source::rules::CodeRef;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The line of a place.
fn line_of(program: &Program, at: &CodeRef) -> Option<u32> {
    match at {
        CodeRef::Site(number) => program.site(*number).map(|it| it.start.line),
        CodeRef::Position { position, .. } => Some(position.line),
        CodeRef::Item(_) => None,
    }
}

const fn part(whose: Whose) -> &'static str {
    match whose {
        Whose::Own => "own",
        Whose::Panic => "panic",
    }
}

const fn disposition(becomes: Becomes) -> &'static str {
    match becomes {
        Becomes::Lost => "lost",
        Becomes::Replaced => "replaced",
        Becomes::Checked => "checked",
        Becomes::Aborted => "aborted",
        Becomes::Read => "read",
    }
}

const fn hears(iterations: Hears) -> &'static str {
    match iterations {
        Hears::Counts => "counts",
        Hears::Looks => "looks",
        Hears::Deaf => "deaf",
    }
}

/// Where what is found of loops is not what a file of such facts says.
fn difference_of_loops(path: &Path, text: &str, found: &[(Option<u32>, Hears)]) -> String {
    let mut difference = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        let wanted = line.split_once("//~ iterations = ").map(|(_, it)| it.trim());
        let seen = found.iter().find(|(line, _)| *line == Some(number)).map(|(_, it)| hears(*it));
        if seen != wanted {
            let _ = writeln!(difference, "  {}:{number}: {wanted:?}, but found {seen:?}", path.display());
        }
    }
    difference
}

/// Where what is found of what is kept is not what a file of such facts says.
fn difference_of_keeping(path: &Path, text: &str, found: &[(Option<u32>, String)]) -> String {
    let mut difference = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some((_, wanted)) = line.split_once("//~ keeps = ") else { continue };
        let seen = found.iter().find(|(line, _)| *line == Some(number)).map(|(_, it)| it.as_str());
        if seen != Some(wanted.trim()) {
            let _ = writeln!(difference, "  {}:{number}: {wanted:?}, but found {seen:?}", path.display());
        }
    }
    difference
}

/// What is kept, in words.
fn keeps(classes: Option<&BTreeSet<Class>>) -> String {
    match classes {
        None => "unknown".to_owned(),
        Some(it) if it.is_empty() => "nothing".to_owned(),
        Some(it) => it.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// What a line says: parts with their dispositions.
fn said(line: &str) -> BTreeSet<(String, String)> {
    let Some((_, said)) = line.split_once("//~ ") else { return BTreeSet::new() };
    let one = |it: &str| {
        let (part, disposition) = it.trim().strip_prefix("disposition(")?.split_once(") = ")?;
        Some((part.to_owned(), disposition.trim().to_owned()))
    };
    said.split(';').filter_map(one).collect()
}

fn difference(path: &Path, facades: &Path) -> String {
    let text = fs::read_to_string(path).expect("it is there");
    let program = program(path, facades);
    let facts = Facts::of(&program);
    if path.parent().is_some_and(|it| it.ends_with("loops")) {
        let found: Vec<_> =
            rests(&facts).iter().map(|it| (line_of(&program, &it.at), it.iterations)).collect();
        return difference_of_loops(path, &text, &found);
    }
    if path.parent().is_some_and(|it| it.ends_with("keeping")) {
        let of = |it: &Waiting| (line_of(&program, &it.at), keeps(it.keeps.as_ref()));
        let found: Vec<_> = waitings(&facts).iter().map(of).collect();
        let mut difference = difference_of_keeping(path, &text, &found);
        let wanted = text.lines().find_map(|it| it.strip_prefix("//~ hidden =").map(str::trim));
        let seen = keeps(hidden(&program).all().as_ref());
        if wanted.is_some_and(|it| it != seen) {
            let _ = writeln!(difference, "  {}: {wanted:?}, but found {seen:?}", path.display());
        }
        return difference;
    }
    let found = takings(&facts);
    let mut difference = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        let wanted = said(line);
        let parts: BTreeSet<&str> = wanted.iter().map(|(it, _)| it.as_str()).collect();
        let of_line = found.iter().filter(|it| line_of(&program, &it.at) == Some(number));
        let seen: BTreeSet<(String, String)> = of_line
            .filter(|it| parts.contains(part(it.part)))
            .map(|it| (part(it.part).to_owned(), disposition(it.becomes).to_owned()))
            .collect();
        if seen != wanted {
            let _ = writeln!(difference, "  {}:{number}: {wanted:?}, but found {seen:?}", path.display());
        }
    }
    difference
}

#[test]
fn each_fixture_has_the_facts_that_it_says() {
    let built = tempfile::tempdir().expect("there is room");
    facades(built.path());
    let differences: String = fixtures("facts").iter().map(|it| difference(it, built.path())).collect();
    assert!(differences.is_empty(), "\n{differences}");
}
