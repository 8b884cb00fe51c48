//! `cargo rvcheck test`.

use super::show::{finish, judged};
use crate::cli::TestArgs;
use crate::console::Console;
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::harness::cargo::{
    build_options, call, check_interrupted, handle_interruptions, run_reading, target_options, test_arguments,
};
use crate::harness::run_file::{Mode, Ran, count, read_results};
use crate::harness::session::Session;
use crate::harness::{collect, plain};
use crate::report::Report;

/// Runs the tests under watch and reports.
pub(super) fn test(args: &TestArgs, console: Console) -> Result<ExitCode> {
    handle_interruptions();
    let session = Session::prepare(&args.build, args.watch, console)?;
    session.order(&session.run, Mode::Tests)?;
    let tools = session.tools();
    let mut command = call("test", &session.watched(&tools, &session.run), console);
    build_options(&mut command, &args.build);
    target_options(&mut command, &args.targets);
    // Cargo is to run everything whether the user asks for it or not, so that the rest is judged.
    command.arg("--no-fail-fast");
    test_arguments(&mut command, args.filter.as_deref(), &args.args);
    let built = run_reading(command, console, |built| session.list(&session.run, built))?;
    let report = match built.success {
        None => return Err(Expected::CargoRefused),
        Some(false) => {
            console.status("Comparing", "with a plain build");
            let plainly = !plain::builds(&session, args, console)?;
            check_interrupted()?;
            Report::of_failed_build(&session.id, plainly, vec![build_note(plainly).to_owned()])
        }
        Some(true) => {
            let mut processes: Vec<Ran> = read_results(&session.run, count(&session.run))?;
            plain::decide(&session, args, console, &mut processes)?;
            judged(&session, &collect::recorded(&session, &built, processes), console)?
        }
    };
    finish(&report, &args.show, &session.run, console)
}

/// What a report says about a build that failed.
fn build_note(plainly: bool) -> &'static str {
    if plainly {
        "the tests do not build without rvcheck either; the compiler's messages are above"
    } else {
        "the tests build without rvcheck, but not under it; the compiler's messages are above"
    }
}
