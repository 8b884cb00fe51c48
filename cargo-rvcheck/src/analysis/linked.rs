//! What only several crates of the workspace together show: programs with the libraries that they are linked with.
//!
//! Each crate is looked at alone first. Together they may show more, as that a callback of the program asks for the lock that the
//! library holds while it calls it. Tests and examples are not linked: what is found in them is a note at most. Nor are crates with a
//! trait, a static or a type of one name, which could not be told apart.

use super::StaticHit;
use super::remembered::Memory;
use super::target::{Owned, Placing, Target, sites, source, within};
use crate::inject::member_file::MemberFile;
use crate::project::TargetKind;
use rvcheck_event::site::Site;
use rvcheck_source::conditions::Conditions;
use rvcheck_source::marker::Number;
use rvcheck_source::program::{Program, Source, Unit};
use rvcheck_source::rules::{Found, check};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A crate, and the libraries of the workspace that it is linked with, itself last.
pub(super) struct Group<'a, 'b> {
    units: Vec<&'b Target<'a>>,
}

/// The crates that are linked with others, and with nothing that is linked with still others.
pub(super) fn groups<'a, 'b>(targets: &'b [Target<'a>]) -> Vec<Group<'a, 'b>> {
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
    let all = of_programs.into_iter().chain(of_libraries);
    all.filter(|it| it.len() > 1).map(|units| Group { units }).collect()
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

impl Group<'_, '_> {
    /// What was found in them together before, or else what is found now; or why they are not looked at together, in a sentence.
    pub(super) fn seen(&self, memory: &Memory<'_>) -> Result<Vec<StaticHit>, String> {
        let Some(root) = self.units.last() else { return Ok(Vec::new()) };
        let stamps = self.units.iter().map(|it| it.stamp(memory)).collect::<Option<Vec<_>>>();
        let stamp = stamps.and_then(|it| memory.stamp_of_all(it));
        let name = format!("linked-{}", root.kept.stem);
        if let Some(known) = stamp.as_ref().and_then(|it| memory.recall(&name, it)) {
            return Ok(known);
        }
        let found = self.found(root).map_err(|why| {
            format!("`{}` was not looked at together with its libraries: {why}", root.artifact.target)
        })?;
        if let Some(it) = &stamp {
            memory.keep(&name, it, &found);
        }
        Ok(found)
    }

    fn found(&self, root: &Target<'_>) -> Result<Vec<StaticHit>, &'static str> {
        let mut files: Vec<Arc<MemberFile>> = Vec::new();
        let mut read: Vec<(String, String, Vec<Owned>, Conditions)> = Vec::new();
        for unit in &self.units {
            let (text, of_unit) = unit.input()?;
            let name = unit.kept.crate_name().to_owned();
            let sources = of_unit.iter().map(|it| source(it)).collect();
            read.push((name, text, sources, unit.kept.conditions()));
            files.extend(of_unit);
        }
        if read.iter().map(|it| it.1.len() as u64).sum::<u64>() > root.limits.bytes {
            return Err("the compiler's MIR of them is too long");
        }
        let sites: BTreeMap<Number, Site> = files.iter().flat_map(|it| sites(it)).collect();
        let given = sites.clone();
        let looked_at = within(root.limits.time, move || {
            let sources: Vec<Vec<Source<'_>>> =
                read.iter().map(|it| it.2.iter().map(Owned::source).collect()).collect();
            let units = read.iter().zip(&sources);
            let units: Vec<Unit<'_>> = units
                .map(|((name, mir, _, conditions), sources)| Unit { name, mir, sources, conditions })
                .collect();
            Program::linked(&units, given).map(|it| check(&it)).unwrap_or_default()
        });
        let Some(hits): Option<Vec<Found>> = looked_at else { return Err("it takes too long") };
        let place = Placing { files: &files, sites: &sites, of_tests: false };
        Ok(hits.into_iter().filter_map(|it| place.hit(it, &root.package())).collect())
    }
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
