//! `cargo rvcheck completions`.

use crate::cli::{Cli, CompletionsArgs};
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use clap::CommandFactory;
use std::io::{self, Write};

/// Prints what makes a shell complete the words of the command line.
pub(super) fn completions(args: &CompletionsArgs) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(
        args.shell,
        &mut Cli::command().bin_name("cargo-rvcheck"),
        "cargo-rvcheck",
        &mut script,
    );
    match io::stdout().lock().write_all(&script) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Expected::Print(error)),
        _ => Ok(ExitCode::Clean),
    }
}
