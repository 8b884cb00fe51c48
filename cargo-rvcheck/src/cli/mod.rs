//! The command line.

mod candidates;
mod commands;
mod fix;
mod list;
mod show;
mod trace;

use crate::again::quoted;
use crate::console::{Color, Console, Verbosity};
use crate::request::BuildArgs;
use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand};

pub use commands::*;
pub use fix::{FixArgs, RepositoryArgs};
pub use list::*;
pub use show::*;
pub use trace::*;

/// Run the instrumented tests of an async Rust crate, and report the properties that they violate.
#[derive(Debug, Parser)]
#[command(name = "cargo-rvcheck", bin_name = "cargo rvcheck", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// What holds for every command.
    #[command(flatten)]
    pub global: Global,
    /// Which configuration holds.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// Which configuration holds.
#[derive(Clone, Debug, Default, Args)]
pub struct ConfigArgs {
    /// Use this profile of the configuration
    #[arg(long, global = true, env = "RVCHECK_CONFIG_PROFILE", value_name = "NAME")]
    pub config_profile: Option<String>,
    /// Read the configuration from this file instead of .config/rvcheck.toml
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "no_config")]
    pub config_file: Option<Utf8PathBuf>,
    /// Read no configuration
    #[arg(long, global = true)]
    pub no_config: bool,
}

/// Options of every command.
#[derive(Clone, Copy, Debug, Args)]
pub struct Global {
    /// Colour the output
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN", env = "CARGO_TERM_COLOR")]
    pub color: Color,
    /// Print more detail
    #[arg(short, long, global = true, action = clap::ArgAction::Count, conflicts_with = "quiet")]
    pub verbose: u8,
    /// Print only the result
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

impl Global {
    /// The console that these options describe.
    pub fn console(self) -> Console {
        let verbosity = match (self.quiet, self.verbose > 0) {
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
    /// Run the instrumented tests, and report what is wrong
    #[command(visible_alias = "t")]
    Test(TestArgs),
    /// Run the tests by other schedules, and report what can go wrong
    Explore(ExploreArgs),
    /// Report what the source shows, without running anything
    #[command(visible_alias = "c")]
    Check(CheckArgs),
    /// Apply the fixes of what the source shows, and undo those that do not compile
    Fix(FixArgs),
    /// Run an instrumented binary or example
    #[command(visible_alias = "r")]
    Run(RunArgs),
    /// List the properties that are checked, the sites that are monitored, or the tests
    List(ListArgs),
    /// Explain a property or a rule
    Explain(ExplainArgs),
    /// Show the report of the last run again
    Report(ReportArgs),
    /// Write the findings of the last run to the baseline, so that only new ones fail
    Baseline(BaselineArgs),
    /// Review the snapshots that differ from the accepted ones, and decide about each
    Review(ReviewArgs),
    /// Accept every waiting snapshot, or the report of the last run as the first one
    Accept(AcceptArgs),
    /// Remove every waiting snapshot
    Reject(ReviewArgs),
    /// Merge several reports into one
    Merge(MergeArgs),
    /// Check a trace that was recorded before against the properties in these files
    Replay(ReplayArgs),
    /// Predict what another schedule of a recorded trace would do: deadlocks, or violations of a model
    Predict(PredictArgs),
    /// Check whether a model of a library fits recorded traces
    Validate(ValidateArgs),
    /// Look at recorded traces: print, count or export their events
    #[command(subcommand)]
    Trace(TraceCommand),
    /// Check or draw property files, without running anything
    #[command(subcommand)]
    Spec(SpecCommand),
    /// Show how the sources are changed before they are compiled
    Instrument(InstrumentArgs),
    /// Show the options that `cargo rvcheck test` would use, and where each comes from
    ShowConfig(TestArgs),
    /// Write a configuration, a first property and a job for CI
    Init(InitArgs),
    /// Remove everything that rvcheck has stored
    Clean(CleanArgs),
    /// Print the JSON Schema of what rvcheck writes
    Schema(SchemaArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Write manual pages
    Manual(ManualArgs),
}

impl Command {
    /// What it makes of a report, if it makes anything of one.
    pub fn show_mut(&mut self) -> Option<&mut ShowArgs> {
        match self {
            Command::Test(args) | Command::ShowConfig(args) => Some(&mut args.show),
            Command::Explore(args) => Some(&mut args.show),
            Command::Check(args) => Some(&mut args.show),
            Command::Run(args) => Some(&mut args.show),
            Command::Replay(args) => Some(&mut args.show),
            Command::Predict(args) => Some(&mut args.show),
            Command::Validate(args) => Some(&mut args.show),
            Command::Report(args) => Some(&mut args.show),
            Command::Accept(args) => Some(&mut args.show),
            Command::Merge(args) => Some(&mut args.show),
            _ => None,
        }
    }

    /// How it builds a program, if it looks for faults of one.
    pub fn build_mut(&mut self) -> Option<&mut BuildArgs> {
        match self {
            Command::Test(args) => Some(&mut args.build),
            Command::Explore(args) => Some(&mut args.build),
            Command::Check(args) => Some(&mut args.build),
            Command::Run(args) => Some(&mut args.build),
            _ => None,
        }
    }
}

/// The arguments without the word that cargo puts in front: `cargo rvcheck test` starts `cargo-rvcheck rvcheck test`.
pub fn without_cargos_word(mut args: Vec<std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    if args.get(1).is_some_and(|word| word == "rvcheck") {
        args.remove(1);
    }
    args
}

/// The command line of this process, as a user writes it.
pub fn command_line() -> String {
    let words = without_cargos_word(std::env::args_os().collect()).into_iter().skip(1);
    let words = words.map(|it| quoted(&it.to_string_lossy()).into_owned());
    std::iter::once("cargo rvcheck".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod documented;

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

    /// Calls this with every command, and the words that lead to it.
    fn each_command(command: &clap::Command, path: &str, visit: &mut dyn FnMut(&clap::Command, &str)) {
        visit(command, path);
        for inner in command.get_subcommands() {
            each_command(inner, &format!("{path} {}", inner.get_name()), visit);
        }
    }

    #[test]
    fn help_texts_are_sentences_without_a_final_stop() {
        let mut odd = Vec::new();
        each_command(&Cli::command(), "rvcheck", &mut |command, path| {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let helps = command.get_arguments().map(|argument| {
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                (format!("{path} {}", argument.get_id()), help)
            });
            for (place, help) in helps.chain([(path.to_owned(), about)]) {
                // The first sentence of the tool is one of its documentation, too.
                let stops = help.ends_with('.') && place != "rvcheck";
                if stops || !help.starts_with(|it: char| it.is_uppercase() || it == '`') {
                    odd.push(format!("{place}: {help:?}"));
                }
            }
        });
        assert_eq!(odd, [""; 0]);
    }

    #[test]
    fn cargos_word_may_be_there_or_not() {
        for line in ["cargo-rvcheck rvcheck test", "cargo-rvcheck test", "cargo-rvcheck rvcheck t"] {
            assert!(matches!(parsed(line).map(|it| it.command), Ok(Command::Test(_))), "{line}");
        }
    }

    #[test]
    fn cargos_own_options_are_understood() {
        let line = "x test -p shop --test it --features a,b -j 2 --locked --release --no-fail-fast -vv --config a.b=1 --config c.toml -Zx --timings \
            --future-incompat-report --ignore-rust-version --no-run books -- --exact -q";
        let Ok(Cli { command: Command::Test(args), .. }) = parsed(line) else { panic!("{line}") };
        assert_eq!(args.build.workspace.package, ["shop"]);
        assert_eq!(args.targets.test, ["it"]);
        assert_eq!(args.filters, ["books"]);
        assert_eq!(args.args, ["--exact", "-q"]);
        assert_eq!(args.build.config, ["a.b=1", "c.toml"]);
        assert_eq!(args.build.unstable, ["x"]);
        assert!(args.build.timings && args.build.future_incompat_report && args.build.ignore_rust_version);
        assert!(args.build.release && args.build.locked && args.no_fail_fast && args.no_run);
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
}
