//! Calls of cargo.

use super::build_messages::read;
use super::progress::Progress;
use crate::console::{Console, Verbosity};
use crate::error::{Expected, Result};
use crate::escape::one_line;
use crate::interruption::check_interrupted;
use crate::messages::follow::is_followed;
use crate::project::built::Built;
use crate::project::cargo;
use camino::Utf8PathBuf;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use toml::Value;

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
    for given in &surroundings.given {
        command.args(["--config", given]);
    }
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

/// For lines on standard output that are meant for a person at the terminal.
pub fn show_line(line: &str) {
    // Whoever closed standard error does not want to see it.
    let _ = writeln!(std::io::stderr(), "{}", one_line(line));
}

/// Runs cargo, and gives each line of its standard output as it comes.
pub fn run_lines(
    mut command: Command,
    console: Console,
    mut line: impl FnMut(&str) -> Result<()>,
) -> Result<()> {
    command.stdout(Stdio::piped());
    let mut child = start(command, console)?;
    let lines = child.stdout.take().map(|it| BufReader::new(it).lines());
    let given = lines.into_iter().flatten().map_while(std::io::Result::ok).try_for_each(|it| line(&it));
    wait(child)?;
    given
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
pub fn test_arguments(command: &mut Command, args: &[String]) {
    if !args.is_empty() {
        command.arg("--").args(args);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted() {
        for path in ["/a b/größe", "/with\"quote", "/back\\slash"] {
            let table: toml::Table = format!("x={}", quoted(path)).parse().expect("it is TOML");
            assert_eq!(table["x"].as_str(), Some(path));
        }
    }
}
