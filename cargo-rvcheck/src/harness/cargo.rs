//! Calls of cargo.

use super::artifact::{Built, read};
use super::progress::Progress;
use crate::cli::{BuildArgs, TargetArgs};
use crate::console::{Console, Verbosity};
use crate::error::{Expected, Result};
use crate::escape::one_line;
use crate::harness::interruption::check_interrupted;
use crate::messages::follow::is_followed;
use crate::project::cargo;
use camino::Utf8PathBuf;
use std::io::{BufReader, Write};
use std::process::{Child, Command, Stdio};
use toml::Value;

/// Adds an option with its value for each of the values.
fn each(command: &mut Command, option: &str, values: &[String]) {
    for value in values {
        command.args([option, value]);
    }
}

fn flags(command: &mut Command, flags: &[(&str, bool)]) {
    command.args(flags.iter().filter(|it| it.1).map(|it| it.0));
}

/// What a program calls those of cargo's options that it names in its own way.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// The profile of the build.
    pub profile: &'static str,
    /// How many jobs the build has.
    pub jobs: &'static str,
}

/// Cargo's own names.
pub const CARGO: Dialect = Dialect { profile: "--profile", jobs: "--jobs" };

/// Adds the user's options about what is built.
pub fn build_options(command: &mut Command, args: &BuildArgs, dialect: Dialect) {
    if let Some(path) = &args.manifest.manifest_path {
        command.arg("--manifest-path").arg(path);
    }
    each(command, "--package", &args.workspace.package);
    each(command, "--exclude", &args.workspace.exclude);
    each(command, "--features", &args.features.features);
    each(command, "--target", &args.target);
    each(command, "-Z", &args.unstable);
    flags(
        command,
        &[
            ("--workspace", args.workspace.workspace || args.workspace.all),
            ("--all-features", args.features.all_features),
            ("--no-default-features", args.features.no_default_features),
            ("--release", args.release),
            ("--locked", args.locked),
            ("--offline", args.offline),
            ("--frozen", args.frozen),
            ("--timings", args.timings),
            ("--future-incompat-report", args.future_incompat_report),
            ("--ignore-rust-version", args.ignore_rust_version),
        ],
    );
    if let Some(profile) = &args.profile {
        command.args([dialect.profile, profile]);
    }
    if let Some(jobs) = &args.jobs {
        command.args([dialect.jobs, jobs]);
    }
}

/// Adds the user's choice of targets. Without one it is what `cargo test` runs; `documentation` says whether the tests in
/// documentation are among them.
pub fn target_options(command: &mut Command, args: &TargetArgs, documentation: bool) {
    let chosen = [
        ("--lib", args.lib),
        ("--bins", args.bins),
        ("--tests", args.tests),
        ("--examples", args.examples),
        ("--benches", args.benches),
        ("--all-targets", args.all_targets),
    ];
    let named = [
        ("--bin", &args.bin),
        ("--test", &args.test),
        ("--example", &args.example),
        ("--bench", &args.bench),
    ];
    flags(command, &chosen);
    for (option, names) in named {
        each(command, option, names);
    }
    if args.doc && documentation {
        command.arg("--doc");
    }
    if !documentation && is_default(args) {
        command.arg("--tests");
    }
}

/// The user has chosen no targets.
pub fn is_default(args: &TargetArgs) -> bool {
    let TargetArgs { lib, bins, tests, examples, benches, all_targets, doc, .. } = *args;
    let named = [&args.bin, &args.test, &args.example, &args.bench];
    !(lib || bins || tests || examples || benches || all_targets || doc)
        && named.iter().all(|it| it.is_empty())
}

/// Where cargo builds, and what it calls on the way.
pub struct Surroundings {
    /// Cargo's target folder.
    pub target: Utf8PathBuf,
    /// The wrapper of rustc; none for a plain build.
    pub wrapper: Option<Utf8PathBuf>,
    /// What the user has given as `--config`.
    pub given: Vec<String>,
    /// The wrapper of rustc for members.
    pub members: Utf8PathBuf,
    /// What stands for rustdoc; rustdoc itself for a plain build.
    pub rustdoc: Option<Utf8PathBuf>,
    /// The name and the value of the configuration of the runner; none if nothing is run.
    pub runner: Option<(String, Value)>,
    /// Variables by which cargo sees what to compile again. The runner takes them away from the executables.
    pub environment: Vec<(String, String)>,
}

/// A call of cargo's subcommand in these surroundings. Its messages are for the tool, unless a program is run.
pub fn call(subcommand: &str, surroundings: &Surroundings, console: Console) -> Command {
    let mut command = cargo();
    command.args([subcommand, "--color", console.color().name()]);
    if subcommand == "run" || !console.shows(Verbosity::Normal) {
        // About the build of a program that is run, cargo has told already.
        command.arg("--quiet");
    }
    if subcommand != "run" {
        // What the compiler says, cargo shows, unless somebody wants to be told.
        let diagnostics =
            if is_followed() { "json-diagnostic-rendered-ansi" } else { "json-render-diagnostics" };
        command.arg(format!("--message-format={diagnostics}"));
    }
    surround(&mut command, surroundings);
    command
}

/// Tells a command of cargo's where to build, and what to call on the way.
pub fn surround(command: &mut Command, surroundings: &Surroundings) {
    // Of two that are given, cargo takes the last one.
    each(command, "--config", &surroundings.given);
    command.arg("--target-dir").arg(&surroundings.target);
    // A folder for intermediate files that the user has chosen would mix this build with the plain one.
    config(command, "build.build-dir", &quoted(surroundings.target.as_str()));
    config(command, "build.rustc-workspace-wrapper", &quoted(surroundings.members.as_str()));
    command.env_remove("RUSTC_WORKSPACE_WRAPPER");
    if let Some(wrapper) = &surroundings.wrapper {
        config(command, "build.rustc-wrapper", &quoted(wrapper.as_str()));
        // The variables would win over the options. The plan knows what they said.
        command.env_remove("RUSTC_WRAPPER");
    }
    command.envs(surroundings.environment.iter().map(|(name, value)| (name, value)));
    if let Some(rustdoc) = &surroundings.rustdoc {
        config(command, "build.rustdoc", &quoted(rustdoc.as_str()));
        // As above; the runner knows what it said.
        command.env_remove("RUSTDOC");
    }
    if let Some((key, runner)) = &surroundings.runner {
        config(command, key, &runner.to_string());
    }
}

fn config(command: &mut Command, key: &str, value: &str) {
    command.arg("--config").arg(format!("{key}={value}"));
}

/// The text as a basic string of TOML.
fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

/// Runs cargo with its messages read by the tool. `text` is given what else comes on standard output; everything on
/// standard error is shown. `finished` is called as soon as everything is built, before anything of it runs. An interruption
/// of what runs is not looked for.
pub fn run_reading(
    mut command: Command,
    console: Console,
    text: impl FnMut(&str),
    finished: impl FnMut(&Built) -> Result<()>,
) -> Result<Built> {
    command.stdout(Stdio::piped());
    let mut child = start(command, console)?;
    let progress = Progress::new(console);
    let built = child.stdout.take().map(|it| read(BufReader::new(it), progress, text, finished)).transpose();
    wait(child)?;
    Ok(built?.unwrap_or_default())
}

/// For lines on standard output that are meant for a person who watches.
pub fn show_line(line: &str) {
    // Whoever closed standard error does not want to see it.
    let _ = writeln!(std::io::stderr(), "{}", one_line(line));
}

/// Runs cargo and shows everything, standard output too; gives its exit code. An interruption of what runs is not looked for.
pub fn run_showing(command: Command, console: Console) -> Result<i32> {
    wait(start(command, console)?)
}

/// Runs cargo with its standard output on standard error; gives its exit code. An interruption of what runs is not looked for.
pub fn run_to_stderr(mut command: Command, console: Console) -> Result<i32> {
    command.stdout(std::io::stderr());
    wait(start(command, console)?)
}

fn start(mut command: Command, console: Console) -> Result<Child> {
    // Nothing is begun any more.
    check_interrupted()?;
    console.detail(format_args!("{command:?}"));
    command.spawn().map_err(failed)
}

fn wait(mut child: Child) -> Result<i32> {
    let status = child.wait().map_err(failed)?;
    Ok(status.code().unwrap_or(1))
}

fn failed(source: std::io::Error) -> Expected {
    Expected::Start { program: "cargo".to_owned(), source }
}

/// Adds what is meant for the test executables.
pub fn test_arguments(command: &mut Command, filter: Option<&str>, args: &[String]) {
    if filter.is_some() || !args.is_empty() {
        command.arg("--").args(filter).args(args);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &Command) -> Vec<String> {
        command.get_args().map(|it| it.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn the_users_options_are_passed_on() {
        let mut args = BuildArgs { release: true, jobs: Some("2".into()), ..BuildArgs::default() };
        args.workspace.package = vec!["shop".into()];
        args.features.features = vec!["a,b".into()];
        let mut command = cargo();
        build_options(&mut command, &args, CARGO);
        assert_eq!(words(&command), ["--package", "shop", "--features", "a,b", "--release", "--jobs", "2"]);
    }

    #[test]
    fn without_a_choice_of_targets_cargo_chooses() {
        let none = TargetArgs::default();
        let lib = TargetArgs { lib: true, ..TargetArgs::default() };
        let named = TargetArgs { test: vec!["it".into()], ..TargetArgs::default() };
        let doc = TargetArgs { doc: true, ..TargetArgs::default() };
        let cases: [(&TargetArgs, bool, &[&str]); 6] = [
            (&none, true, &[]),
            (&none, false, &["--tests"]),
            (&lib, true, &["--lib"]),
            (&named, false, &["--test", "it"]),
            (&doc, true, &["--doc"]),
            (&doc, false, &[]),
        ];
        for (args, documentation, expected) in cases {
            let mut command = cargo();
            target_options(&mut command, args, documentation);
            assert_eq!(words(&command), expected);
        }
    }

    #[test]
    fn paths_are_quoted() {
        for path in ["/a b/größe", "/with\"quote", "/back\\slash"] {
            let table: toml::Table = format!("x={}", quoted(path)).parse().expect("it is TOML");
            assert_eq!(table["x"].as_str(), Some(path));
        }
    }
}
