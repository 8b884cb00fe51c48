//! What the rules find in one crate, placed in the user's files.

use super::documented::documents_locks;
use super::keeping::Keeping;
use super::kept::{Kept, mir};
use super::product;
use super::remembered::{Memory, Stamp};
use super::time_limit::{why_not, within};
use super::{HitLocation, StartedTask, StaticHit};
use crate::finding::{Applicability, Fix, Level, Location, TextEdit};
use crate::inject::member_file::{MemberFile, MemberFiles};
use crate::inject::observed::ObservedFunctions;
use crate::interruption::check_interrupted;
use crate::layout::OwnLayout;
use crate::project::built::Artifact;
use crate::project::{Project, TargetKind};
use rvcheck_event::position::SourcePosition;
use rvcheck_event::site::Site;
use rvcheck_source::conditions::Conditions;
use rvcheck_source::edition::Edition;
use rvcheck_source::facts::Facts;
use rvcheck_source::facts::keeping::{Hidden, Making, Waiting, hidden, makings, waitings};
use rvcheck_source::facts::started::{Started, started};
use rvcheck_source::fixes::{Remedies, Remedy, suggestion};
use rvcheck_source::marker::{Number, file_number};
use rvcheck_source::mir::{Mir, read};
use rvcheck_source::position::end_of_word;
use rvcheck_source::program::{Program, Source};
use rvcheck_source::rules::{Certainty, CodeRef, CrossTarget, Found, check, cross_target};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;
use std::time::Duration;

/// How much time and memory a crate is given. The part of a crate that is larger is not looked at, and the report says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest text of MIR that is read, in bytes.
    pub bytes: u64,
    /// How much of the processor's time one crate is given.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { bytes: 256 << 20, time: Duration::from_secs(45) }
    }
}

/// A crate of a member that was built.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) project: &'a Project,
    pub(super) own: &'a OwnLayout,
    pub(super) files: &'a MemberFiles<'a>,
    pub(super) artifact: &'a Artifact,
    pub(super) kept: &'a Kept,
    /// Only the tests of it were built.
    pub(super) is_alone: bool,
    pub(super) limits: Limits,
}

/// What was found in a crate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TargetFindings {
    pub(super) hits: Vec<StaticHit>,
    /// What could not be looked at, in sentences.
    pub(super) notes: Vec<String>,
    /// A file of it whose documentation may have tests that take locks.
    pub(super) documents_locks: Option<String>,
    /// What only together with another target of the package is a violation.
    #[serde(default, rename = "halves")]
    pub(super) cross_target: Placed,
    /// Starts of tasks and threads of which a run tells less than the source.
    #[serde(default)]
    pub(super) started: BTreeSet<StartedTask>,
    /// What tasks and threads keep where they wait.
    #[serde(default)]
    pub(super) keeping: Keeping,
    /// It calls something that rules know, also where that is no site.
    #[serde(default)]
    pub(super) is_concurrent: bool,
}

/// What a crate shows of violations [across targets](CrossTarget), placed in the user's files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Placed {
    /// The updates in two parts, by the functions that make them.
    updates: Vec<(String, StaticHit)>,
    /// The functions whose futures are dropped, and where.
    drops: Vec<(String, HitLocation)>,
}

impl Placed {
    /// The violations of which this target shows the one half and the other target the other.
    pub(super) fn with(&self, other: &Placed) -> Vec<StaticHit> {
        let both = self.updates.iter().filter_map(|(name, hit)| {
            let (_, located) = other.drops.iter().find(|(it, _)| it == name)?;
            let mut hit = hit.clone();
            hit.related.push(located.clone());
            Some(hit)
        });
        both.collect()
    }
}

/// A crate that was looked at.
#[derive(Debug)]
pub(super) struct Seen {
    /// What was found in it.
    pub(super) found: TargetFindings,
    /// Its bodies, if they had to be read for that.
    pub(super) program: Option<Program>,
    /// Stands for the crate as it was; `None` where nothing is remembered.
    pub(super) stamp: Option<Stamp>,
}

impl Target<'_> {
    /// What was found in this crate before, or else what is found now; or why it is not looked at, in a sentence.
    pub(super) fn seen(&self, memory: &Memory<'_>) -> Result<Seen, String> {
        let stamp = self.stamp(memory);
        if let Some(it) = &stamp
            && let Some(found) = memory.recall(&self.kept.stem, it)
        {
            return Ok(Seen { found, program: None, stamp });
        }
        let found = if check_interrupted().is_ok() { self.found() } else { Err(why_not()) };
        let (found, program) =
            found.map_err(|why| format!("{} was not analysed without running it: {why}", self.shown()))?;
        if let Some(it) = &stamp {
            memory.keep(&self.kept.stem, it, &found);
        }
        Ok(Seen { found, program: Some(program), stamp })
    }

    /// Stands for it as it is now.
    pub(super) fn stamp(&self, memory: &Memory<'_>) -> Option<Stamp> {
        let what = format!("{:?} {} {}", self.artifact, self.is_alone, self.has_timer());
        memory.stamp(&what, self.kept, self.files)
    }

    /// The name of its package.
    pub(super) fn package(&self) -> String {
        let package = self.project.packages.get(&self.artifact.package);
        package.map_or_else(String::new, |it| it.name.clone())
    }

    /// Its bodies alone.
    pub(super) fn program(&self) -> Option<Program> {
        let (text, files) = self.input().ok()?;
        let sites = files.iter().flat_map(|it| it.sites_by_number()).collect();
        let sources: Vec<Owned> = files.iter().map(|it| source(it)).collect();
        let conditions = self.kept.conditions();
        within(self.limits.time, move || program(read(&text), &sources, &conditions, sites))
    }

    /// What is found in it; or why it is not looked at.
    fn found(&self) -> Result<(TargetFindings, Program), &'static str> {
        let (text, files) = self.input()?;
        let sites: BTreeMap<Number, Site> = files.iter().flat_map(|it| it.sites_by_number()).collect();
        let program = |mir: Mir, conditions: Conditions| {
            let sources: Vec<Owned> = files.iter().map(|it| source(it)).collect();
            let given = sites.clone();
            move || program(mir, &sources, &conditions, given)
        };
        let whole = program(read(&text), self.kept.conditions());
        let whole = within(self.limits.time, move || View::of(whole())).ok_or_else(why_not)?;
        let mut found =
            TargetFindings { is_concurrent: whole.program.is_concurrent(), ..TargetFindings::default() };
        let unknown = whole.program.functions().filter(|(_, it)| it.body.unknown.is_some()).count();
        if self.is_alone {
            let of_tests = product::of_tests(&whole.program, &files);
            let rest = product::without(read(&text), &of_tests);
            let rest = program(rest, self.kept.conditions_without_tests());
            let rest = within(self.limits.time, move || View::of(rest())).ok_or_else(why_not)?;
            self.take_in(rest, &files, &sites, &mut found);
        }
        let program = self.take_in(whole, &files, &sites, &mut found);
        let Artifact { kind, for_tests, .. } = self.artifact;
        if unknown > 0 {
            found.notes.push(format!(
                "{unknown} function{} of {} could not be read in the compiler's MIR",
                if unknown == 1 { "" } else { "s" },
                self.shown()
            ));
        }
        let is_documented = !for_tests && *kind == TargetKind::Lib;
        let documented = files.iter().filter(|_| is_documented).find(|it| documents_locks(&it.text));
        found.documents_locks = documented.map(|it| it.shown.clone());
        Ok((found, program))
    }

    /// Places what a program shows in the user's files. Gives the program back.
    fn take_in(
        &self,
        View {
            hits,
            cross_target: CrossTarget { updates, drops },
            started,
            waitings,
            makings,
            hidden,
            program,
        }: View,
        files: &[Arc<MemberFile>],
        sites: &BTreeMap<Number, Site>,
        found: &mut TargetFindings,
    ) -> Program {
        let package = self.package();
        let crates = ObservedFunctions::crates_of(self.project.packages.values());
        let place = Placing { files, crates: &crates, sites, of_tests: self.is_of_tests() };
        let has_timer = self.has_timer();
        found.hits.extend(hits.into_iter().filter_map(|(found, remedy)| {
            let hit = place.hit(found, &package)?;
            let remedy = remedy.filter(|it| !matches!(it, Remedy::AwaitTimer { .. }) || has_timer);
            let fixes = remedy.and_then(|it| place.fix(it, &hit)).into_iter().collect();
            Some(StaticHit { fixes, ..hit })
        }));
        let updates =
            updates.into_iter().filter_map(|(name, found)| Some((name, place.hit(found, &package)?)));
        found.cross_target.updates.extend(updates);
        let drops =
            drops.into_iter().filter_map(|(name, (mark, label))| Some((name, place.located(&mark, &label)?)));
        found.cross_target.drops.extend(drops);
        found.started.extend(started.into_iter().filter_map(|it| StartedTask::of(&place, it)));
        found.keeping.extend(&Keeping::of(&place, waitings, makings, hidden));
        program
    }

    /// Its MIR and its files; or why they are not looked at.
    pub(super) fn input(&self) -> Result<(String, Vec<Arc<MemberFile>>), &'static str> {
        let path = mir(self.own, &self.kept.stem);
        if path.metadata().map_or(0, |it| it.len()) > self.limits.bytes {
            return Err("the compiler's MIR of it is too long");
        }
        let Ok(text) = fs::read_to_string(&path) else {
            return Err("the compiler's MIR of it cannot be read");
        };
        let sources = self.kept.sources.iter();
        let files: Vec<Arc<MemberFile>> = sources.filter_map(|it| self.files.file(it)).collect();
        let numbers: BTreeSet<u32> = files.iter().map(|it| file_number(it.path.as_str())).collect();
        if numbers.len() < files.len() {
            return Err("two of its files have the same number");
        }
        Ok((text, files))
    }

    /// Whether the workspace depends on tokio, under its own name, and has no other runtime that is known.
    fn has_timer(&self) -> bool {
        let called = self.project.called.get("tokio");
        called.is_some_and(|it| it.contains("tokio")) && self.project.unknown_executors().is_empty()
    }

    fn is_of_tests(&self) -> bool {
        matches!(self.artifact.kind, TargetKind::Test | TargetKind::Bench | TargetKind::Example)
    }

    /// How notes name it.
    fn shown(&self) -> String {
        let with_tests = self.artifact.for_tests && !self.is_of_tests();
        format!("`{}`{}", self.artifact.target, if with_tests { " with its tests" } else { "" })
    }
}

/// What rules and facts say of a program.
struct View {
    hits: Vec<(Found, Option<Remedy>)>,
    cross_target: CrossTarget,
    started: Vec<Started>,
    waitings: Vec<Waiting>,
    makings: Vec<Making>,
    hidden: Hidden,
    program: Program,
}

impl View {
    fn of(program: Program) -> View {
        let found = check(&program);
        let remedies = Remedies::of(&program, &found);
        let hits = found.iter().map(|it| (it.clone(), remedies.remedy(it))).collect();
        drop(remedies);
        let facts = Facts::of(&program);
        let (started, waitings, makings) = (started(&facts), waitings(&facts), makings(&program));
        drop(facts);
        let hidden = hidden(&program);
        View { hits, cross_target: cross_target(&program), started, waitings, makings, hidden, program }
    }
}

/// A rewritten file as flow analysis sees it.
pub(super) struct Owned {
    file: String,
    text: String,
    edition: Edition,
}

impl Owned {
    pub(super) fn source(&self) -> Source<'_> {
        Source { file: &self.file, text: &self.text, edition: self.edition }
    }
}

fn program(mir: Mir, sources: &[Owned], conditions: &Conditions, sites: BTreeMap<Number, Site>) -> Program {
    let sources: Vec<Source<'_>> = sources.iter().map(Owned::source).collect();
    Program::new(mir, &sources, conditions, sites)
}

pub(super) fn source(file: &MemberFile) -> Owned {
    let (name, text) = (file.compiled_as.clone(), file.rewritten.text.clone());
    Owned { file: name, text, edition: file.edition }
}

/// Places hits in the user's files.
pub(super) struct Placing<'a> {
    pub(super) files: &'a [Arc<MemberFile>],
    /// The crates of the workspace, whose modules the files are.
    pub(super) crates: &'a ObservedFunctions,
    pub(super) sites: &'a BTreeMap<Number, Site>,
    /// The crate is a test, bench or example.
    pub(super) of_tests: bool,
}

impl Placing<'_> {
    pub(super) fn hit(&self, Found { rule, hit }: Found, package: &str) -> Option<StaticHit> {
        let related = hit.related.iter().filter_map(|(mark, label)| self.located(mark, label)).collect();
        Some(StaticHit {
            property: rule.property.to_owned(),
            rule: rule.id.to_owned(),
            primary: self.located(&hit.primary.0, &hit.primary.1)?,
            related,
            needs_run: hit.certainty == Certainty::Unseen,
            level: match hit.certainty {
                Certainty::Unseen | Certainty::Doubt => Level::Note,
                Certainty::Usually => Level::Warning,
                Certainty::Definite => Level::Error,
            },
            message: hit.message,
            advice: hit.advice,
            package: package.to_owned(),
            fixes: Vec::new(),
        })
    }

    /// The change of a file of the workspace that carries out a remedy for a hit.
    fn fix(&self, remedy: Remedy, hit: &StaticHit) -> Option<Fix> {
        let name = &hit.primary.location.file;
        let file = self.files.iter().find(|it| it.shown == *name && !it.is_foreign)?;
        let start = |it: &HitLocation| SourcePosition::new(it.location.line, it.location.column);
        let related: Vec<SourcePosition> = hit.related.iter().map(start).collect();
        if hit.related.iter().any(|it| it.location.file != *name) {
            return None;
        }
        let found = suggestion(remedy, &file.text, file.edition, start(&hit.primary), &related)?;
        let edits = found.replacements.into_iter().map(|it| TextEdit {
            file: name.clone(),
            line: it.start.line,
            column: it.start.column,
            end_line: it.end.line,
            end_column: it.end.column,
            replacement: it.text,
        });
        let applicability =
            if found.is_sure { Applicability::MachineApplicable } else { Applicability::MaybeIncorrect };
        Some(Fix { message: found.message, applicability, edits: edits.collect() })
    }

    /// Where the name is of the item that has this path in its file; nothing where several files have such an item.
    fn only_item<'p>(
        &self,
        path_in: impl Fn(&MemberFile) -> Option<&'p str>,
    ) -> Option<(&Arc<MemberFile>, SourcePosition, SourcePosition)> {
        let mut named = self.files.iter().filter_map(|file| {
            let (start, end) = file.items().name_of(&file.text, path_in(file)?)?;
            Some((file, start, end))
        });
        let first = named.next()?;
        named.next().is_none().then_some(first)
    }

    pub(super) fn located(&self, mark: &CodeRef, label: &str) -> Option<HitLocation> {
        let (file, start, end) = match mark {
            CodeRef::Site(number) => {
                let site = self.sites.get(number)?;
                let file = self.files.iter().find(|it| it.shown == site.file)?;
                (file, site.start, site.end)
            }
            CodeRef::Position { file, position } => {
                let file = self.files.iter().find(|it| it.compiled_as == *file)?;
                let start = file.positions().original_of_message(*position);
                let line = file.text.lines().nth(start.line.saturating_sub(1) as usize).unwrap_or("");
                (file, start, end_of_word(line, start))
            }
            CodeRef::Item(path) => {
                // What a `#[path]` says of a file is not known.
                let by_module = self.only_item(|file| self.crates.path_within(&file.path, path));
                by_module.or_else(|| self.only_item(|_| Some(path)))?
            }
        };
        let in_test = self.of_tests || file.test_lines().contains(start.line);
        let location = Location {
            file: file.shown.clone(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            label: label.to_owned(),
        };
        Some(HitLocation { location, in_test })
    }
}
