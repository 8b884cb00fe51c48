//! What is found without running anything: from the MIR of the marked build to hits that name their places.
//!
//! The wrapper has the compiler write the MIR of each crate of a member and [keeps](kept) it with what it was made from. After the
//! build the crates that cargo names are read target by target, and what the rules find is placed in the user's files.
//! Of code that does not compile there is no MIR; what is [said of its text](untyped) needs no types.
//! The compiler promises nothing about the form of MIR. So a [probe] is compiled first, once for each compiler; where what is
//! found in it is not what has to be found, nothing is concluded from MIR at all.

mod documented;
pub mod keeping;
pub mod kept;
mod linked;
pub mod probe;
mod product;
mod progress;
pub mod proofs;
mod remembered;
mod started;
mod target;
#[cfg(test)]
mod tests;
mod time_limit;
pub mod untyped;

use crate::console::Console;
use crate::digest::digest;
use crate::finding::{Fix, Level, Location};
use crate::inject::member_file::MemberFiles;
use crate::layout::OwnLayout;
use crate::project::built::Artifact;
use crate::project::{Project, TargetKind};
use camino::Utf8Path;
use keeping::Keeping;
use product::is_built_for_tests_alone;
use progress::Progress;
use proofs::Proofs;
use rayon::prelude::*;
use remembered::{Memory, Stamp};
use rvcheck_source::program::Program;
use serde::{Deserialize, Serialize};
pub use started::{StartedTask, is_body_of, started};
use std::collections::BTreeSet;
pub use target::Limits;
use target::{Seen, Target};

/// What was found without running anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Analysed {
    /// The violations.
    pub hits: Vec<StaticHit>,
    /// What could not be looked at, in sentences.
    pub notes: Vec<String>,
    /// How many crates were looked at.
    pub targets: u64,
    /// How many of them call something that rules know.
    #[serde(default)]
    pub concurrent: u64,
    /// Starts of tasks and threads of which a run tells less than the source.
    #[serde(default)]
    pub started: Vec<StartedTask>,
    /// What tasks and threads keep where they wait.
    #[serde(default)]
    pub keeping: Keeping,
    /// What need not be monitored.
    #[serde(default)]
    pub proofs: Proofs,
}

/// A violation that was found without running anything.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StaticHit {
    /// The id of the property.
    pub property: String,
    /// The id of the rule that found it.
    pub rule: String,
    /// The place that a person would change.
    pub primary: HitLocation,
    /// The other places that the message speaks of.
    pub related: Vec<HitLocation>,
    /// Its level, before the cap for test code.
    pub level: Level,
    /// It is reported only where a run shows that it happens.
    #[serde(default)]
    pub needs_run: bool,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do, in one or two sentences.
    pub advice: String,
    /// The package in whose code it was found.
    pub package: String,
    /// Changes of the source that mend it, the best first.
    #[serde(default)]
    pub fixes: Vec<Fix>,
}

/// A place in the user's files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HitLocation {
    /// Where it is, and what it has to do with the hit.
    pub location: Location,
    /// It is test code.
    pub in_test: bool,
}

/// Looks at the crates of members that cargo has built. What was found before in the same is not looked for again.
pub fn analyse(
    project: &Project,
    own: &OwnLayout,
    files: &MemberFiles<'_>,
    artifacts: &[Artifact],
    limits: Limits,
) -> Analysed {
    let memory = Memory::of(project, own);
    analyse_with(&memory, project, own, files, artifacts, limits)
}

fn analyse_with(
    memory: &Memory<'_>,
    project: &Project,
    own: &OwnLayout,
    files: &MemberFiles<'_>,
    artifacts: &[Artifact],
    limits: Limits,
) -> Analysed {
    let stored = kept::all(own);
    // A dependency of a dependency may have the name of a member.
    let folders = |selected: bool| -> BTreeSet<&Utf8Path> {
        let members = project.members().filter(|(_, it)| project.selected.contains(&it.name) == selected);
        members.map(|it| it.0).collect()
    };
    let (selected, unselected) = (folders(true), folders(false));
    let of_members = artifacts.iter().filter(|it| selected.contains(it.package.as_path()));
    let (mut targets, mut unseen) = (Vec::new(), BTreeSet::new());
    for artifact in of_members {
        match kept::of_artifact(&stored, artifact) {
            Some(kept) => {
                let is_alone = is_built_for_tests_alone(artifact, artifacts);
                targets.push(Target { project, own, files, artifact, kept, is_alone, limits });
            }
            None => {
                unseen.insert(format!("`{}`", artifact.target));
            }
        }
    }
    let linked = artifacts.iter().filter(|it| unselected.contains(it.package.as_path()));
    let mut others: BTreeSet<String> = linked.map(|it| format!("`{}`", it.target)).collect();
    others.extend(unseen.iter().cloned());
    let mut notes: BTreeSet<String> = note_of_unseen(unseen).into_iter().collect();
    let progress = Progress::begin(targets.len(), Console::last());
    let look = |it: &Target<'_>| {
        let seen = it.seen(memory);
        progress.step();
        seen
    };
    let looked: Vec<Result<Seen, String>> = targets.par_iter().map(look).collect();
    progress.go_on("crates together with the libraries that they are linked with");
    let together = linked::together(&targets, memory);
    progress.go_on("what need not be monitored");
    let mut all = Analysed::default();
    // A library and its tests have most of their code in common.
    let mut hits = BTreeSet::new();
    let mut started = BTreeSet::new();
    let mut seen = Vec::new();
    for (outcome, target) in looked.into_iter().zip(targets) {
        match outcome {
            Ok(it) => {
                hits.extend(it.found.hits.iter().cloned());
                notes.extend(it.found.notes.iter().cloned());
                started.extend(it.found.started.iter().cloned());
                all.keeping.extend(&it.found.keeping);
                seen.push((target, it));
            }
            Err(why) => {
                notes.insert(why);
                others.insert(format!("`{}`", target.artifact.target));
            }
        }
    }
    linked::take_in(&mut hits, together.hits);
    notes.extend(together.notes);
    for (target, one) in &seen {
        let package = &target.artifact.package;
        let others = seen.iter().filter(|(it, _)| it.artifact.package == *package);
        hits.extend(others.flat_map(|(_, other)| one.found.cross_target.with(&other.found.cross_target)));
    }
    if !others.is_empty() {
        all.keeping.hidden.add_unknown();
    }
    all.targets = seen.len() as u64;
    all.concurrent = seen.iter().filter(|(_, it)| it.found.is_concurrent).count() as u64;
    all.proofs = proofs(others, seen, memory, limits);
    all.started = started.into_iter().collect();
    all.hits = hits.into_iter().collect();
    all.hits.dedup_by(|a, b| a.is_the_same_as(b));
    all.notes = notes.into_iter().collect();
    all
}

/// What is proved, if all crates of the workspace were looked at but these.
fn proofs(
    others: BTreeSet<String>,
    mut seen: Vec<(Target<'_>, Seen)>,
    memory: &Memory<'_>,
    limits: Limits,
) -> Proofs {
    if seen.is_empty() {
        return Proofs::none("no crate was analysed");
    }
    if !others.is_empty() {
        let names: Vec<String> = others.into_iter().collect();
        return Proofs::none(format!("{} could not be analysed", names.join(", ")));
    }
    let stamps: Option<Vec<Stamp>> = seen.iter().map(|(_, it)| it.stamp.clone()).collect();
    let stamp = stamps.and_then(|it| memory.stamp_of_all(it));
    // Each choice of crates has proofs of its own, in whatever order cargo has built them.
    let stems: BTreeSet<&str> = seen.iter().map(|(target, _)| target.kept.stem.as_str()).collect();
    let name = format!("proofs-{}", digest(stems));
    if let Some(known) = stamp.as_ref().and_then(|it| memory.recall(&name, it)) {
        return known;
    }
    // Of what was found before, only the proofs need the bodies.
    seen.par_iter_mut().filter(|(_, it)| it.program.is_none()).for_each(|(target, it)| {
        it.program = target.program();
    });
    let programs: Option<Vec<Program>> = seen.iter_mut().map(|(_, it)| it.program.take()).collect();
    let libraries = seen.iter().map(|(it, _)| it.artifact).filter(|it| it.kind == TargetKind::Lib);
    let members: BTreeSet<String> = libraries.map(|it| it.target.replace('-', "_")).collect();
    let documented = seen.iter().find_map(|(_, it)| it.found.documents_locks.clone());
    let made = programs.and_then(|it| {
        time_limit::within(limits.time, move || Proofs::of(&it, &members, documented.as_deref()))
    });
    let Some(made) = made else { return Proofs::none(time_limit::why_not()) };
    if let Some(stamp) = &stamp {
        memory.keep(&name, stamp, &made);
    }
    made
}

/// What is said of crates whose MIR is not kept.
fn note_of_unseen(names: BTreeSet<String>) -> Option<String> {
    let names: Vec<String> = names.into_iter().collect();
    (!names.is_empty()).then(|| {
        format!(
            "not analysed without running it, because it is optimised or compiled as it is: {}",
            names.join(", ")
        )
    })
}

impl StaticHit {
    /// Whether both name the same places for the same property.
    fn is_the_same_as(&self, other: &StaticHit) -> bool {
        let start = |it: &HitLocation| (it.location.file.clone(), it.location.line, it.location.column);
        self.property == other.property
            && start(&self.primary) == start(&other.primary)
            && self.related.iter().map(start).eq(other.related.iter().map(start))
    }
}
