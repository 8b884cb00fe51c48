//! The report: the one value that every renderer sees, and all that it sees.
//!
//! [`Report`] is the schema `rvcheck.report/1`, described field by field in `docs/report.md`. It only ever grows: a field
//! keeps its name and meaning, and readers skip what they do not know. The lines of source that the human form quotes
//! travel beside it as [`Excerpts`] and are stored in a file of their own.

mod chrome_trace;
mod enforced;
pub mod excerpt;
pub mod exploration;
mod explored;
mod format;
pub mod gate;
mod github;
pub mod html;
mod human;
mod json;
mod junit;
mod legible;
pub mod lifestates;
mod markdown;
mod mermaid;
mod otlp;
pub mod page_data;
pub(crate) mod path;
pub mod rustc_json;
mod sarif;
pub mod schema;
mod short;
pub mod stored;
mod suggested;
mod table;
#[cfg(test)]
pub(crate) mod tests;
mod tried;
pub(crate) mod verdicts;

use crate::finding::{Finding, Level, Location};
use crate::lock_dependencies::TestDependency;
use crate::recorded::Unmonitored;
use crate::request::Part;
use crate::timeline::Timeline;
use camino::Utf8PathBuf;
pub use chrome_trace::ChromeTrace;
pub use excerpt::Excerpts;
pub use exploration::Exploration;
pub use format::Format;
pub use gate::{Gate, Outcome};
pub use human::Style;
pub use lifestates::{Rearranged, RearrangementReport, ValidationReport};
pub use otlp::Otlp;
pub use page_data::PageData;
pub use rustc_json::Owner;
use rvcheck_event::schedule::Schedule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
pub(crate) use table::{bytes, counted};

/// The schema that [`Report`] follows.
pub const SCHEMA: &str = "rvcheck.report/1";

/// What the tool says about a property. The order is from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No run of this build can violate it, so it was unmonitored.
    Proved,
    /// It was monitored, and nothing happened that it speaks of. Never a pass.
    NotExercised,
    /// It was monitored and held.
    Held,
    /// It was not violated, but the unit ended abnormally or events were lost.
    Inconclusive,
    /// It was not violated, but another schedule of the same events violates it.
    Predicted,
    /// The source violates it; no run has shown that.
    Found,
    /// A trace does not fit the model, which permits less than its library does.
    Refuted,
    /// It was violated.
    Violated,
}

impl Verdict {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::NotExercised => "not-exercised",
            Verdict::Held => "held",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Predicted => "predicted",
            Verdict::Found => "found",
            Verdict::Refuted => "refuted",
            Verdict::Violated => "violated",
        }
    }

    /// Whether it takes a finding to come to it.
    pub(crate) const fn is_bad(self) -> bool {
        matches!(self, Verdict::Predicted | Verdict::Found | Verdict::Refuted | Verdict::Violated)
    }
}

/// The verdict of a property in one unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnitVerdict {
    /// `<target>::<path>` of the test, or `process`.
    pub test: String,
    /// The verdict.
    pub verdict: Verdict,
    /// How many bindings of the property's variables there were.
    pub bindings: u64,
    /// How many of them met an event that the property speaks of.
    pub exercised: u64,
    /// For a formula that begins with `exists` and holds: variables and what they can be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub witness: Vec<(String, String)>,
}

/// How many places in the source there are, and what became of them. `residual = total − proved − unmonitored`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SiteCount {
    /// All of them.
    pub total: u64,
    /// Those that no run of this build can violate anything at.
    pub proved: u64,
    /// Those that were monitored.
    pub residual: u64,
    /// Those that could not be monitored.
    pub unmonitored: u64,
}

impl SiteCount {
    /// The count of `total` places of which `unmonitored` could not be monitored.
    pub fn of(total: u64, unmonitored: u64) -> SiteCount {
        let unmonitored = unmonitored.min(total);
        SiteCount { total, proved: 0, residual: total - unmonitored, unmonitored }
    }
}

/// What became of one property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PropertyReport {
    /// The property's id.
    pub id: String,
    /// What it demands, in a few words.
    #[serde(default)]
    pub title: String,
    /// The level of its findings where nothing speaks against it.
    #[serde(default = "error")]
    pub level: Level,
    /// The worst verdict of its units, or what the source shows.
    pub verdict: Verdict,
    /// Its verdict in each unit, the worst first.
    pub units: Vec<UnitVerdict>,
    /// The places in the source where events of this property can be born.
    pub sites: SiteCount,
    /// How many events it was stepped with.
    pub events: u64,
    /// How many places were proved, by reason.
    pub reasons: BTreeMap<String, u64>,
    /// Bad things seen only in places that the user cannot change, and so no findings.
    #[serde(default)]
    pub elsewhere: u64,
    /// How many of its findings are notes. Where all are, it is not violated.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub notes: u64,
    /// For a formula that the program brought along.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub live: Option<LiveReport>,
}

impl PropertyReport {
    /// The row of a property of which nothing is known yet.
    pub fn of(id: &str) -> PropertyReport {
        PropertyReport {
            id: id.to_owned(),
            title: String::new(),
            level: Level::Error,
            verdict: Verdict::NotExercised,
            units: Vec::new(),
            sites: SiteCount::default(),
            events: 0,
            reasons: BTreeMap::new(),
            elsewhere: 0,
            notes: 0,
            live: None,
        }
    }
}

/// The level of a property of which none is reported.
fn error() -> Level {
    Level::Error
}

/// A formula that the program has had checked while it ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LiveReport {
    /// The formula; empty where none could be recorded.
    pub formula: String,
    /// It was checked over what had happened before, too.
    pub since_tail: bool,
}

/// How the tests ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestCount {
    /// They passed.
    pub passed: u64,
    /// They failed, by whatever cause; the fields below but `ignored` say more.
    pub failed: u64,
    /// They were not run.
    pub ignored: u64,
    /// Of the failed ones: they fail without the tool too.
    #[serde(default)]
    pub failed_plainly: u64,
    /// Of the failed ones: they fail under the tool every time and never without it.
    #[serde(default)]
    pub failed_under_tool: u64,
    /// Of the failed ones: a property with `on_violation = "stop"` stopped them.
    #[serde(default)]
    pub stopped: u64,
    /// Of the failed ones: nothing went on in them, and the tool ended their process.
    #[serde(default)]
    pub stalled: u64,
    /// They failed and then passed, or the other way round; not counted in `failed` or `passed`.
    #[serde(default)]
    pub flaky: u64,
    /// The process ended before they did; not counted in `failed` or `passed`.
    #[serde(default)]
    pub unfinished: u64,
}

/// How the build went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BuildOutcome {
    /// It was built.
    #[default]
    Ok,
    /// It does not build without the tool either.
    FailedPlainly,
    /// It builds without the tool, but not with it.
    FailedUnderTool,
}

/// The run as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent facts")]
pub struct RunReport {
    /// How the tests ended.
    pub tests: TestCount,
    /// All places of all source files of the workspace's members.
    pub sites: SiteCount,
    /// How many events were checked.
    pub events: u64,
    /// How many records were lost.
    pub dropped: u64,
    /// A trace reached its size cap.
    pub truncated: bool,
    /// How the build went.
    #[serde(default)]
    pub build: BuildOutcome,
    /// How many units were checked: the tests that ran, and one for each process that is no test harness.
    #[serde(default)]
    pub units: u64,
    /// Whether something that happened keeps the verdicts from being conclusive; `undecided` says what.
    #[serde(default)]
    pub inconclusive: bool,
    /// What keeps verdicts from being conclusive. The reasons are among the `notes`, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<Undecided>,
    /// Only a part of the tests was asked for.
    #[serde(default)]
    pub partial: bool,
    /// Which part of the tests was run, where they were divided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// What a reader of the verdicts should know, such as that a trace is cut off.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Nothing was run: only the source was looked at.
    #[serde(default, skip_serializing_if = "is_false")]
    pub only_source: bool,
    /// How many crates of the workspace were looked at without running them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub looked_at: u64,
    /// How many of them call something that rules know, whether that can be monitored or not.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub concurrent: u64,
    /// How many processes ran.
    #[serde(default)]
    pub processes: u64,
    /// The size of the traces in bytes.
    #[serde(default)]
    pub trace_bytes: u64,
    /// Wall time of the processes in seconds.
    #[serde(default)]
    pub seconds: f64,
}

/// What keeps verdicts from being conclusive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Undecided {
    /// `<target>::<path>` of the test whose verdicts it concerns; empty where it concerns all tests of a process.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub test: String,
    /// Why, in a sentence.
    pub reason: String,
    /// The test fails now and then, or without the tool too: what other tests have shown stands.
    #[serde(default, skip_serializing_if = "is_false")]
    pub fails_anyway: bool,
}

impl Undecided {
    /// For this reason nothing is conclusive.
    pub fn process(reason: String) -> Undecided {
        Undecided { test: String::new(), reason, fails_anyway: false }
    }
}

impl RunReport {
    /// The verdicts are not conclusive because of this.
    pub fn leave_open(&mut self, undecided: Undecided) {
        self.inconclusive = true;
        self.notes.push(undecided.reason.clone());
        self.undecided.push(undecided);
    }

    /// Whether only a part of the tests was run.
    pub fn is_part(&self) -> bool {
        self.partial || self.part.is_some()
    }
}

/// A remedy that is applied at a place of the program, because a property with `on_violation = "enforce"` was violated there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EnforcedReport {
    /// The id of the property.
    pub property: String,
    /// `offload`, `handle`, `gate` or `refuse`.
    pub remedy: String,
    /// The place; for a gate up to two.
    pub places: Vec<Location>,
    /// It was known before this run.
    pub known: bool,
    /// How often it was applied.
    pub times: u64,
    /// How long that delayed tasks in all, in ns. What delays several at once counts for each.
    pub nanos: u64,
    /// How often it was given up, because it kept a task too long.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub given_up: u64,
    /// What should be changed, in words.
    pub advice: String,
}

/// How a report compares with the snapshot that was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SnapshotReport {
    /// The file of the snapshot, relative to the root of the workspace.
    pub path: String,
    /// They are not the same.
    pub differs: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_false(it: &bool) -> bool {
    !*it
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What is tried by holding tasks back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Steered {
    /// A finding.
    Prediction {
        /// Its property.
        property: String,
        /// Its primary location.
        place: Location,
    },
    /// A candidate schedule, of which nothing is reported yet.
    Candidate {
        /// The unit.
        test: String,
        /// Where tasks are delayed, and where others then are.
        places: Vec<Location>,
        /// It is only tried where something was found in the source at one of the places.
        if_found: bool,
    },
    /// That somebody else comes between two steps of a task. The schedules come from a run under control.
    CheckThenAct,
}

/// How a prediction can be made to happen, or what a candidate schedule is for: the test, and where its tasks are to be delayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steering {
    /// What is tried.
    pub of: Steered,
    /// The trace of the process in which it was predicted.
    pub process: Utf8PathBuf,
    /// The test, as its harness calls it.
    pub test: String,
    /// Where tasks are delayed.
    pub schedule: Schedule,
    /// The same, but for how often the tasks come there before they are delayed.
    pub later: Vec<Schedule>,
}

/// The answer of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// The tool and its version.
    pub tool: String,
    /// Identifies the build that was checked.
    pub build: String,
    /// Where the root of the workspace lies in its repository, such as `services/bank/`; empty at its root and without one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub workspace: String,
    /// What was found, the worst first.
    pub findings: Vec<Finding>,
    /// The properties, in the order of their ids.
    pub properties: Vec<PropertyReport>,
    /// What was unmonitored, and why.
    pub unmonitored: Vec<Unmonitored>,
    /// The run as a whole.
    pub run: RunReport,
    /// What was explored by other schedules, if anything was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exploration: Option<Exploration>,
    /// The remedies that were learnt and applied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub enforced: Vec<EnforcedReport>,
    /// Which traces fit which models, where that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validations: Vec<ValidationReport>,
    /// What other orders of callbacks could do, where that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rearrangements: Vec<RearrangementReport>,
    /// How it compares with the snapshot, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<SnapshotReport>,
    /// What the report means for whoever called the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// How predictions can be made to happen; not part of the schema.
    #[serde(skip)]
    pub steering: Vec<Steering>,
    /// The lock dependencies that this run and earlier ones have shown; not part of the schema.
    #[serde(skip)]
    pub dependencies: Vec<TestDependency>,
    /// The lines of source that the findings point at; not part of the schema.
    #[serde(skip)]
    pub excerpts: Excerpts,
    /// What pages show beside all that; not part of the schema.
    #[serde(skip)]
    pub page: PageData,
    /// The traces that it was made from, where they are at hand; not part of the schema.
    #[serde(skip)]
    pub timeline: Timeline,
    /// The packages of the workspace, where they are known; not part of the schema.
    #[serde(skip)]
    pub owners: Vec<Owner>,
}

impl Report {
    /// A report in which nothing happened yet.
    pub fn empty(build: &str) -> Report {
        Report {
            schema: SCHEMA.to_owned(),
            tool: concat!("rvcheck ", env!("CARGO_PKG_VERSION")).to_owned(),
            build: build.to_owned(),
            workspace: String::new(),
            findings: Vec::new(),
            properties: Vec::new(),
            unmonitored: Vec::new(),
            run: RunReport::default(),
            exploration: None,
            enforced: Vec::new(),
            validations: Vec::new(),
            rearrangements: Vec::new(),
            snapshot: None,
            outcome: None,
            steering: Vec::new(),
            dependencies: Vec::new(),
            excerpts: Excerpts::default(),
            page: PageData::default(),
            timeline: Timeline::default(),
            owners: Vec::new(),
        }
    }

    /// The report of a run whose build failed; `plainly` when it fails without the tool too, `notes` what the compiler said
    /// in short.
    pub fn of_failed_build(build: &str, plainly: bool, notes: Vec<String>) -> Report {
        let mut report = Report::empty(build);
        report.run.build = if plainly { BuildOutcome::FailedPlainly } else { BuildOutcome::FailedUnderTool };
        report.run.notes = notes;
        report
    }

    /// Says that the build failed; `plainly` when it fails without the tool too.
    pub fn fail_to_build(&mut self, plainly: bool, note: &str) {
        self.run.build = if plainly { BuildOutcome::FailedPlainly } else { BuildOutcome::FailedUnderTool };
        self.run.notes.push(note.to_owned());
    }

    /// Says that the run ended before everything had run, and why.
    pub fn cut_short(&mut self, reason: impl std::fmt::Display) {
        let reason = format!("the run was cut short, and what did not finish is missing: {reason}");
        self.run.leave_open(Undecided::process(reason));
    }

    /// The findings that were not suppressed, the worst first.
    pub fn open(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| !finding.suppressed)
    }
}
