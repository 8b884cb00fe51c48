//! What rules find stays the same where the source is changed and its meaning is not.
//!
//! Each fixture of the rules is [changed](super) in one way at a time. What does not compile then is taken back, group by group. The
//! table of verdicts that stayed is printed. By default each fixture is changed in a few ways; `RVCHECK_CHANGES=all` takes all of them, and
//! `RVCHECK_CHANGES="inline a function,box the future"` those. `RVCHECK_SHOW_CHANGED=1` prints the sources whose verdicts differ.

use super::{CHANGES, Change, Group, edited, lines, syntax};
use crate::fixture::{compiled, expected, facades, fixtures};
use crate::line_of;
use rvcheck_source::program::Program;
use rvcheck_source::rules::{Certainty, Found, check};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// How often what does not compile is taken back.
const ATTEMPTS: usize = 5;

/// The share of verdicts that have to stay.
const WANTED: f64 = 0.95;

/// The lines, properties and levels of what is found; without level in doubt.
fn verdicts(program: &Program) -> BTreeSet<(u32, &'static str)> {
    let found = check(program).into_iter().filter(|it| it.hit.certainty > Certainty::Doubt);
    found.filter_map(|Found { rule, hit }| Some((line_of(program, &hit.primary.0)?, rule.property))).collect()
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
        match compiled(name, &edited(text, &groups), facades, |_| {}) {
            Ok(program) => return Some((program, groups)),
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

#[test]
fn what_is_found_stays_where_only_the_form_changes() {
    let built = tempfile::tempdir().expect("there is room");
    facades(built.path());
    let wanted = std::env::var("RVCHECK_CHANGES").unwrap_or_default();
    let is_wanted = |change: &Change| wanted == "all" || wanted.split(',').any(|it| it == change.name);
    let mut table: BTreeMap<(String, &str), Row> = BTreeMap::new();
    let mut differences = Vec::new();
    for path in &fixtures("rules") {
        let text = fs::read_to_string(path).expect("it is there");
        let name = path.file_stem().expect("it has a name").to_string_lossy().replace('-', "_");
        let property = path.parent().and_then(Path::file_name).expect("it has a folder").to_string_lossy();
        let noted: BTreeSet<u32> =
            expected(&text).into_iter().filter(|it| it.2.as_deref() == Some("note")).map(|it| it.0).collect();
        let before = match compiled(&name, &text, built.path(), |_| {}) {
            Ok(it) => verdicts(&it),
            Err(said) => panic!("{}: {said}", path.display()),
        };
        // Whatever other fixtures there are.
        let at: usize = property.bytes().chain(name.bytes()).map(usize::from).sum();
        let chosen = CHANGES.iter().enumerate().filter(|(number, change)| {
            if wanted.is_empty() { number % 4 == at % 4 } else { is_wanted(change) }
        });
        for (_, change) in chosen {
            let Some((program, groups)) = changed(&name, &text, change, built.path()) else { continue };
            let after = verdicts(&program);
            if before != after && std::env::var_os("RVCHECK_SHOW_CHANGED").is_some() {
                println!(
                    "{}: {}: {:#?}\n{}",
                    path.display(),
                    change.name,
                    check(&program),
                    edited(&text, &groups)
                );
            }
            let row = table.entry((property.to_string(), change.name)).or_default();
            row.0 += before.len();
            row.1 += before.intersection(&after).count();
            let lost = before.difference(&after).map(|it| (it, "lost"));
            // What was in doubt may be surer in another form.
            let new = after.difference(&before).filter(|it| !noted.contains(&it.0)).map(|it| (it, "new"));
            for ((line, of), what) in lost.chain(new) {
                if what == "new" {
                    row.0 += 1;
                }
                differences.push(format!("{} {}:{line} {of}: {what}", change.name, path.display()));
            }
        }
    }
    let (mut verdicts, mut stayed) = (0, 0);
    for ((property, change), row) in &table {
        println!("{property:20} {change:26} {:4} of {:4}", row.1, row.0);
        verdicts += row.0;
        stayed += row.1;
    }
    println!("{}", differences.join("\n"));
    let share = stayed as f64 / verdicts.max(1) as f64;
    println!("{stayed} of {verdicts} verdicts stayed: {share:.3}");
    assert!(share >= WANTED, "{}", differences.join("\n"));
}
