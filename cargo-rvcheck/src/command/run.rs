//! `cargo rvcheck run`.

use super::show::{check, checked, finish};
use crate::check::{ends, same};
use crate::cli::RunArgs;
use crate::console::Console;
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::harness::cargo::{call, run_reading, run_showing, show_line};
use crate::harness::collect;
use crate::harness::instrumented::{Outcome, build};
use crate::harness::lookout::{KnownEnds, lookout};
use crate::harness::run_file::{Mode, Ran, count, read_results, trace};
use crate::harness::session::Session;
use crate::interruption::{self, Running, check_interrupted};
use crate::recorded::End;
use crate::request::{CARGO, build_options};
use rvcheck_spec::Property;
use std::process::Command;
use std::sync::Arc;

/// Runs an instrumented binary or example and reports.
pub(super) fn run(args: &RunArgs, console: Console) -> Result<u8> {
    interruption::handle(Running::Program);
    let mut session =
        Session::prepare(&args.build, args.monitor.clone(), args.show.print.is_stream(), console)?;
    check(&args.show, Some(&session.project.workspace), session.properties.iter().map(Property::id))?;
    session.order(&session.run, Mode::Program)?;
    let prepared = |session: &Session, subcommand: &str| -> Result<Command> {
        let mut command = call(subcommand, &session.instrumented(&session.run)?, console);
        build_options(&mut command, &args.build, CARGO);
        select(&mut command, args);
        Ok(command)
    };
    // The program may write to standard output, so what was built is asked for before.
    let attempt = |session: &Session| {
        run_reading(prepared(session, "build")?, console, show_line, |built| {
            session.list(&session.run, built)
        })
    };
    let built = match build(&mut session, console, attempt, |it| builds_plainly(it, args, console))? {
        Outcome::Built(built) => built,
        Outcome::Failed(failed) => {
            console.error(failed.note());
            return Ok(failed.exit_code() as u8);
        }
    };
    check_interrupted()?;
    let mut command = prepared(&session, "run")?;
    command.arg("--").args(&args.args);
    let known = KnownEnds::default();
    let lookout = lookout(&trace(&session.run, 1), Arc::clone(&known));
    // What is found without running anything tells more of who waits forever, and is looked for while the program runs.
    let analyse = || {
        let recorded = collect::recorded(&session, &built, Vec::new());
        let _ = known.set(ends(&recorded));
        recorded.analysed
    };
    let (code, analysed) = std::thread::scope(|scope| {
        let analysing = scope.spawn(analyse);
        let code = run_showing(command, console);
        lookout.finish();
        (code, analysing.join().ok())
    });
    let code = code?;
    let processes: Vec<Ran> = read_results(&session.run, count(&session.run))?;
    let whole = check_interrupted();
    let Some(program) = processes.first() else {
        whole?;
        return Err(Expected::CargoRefused);
    };
    let status = status(&program.end);
    if code != 0 && whole.is_ok() {
        console.warn(format_args!("the program ended with exit code {code}"));
    }
    let mut report =
        checked(&session, &collect::recorded_with(&session, &built, processes, analysed), None, console)?;
    same::conclude(&mut report, "a program is not run again");
    if let Err(error) = &whole {
        report.cut_short(error);
    }
    let code = finish(&report, &args.show, &session, false, console)?;
    whole?;
    Ok(if code == ExitCode::Clean { status } else { code as u8 })
}

/// The exit code that tells how the program ended.
fn status(end: &End) -> u8 {
    match end {
        End::Exited(code) => u8::try_from(code & 0xFF).unwrap_or(1),
        _ => 1,
    }
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
    let mut command = call("build", &session.plainly(None)?, console);
    build_options(&mut command, &args.build, CARGO);
    select(&mut command, args);
    Ok(run_reading(command, console, show_line, |_| Ok(()))?.success == Some(true))
}
