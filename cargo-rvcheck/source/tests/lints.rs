//! Each lint finds what the fixtures of its property say, at the lines that they say, and nothing else.
//!
//! A fixture is a source under `tests/lints/<property>/`. `//~ property` at the end of a line says that a finding of that property has
//! its primary place in this line; `//~ property note` says its level, too. Everything else has to be silent. It is compiled against
//! a facade of each crate: the paths and signatures, without bodies.

use rvcheck_event::site::Site;
use rvcheck_source::edition::Edition;
use rvcheck_source::flow::{Program, Source};
use rvcheck_source::lints::{Certainty, Hit, Mark, check};
use rvcheck_source::marker::{Number, file_number};
use rvcheck_source::rewrite::{Options, rewrite};
use rvcheck_source::sites::sites_by_number;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates that there are facades of, each after those that it needs.
const FACADES: [&str; 6] = ["rvcheck_runtime", "lock_api", "parking_lot", "flume", "futures", "tokio"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lints")
}

fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// Compiles the facades into a folder.
fn facades(into: &Path) {
    for (at, name) in FACADES.iter().enumerate() {
        let mut command = rustc();
        command.args([
            "--edition",
            "2024",
            "--crate-type",
            "lib",
            "--emit=metadata,link",
            "--cap-lints=allow",
            "--crate-name",
            name,
        ]);
        command.arg(folder().join("facade").join(name).with_extension("rs"));
        command.arg("--out-dir").arg(into).arg("-L").arg(into);
        for needed in &FACADES[..at] {
            command.arg("--extern").arg(format!("{needed}={}/lib{needed}.rlib", into.display()));
        }
        let output = command.output().expect("there is a compiler");
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The text with its markers, and what their numbers stand for.
fn marked(text: &str, file: &str, edition: Edition) -> (String, BTreeMap<Number, Site>) {
    let skip = BTreeMap::new();
    let number = file_number(file);
    let options =
        Options { root: false, asserts: &[], awaits: true, file: number, skip: &skip, folder: None };
    let marked = rewrite(text, edition, &options).text;
    let items = "\n#[allow(unused_imports)] use rvcheck_runtime::{RvAwait as _, RvSite as _};";
    (marked + items, sites_by_number(text, file, file, edition))
}

fn edition_of(text: &str) -> Edition {
    let named = text.lines().find_map(|it| it.strip_prefix("//@ edition: "));
    if named == Some("2021") { Edition::Rust2021 } else { Edition::Rust2024 }
}

/// What is found in a fixture.
fn found(path: &Path, facades: &Path) -> (Program, Vec<Hit>) {
    let text = fs::read_to_string(path).expect("it is there");
    let name = path.file_stem().expect("it has a name").to_string_lossy().replace('-', "_");
    let file = format!("{name}.rs");
    let edition = edition_of(&text);
    let (marked, sites) = marked(&text, &file, edition);
    let work = tempfile::tempdir().expect("there is room");
    fs::write(work.path().join(&file), &marked).expect("there is room");
    let mut command = rustc();
    let year = if edition == Edition::Rust2021 { "2021" } else { "2024" };
    command.args(["--edition", year, "--crate-type", "lib", "--emit=mir", "--cap-lints=allow"]).arg(&file);
    for facade in FACADES {
        let library = facades.join(format!("lib{facade}.rlib"));
        command.arg("--extern").arg(format!("{facade}={}", library.display()));
    }
    let output =
        command.arg("-L").arg(facades).current_dir(work.path()).output().expect("there is a compiler");
    assert!(output.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
    let mir = fs::read_to_string(work.path().join(format!("{name}.mir"))).expect("it was written");
    if std::env::var_os("RVCHECK_SHOW_MIR").is_some() {
        println!("{mir}");
    }
    let mir = rvcheck_source::mir::read(&mir);
    for body in &mir.bodies {
        assert_eq!(body.unknown, None, "{}: {}", path.display(), body.name);
    }
    let program = Program::new(mir, &[Source { file: &file, text: &marked, edition }], sites);
    let hits = check(&program);
    (program, hits)
}

/// The line of a place.
fn line_of(program: &Program, mark: &Mark) -> Option<u32> {
    match mark {
        Mark::Site(number) => program.site(*number).map(|it| it.line),
        Mark::Position { line, .. } => Some(*line),
        Mark::Item(_) => None,
    }
}

const fn level(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Doubt => "note",
        Certainty::Usually => "warning",
        Certainty::Definite => "error",
    }
}

/// What a fixture expects: line, property, and the level if it says one.
fn expected(text: &str) -> Vec<(u32, String, Option<String>)> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some((_, said)) = line.split_once("//~ ") else { continue };
        for one in said.split(", ") {
            let mut words = one.split_whitespace();
            found.push((
                number,
                words.next().unwrap_or_default().to_owned(),
                words.next().map(str::to_owned),
            ));
        }
    }
    found
}

/// What is missing and what is too much in a fixture; empty if nothing is.
fn difference(path: &Path, facades: &Path) -> String {
    let text = fs::read_to_string(path).expect("it is there");
    let (program, hits) = found(path, facades);
    let mut wanted = expected(&text);
    let mut difference = String::new();
    for hit in &hits {
        let line = line_of(&program, &hit.primary.0).unwrap_or_default();
        let fits = |(number, property, said): &(u32, String, Option<String>)| {
            *number == line
                && property == hit.property
                && said.as_deref().is_none_or(|it| it == level(hit.certainty))
        };
        if let Some(at) = wanted.iter().position(fits) {
            wanted.remove(at);
        } else {
            let _ = writeln!(
                difference,
                "  {}:{line}: too much: {} {}: {}\n    {:?}",
                path.display(),
                hit.property,
                level(hit.certainty),
                hit.message,
                hit.related
            );
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

/// The fixtures, by the name of their folder. `RVCHECK_FIXTURE` names a part of the path of those that are wanted.
fn fixtures() -> Vec<PathBuf> {
    let wanted = std::env::var("RVCHECK_FIXTURE").unwrap_or_default();
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder()).expect("there are fixtures").flatten() {
        if entry.file_name() == "facade" {
            continue;
        }
        for file in fs::read_dir(entry.path()).expect("it is a folder").flatten() {
            found.insert(file.path());
        }
    }
    found.into_iter().filter(|it| it.to_string_lossy().contains(&wanted)).collect()
}

#[test]
fn each_fixture_has_the_findings_that_it_says() {
    let built = tempfile::tempdir().expect("there is room");
    facades(built.path());
    let differences: String = fixtures().iter().map(|it| difference(it, built.path())).collect();
    assert!(differences.is_empty(), "\n{differences}");
}

#[test]
fn each_lint_has_a_fixture_in_which_it_fires() {
    let mut fired = BTreeSet::new();
    for path in fixtures() {
        let text = fs::read_to_string(&path).expect("it is there");
        fired.extend(expected(&text).into_iter().map(|(_, property, _)| property));
    }
    for lint in &rvcheck_source::lints::LINTS {
        assert!(
            fired.contains(lint.property) || std::env::var_os("RVCHECK_FIXTURE").is_some(),
            "{}",
            lint.property
        );
    }
}
