//! The program's source as checking sees it: what stands at the places that a trace names.

use crate::analysis::StartedTask;
use crate::analysis::keeping::Keeping;
use crate::finding::{CodeLocation, Location};
use crate::inject::member_file::MemberFile;
use crate::recorded::{Recorded, SourceFile};
use crate::relative::relative;
use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;
use rvcheck_event::id::SiteId;
use rvcheck_event::log::line_of;
use rvcheck_event::names::RecordedSite;
use rvcheck_event::position::{CompiledPosition, SourcePosition};
use rvcheck_event::site::{Site, SiteTable};
use rvcheck_source::edit::Edit;
use rvcheck_source::items::Items;
use rvcheck_source::lines::LineStarts;
use rvcheck_source::marker::{Marker, MarkerKind};
use rvcheck_source::position::end_of_word;
use rvcheck_source::suppression::{Suppression, suppressions};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// A place as the recorder names it: the compiler's name of the file, and where in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CompiledSite<'a> {
    pub(super) file: &'a str,
    pub(super) position: CompiledPosition,
    /// The recorder took the file for one of the program's own crates.
    pub(super) own: bool,
}

impl<'a> CompiledSite<'a> {
    pub(super) fn of(site: &'a RecordedSite) -> CompiledSite<'a> {
        CompiledSite { file: &site.file, position: site.position, own: site.own }
    }
}

/// The source files of the workspace's members.
pub(super) struct Sources {
    root: Utf8PathBuf,
    /// By the compiler's name of the file.
    files: BTreeMap<String, Source>,
    /// Which file of `files` a name in a report means.
    reported: BTreeMap<String, String>,
    /// Starts of tasks and threads of which a run tells less than the source.
    pub(super) started: Vec<StartedTask>,
    /// What tasks and threads keep where they wait.
    pub(super) keeping: Keeping,
    /// What was odd about them.
    pub(super) notes: Vec<String>,
    /// The trace itself, where that is all there is.
    trace: Option<TraceText>,
}

/// A trace as people see it.
struct TraceText {
    name: String,
    /// Its text, if it is one.
    text: Option<String>,
    lines: LineStarts,
}

impl TraceText {
    fn of(name: &str, text: Option<&str>) -> TraceText {
        let lines = LineStarts::of(text.unwrap_or_default());
        TraceText { name: name.to_owned(), text: text.map(str::to_owned), lines }
    }

    /// The text of a line, if it has a text.
    fn line(&self, line: u32) -> Option<&str> {
        self.text.as_deref().map(|text| self.lines.line(text, line))
    }
}

/// One source file.
struct Source {
    member: Arc<MemberFile>,
    is_test: bool,
    rewritten: bool,
    /// The offsets of the operations on atomics that are followed.
    atomics: BTreeSet<usize>,
    sites: SiteTable,
    suppressions: Vec<Suppression>,
    lines: LineStarts,
}

impl Sources {
    /// Reads the files of this run. Files that cannot be read are noted and left out.
    pub(super) fn read(recorded: &Recorded) -> Sources {
        let loaded: Vec<_> = recorded.sources.par_iter().map(|file| source(file, recorded)).collect();
        let mut sources = Sources {
            root: recorded.workspace_root.clone(),
            files: BTreeMap::new(),
            reported: BTreeMap::new(),
            started: recorded.analysed.started.clone(),
            keeping: recorded.analysed.keeping.clone(),
            notes: Vec::new(),
            trace: None,
        };
        for (file, loaded) in recorded.sources.iter().zip(loaded) {
            match loaded {
                Ok(source) => {
                    sources.reported.insert(source.member.shown.clone(), file.compiled_as.clone());
                    sources.files.insert(file.compiled_as.clone(), source);
                }
                Err(error) => {
                    let path = relative(&file.path, &sources.root);
                    sources.notes.push(format!("cannot read {path}: {error}"));
                }
            }
        }
        sources
    }

    /// No files but a trace, with its text where it is one.
    pub(super) fn only_trace(name: &str, text: Option<&str>) -> Sources {
        let trace = TraceText::of(name, text);
        Sources {
            root: Utf8PathBuf::new(),
            files: BTreeMap::new(),
            reported: BTreeMap::new(),
            started: Vec::new(),
            keeping: Keeping::default(),
            notes: Vec::new(),
            trace: Some(trace),
        }
    }

    /// How reports name any file.
    pub(super) fn shown(&self, path: &Utf8Path) -> String {
        relative(path, &self.root)
    }

    /// Whether there is nothing but a trace in text.
    pub(super) fn is_text(&self) -> bool {
        self.trace.as_ref().is_some_and(|it| it.text.is_some())
    }

    /// Whether there is nothing but a trace.
    pub(super) fn is_trace(&self) -> bool {
        self.trace.is_some()
    }

    /// The line of the trace that a site stands for.
    pub(super) fn line(&self, site: SiteId) -> Option<CompiledSite<'_>> {
        let trace = self.trace.as_ref()?;
        line_of(site).map(|line| CompiledSite {
            file: &trace.name,
            position: CompiledPosition::new(line, 1),
            own: true,
        })
    }

    /// The trace as a place, where it is all there is.
    pub(super) fn of_trace(&self) -> Option<CodeLocation> {
        let trace = self.trace.as_ref()?;
        Some(
            self.place(
                CompiledSite { file: &trace.name, position: CompiledPosition::new(1, 1), own: true },
                "",
            ),
        )
    }

    /// The text of a file that a report names.
    pub(super) fn text(&self, reported: &str) -> Option<&str> {
        if let Some(trace) = self.trace.as_ref().filter(|it| it.name == reported) {
            return trace.text.as_deref();
        }
        Some(self.files.get(self.reported.get(reported)?)?.member.text.as_str())
    }

    /// The text of a file that a report names, and the items in it.
    pub(super) fn items(&self, reported: &str) -> Option<(&str, &Items)> {
        let Source { member: file, .. } = self.files.get(self.reported.get(reported)?)?;
        Some((&file.text, file.items()))
    }

    /// The path inside its file of the item around a place that a report names.
    pub(super) fn item_at(&self, reported: &str, line: u32, column: u32) -> Option<&str> {
        let (text, items) = self.items(reported)?;
        let before: usize =
            text.split_inclusive('\n').take(line.checked_sub(1)? as usize).map(str::len).sum();
        let inside = text.get(before..)?.char_indices().nth(column.checked_sub(1)? as usize)?.0;
        Some(items.path(before + inside))
    }

    /// The item of that name, with its file in reports and its text, where all files have only one.
    pub(super) fn only_item(&self, name: &str) -> Option<(&str, &str, Range<usize>)> {
        let mut all = self.files.values().flat_map(|it| {
            let file = &it.member;
            file.items().named(name).map(move |range| (file.shown.as_str(), file.text.as_str(), range))
        });
        all.next().filter(|_| all.next().is_none())
    }

    /// Whether an operation on an atomic whose name is among these bytes of a file that a report names is followed.
    pub(super) fn follows_atomic(&self, reported: &str, bytes: Range<usize>) -> bool {
        let file = self.reported.get(reported).and_then(|it| self.files.get(it));
        file.is_some_and(|it| it.atomics.range(bytes).next().is_some())
    }

    /// Whether a line outside tests and comments calls a method of that name.
    pub(super) fn calls_outside_tests(&self, method: &str) -> bool {
        let called = format!(".{method}(");
        self.files.values().flat_map(Source::code).any(|(_, line)| line.contains(&called))
    }

    /// Whether a function outside tests has two operations on atomics that are followed.
    pub(super) fn has_atomics_in_one_function(&self) -> bool {
        self.files.values().filter(|it| it.atomics.len() > 1).any(|file| {
            let items = file.member.items();
            let atomics = file.code().flat_map(|(at, line)| file.atomics.range(at..at + line.len()));
            let mut known = BTreeSet::new();
            atomics.filter_map(|it| items.around(*it)).any(|it| !known.insert((it.start, it.end)))
        })
    }

    /// The functions outside tests in whose text something of that name is called: the file in reports, and the path inside it.
    pub(super) fn callers(&self, name: &str) -> impl Iterator<Item = (String, String)> {
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        let is_call = move |line: &str, at: usize| {
            let (before, after) = (&line[..at], &line[at + name.len()..]);
            after.starts_with('(') && !before.ends_with(is_word) && !before.ends_with("fn ")
        };
        self.files.values().flat_map(move |file| {
            let lines = file.code().flat_map(move |(begin, line)| {
                line.match_indices(name).filter(move |it| is_call(line, it.0)).map(move |it| begin + it.0)
            });
            lines.map(|at| (file.member.shown.clone(), file.member.items().path(at).to_owned()))
        })
    }

    /// The comments that allow something, by the name of their file in reports.
    pub(super) fn suppressions(&self) -> BTreeMap<&str, &[Suppression]> {
        self.files.values().map(|file| (file.member.shown.as_str(), file.suppressions.as_slice())).collect()
    }

    /// Every site of every file, with the name of the file in reports, its text, and whether its awaits are monitored.
    pub(super) fn sites(&self) -> impl Iterator<Item = (&str, &str, bool, &Site)> {
        self.files.values().flat_map(|file| {
            file.sites
                .iter()
                .map(|site| (file.member.shown.as_str(), file.member.text.as_str(), file.rewritten, site))
        })
    }

    /// What stands at a place that the recorder named.
    pub(super) fn site(&self, at: CompiledSite<'_>) -> Option<&Site> {
        let file = self.files.get(at.file)?;
        file.sites.at(at.file, file.member.positions().original(at.position))
    }

    /// That place as a finding names it.
    pub(super) fn place(&self, at: CompiledSite<'_>, label: &str) -> CodeLocation {
        let Some(file) = self.files.get(at.file) else {
            let CompiledPosition { line, column } = at.position;
            let location = Location {
                file: relative(Utf8Path::new(at.file), &self.root),
                line,
                column,
                end_line: line,
                end_column: self.end_of_trace_line(at).unwrap_or(column.saturating_add(1)),
                label: label.to_owned(),
            };
            return CodeLocation { location, own: at.own, in_test: false };
        };
        let start = file.member.positions().original(at.position);
        let site = file.sites.at(at.file, start);
        let SourcePosition { line, column } = start;
        let text = file.lines.line(&file.member.text, line);
        let end = match site {
            Some(site) => site.end,
            None => end_of_word(text, start),
        };
        let location = Location {
            file: file.member.shown.clone(),
            line,
            column,
            end_line: end.line,
            end_column: end.column,
            label: label.to_owned(),
        };
        // Code at a line of a comment is a doctest.
        let in_comment = text.trim_start().starts_with("//");
        let in_test = in_comment
            || file.is_test
            || site.is_some_and(|it| it.in_test)
            || file.member.test_lines().contains(line);
        CodeLocation { location, own: true, in_test }
    }

    /// Whether a panic there is the end that a test gives a task or thread on purpose.
    pub(super) fn is_meant_panic(&self, at: CompiledSite<'_>) -> bool {
        let CodeLocation { location: Location { line, column, .. }, in_test, .. } = self.place(at, "");
        let file = self.files.get(at.file).filter(|_| in_test);
        file.is_some_and(|it| it.member.inevitable_panics().contains(&SourcePosition::new(line, column)))
    }
}

impl Sources {
    /// The column behind a line of the trace.
    fn end_of_trace_line(&self, at: CompiledSite<'_>) -> Option<u32> {
        let trace = self.trace.as_ref().filter(|it| it.name == at.file)?;
        let length = trace.line(at.position.line)?.chars().count();
        u32::try_from(length.max(1)).ok()?.checked_add(1)
    }
}

impl Source {
    /// The lines outside tests, without comments, each with the offset at which it begins.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut begin = 0;
        let lines = self.member.text.split_inclusive('\n').map(move |line| {
            begin += line.len();
            (begin - line.len(), line)
        });
        let is_code = |number: &u32| !self.is_test && !self.member.test_lines().contains(*number);
        let lines = (1..).zip(lines).filter(move |(number, _)| is_code(number));
        lines.map(|(_, (at, line))| (at, line.split("//").next().unwrap_or_default()))
    }
}

fn source(file: &SourceFile, recorded: &Recorded) -> std::io::Result<Source> {
    let member = file.member(recorded)?;
    let atomics = member.rewritten.insertions().filter(|it| is_at_atomic(it)).map(|it| it.stands_for);
    let atomics = atomics.filter(|it| file.rewritten && !file.undone.contains(it)).collect();
    Ok(Source {
        is_test: file.is_test,
        rewritten: file.rewritten,
        atomics,
        sites: SiteTable::new(member.sites_as(&file.compiled_as)),
        suppressions: suppressions(&member.text),
        lines: LineStarts::of(&member.text),
        member,
    })
}

fn is_at_atomic(edit: &Edit) -> bool {
    let kind = Marker::of_text(&edit.insert).map(|it| it.kind);
    matches!(kind, Some(MarkerKind::Atomic | MarkerKind::Asked))
}
