//! The commands, one file each.

mod audit;
mod baseline;
mod check;
mod clean;
pub mod completions;
mod explain;
mod explore;
mod fix;
mod init;
mod instrument;
mod list;
mod list_tests;
mod manual;
mod merge;
mod predict;
mod replay;
mod report;
mod review;
mod run;
mod schema;
mod show;
mod show_config;
mod sources;
mod spec;
mod test;
mod trace;
mod validate;
pub mod version;
mod watch;

use crate::cli::{Command, Listing, SpecCommand, TraceCommand};
use crate::config::Parsed;
use crate::error::Result;
use crate::exit_code::ExitCode;

/// Does what the command line asks for, and gives the exit code.
pub fn execute(parsed: Parsed) -> Result<u8> {
    let Parsed { cli, effective, levels } = parsed;
    let console = cli.global.console();
    let code = match cli.command {
        Command::Test(args) => return test::test(&args, console),
        Command::Explore(args) => return explore::explore(&args, console),
        Command::Run(args) => return run::run(&args, console),
        Command::Check(args) if args.watch => watch::watch(&args, console),
        Command::Check(args) => check::check(&args, console),
        Command::Fix(args) => fix::fix(&args, &levels, console),
        Command::Replay(args) => replay::replay(&args, console),
        Command::Predict(args) => predict::predict(&args, console),
        Command::Validate(args) => validate::validate(&args, console),
        Command::List(args) if args.what == Listing::Tests => list_tests::list(&args, console),
        Command::List(args) => list::list(&args),
        Command::Instrument(args) => instrument::instrument(&args, console),
        Command::Report(args) => report::report(&args, console),
        Command::Baseline(args) => baseline::baseline(&args, console),
        Command::Review(args) => review::review(&args, console),
        Command::Accept(args) => review::accept(&args.review, &args.show, console),
        Command::Reject(args) => review::reject(&args, console),
        Command::Merge(args) => merge::merge(&args, console),
        Command::ShowConfig(_) => show_config::show_config(&effective, &levels),
        Command::Init(args) => init::init(&args, console),
        Command::Completions(args) => completions::completions(&args),
        Command::Manual(args) => manual::manual(&args, console),
        Command::Explain(args) => explain::explain(&args),
        Command::Spec(SpecCommand::Check(args)) => spec::check(&args, console),
        Command::Spec(SpecCommand::Graph(args)) => spec::graph(&args),
        Command::Trace(TraceCommand::Print(args)) => trace::print(&args),
        Command::Trace(TraceCommand::Stat(args)) => trace::stat(&args),
        Command::Trace(TraceCommand::Export(args)) => trace::export(&args, console),
        Command::Schema(args) => schema::schema(&args),
        Command::Clean(args) => clean::clean(&args, console),
    };
    code.map(|it: ExitCode| it as u8)
}
