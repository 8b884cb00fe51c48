//! Runs the tool on changed crates and counts what it finds.

use crate::operators::Operator;
use crate::place::{Seed, seeds};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is measured.
#[derive(Debug)]
pub(crate) struct Options {
    tool: PathBuf,
    work: PathBuf,
    /// The most bugs of one operator in one crate.
    most: usize,
    mode: String,
    crates: Vec<PathBuf>,
}

impl Options {
    /// Reads the arguments; `None` where they are not understood.
    pub(crate) fn read(mut arguments: impl Iterator<Item = String>) -> Option<Options> {
        let (mut tool, mut work, mut most, mut mode, mut crates) =
            (None, None, 2, "check".to_owned(), Vec::new());
        while let Some(it) = arguments.next() {
            match it.as_str() {
                "--tool" => tool = Some(PathBuf::from(arguments.next()?)),
                "--work" => work = Some(PathBuf::from(arguments.next()?)),
                "--most" => most = arguments.next()?.parse().ok()?,
                "--mode" => mode = arguments.next()?,
                it if it.starts_with('-') => return None,
                it => crates.push(PathBuf::from(it)),
            }
        }
        Some(Options { tool: tool?, work: work?, most, mode, crates }).filter(|it| !it.crates.is_empty())
    }
}

/// What became of a bug.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    /// A warning or an error.
    Found,
    /// A note.
    Hinted,
    Missed,
    /// The changed crate does not compile.
    Unbuilt,
}

/// A finding, as far as it is compared.
type Key = (String, String, String, u64);

/// Measures, and prints what was found.
pub(crate) fn measure(options: &Options) {
    let mut table: BTreeMap<&str, BTreeMap<Outcome, usize>> = BTreeMap::new();
    for original in &options.crates {
        let name = original.file_name().unwrap_or_default();
        let copy = options.work.join(name);
        copy_folder(original, &copy);
        let Some(before) = findings(options, &copy) else {
            println!("{}: does not build", copy.display());
            continue;
        };
        let loud = before.iter().filter(|it| it.1 != "note").count();
        println!("{}: unchanged {loud} above note, {} notes", copy.display(), before.len() - loud);
        let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
        for (operator, seed) in spread(seeds(&copy), options.most) {
            let count = taken.entry(operator.id).or_default();
            if *count >= options.most {
                continue;
            }
            let outcome = outcome(options, &copy, operator, &seed, &before);
            if outcome != Outcome::Unbuilt {
                *count += 1;
            }
            println!("{outcome:?} {} {}:{}", operator.id, seed.file.display(), seed.line);
            *table.entry(operator.id).or_default().entry(outcome).or_default() += 1;
        }
    }
    let (mut found, mut all) = (0, 0);
    println!("{:26} {:>6} {:>6} {:>6} {:>7}", "operator", "found", "hinted", "missed", "unbuilt");
    for (operator, row) in &table {
        let count = |it| row.get(&it).copied().unwrap_or_default();
        let [one, two, three, four] =
            [Outcome::Found, Outcome::Hinted, Outcome::Missed, Outcome::Unbuilt].map(count);
        println!("{operator:26} {one:6} {two:6} {three:6} {four:7}");
        found += one;
        all += one + two + three;
    }
    println!("recall {found}/{all}");
}

/// The places in an order in which those of one operator are far from each other.
pub(crate) fn spread(mut all: Vec<(&'static Operator, Seed)>, most: usize) -> Vec<(&'static Operator, Seed)> {
    let mut ordered = Vec::new();
    let ids: BTreeSet<&str> = all.iter().map(|(it, _)| it.id).collect();
    for id in ids {
        let (of_id, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|(it, _)| it.id == id);
        all = rest;
        let step = (of_id.len() / most.max(1)).max(1);
        let mut numbered: Vec<(usize, _)> = of_id.into_iter().enumerate().collect();
        numbered.sort_by_key(|(at, _)| (at % step, *at));
        ordered.extend(numbered.into_iter().take(most.saturating_mul(4)).map(|(_, it)| it));
    }
    ordered
}

fn outcome(
    options: &Options,
    copy: &Path,
    operator: &Operator,
    seed: &Seed,
    before: &BTreeSet<Key>,
) -> Outcome {
    let path = copy.join(&seed.file);
    let text = fs::read_to_string(&path).expect("it was read before");
    fs::write(&path, seed.apply(&text)).expect("there is room");
    let after = findings(options, copy);
    fs::write(&path, text).expect("there is room");
    let Some(after) = after else { return Outcome::Unbuilt };
    // What is new was brought by the change, wherever it is: the other half of a bug may be in another file.
    let is_expected = |it: &&Key| operator.properties.contains(&it.0.as_str());
    let new: Vec<&Key> = after.difference(before).filter(is_expected).collect();
    if new.iter().any(|it| it.1 != "note") {
        Outcome::Found
    } else if new.is_empty() {
        Outcome::Missed
    } else {
        Outcome::Hinted
    }
}

/// The findings in a crate: property, level, file and line; `None` where it does not build.
fn findings(options: &Options, of: &Path) -> Option<BTreeSet<Key>> {
    let report = options.work.join("report.json");
    // A report of before must not be taken for this one.
    let _absent = fs::remove_file(&report);
    let done = Command::new(&options.tool)
        .args(["rvcheck", &options.mode, "--lib", "--manifest-path"])
        .arg(of.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(options.work.join("target"))
        .arg("--output")
        .arg(format!("json={}", report.display()))
        .output()
        .ok()?;
    if matches!(done.status.code(), Some(4 | 5)) {
        return None;
    }
    let read: Value = serde_json::from_str(&fs::read_to_string(&report).ok()?).ok()?;
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let all = read["findings"].as_array()?.iter().map(|it| {
        let at = &it["primary"];
        (
            text(&it["property"]),
            text(&it["level"]),
            text(&at["file"]),
            at["line"].as_u64().unwrap_or_default(),
        )
    });
    Some(all.collect())
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("there is room");
    for entry in fs::read_dir(from).expect("the crate is there").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            if entry.file_name() != "target" {
                copy_folder(&path, &target);
            }
        } else {
            fs::copy(&path, &target).expect("there is room");
        }
    }
}
