//! `cargo rvcheck check --watch`.
//!
//! Each check is a process of its own, as if the user had called it again: it reads the configuration anew, and a mistake in it ends only that
//! check.

use crate::cli::{CheckArgs, without_cargos_word};
use crate::console::{Console, Verbosity};
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::interruption::{self, Running, check_interrupted};
use crate::project::workspace;
use crate::watch::Watch;
use crate::wrapper::here;
use camino::Utf8PathBuf;
use std::ffi::OsString;
use std::io::{IsTerminal, Write, stderr};
use std::process::Command;

/// The option that a check itself is not given.
const OPTION: &str = "--watch";

/// What empties a terminal and goes to its beginning.
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

/// Checks, and again whenever sources, property files or the configuration change, until the user interrupts it.
pub(super) fn watch(args: &CheckArgs, console: Console) -> Result<ExitCode> {
    interruption::handle(Running::Tests);
    let Some(workspace) = workspace(&args.build.manifest)? else {
        return Err(Expected::Workspace("there is no Cargo.toml in this folder or above it".to_owned()));
    };
    let folders = workspace.packages.iter().map(|it| workspace.root.join(&it.folder));
    let roots: Vec<Utf8PathBuf> = std::iter::once(workspace.root.clone()).chain(folders).collect();
    let left_out = args.build.target_dir.as_ref().map(|it| here().map(|here| here.join(it))).transpose()?;
    let mut watch = Watch::of(roots, left_out)?;
    loop {
        check()?;
        check_interrupted()?;
        watch.take_lock_files()?;
        console.status("Watching", format_args!("{} for changes; Ctrl-C ends", workspace.root));
        let changed = watch.wait()?;
        begin(&changed, &workspace.root, console);
    }
}

/// Checks once. However that ends, it was shown.
fn check() -> Result<()> {
    let program = std::env::current_exe()
        .map_err(|source| Expected::Start { program: "cargo-rvcheck".to_owned(), source })?;
    let mut command = Command::new(&program);
    command.args(without_option(std::env::args_os().collect()));
    let status = command
        .status()
        .map_err(|source| Expected::Start { program: program.display().to_string(), source })?;
    if status.code() == Some(i32::from(ExitCode::Interrupted as u8)) {
        Err(Expected::Interrupted)
    } else {
        Ok(())
    }
}

/// The arguments of this process by which it would check once.
fn without_option(args: Vec<OsString>) -> Vec<OsString> {
    without_cargos_word(args).into_iter().skip(1).filter(|it| it != OPTION).collect()
}

/// Keeps what follows apart from what was shown before: on a terminal it is cleared.
fn begin(changed: &[Utf8PathBuf], root: &camino::Utf8Path, console: Console) {
    let shown: Vec<&str> = changed.iter().map(|it| it.strip_prefix(root).unwrap_or(it).as_str()).collect();
    let shown = match shown.as_slice() {
        [first, second, third, rest @ ..] if !rest.is_empty() => {
            format!("{first}, {second}, {third} and {} more", rest.len())
        }
        all => all.join(", "),
    };
    if stderr().is_terminal() && console.shows(Verbosity::Normal) {
        // Whoever closed standard error does not want to see it.
        let _ = stderr().write_all(CLEAR.as_bytes());
    } else if console.shows(Verbosity::Normal) {
        console.plain("");
    }
    console.status("Changed", shown);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_called_as_the_user_has_called_it_but_once() {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        let called = without_option(words("cargo-rvcheck rvcheck check --watch -p shop"));
        assert_eq!(called, words("check -p shop"));
    }
}
