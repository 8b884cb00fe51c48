//! The command line.

use crate::console::{Color, Console, Verbosity};
use crate::finding::Level;
use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Run the tests of an async Rust crate under watch, and report which properties do not hold.
#[derive(Debug, Parser)]
#[command(name = "cargo-rvcheck", bin_name = "cargo rvcheck", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// What holds for every command.
    #[command(flatten)]
    pub global: Global,
}

/// Options of every command.
#[derive(Clone, Copy, Debug, Args)]
pub struct Global {
    /// When to colour the output
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// Say what is done in more detail
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Say only the result
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

impl Global {
    /// The console that these options describe.
    pub fn console(self) -> Console {
        let verbosity = match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        };
        Console::new(verbosity, self.color)
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the tests under watch
    #[command(visible_alias = "t")]
    Test(TestArgs),
    /// Run a binary or an example under watch
    #[command(visible_alias = "r")]
    Run(RunArgs),
    /// Judge a trace that was recorded before, by the properties in these files
    Replay(ReplayArgs),
    /// List what can be watched, or what is checked
    List(ListArgs),
    /// Show how the sources are changed before they are compiled
    Instrument(InstrumentArgs),
    /// Show the report of the last run again
    Report(ReportArgs),
    /// Explain a property
    Explain(ExplainArgs),
    /// Look at property files, without running anything
    #[command(subcommand)]
    Spec(SpecCommand),
    /// Remove everything that rvcheck has stored
    Clean(CleanArgs),
}

/// Arguments of `test`.
#[derive(Debug, Args)]
pub struct TestArgs {
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Which targets to test.
    #[command(flatten)]
    pub targets: TargetArgs,
    /// What runs the tests; auto is nextest where `.config/nextest.toml` is there and nextest is installed, else cargo
    #[arg(long, value_enum, default_value_t = TestTool::Auto, value_name = "TOOL")]
    pub test_tool: TestTool,
    /// Run all test executables even if one fails; rvcheck always does, so that the rest is judged
    #[arg(long)]
    pub no_fail_fast: bool,
    /// How to watch.
    #[command(flatten)]
    pub watch: WatchArgs,
    /// What to show.
    #[command(flatten)]
    pub show: ShowArgs,
    /// Only run tests whose name contains this
    #[arg(value_name = "TESTNAME")]
    pub filter: Option<String>,
    /// Arguments for the test executables
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

/// What runs the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TestTool {
    /// Nextest where the workspace is set up for it, else cargo.
    Auto,
    /// `cargo test`: the tests of an executable share a process.
    Cargo,
    /// `cargo nextest run`: each test has a process of its own.
    Nextest,
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
    /// How to watch.
    #[command(flatten)]
    pub watch: WatchArgs,
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
    /// A file with properties; may be repeated
    #[arg(long, value_name = "FILE", required_unless_present = "library")]
    pub spec: Vec<Utf8PathBuf>,
    /// Judge by the properties of the library, too
    #[arg(long)]
    pub library: bool,
    /// What to show.
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Which targets to test.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Target Selection")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of cargo's")]
pub struct TargetArgs {
    /// Test the package's library
    #[arg(long)]
    pub lib: bool,
    /// Test all binaries
    #[arg(long)]
    pub bins: bool,
    /// Test this binary
    #[arg(long, value_name = "NAME")]
    pub bin: Vec<String>,
    /// Test all targets that are tested by default
    #[arg(long)]
    pub tests: bool,
    /// Test this test target
    #[arg(long, value_name = "NAME")]
    pub test: Vec<String>,
    /// Test all examples
    #[arg(long)]
    pub examples: bool,
    /// Test this example
    #[arg(long, value_name = "NAME")]
    pub example: Vec<String>,
    /// Test all benchmarks
    #[arg(long)]
    pub benches: bool,
    /// Test this benchmark
    #[arg(long, value_name = "NAME")]
    pub bench: Vec<String>,
    /// Test all targets
    #[arg(long)]
    pub all_targets: bool,
    /// Test only the documentation of the library
    #[arg(long)]
    pub doc: bool,
}

/// Cargo's options about what is built and how.
#[derive(Clone, Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of cargo's")]
pub struct BuildArgs {
    /// `--manifest-path`.
    #[command(flatten, next_help_heading = "Manifest Options")]
    pub manifest: clap_cargo::Manifest,
    /// `-p`, `--workspace`, `--exclude`.
    #[command(flatten, next_help_heading = "Package Selection")]
    pub workspace: clap_cargo::Workspace,
    /// `--features` and its like.
    #[command(flatten, next_help_heading = "Feature Selection")]
    pub features: clap_cargo::Features,
    /// Build with optimisations
    #[arg(short, long, conflicts_with = "profile", help_heading = "Compilation Options")]
    pub release: bool,
    /// Build with this profile
    #[arg(long, value_name = "NAME", help_heading = "Compilation Options")]
    pub profile: Option<String>,
    /// Build for this target, which has to be the one that the compiler runs on
    #[arg(long, value_name = "TRIPLE", help_heading = "Compilation Options")]
    pub target: Vec<String>,
    /// How many jobs cargo runs at once
    #[arg(short, long, value_name = "N", help_heading = "Compilation Options")]
    pub jobs: Option<String>,
    /// Cargo's target folder; rvcheck's own is `rvcheck/` below it
    #[arg(long, value_name = "DIR", help_heading = "Compilation Options")]
    pub target_dir: Option<Utf8PathBuf>,
    /// Require that Cargo.lock does not change
    #[arg(long, help_heading = "Manifest Options")]
    pub locked: bool,
    /// Run without the network
    #[arg(long, help_heading = "Manifest Options")]
    pub offline: bool,
    /// `--locked` and `--offline` together
    #[arg(long, help_heading = "Manifest Options")]
    pub frozen: bool,
}

/// How to watch.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Watching")]
pub struct WatchArgs {
    /// Which crates are compiled against the stand-ins for std and tokio
    #[arg(long, value_enum, default_value_t = Scope::Graph, value_name = "SCOPE")]
    pub scope: Scope,
    /// The greatest size of the trace of one process, such as 512M or 4G
    #[arg(long, default_value = "2G", value_name = "SIZE")]
    pub trace_cap: Size,
    /// Tell violations on standard error as soon as they happen, and not only in the report
    #[arg(long)]
    pub online: bool,
    /// How many events of the unit before each violation are told
    #[arg(long, default_value_t = 0, value_name = "COUNT")]
    pub tail: usize,
}

/// Which crates are compiled against the stand-ins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// The members and their dependencies, so that also tasks that a dependency spawns are known
    Graph,
    /// Only the members: a quicker first build, but what dependencies spawn and lock is not known
    Workspace,
}

impl Scope {
    /// The word on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Scope::Graph => "graph",
            Scope::Workspace => "workspace",
        }
    }
}

/// What to show of the result, and what makes the tool fail.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct ShowArgs {
    /// Write the report in this format, to a file or else to standard output; may be repeated
    #[arg(long, value_name = "FORMAT[=PATH]")]
    pub output: Vec<Output>,
    /// How the report is shown: human and short on standard error, json on standard output
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub message_format: Format,
    /// The level of findings from which on the tool fails
    #[arg(long, default_value = "error", value_name = "LEVEL", value_parser = level)]
    pub fail_on: Level,
    /// That nothing was checked is no failure
    #[arg(long)]
    pub allow_empty: bool,
}

/// A form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a person, with the lines of source.
    Human,
    /// One line a finding.
    Short,
    /// One document, of the schema `rvcheck.report/1`; that of `spec check` is `rvcheck.spec/1`.
    Json,
}

/// Where a form of the report goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The form.
    pub format: Format,
    /// The file; standard output without one.
    pub path: Option<Utf8PathBuf>,
}

impl FromStr for Output {
    type Err = String;

    fn from_str(text: &str) -> Result<Output, String> {
        let (name, path) = match text.split_once('=') {
            Some((_, "")) => return Err("the path after `=` is missing".to_owned()),
            Some((name, path)) => (name, Some(path.into())),
            None => (text, None),
        };
        let format = Format::from_str(name, false)
            .map_err(|_| format!("there is no format `{name}`; there are human, short and json"))?;
        Ok(Output { format, path })
    }
}

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

/// The least trace that makes sense: the header and a few chunks.
const LEAST_SIZE: u64 = 1 << 20;

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let digits = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let shift = match unit.to_ascii_uppercase().as_str() {
            "" | "B" => 0,
            "K" | "KB" | "KIB" => 10,
            "M" | "MB" | "MIB" => 20,
            "G" | "GB" | "GIB" => 30,
            "T" | "TB" | "TIB" => 40,
            _ => return Err(format!("there is no unit `{unit}`; there are K, M, G and T")),
        };
        let number: u64 = number.parse().map_err(|_| "a size begins with a whole number".to_owned())?;
        match number.checked_mul(1 << shift) {
            Some(bytes) if bytes >= LEAST_SIZE => Ok(Size(bytes)),
            Some(_) => Err("a trace needs at least 1M".to_owned()),
            None => Err("that is more than any disk holds".to_owned()),
        }
    }
}

fn level(text: &str) -> Result<Level, String> {
    Level::of_name(text)
        .ok_or_else(|| format!("there is no level `{text}`; there are error, warning and note"))
}

/// Arguments of `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// What to list
    #[arg(value_enum, default_value_t = Listing::Properties)]
    pub what: Listing,
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = ListFormat::Human, value_name = "FORMAT")]
    pub message_format: ListFormat,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Listing {
    /// The places in the source that are watched
    Sites,
    /// The properties that are checked
    Properties,
}

/// How a list is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// One line each.
    Human,
    /// One JSON object a line.
    Json,
}

/// Arguments of `instrument`.
#[derive(Debug, Args)]
pub struct InstrumentArgs {
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Print what changes as a unified diff
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
    /// What to show.
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The property's id
    pub id: String,
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// What to do with property files.
#[derive(Debug, Subcommand)]
pub enum SpecCommand {
    /// Tell what is wrong or odd, and how each property will be decided
    Check(SpecCheckArgs),
    /// Draw the automaton of a property
    Graph(SpecGraphArgs),
}

/// Arguments of `spec check`.
#[derive(Debug, Args)]
pub struct SpecCheckArgs {
    /// The files; `specs/*.toml` of the workspace if there are none
    #[arg(value_name = "FILE")]
    pub files: Vec<Utf8PathBuf>,
    /// Which workspace.
    #[command(flatten)]
    pub manifest: clap_cargo::Manifest,
    /// What to show.
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Arguments of `spec graph`.
#[derive(Debug, Args)]
#[command(override_usage = "cargo rvcheck spec graph [OPTIONS] [FILE] <ID>")]
pub struct SpecGraphArgs {
    /// The file that declares the property, if it is neither in the library nor in the workspace
    #[arg(value_name = "FILE")]
    pub first: String,
    /// The property
    #[arg(value_name = "ID")]
    pub second: Option<String>,
    /// Which workspace.
    #[command(flatten)]
    pub manifest: clap_cargo::Manifest,
    /// How to draw it
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

/// The arguments without the word that cargo puts in front: `cargo rvcheck test` starts `cargo-rvcheck rvcheck test`.
pub fn without_cargos_word(mut args: Vec<std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    if args.get(1).is_some_and(|word| word == "rvcheck") {
        args.remove(1);
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parsed(line: &str) -> Result<Cli, clap::Error> {
        let words = line.split(' ').map(Into::into).collect();
        Cli::try_parse_from(without_cargos_word(words))
    }

    #[test]
    fn the_options_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }

    #[test]
    fn cargos_word_may_be_there_or_not() {
        for line in ["cargo-rvcheck rvcheck test", "cargo-rvcheck test", "cargo-rvcheck rvcheck t"] {
            assert!(matches!(parsed(line).map(|it| it.command), Ok(Command::Test(_))), "{line}");
        }
    }

    #[test]
    fn cargos_own_options_are_understood() {
        let line = "x test -p shop --test it --features a,b -j 2 --locked --release --no-fail-fast books -- --exact -q";
        let Ok(Cli { command: Command::Test(args), .. }) = parsed(line) else { panic!("{line}") };
        assert_eq!(args.build.workspace.package, ["shop"]);
        assert_eq!(args.targets.test, ["it"]);
        assert_eq!(args.filter.as_deref(), Some("books"));
        assert_eq!(args.args, ["--exact", "-q"]);
        assert!(args.build.release && args.build.locked && args.no_fail_fast);
    }

    #[test]
    fn what_is_not_an_option_is_refused() {
        for line in [
            "x test --no-such-flag",
            "x test --output xml",
            "x test --output json=",
            "x test --trace-cap 5X",
            "x test --trace-cap 12",
            "x test --fail-on never",
            "x test --scope world",
            "x list nothing",
            "x test -q -v",
        ] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }

    #[test]
    fn sizes_have_units() {
        let cases = [
            ("1M", Some(1 << 20)),
            ("2g", Some(2 << 30)),
            ("1048576", Some(1 << 20)),
            ("3KiB", None),
            ("", None),
        ];
        for (text, bytes) in cases {
            assert_eq!(text.parse::<Size>().ok().map(|it| it.0), bytes, "{text}");
        }
    }

    #[test]
    fn an_output_has_a_format_and_perhaps_a_path() {
        let json = Output { format: Format::Json, path: Some("a=b.json".into()) };
        assert_eq!("json=a=b.json".parse(), Ok(json));
        assert_eq!("short".parse(), Ok(Output { format: Format::Short, path: None }));
    }
}
