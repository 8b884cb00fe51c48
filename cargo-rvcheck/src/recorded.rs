//! What an instrumented run left behind: the value between running (harness) and checking.

use crate::again::Again;
use crate::analysis::Analysed;
use crate::inject::member_file::MemberFile;
use crate::inject::observed::ObservedFunctions;
use crate::inject::probe::StdReplacement;
use crate::inject::rewriting::PackageRules;
use crate::rollback::undone::Undone;
use crate::unobserved::Unobserved;
use camino::Utf8PathBuf;
use rvcheck_event::site::{Site, SiteKind};
use rvcheck_source::macros::OwnMacros;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

/// One run: the processes that it started, in the order in which cargo started them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Recorded {
    /// The run's folder, with traces and logs.
    pub folder: Utf8PathBuf,
    /// The root of the user's workspace; files in reports are relative to it.
    pub workspace_root: Utf8PathBuf,
    /// Identifies the build: a hash over tool, compiler, lock file and flags.
    pub build: String,
    /// What every instrumented source file looks like before and after, for positions and sites.
    pub sources: Vec<SourceFile>,
    /// What a command line that shows a finding again has to keep.
    #[serde(default)]
    pub again: Again,
    /// The macros that the workspace defines, which decide what is inserted where they are invoked.
    #[serde(default)]
    pub macros: OwnMacros,
    /// The functions that are events, for which something is inserted, too.
    #[serde(default)]
    pub observed: ObservedFunctions,
    /// Observed functions whose events may be missing.
    #[serde(default)]
    pub unobserved: Vec<Unobserved>,
    /// The processes.
    pub processes: Vec<Process>,
    /// What the build could not watch: rolled-back edits, crates without shims.
    pub unmonitored: Vec<Unmonitored>,
    /// The executors in the program whose tasks are not known, such as `smol`.
    #[serde(default)]
    pub unknown_executors: Vec<String>,
    /// What was found without running anything.
    #[serde(default)]
    pub analysed: Analysed,
    /// What is not seen because there is no shim for it, or the program does not compile with that.
    #[serde(default)]
    pub left_out: Vec<LeftOut>,
}

/// Something that is not seen, wherever it happens.
///
/// Whose operation stands at a place is not known from its text. So a place counts as one of these if it is of such a
/// kind and its file names the crate, unless something was seen there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Why, in one sentence.
    pub reason: String,
    /// The names of the kinds of sites at which it happens.
    pub kinds: Vec<String>,
    /// By which names code calls the crate; none where every file can do it without a name.
    pub names: Vec<String>,
}

impl LeftOut {
    /// Whether it may happen at this site in a file with this text.
    pub fn concerns(&self, site: &Site, text: &str) -> bool {
        self.has(site.kind)
            && (site.kind != SiteKind::Creation || self.is_created_by(&site.call))
            && (self.is_everywhere() || self.names.iter().any(|it| has_word(text, it)))
    }

    /// Whether every file can do it, because it takes no name.
    pub fn is_everywhere(&self) -> bool {
        self.names.is_empty()
    }

    fn has(&self, kind: SiteKind) -> bool {
        self.kinds.iter().any(|it| it == kind.name())
    }

    /// Whether a function of this name creates something of the kinds that it happens to. Those of channels have names of their own.
    fn is_created_by(&self, call: &str) -> bool {
        if ["bounded", "channel", "sync_channel", "unbounded", "unbounded_channel"].contains(&call) {
            self.has(SiteKind::Channel)
        } else {
            [SiteKind::Lock, SiteKind::Semaphore, SiteKind::Signal].into_iter().any(|it| self.has(it))
        }
    }
}

fn has_word(text: &str, word: &str) -> bool {
    let of_word = |it: char| it.is_alphanumeric() || it == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(of_word) && !text[at + word.len()..].starts_with(of_word))
}

/// A source file of a workspace member.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SourceFile {
    /// The original file, absolute.
    pub path: Utf8PathBuf,
    /// How the compiler names it, and so traces and panics do (often relative to the workspace root).
    pub compiled_as: String,
    /// The package that it belongs to.
    pub package: String,
    /// The edition of its package, such as `2021`.
    pub edition: String,
    /// It is a test, bench or example by its place.
    pub is_test: bool,
    /// The edits were applied to it.
    pub rewritten: bool,
    /// The offsets of the marks in it that were undone.
    #[serde(default)]
    pub undone: BTreeSet<usize>,
    /// What it was compiled from, while that is at hand.
    #[serde(skip)]
    pub member: Option<Arc<MemberFile>>,
}

impl SourceFile {
    /// Its text, and what was inserted there. Of a run that was stored it is read and rewritten again. Numbers of markers, what was
    /// undone and assertions are left out then; they move no position.
    pub fn member(&self, recorded: &Recorded) -> io::Result<Arc<MemberFile>> {
        if let Some(known) = &self.member {
            return Ok(Arc::clone(known));
        }
        let rules = PackageRules {
            name: self.package.clone(),
            edition: self.edition.clone(),
            roots: BTreeMap::new(),
            programs: BTreeSet::new(),
            awaits: self.rewritten,
            core: BTreeMap::new(),
            std_replacement: StdReplacement::Flag,
            macros: recorded.macros.clone(),
            observed: recorded.observed.clone(),
            foreign: None,
        };
        MemberFile::read(&self.path, &recorded.workspace_root, &rules, &Undone::default()).map(Arc::new)
    }
}

/// A place that is unmonitored, and why.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Unmonitored {
    /// The file, relative to the workspace root.
    pub file: String,
    /// The line, from 1; 0 stands for the whole file.
    pub line: u32,
    /// The column of the site, from 1, in characters; without one all sites of the line are meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Why, in one sentence.
    pub reason: String,
}

/// The option of cargo that selects the doctests.
pub const DOCUMENTATION: &str = "--doc";

/// The file and the line of a doctest, which rustdoc calls `src/lib.rs - Journal::append (line 12)`.
pub fn documented_at(test: &str) -> Option<(&str, u32)> {
    let (file, _) = test.split_once(" - ")?;
    let (_, line) = test.rsplit_once(" (line ")?;
    Some((file, line.strip_suffix(')')?.parse().ok()?))
}

/// One process of the instrumented program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Process {
    /// The package whose target this is.
    pub package: String,
    /// The target's name as reports write it: `it` of `it::books_balance`.
    pub target: String,
    /// The options of cargo that select this target, such as `--test it`, `--lib` or `--bin shop`.
    pub select: String,
    /// It speaks libtest's protocol, so that its tests are units.
    pub libtest: bool,
    /// Who started it.
    #[serde(default)]
    pub origin: Origin,
    /// The one test that everything in it belongs to, where it is for one only.
    #[serde(default)]
    pub only: Option<String>,
    /// The command that was run.
    pub command: Vec<String>,
    /// How it ended.
    pub end: End,
    /// The tests that it reported, in order.
    pub tests: Vec<TestResult>,
    /// Its trace, if it recorded any.
    pub trace: Option<Utf8PathBuf>,
    /// Wall time in seconds.
    pub seconds: f64,
}

/// Who started a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// The tool, to run tests or a program.
    #[default]
    Tool,
    /// Cargo. It is rustdoc, which is unmonitored itself: it starts processes for the doctests.
    Cargo,
    /// Another process that was monitored, or rustdoc. The latter knows how it ends.
    Process,
    /// Unknown: there is only its trace. Its tests are those that the trace names.
    Trace,
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// It exited with this status.
    Exited(i32),
    /// A signal ended it: an abort, a kill, a crash.
    Signalled(i32),
    /// The tool ended it because nothing went on in it.
    TimedOut,
    /// It ended itself: it was controlled, and nobody in it could go on.
    Hung,
    /// In order, with a status that only the process knows that started it.
    Orderly,
    /// It was killed, or was still running when the run ended; nobody knows more.
    Unfinished,
}

/// What a test reported of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestResult {
    /// The path inside the target, such as `tests::books_balance`.
    pub name: String,
    /// How it ended.
    pub outcome: TestOutcome,
    /// It is marked `should_panic`.
    pub should_panic: bool,
}

/// How a test ended, after the reruns of failed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TestOutcome {
    /// It passed.
    Passed,
    /// It was not run.
    Ignored,
    /// It fails plainly too.
    FailedPlainly,
    /// It fails under the tool every time and never plainly.
    FailedUnderTool,
    /// It failed and then passed, or the other way round.
    Flaky,
    /// It failed, and nothing more is known.
    Failed,
    /// A property stopped it.
    Stopped,
    /// Nothing went on in it, and the tool ended its process.
    Stalled,
    /// The process ended before it did.
    Unfinished,
}
