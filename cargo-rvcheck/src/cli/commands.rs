//! The arguments of each command.

use super::{PrintArgs, ShowArgs, candidates};
use crate::explore::walks::By;
use crate::request::{
    BuildArgs, BuildMonitorArgs, Exploring, MonitorArgs, Part, SelectionArgs, Span, TargetArgs, TestTool,
    ThresholdArgs,
};
use camino::Utf8PathBuf;
use clap::{Args, Subcommand, ValueEnum};
use clap_complete::engine::ArgValueCandidates;
use rvcheck_spec::evaluation::lifestate::predict::STATES;
use std::time::Duration;

/// Arguments of `test`.
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub struct TestArgs {
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Which targets to test.
    #[command(flatten)]
    pub targets: TargetArgs,
    /// Run the tests with this tool; auto is nextest if it is installed and `.config/nextest.toml` exists, else cargo
    #[arg(long, value_enum, default_value_t = TestTool::Auto, value_name = "TOOL", help_heading = "Monitoring")]
    pub test_tool: TestTool,
    /// Run all test executables even if one fails; rvcheck always does, so that the rest is checked
    #[arg(long, help_heading = "Execution")]
    pub no_fail_fast: bool,
    /// Compile the instrumented tests, but do not run them
    #[arg(long, help_heading = "Execution")]
    pub no_run: bool,
    /// Run only a part of the tests, such as count:1/3 for the first of three; hash: by name, slice: over all executables
    #[arg(long, value_name = "count|slice|hash:I/N", help_heading = "Test Selection")]
    pub partition: Option<Part>,
    /// Which tests to run.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// How to monitor.
    #[command(flatten)]
    pub monitor: MonitorArgs,
    /// Also monitor what is proved, and fail if an observation contradicts a proof
    #[arg(long, help_heading = "Monitoring")]
    pub audit: bool,
    /// Run tests with a predicted deadlock again for at most this long to confirm it, such as 30s or 2m; 0 for not at all
    #[arg(long, default_value = "30s", value_name = "TIME", help_heading = "Monitoring")]
    pub confirm_budget: Span,
    /// Also run the tests by other schedules for at most this long in all, such as 60s or 5m; 0 for not at all
    #[arg(long, default_value = "0", value_name = "TIME", help_heading = "Monitoring")]
    pub explore: Span,
    /// Run by this schedule, which a confirmed finding names
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<Utf8PathBuf>,
    /// What to show.
    #[command(flatten)]
    pub show: ShowArgs,
    /// Ignore the snapshot
    #[arg(long, help_heading = "Report")]
    pub no_snapshot: bool,
    /// Run only tests whose name contains one of these
    #[arg(value_name = "TESTNAME")]
    pub filters: Vec<String>,
    /// Arguments for the test executables
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

impl TestArgs {
    /// The arguments for each test executable.
    pub fn for_executables(&self) -> Vec<String> {
        self.selection.for_executables(&self.filters, &self.args)
    }

    /// Which tests were asked for, for people; `None` if all were.
    pub fn selected(&self) -> Option<String> {
        self.selection.in_words(&self.filters, &self.args, self.partition)
    }

    /// How the tests are explored, if they are.
    pub fn exploring(&self) -> Option<Exploring> {
        let time = Some(self.explore.0).filter(|it| !it.is_zero());
        time.map(|time| Exploring { time: Some(time), ..Exploring::default() })
    }
}

/// Arguments of `explore`.
#[derive(Clone, Debug, Args)]
pub struct ExploreArgs {
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Which targets to test.
    #[command(flatten)]
    pub targets: TargetArgs,
    /// Explore for at most this long in all, such as 60s or 5m; 60s unless the number of schedules is given
    #[arg(long, value_name = "TIME", help_heading = "Exploration")]
    pub time: Option<Span>,
    /// Run each test by this many schedules, so that the result is the same on every machine
    #[arg(long, value_name = "COUNT", help_heading = "Exploration", value_parser = clap::value_parser!(u64).range(1..))]
    pub schedules: Option<u64>,
    /// Choose other schedules
    #[arg(long, default_value_t = 0, value_name = "NUMBER", help_heading = "Exploration")]
    pub seed: u64,
    /// Choose schedules in this way only, to compare the ways
    #[arg(long, value_enum, value_name = "WAY", help_heading = "Exploration")]
    pub by: Option<By>,
    /// Only count the runs in which something goes wrong, to compare the ways; look into none of them
    #[arg(long, help_heading = "Exploration", conflicts_with = "schedule")]
    pub count_only: bool,
    /// Go on where an earlier run with the same options was ended, whatever ended it
    #[arg(long, help_heading = "Exploration", conflicts_with = "schedule")]
    pub resume: bool,
    /// Run the one test that is selected by this schedule, which a confirmed finding names
    #[arg(long, value_name = "FILE", help_heading = "Exploration")]
    pub schedule: Option<Utf8PathBuf>,
    /// Run only a part of the schedules of each test, such as count:1/3 for the first of three
    #[arg(long, value_name = "count:I/N", help_heading = "Exploration", value_parser = Part::of_schedules)]
    pub partition: Option<Part>,
    /// Which tests to explore.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// How to monitor.
    #[command(flatten)]
    pub monitor: MonitorArgs,
    /// Run tests with a predicted deadlock again for at most this long to confirm it, such as 30s or 2m; 0 for not at all
    #[arg(long, default_value = "30s", value_name = "TIME", help_heading = "Monitoring")]
    pub confirm_budget: Span,
    /// What to show.
    #[command(flatten)]
    pub show: ShowArgs,
    /// Explore only tests whose name contains one of these
    #[arg(value_name = "TESTNAME")]
    pub filters: Vec<String>,
    /// Arguments for the test executables
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

impl ExploreArgs {
    /// How the tests are run before they are explored.
    pub fn as_test(&self) -> TestArgs {
        TestArgs {
            build: self.build.clone(),
            targets: self.targets.clone(),
            test_tool: TestTool::Auto,
            no_fail_fast: true,
            no_run: false,
            partition: None,
            selection: self.selection.clone(),
            monitor: self.monitor.clone(),
            audit: false,
            confirm_budget: self.confirm_budget,
            explore: Span(Duration::ZERO),
            schedule: self.schedule.clone(),
            show: self.show.clone(),
            no_snapshot: true,
            filters: self.filters.clone(),
            args: self.args.clone(),
        }
    }

    /// How the tests are explored.
    pub fn exploring(&self) -> Exploring {
        let time = self.time.map(|it| it.0).or(self.schedules.is_none().then_some(EXPLORED));
        let ExploreArgs { schedules, seed, by, count_only, resume, .. } = *self;
        Exploring { time, schedules, seed, by, counts_only: count_only, resumes: resume }
    }
}

/// How long tests are explored where nobody says so.
const EXPLORED: Duration = Duration::from_mins(1);

/// Arguments of `check`.
#[derive(Clone, Debug, Args)]
pub struct CheckArgs {
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Which targets to check.
    #[command(flatten)]
    pub targets: TargetArgs,
    /// How the program would be monitored, were it run.
    #[command(flatten)]
    pub monitor: BuildMonitorArgs,
    /// Show instead what is proved at `FILE:LINE` or `FILE:LINE:COLUMN`, why, and on what that rests, or what prevents it
    #[arg(long, value_name = "SITE", help_heading = "Execution")]
    pub explain_proof: Option<String>,
    /// Check again whenever sources, property files or the configuration change, until it is interrupted
    #[arg(long, conflicts_with = "explain_proof", help_heading = "Execution")]
    pub watch: bool,
    /// What to show.
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
    /// The binary to run
    #[arg(long, value_name = "NAME", conflicts_with = "example")]
    pub bin: Option<String>,
    /// The example to run
    #[arg(long, value_name = "NAME")]
    pub example: Option<String>,
    /// How to monitor.
    #[command(flatten)]
    pub monitor: MonitorArgs,
    /// What to show.
    #[command(flatten)]
    pub show: ShowArgs,
    /// Arguments for the program
    #[arg(trailing_var_arg = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

/// Arguments of `replay`.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// JSON lines (.jsonl), comma-separated values (.csv), a trace of the recorder, or the folder of a run
    #[arg(value_name = "TRACE")]
    pub trace: Utf8PathBuf,
    /// Check the properties of this file; may be repeated
    #[arg(long, value_name = "FILE", required_unless_present = "library")]
    pub spec: Vec<Utf8PathBuf>,
    /// Check the properties of the library, too
    #[arg(long)]
    pub library: bool,
    /// Show this many events of the test before each violation
    #[arg(long, default_value_t = 0, value_name = "COUNT")]
    pub tail: usize,
    /// From when on something is reported.
    #[command(flatten)]
    pub thresholds: ThresholdArgs,
    /// What to show.
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Arguments of `predict`.
#[derive(Debug, Args)]
pub struct PredictArgs {
    /// A trace of the recorder, the folder of a run, JSON lines (.jsonl), comma-separated values (.csv), or RAPID's form (.std)
    #[arg(value_name = "TRACE")]
    pub trace: Utf8PathBuf,
    /// Predict violations of the lifestates in this file instead: whether any order of the callbacks has one, each as often as one likes
    #[arg(long, value_name = "FILE")]
    pub model: Option<Utf8PathBuf>,
    /// Look at this many states of a model at most
    #[arg(long, default_value_t = STATES, value_name = "COUNT", requires = "model")]
    pub states: usize,
    /// What to show.
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Arguments of `validate`.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// The property file with the lifestates
    #[arg(value_name = "MODEL")]
    pub model: Utf8PathBuf,
    /// JSON lines (.jsonl), comma-separated values (.csv), traces of the recorder, or folders of runs
    #[arg(value_name = "TRACE", required = true)]
    pub traces: Vec<Utf8PathBuf>,
    /// What to show.
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Arguments of `instrument`.
#[derive(Debug, Args)]
pub struct InstrumentArgs {
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Print the changes as a unified diff
    #[arg(long)]
    pub diff: bool,
    /// Write the changed files to this new folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<Utf8PathBuf>,
}

/// Arguments of `report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Show instead what is proved at `FILE:LINE` or `FILE:LINE:COLUMN`, why, and on what that rests, or what prevents it
    #[arg(long, value_name = "SITE")]
    pub explain_proof: Option<String>,
    /// Write the pages with pictures beside the run, too, and show them in the browser; `BROWSER` names another one
    #[arg(long, conflicts_with = "explain_proof")]
    pub open: bool,
    /// What to show.
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Arguments of `baseline`.
#[derive(Debug, Args)]
pub struct BaselineArgs {
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Add findings that the baseline does not have yet
    #[arg(long)]
    pub accept_new: bool,
}

/// Arguments of `review` and `reject`.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// Arguments of `accept`.
#[derive(Debug, Args)]
pub struct AcceptArgs {
    /// Which workspace.
    #[command(flatten)]
    pub review: ReviewArgs,
    /// What the report is like, where the last run is accepted.
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Arguments of `merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Reports as JSON, which `--output json=PATH` writes
    #[arg(value_name = "REPORT", required = true)]
    pub reports: Vec<Utf8PathBuf>,
    /// Which workspace.
    #[command(flatten)]
    pub manifest: clap_cargo::Manifest,
    /// What to show.
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Arguments of `init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// The service that gets a job; by default that of the repository
    #[arg(long, value_enum, value_name = "SERVICE")]
    pub ci: Option<Ci>,
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// A service that runs jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Ci {
    /// A workflow of GitHub Actions
    Github,
    /// A job of GitLab CI
    Gitlab,
    /// No job
    None,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// Arguments of `manual`.
#[derive(Debug, Args)]
pub struct ManualArgs {
    /// Write them to this folder
    #[arg(long, value_name = "DIR")]
    pub dir: Utf8PathBuf,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The ids of properties or rules; or `FILE:LINE`, where the last run found something
    #[arg(
        value_name = "ID",
        required_unless_present = "messages",
        add = ArgValueCandidates::new(candidates::properties)
    )]
    pub ids: Vec<String>,
    /// Print each text that findings of these properties, or of all, can show
    #[arg(long)]
    pub messages: bool,
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// What to do with property files.
#[derive(Debug, Subcommand)]
pub enum SpecCommand {
    /// Report mistakes and oddities of property files, and how each property will be decided
    Check(SpecCheckArgs),
    /// Draw the automaton of a property
    Graph(SpecGraphArgs),
}

/// Arguments of `spec check`.
#[derive(Debug, Args)]
pub struct SpecCheckArgs {
    /// The files; by default `specs/*.toml` of the workspace
    #[arg(value_name = "FILE")]
    pub files: Vec<Utf8PathBuf>,
    /// Which workspace.
    #[command(flatten)]
    pub manifest: clap_cargo::Manifest,
    /// What to show.
    #[command(flatten)]
    pub show: PrintArgs,
}

/// Arguments of `spec graph`.
#[derive(Debug, Args)]
#[command(override_usage = "cargo rvcheck spec graph [OPTIONS] [FILE] <ID>")]
pub struct SpecGraphArgs {
    /// The file that declares the property, if it is neither in the library nor in the workspace
    #[arg(value_name = "FILE", add = ArgValueCandidates::new(candidates::properties))]
    pub first: String,
    /// The property
    #[arg(value_name = "ID", add = ArgValueCandidates::new(candidates::properties))]
    pub second: Option<String>,
    /// Which workspace.
    #[command(flatten)]
    pub manifest: clap_cargo::Manifest,
    /// Draw it in this format
    #[arg(long, value_enum, default_value_t = GraphFormat::Table, value_name = "FORMAT")]
    pub format: GraphFormat,
}

/// How an automaton is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// As a table of states and events.
    Table,
    /// In the language of Graphviz.
    Dot,
}

/// Arguments of `clean`.
#[derive(Debug, Args)]
pub struct CleanArgs {
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// What to print the schema of
    #[arg(value_enum, default_value_t = Schema::Report, value_name = "WHAT")]
    pub what: Schema,
}

/// What has a JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Schema {
    /// The report as JSON.
    Report,
    /// The lines of `--message-format json`.
    Messages,
    /// The configuration.
    Config,
    /// Property files, for editors.
    Properties,
    /// A line of a trace as JSON lines.
    Trace,
}
