//! `cargo rvcheck completions`, and what completes the words of the command line.
//!
//! For bash, zsh and fish a script asks the program itself, so that the ids of the workspace's own properties are among the words, and
//! `cargo rvcheck` is completed like `cargo-rvcheck`. For other shells the library writes all words into the script.

use crate::cli::{Cli, CompletionsArgs};
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_complete::engine::complete;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};

/// The variable by which a script asks for words: the name of its shell.
const SHELL: &str = "RVCHECK_COMPLETE";
/// The variable that says which of the words is to be completed, from 0.
const INDEX: &str = "RVCHECK_COMPLETE_INDEX";

/// Prints what makes a shell complete the words of the command line.
pub(super) fn completions(args: &CompletionsArgs) -> Result<ExitCode> {
    let mut script = Vec::new();
    match own(args.shell) {
        Some(text) => script.extend_from_slice(text.as_bytes()),
        None => clap_complete::generate(
            args.shell,
            &mut Cli::command().bin_name("cargo-rvcheck"),
            "cargo-rvcheck",
            &mut script,
        ),
    }
    match io::stdout().lock().write_all(&script) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Expected::Print(error)),
        _ => Ok(ExitCode::Clean),
    }
}

/// The tool's own script for a shell, if there is one.
const fn own(shell: Shell) -> Option<&'static str> {
    match shell {
        Shell::Bash => Some(include_str!("rvcheck.bash")),
        Shell::Zsh => Some(include_str!("rvcheck.zsh")),
        Shell::Fish => Some(include_str!("rvcheck.fish")),
        _ => None,
    }
}

/// Prints the words that a script asks for; `None` if none does.
pub fn answer(args: &[OsString]) -> Option<Result<ExitCode>> {
    let shell = env::var(SHELL).ok()?;
    let index = env::var(INDEX).ok()?.parse().ok()?;
    let words = args.iter().skip_while(|it| *it != "--").skip(1).cloned().collect();
    Some(print(&shell, words, index).map(|()| ExitCode::Clean).map_err(Expected::Print))
}

/// The command line in which short names of commands are understood, and do not stand in place of the long ones.
fn with_hidden_aliases() -> Command {
    let command = Cli::command();
    let names: Vec<String> = command.get_subcommands().map(|it| it.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| {
        command.mut_subcommand(name, |inner| {
            let aliases: Vec<String> = inner.get_visible_aliases().map(str::to_owned).collect();
            inner.visible_alias(None).aliases(aliases)
        })
    })
}

/// Prints a word a line; for shells that show it, with what it means behind a tab.
fn print(shell: &str, words: Vec<OsString>, index: usize) -> io::Result<()> {
    let here = env::current_dir().ok();
    let mut out = io::stdout().lock();
    for candidate in complete(&mut with_hidden_aliases(), words, index, here.as_deref())? {
        let value = candidate.get_value().to_string_lossy();
        let help = candidate.get_help().map(ToString::to_string).unwrap_or_default();
        let help = help.lines().next().unwrap_or_default();
        match shell {
            "bash" => writeln!(out, "{value}")?,
            _ => writeln!(out, "{value}\t{help}")?,
        }
    }
    out.flush()
}
