//! What the lints find in one crate, placed in the user's files.

use super::kept::{Kept, mir};
use super::proofs::documents_locks;
use super::{Spot, StaticHit};
use crate::finding::{Level, Location};
use crate::harness::artifact::Artifact;
use crate::inject::overlay::Overlay;
use crate::inject::rewriting::PackageRules;
use crate::layout::OwnLayout;
use crate::project::{Project, TargetKind};
use camino::Utf8PathBuf;
use rvcheck_event::site::Site;
use rvcheck_source::edition::Edition;
use rvcheck_source::flow::{Program, Source};
use rvcheck_source::items::Items;
use rvcheck_source::lints::{Certainty, Hit, Mark, check};
use rvcheck_source::marker::{Number, file_number};
use rvcheck_source::mir::read;
use rvcheck_source::position::PositionMap;
use rvcheck_source::rewrite::Rewritten;
use rvcheck_source::sites::sites_by_number;
use rvcheck_source::tests::{LineSet, test_lines};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::mpsc::channel;
use std::time::Duration;

/// The longest text of MIR that is read, in bytes.
const LONGEST: u64 = 256 << 20;

/// How long one crate is looked at.
pub(super) const PATIENCE: Duration = Duration::from_secs(45);

/// What came of looking at a crate.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) hits: Vec<StaticHit>,
    /// What could not be looked at, in sentences.
    pub(super) notes: Vec<String>,
    /// What was seen, if it was looked at.
    pub(super) seen: Option<Seen>,
}

/// A crate that was looked at.
#[derive(Debug)]
pub(super) struct Seen {
    /// Its bodies.
    pub(super) program: Program,
    /// A file of it whose documentation may have tests that take locks.
    pub(super) documents_locks: Option<String>,
}

/// A file of the crate.
struct File {
    /// How reports name it.
    shown: String,
    /// How the compiler names it.
    compiled_as: String,
    path: Utf8PathBuf,
    original: String,
    rewritten: Rewritten,
    edition: Edition,
    test_lines: LineSet,
}

/// Looks at this crate.
pub(super) fn outcome(
    project: &Project,
    own: &OwnLayout,
    overlay: &Overlay,
    artifact: &Artifact,
    kept: &Kept,
) -> Outcome {
    let of_tests = matches!(artifact.kind, TargetKind::Test | TargetKind::Bench | TargetKind::Example);
    let what = format!(
        "`{}`{}",
        artifact.target,
        if artifact.for_tests && !of_tests { " with its tests" } else { "" }
    );
    let note = |why: &str| Outcome {
        notes: vec![format!("{what} was not looked at without running it: {why}")],
        ..Outcome::default()
    };
    let path = mir(own, &kept.stem);
    if path.metadata().map_or(0, |it| it.len()) > LONGEST {
        return note("the compiler's MIR of it is too long");
    }
    let Ok(text) = fs::read_to_string(&path) else { return note("the compiler's MIR of it cannot be read") };
    let files: Vec<File> = kept.sources.iter().filter_map(|it| file(project, overlay, it)).collect();
    if files.iter().map(|it| file_number(it.path.as_str())).collect::<BTreeSet<_>>().len() < files.len() {
        return note("two of its files have the same number");
    }
    let sites = files.iter().flat_map(File::sites).collect();
    let sources: Vec<Owned> = files.iter().map(File::source).collect();
    let Some((hits, unknown, program)) = within(PATIENCE, move || looked_at(&text, &sources, sites)) else {
        return note("it takes too long");
    };
    let package = project.packages.get(&artifact.package).map_or_else(String::new, |it| it.name.clone());
    let sites: BTreeMap<Number, Site> = files.iter().flat_map(File::sites).collect();
    let place = Placing { files: &files, sites: &sites, of_tests };
    let hits = hits.into_iter().filter_map(|hit| place.hit(hit, &package)).collect();
    let notes = (unknown > 0).then(|| {
        format!(
            "{unknown} function{} of {what} could not be read in the compiler's MIR",
            if unknown == 1 { "" } else { "s" }
        )
    });
    let is_documented = !artifact.for_tests && artifact.kind == TargetKind::Lib;
    let documented = files.iter().filter(|_| is_documented).find(|it| documents_locks(&it.original));
    let seen = Some(Seen { program, documents_locks: documented.map(|it| it.shown.clone()) });
    Outcome { hits, notes: notes.into_iter().collect(), seen }
}

/// A rewritten file as flow analysis sees it.
struct Owned {
    file: String,
    text: String,
    edition: Edition,
}

/// What the lints find, how many bodies are not understood, and what was looked at.
fn looked_at(text: &str, sources: &[Owned], sites: BTreeMap<Number, Site>) -> (Vec<Hit>, usize, Program) {
    let mir = read(text);
    let unknown = mir.bodies.iter().filter(|it| it.unknown.is_some()).count();
    let sources: Vec<Source<'_>> =
        sources.iter().map(|it| Source { file: &it.file, text: &it.text, edition: it.edition }).collect();
    let program = Program::new(mir, &sources, sites);
    (check(&program), unknown, program)
}

/// What the function gives, if it does so in time. Otherwise its thread goes on until the tool ends.
pub(super) fn within<T: Send + 'static>(
    patience: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (done, result) = channel();
    let spawned = std::thread::Builder::new().stack_size(16 << 20).spawn(move || {
        // Whoever waits may have lost patience.
        let _ = done.send(work());
    });
    spawned.ok()?;
    result.recv_timeout(patience).ok()
}

fn file(project: &Project, overlay: &Overlay, path: &Utf8PathBuf) -> Option<File> {
    let original = fs::read_to_string(path).ok()?;
    let rules: &PackageRules = overlay.package_of(path)?;
    let rewritten = rules.rewrite(path, &original, &overlay.undone());
    let edition = rules.edition();
    let inside = path.strip_prefix(&project.root);
    Some(File {
        shown: project.relative(path),
        compiled_as: inside.unwrap_or(path).to_string(),
        test_lines: test_lines(&original, edition),
        path: path.clone(),
        original,
        rewritten,
        edition,
    })
}

impl File {
    fn sites(&self) -> BTreeMap<Number, Site> {
        sites_by_number(&self.original, self.path.as_str(), &self.shown, self.edition)
    }

    fn source(&self) -> Owned {
        let (file, text) = (self.compiled_as.clone(), self.rewritten.text.clone());
        Owned { file, text, edition: self.edition }
    }
}

/// Places hits in the user's files.
struct Placing<'a> {
    files: &'a [File],
    sites: &'a BTreeMap<Number, Site>,
    /// The crate is a test, bench or example.
    of_tests: bool,
}

impl Placing<'_> {
    fn hit(&self, hit: Hit, package: &str) -> Option<StaticHit> {
        let related = hit.related.iter().filter_map(|(mark, label)| self.spot(mark, label)).collect();
        Some(StaticHit {
            property: hit.property.to_owned(),
            primary: self.spot(&hit.primary.0, &hit.primary.1)?,
            related,
            level: match hit.certainty {
                Certainty::Doubt => Level::Note,
                Certainty::Usually => Level::Warning,
                Certainty::Definite => Level::Error,
            },
            message: hit.message,
            advice: hit.advice,
            package: package.to_owned(),
        })
    }

    fn spot(&self, mark: &Mark, label: &str) -> Option<Spot> {
        let (file, (line, column), (end_line, end_column)) = match mark {
            Mark::Site(number) => {
                let site = self.sites.get(number)?;
                let file = self.files.iter().find(|it| it.shown == site.file)?;
                (file, (site.line, site.column), (site.end_line, site.end_column))
            }
            Mark::Position { file, line, column } => {
                let file = self.files.iter().find(|it| it.compiled_as == *file)?;
                let map = PositionMap::new(&file.original, &file.rewritten.edits);
                let (line, column) = map.original_of_message(*line, *column);
                (file, (line, column), (line, column.saturating_add(1)))
            }
            Mark::Item(path) => {
                let mut named = self.files.iter().filter_map(|file| {
                    let (start, end) =
                        Items::of(&file.original, file.edition).name_of(&file.original, path)?;
                    Some((file, start, end))
                });
                let first = named.next()?;
                // A path that several files have tells nothing.
                named.next().is_none().then_some(first)?
            }
        };
        let in_test = self.of_tests || file.test_lines.contains(line);
        let location = Location {
            file: file.shown.clone(),
            line,
            column,
            end_line,
            end_column,
            label: label.to_owned(),
        };
        Some(Spot { location, in_test })
    }
}
