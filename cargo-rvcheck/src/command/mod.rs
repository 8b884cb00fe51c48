//! The commands, one file each.

mod clean;
mod explain;
mod instrument;
mod list;
mod report;
mod run;
mod show;
mod sources;
mod test;

use crate::cli::{Cli, Command};
use crate::error::Result;
use crate::exit_code::ExitCode;

/// Does what the command line asks for.
pub fn execute(cli: Cli) -> Result<ExitCode> {
    let console = cli.global.console();
    match cli.command {
        Command::Test(args) => test::test(&args, console),
        Command::Run(args) => run::run(&args, console),
        Command::List(args) => list::list(&args),
        Command::Instrument(args) => instrument::instrument(&args, console),
        Command::Report(args) => report::report(&args, console),
        Command::Explain(args) => explain::explain(&args),
        Command::Clean(args) => clean::clean(&args, console),
    }
}
