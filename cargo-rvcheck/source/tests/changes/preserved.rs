//! What rules find stays the same where the source is changed and its meaning is not.
//!
//! Each fixture of the rules is [changed](super) in one way at a time. What does not compile then is taken back, group by group. The
//! table of verdicts that stayed is printed. By default each fixture is changed in a few ways; `RVCHECK_CHANGES=all` takes all of them, and
//! `RVCHECK_CHANGES="inline a function,box the future"` those. `RVCHECK_SHOW_CHANGED=1` prints the sources whose verdicts differ.

use super::{CHANGES, Change, Group, edited, lines, syntax};
use crate::fixture::{compiled, expected, facades};
use crate::{CHECKED, Checked, Located, located};
use rayon::prelude::*;
use rvcheck_source::program::Program;
use rvcheck_source::rules::{Certainty, check};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How often what does not compile is taken back.
const ATTEMPTS: usize = 5;

/// The share of verdicts that have to stay.
const WANTED: f64 = 0.95;

/// The lines, properties and levels of what is found; without level in doubt.
fn verdicts(found: &[Located]) -> BTreeSet<(u32, &'static str)> {
    let sure = found.iter().filter(|it| it.found.hit.certainty > Certainty::Doubt);
    sure.filter_map(|it| Some((it.line?, it.found.rule.property))).collect()
}

/// The numbers of the lines that a compiler complains of.
fn complaints(said: &str, file: &str) -> BTreeSet<usize> {
    let prefix = format!("{file}.rs:");
    let places = said.match_indices(&prefix).map(|(at, it)| &said[at + it.len()..]);
    places.filter_map(|it| it.split(':').next()?.parse().ok()).collect()
}

/// The program of a changed text, as far as the change compiles; `None` where nothing of it does. With the groups that were left.
fn changed(name: &str, text: &str, change: &Change, facades: &Path) -> Option<(Program, Vec<Group>)> {
    let mut groups = (change.groups)(text, &syntax(text));
    for _ in 0..ATTEMPTS {
        groups.retain(|it| !it.edits.is_empty());
        if groups.is_empty() {
            return None;
        }
        match compiled(name, &edited(text, &groups), facades) {
            Ok(unit) => return Some((unit.program(|_| {}), groups)),
            Err(said) => {
                if std::env::var_os("RVCHECK_SHOW_ERRORS").is_some() {
                    println!("{}: {said}", change.name);
                }
                let wrong = complaints(&said, name);
                let before = groups.len();
                let is_wrong = |it: &Group| wrong.iter().any(|line| lines(text, &it.of).contains(line));
                groups.retain(|it| !is_wrong(it));
                if groups.len() == before {
                    return None;
                }
            }
        }
    }
    None
}

/// How many verdicts there were, and how many stayed.
type Row = (usize, usize);

/// What came of changing one fixture.
#[derive(Default)]
struct Outcome {
    rows: BTreeMap<(String, &'static str), Row>,
    differences: Vec<String>,
}

impl Outcome {
    fn unite(mut self, other: Outcome) -> Outcome {
        for (key, row) in other.rows {
            let of = self.rows.entry(key).or_default();
            *of = (of.0 + row.0, of.1 + row.1);
        }
        self.differences.extend(other.differences);
        self
    }
}

/// The changes of these names, or a few if there is none.
fn chosen(wanted: &str, property: &str, name: &str) -> impl Iterator<Item = &'static Change> {
    // Whatever other fixtures there are.
    let at: usize = property.bytes().chain(name.bytes()).map(usize::from).sum();
    let is_wanted = move |number: usize, change: &Change| match wanted {
        "" => number % 8 == at % 8,
        "all" => true,
        _ => wanted.split(',').any(|it| it == change.name),
    };
    CHANGES.iter().enumerate().filter(move |(number, it)| is_wanted(*number, it)).map(|it| it.1)
}

/// Changes one fixture in the ways that are wanted.
fn outcome(Checked { path, text, found }: &Checked, wanted: &str, facades: &Path) -> Outcome {
    let name = path.file_stem().expect("it has a name").to_string_lossy().replace('-', "_");
    let property = path.parent().and_then(Path::file_name).expect("it has a folder").to_string_lossy();
    let noted: BTreeSet<u32> =
        expected(text).into_iter().filter(|it| it.2.as_deref() == Some("note")).map(|it| it.0).collect();
    let before = verdicts(found);
    let mut outcome = Outcome::default();
    for change in chosen(wanted, &property, &name) {
        let Some((program, groups)) = changed(&name, text, change, facades) else { continue };
        let after = verdicts(&located(&program));
        if before != after && std::env::var_os("RVCHECK_SHOW_CHANGED").is_some() {
            let found = check(&program);
            println!("{}: {}: {found:#?}\n{}", path.display(), change.name, edited(text, &groups));
        }
        let row = outcome.rows.entry((property.to_string(), change.name)).or_default();
        row.0 += before.len();
        row.1 += before.intersection(&after).count();
        let lost = before.difference(&after).map(|it| (it, "lost"));
        // What was in doubt may be surer in another form.
        let new = after.difference(&before).filter(|it| !noted.contains(&it.0)).map(|it| (it, "new"));
        for ((line, of), what) in lost.chain(new) {
            if what == "new" {
                row.0 += 1;
            }
            outcome.differences.push(format!("{} {}:{line} {of}: {what}", change.name, path.display()));
        }
    }
    outcome
}

#[test]
fn what_is_found_stays_where_only_the_form_changes() {
    let built = tempfile::tempdir().expect("there is room");
    facades(built.path());
    let wanted = std::env::var("RVCHECK_CHANGES").unwrap_or_default();
    let of_all: Vec<Outcome> = CHECKED.par_iter().map(|it| outcome(it, &wanted, built.path())).collect();
    let Outcome { rows, differences } = of_all.into_iter().fold(Outcome::default(), Outcome::unite);
    let (mut verdicts, mut stayed) = (0, 0);
    for ((property, change), row) in &rows {
        println!("{property:20} {change:26} {:4} of {:4}", row.1, row.0);
        verdicts += row.0;
        stayed += row.1;
    }
    println!("{}", differences.join("\n"));
    let share = stayed as f64 / verdicts.max(1) as f64;
    println!("{stayed} of {verdicts} verdicts stayed: {share:.3}");
    assert!(share >= WANTED, "{}", differences.join("\n"));
}
