//! What only several crates of the workspace together show: programs with the libraries that they are linked with.
//!
//! Each crate is looked at alone first. Together they may show more, as that a callback of the program asks for the lock that the
//! library holds while it calls it. Tests and examples are linked where they give the libraries code of theirs to call; what that shows
//! is a note at most.

use super::remembered::Memory;
use super::target::{Owned, Placing, Target, source};
use super::time_limit::{why_not, within};
use super::{HitLocation, StaticHit};
use crate::finding::Level;
use crate::inject::member_file::MemberFile;
use crate::inject::observed::ObservedFunctions;
use crate::interruption::check_interrupted;
use crate::project::TargetKind;
use rayon::prelude::*;
use rvcheck_event::site::Site;
use rvcheck_source::conditions::Conditions;
use rvcheck_source::marker::Number;
use rvcheck_source::program::{Program, Source, Unit, gives_code};
use rvcheck_source::rules::{Found, check};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many crates a note names.
const MOST_NAMED: usize = 3;

/// A crate, and the libraries of the workspace that it is linked with, itself last.
struct Group<'a, 'b> {
    units: Vec<&'b Target<'a>>,
    /// It is a test or an example.
    is_of_tests: bool,
}

/// What was seen in groups.
#[derive(Default)]
pub(super) struct Together {
    pub(super) hits: Vec<StaticHit>,
    /// What could not be looked at together, in sentences.
    pub(super) notes: Vec<String>,
}

/// What these crates show where they are linked.
pub(super) fn together(targets: &[Target<'_>], memory: &Memory<'_>) -> Together {
    let groups = groups(targets);
    let (of_tests, of_programs): (Vec<_>, Vec<_>) = groups.iter().partition(|it| it.is_of_tests);
    let mut outcomes = all_seen(&of_programs, memory, &|limit| limit);
    // All tests and examples together have the time of one crate.
    let begun = Instant::now();
    outcomes.extend(all_seen(&of_tests, memory, &|limit| limit.saturating_sub(begun.elapsed())));
    let mut all = Together::default();
    let mut left_out: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (root, outcome) in outcomes {
        match outcome {
            Ok(found) => all.hits.extend(found),
            Err(why) => {
                left_out.entry(why).or_default().insert(root);
            }
        }
    }
    all.notes = left_out.into_iter().map(|(why, roots)| note(&roots, &why)).collect();
    all
}

/// What is seen in each of these groups, by its root.
fn all_seen<'g>(
    groups: &[&'g Group<'_, '_>],
    memory: &Memory<'_>,
    time_limit: &(dyn Fn(Duration) -> Duration + Sync),
) -> Vec<(&'g str, Result<Vec<StaticHit>, String>)> {
    groups.par_iter().map(|it| (it.root(), it.seen(memory, time_limit))).collect()
}

/// What is said of crates that were not looked at together with their libraries.
fn note(roots: &BTreeSet<&str>, why: &str) -> String {
    let named: Vec<String> = roots.iter().take(MOST_NAMED).map(|it| format!("`{it}`")).collect();
    let rest = roots.len() - named.len();
    let others = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let (were, their) = if roots.len() == 1 { ("was", "its") } else { ("were", "their") };
    format!("{}{others} {were} not analysed together with {their} libraries: {why}", named.join(", "))
}

/// The crates that are linked with others, and with nothing that is linked with still others.
fn groups<'a, 'b>(targets: &'b [Target<'a>]) -> Vec<Group<'a, 'b>> {
    let is_library = |it: &Target<'_>| it.artifact.kind == TargetKind::Lib && !it.artifact.for_tests;
    let by_stem: BTreeMap<&str, &'b Target<'a>> =
        targets.iter().filter(|it| is_library(it)).map(|it| (it.kept.stem.as_str(), it)).collect();
    let programs = targets.iter().filter(|it| it.artifact.kind == TargetKind::Bin);
    // A program that is built with its tests and without them is linked once.
    let mut roots: BTreeMap<_, &'b Target<'a>> = BTreeMap::new();
    for target in programs {
        let known = roots.entry((&target.artifact.package, &target.artifact.target)).or_insert(target);
        if known.artifact.for_tests {
            *known = target;
        }
    }
    let of_programs: Vec<Vec<&'b Target<'a>>> =
        roots.into_values().map(|it| with_libraries(it, &by_stem)).collect();
    let taken: BTreeSet<&str> = of_programs.iter().flatten().map(|it| it.kept.stem.as_str()).collect();
    let rest = by_stem.values().filter(|it| !taken.contains(it.kept.stem.as_str()));
    let mut of_libraries: Vec<Vec<&'b Target<'a>>> = rest.map(|it| with_libraries(it, &by_stem)).collect();
    let inner: BTreeSet<&str> =
        of_libraries.iter().flat_map(|it| &it[..it.len() - 1]).map(|it| it.kept.stem.as_str()).collect();
    of_libraries.retain(|it| it.last().is_some_and(|it| !inner.contains(it.kept.stem.as_str())));
    let is_of_tests = |it: &&Target<'_>| matches!(it.artifact.kind, TargetKind::Test | TargetKind::Example);
    let of_tests = targets.iter().filter(is_of_tests).map(|it| with_libraries(it, &by_stem));
    let all = of_programs.into_iter().chain(of_libraries).map(|units| Group { units, is_of_tests: false });
    all.chain(of_tests.map(|units| Group { units, is_of_tests: true }))
        .filter(|it| it.units.len() > 1)
        .collect()
}

/// A crate after all libraries of the workspace that it is linked with, each after those that it needs.
fn with_libraries<'a, 'b>(
    of: &'b Target<'a>,
    libraries: &BTreeMap<&str, &'b Target<'a>>,
) -> Vec<&'b Target<'a>> {
    let mut found: Vec<&'b Target<'a>> = Vec::new();
    for library in of.kept.libraries.iter().filter_map(|it| libraries.get(it.as_str())) {
        for it in with_libraries(library, libraries) {
            if !found.iter().any(|known| known.kept.stem == it.kept.stem) {
                found.push(it);
            }
        }
    }
    found.push(of);
    found
}

/// A crate as it is read.
struct Read {
    name: String,
    mir: String,
    sources: Vec<Owned>,
    conditions: Conditions,
}

impl Group<'_, '_> {
    fn root(&self) -> &str {
        self.units.last().map_or("", |it| it.artifact.target.as_str())
    }

    /// What was found in them together before, or else what is found now; or why they are not looked at together. `time_limit` says how
    /// much of a time limit is left.
    fn seen(
        &self,
        memory: &Memory<'_>,
        time_limit: &dyn Fn(Duration) -> Duration,
    ) -> Result<Vec<StaticHit>, String> {
        let Some(root) = self.units.last() else { return Ok(Vec::new()) };
        let stamps = self.units.iter().map(|it| it.stamp(memory)).collect::<Option<Vec<_>>>();
        let stamp = stamps.and_then(|it| memory.stamp_of_all(it));
        let name = format!("linked-{}", root.kept.stem);
        if let Some(known) = stamp.as_ref().and_then(|it| memory.recall(&name, it)) {
            return Ok(known);
        }
        check_interrupted().map_err(|_| why_not())?;
        let found = self.found(root, time_limit(root.limits.time))?;
        if let Some(it) = &stamp {
            memory.keep(&name, it, &found);
        }
        Ok(found)
    }

    fn found(&self, root: &Target<'_>, time_limit: Duration) -> Result<Vec<StaticHit>, String> {
        let mut files: Vec<Arc<MemberFile>> = Vec::new();
        let mut read: Vec<Read> = Vec::new();
        let mut of_root = BTreeSet::new();
        for unit in &self.units {
            let (mir, of_unit) = unit.input()?;
            let name = unit.kept.crate_name().to_owned();
            let sources = of_unit.iter().map(|it| source(it)).collect();
            read.push(Read { name, mir, sources, conditions: unit.kept.conditions() });
            of_root = of_unit.iter().map(|it| it.shown.clone()).collect();
            files.extend(of_unit);
        }
        if read.iter().map(|it| it.mir.len() as u64).sum::<u64>() > root.limits.bytes {
            return Err("the compiler's MIR of them is too long".to_owned());
        }
        let sites: BTreeMap<Number, Site> = files.iter().flat_map(|it| it.sites_by_number()).collect();
        let given = sites.clone();
        let is_of_tests = self.is_of_tests;
        let looked_at = within(time_limit, move || {
            let sources: Vec<Vec<Source<'_>>> =
                read.iter().map(|it| it.sources.iter().map(Owned::source).collect()).collect();
            let unit = |(it, sources)| -> Unit<'_> {
                let Read { name, mir, conditions, .. }: &Read = it;
                let sources: &Vec<Source<'_>> = sources;
                Unit { name, mir, sources, conditions }
            };
            let units: Vec<Unit<'_>> = read.iter().zip(&sources).map(unit).collect();
            if is_of_tests && !gives_code(&units) {
                return Ok(Vec::new());
            }
            Program::linked(&units, given).map(|it| check(&it))
        });
        let hits: Vec<Found> = looked_at.ok_or_else(why_not)??;
        let crates = ObservedFunctions::crates_of(root.project.packages.values());
        let place = Placing { files: &files, crates: &crates, sites: &sites, of_tests: false };
        let hits = hits.into_iter().filter_map(|it| place.hit(it, &root.package()));
        if !self.is_of_tests {
            return Ok(hits.collect());
        }
        Ok(hits.filter(|it| !it.needs_run).map(|it| as_test(it, &of_root)).collect())
    }
}

/// What a test or example with these files shows: a note.
fn as_test(mut hit: StaticHit, files: &BTreeSet<String>) -> StaticHit {
    let places = std::iter::once(&mut hit.primary).chain(&mut hit.related);
    places.for_each(|HitLocation { location, in_test }| *in_test |= files.contains(&location.file));
    hit.level = Level::Note;
    hit
}

/// Takes in what crates show together. What was found at the same place by the same rule is said once, with the higher level.
pub(super) fn take_in(hits: &mut BTreeSet<StaticHit>, together: Vec<StaticHit>) {
    for hit in together {
        let at =
            |it: &StaticHit| (it.primary.location.file.clone(), it.primary.location.line, it.rule.clone());
        let known = hits.iter().filter(|it| at(it) == at(&hit)).map(|it| it.level).max();
        if known.is_some_and(|it| it >= hit.level) {
            continue;
        }
        hits.retain(|it| at(it) != at(&hit));
        hits.insert(hit);
    }
}
