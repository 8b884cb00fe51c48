//! The commands, one file each.

mod baseline;
mod clean;
mod explain;
mod instrument;
mod list;
mod replay;
mod report;
mod run;
mod schema;
mod show;
mod sources;
mod spec;
mod test;

use crate::cli::{Cli, Command, SpecCommand};
use crate::error::Result;
use crate::exit_code::ExitCode;

/// Does what the command line asks for, and gives the exit code.
pub fn execute(cli: Cli) -> Result<u8> {
    let console = cli.global.console();
    let code = match cli.command {
        Command::Test(args) => return test::test(&args, console),
        Command::Run(args) => return run::run(&args, console),
        Command::Replay(args) => replay::replay(&args, console),
        Command::List(args) => list::list(&args),
        Command::Instrument(args) => instrument::instrument(&args, console),
        Command::Report(args) => report::report(&args, console),
        Command::Baseline(args) => baseline::baseline(&args, console),
        Command::Explain(args) => explain::explain(&args),
        Command::Spec(SpecCommand::Check(args)) => spec::check(&args, console),
        Command::Spec(SpecCommand::Graph(args)) => spec::graph(&args),
        Command::Schema(args) => schema::schema(&args),
        Command::Clean(args) => clean::clean(&args, console),
    };
    code.map(|it: ExitCode| it as u8)
}
