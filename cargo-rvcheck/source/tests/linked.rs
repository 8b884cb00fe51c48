//! What only several crates together show is found where they are linked, and what they do right together is not.
//!
//! A folder under `tests/linked/` has a `library.rs` and a `program.rs` that uses it. `//~ property level` at the end of a line of either
//! says that this is found there where both are one program, and not in one of them alone.

#[allow(dead_code, reason = "rules expect findings of one crate")]
mod fixture;

use fixture::{Unit, expected, facades, unit};
use rvcheck_source::conditions::Conditions;
use rvcheck_source::program::{Program, Source, Unit as Linked};
use rvcheck_source::rules::{Certainty, CodeRef, Found, check};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates of a case, each after those that it uses.
const CRATES: [&str; 2] = ["library", "program"];

/// What is found above a note: file, line, property and level.
fn found(program: &Program) -> BTreeSet<(String, u32, String, String)> {
    let of = |Found { rule, hit }: Found| {
        let (file, line) = match &hit.primary.0 {
            CodeRef::Site(number) => program.site(*number).map(|it| (it.file.clone(), it.start.line))?,
            CodeRef::Position { file, position } => (file.clone(), position.line),
            CodeRef::Item(path) => (path.clone(), 0),
        };
        let level = match hit.certainty {
            Certainty::Doubt | Certainty::Unseen => return None,
            Certainty::Usually => "warning",
            Certainty::Definite => "error",
        };
        Some((file, line, rule.property.to_owned(), level.to_owned()))
    };
    check(program).into_iter().filter_map(of).collect()
}

fn alone(unit: &Unit) -> Program {
    let source = Source { file: &unit.file, text: &unit.marked, edition: unit.edition };
    Program::new(
        rvcheck_source::mir::read(&unit.mir),
        &[source],
        &Conditions::of([], false),
        unit.sites.clone(),
    )
}

fn linked(units: &[Unit]) -> Result<Program, String> {
    let conditions = Conditions::of([], false);
    let sources: Vec<[Source<'_>; 1]> =
        units.iter().map(|it| [Source { file: &it.file, text: &it.marked, edition: it.edition }]).collect();
    let units_of = units.iter().zip(&sources).zip(CRATES);
    let all: Vec<Linked<'_>> = units_of
        .map(|((unit, sources), name)| Linked { name, mir: &unit.mir, sources, conditions: &conditions })
        .collect();
    Program::linked(&all, units.iter().flat_map(|it| it.sites.clone()).collect())
}

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/linked");
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).expect("there are cases").flatten().map(|it| it.path()).collect();
    found.sort();
    found
}

#[test]
fn what_only_crates_together_show_is_found_where_they_are_linked() {
    let built = tempfile::tempdir().expect("there is room");
    facades(built.path());
    let mut differences = String::new();
    for case in cases() {
        let work = tempfile::tempdir().expect("there is room");
        let mut wanted = BTreeSet::new();
        let mut units = Vec::new();
        for (at, name) in CRATES.iter().enumerate() {
            let text = fs::read_to_string(case.join(name).with_extension("rs")).expect("it is there");
            let of_file = expected(&text).into_iter().map(|(line, property, level)| {
                (format!("{name}.rs"), line, property, level.unwrap_or_default())
            });
            wanted.extend(of_file);
            let unit = unit(name, &text, built.path(), work.path(), &CRATES[..=at]);
            units.push(unit.unwrap_or_else(|it| panic!("{}: {it}", case.display())));
        }
        let known: BTreeSet<_> = units.iter().flat_map(|it| found(&alone(it))).collect();
        let together = linked(&units).unwrap_or_else(|it| panic!("{}: {it}", case.display()));
        let together = found(&together);
        let new: BTreeSet<_> = together.difference(&known).cloned().collect();
        if new != wanted {
            let _ = writeln!(differences, "{}: {new:?}, and not {wanted:?}", case.display());
        }
    }
    assert!(differences.is_empty(), "\n{differences}");
}
