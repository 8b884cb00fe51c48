//! `cargo rvcheck run`.

use super::show::{finish, judged};
use crate::cli::RunArgs;
use crate::console::Console;
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::harness::cargo::{build_options, call, handle_interruptions, run_reading, run_showing};
use crate::harness::collect;
use crate::harness::run_file::{Mode, Ran, count, read_results};
use crate::harness::session::Session;
use std::process::Command;

/// Runs a binary or an example under watch and reports.
pub(super) fn run(args: &RunArgs, console: Console) -> Result<ExitCode> {
    handle_interruptions();
    let session = Session::prepare(&args.build, args.watch, console)?;
    session.order(&session.run, Mode::Program)?;
    let tools = session.tools();
    let prepared = |subcommand: &str| {
        let mut command = call(subcommand, &session.watched(&tools, &session.run), console);
        build_options(&mut command, &args.build);
        select(&mut command, args);
        command
    };
    // The program may write to standard output, so what was built is asked for before.
    let built = run_reading(prepared("build"), console, |built| session.list(&session.run, built))?;
    if built.success != Some(true) {
        return if built.success.is_none() {
            Err(Expected::CargoRefused)
        } else {
            let plainly = !builds_plainly(&session, args, console)?;
            console.error("the program does not build");
            Ok(if plainly { ExitCode::FailsPlainly } else { ExitCode::FailsUnderTool })
        };
    }
    let mut command = prepared("run");
    command.arg("--").args(&args.args);
    let code = run_showing(command, console)?;
    let processes: Vec<Ran> = read_results(&session.run, count(&session.run))?;
    if processes.is_empty() {
        return Err(Expected::CargoRefused);
    }
    if code != 0 {
        console.warn(format_args!("the program ended with exit code {code}"));
    }
    let report = judged(&session, &collect::recorded(&session, &built, processes), console)?;
    finish(&report, &args.show, &session.run, console)
}

/// Adds the user's choice of the program.
fn select(command: &mut Command, args: &RunArgs) {
    if let Some(name) = &args.bin {
        command.args(["--bin", name]);
    }
    if let Some(name) = &args.example {
        command.args(["--example", name]);
    }
}

fn builds_plainly(session: &Session, args: &RunArgs, console: Console) -> Result<bool> {
    use crate::harness::cargo::Surroundings;
    let target = session.layout.plain();
    let around = Surroundings { target: &target, wrapper: None, runner: None, host: &session.compiler.host };
    let mut command = call("build", &around, console);
    build_options(&mut command, &args.build);
    select(&mut command, args);
    Ok(run_reading(command, console, |_| Ok(()))?.success == Some(true))
}
