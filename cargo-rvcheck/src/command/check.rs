//! `cargo rvcheck check`.

use super::report::explain_proof;
use super::show::{check as check_options, finish, print_documents};
use super::sources::{as_source, files};
use super::test::without_skipped;
use crate::analysis::{Analysed, untyped};
use crate::check::check_sources;
use crate::cli::CheckArgs;
use crate::console::Console;
use crate::error::Result;
use crate::exit_code::ExitCode;
use crate::harness::cargo::{Surroundings, call, run_reading, show_line};
use crate::harness::instrumented::{Failed, Outcome, build};
use crate::harness::session::Session;
use crate::harness::{collect, compiler_messages};
use crate::interruption::{self, Running, check_interrupted};
use crate::layout::write_value;
use crate::project::built::Built;
use crate::recorded::Recorded;
use crate::report::{Format, Report};
use crate::request::{BuildArgs, CARGO, TargetArgs, build_options, target_options};
use rvcheck_spec::Property;

/// Builds the tests as `test` does, and reports what the compiler's MIR of them shows. Where they do not compile, what the text
/// of the files shows.
pub(super) fn check(args: &CheckArgs, console: Console) -> Result<ExitCode> {
    interruption::handle(Running::Tests);
    let mut session =
        Session::prepare(&args.build, args.monitor.monitoring(), args.show.print.is_stream(), console)?;
    let known = session.properties.iter().map(Property::id);
    check_options(&args.show, Some(&session.project.workspace), known)?;
    let args = &CheckArgs { build: without_skipped(&args.build, &session.project)?, ..args.clone() };
    if args.show.print.message_format == Format::RustcJson {
        // Whoever calls rvcheck instead of cargo wants to know of these, too.
        let print = |it: &str| print_documents([it.to_owned()]);
        compiler_messages::each(&session, &args.build, &args.targets, console, print)?;
        check_interrupted()?;
    }
    let report = match look(&args.build, &args.targets, &mut session, console)? {
        Looked::Built(recorded) => {
            if let Some(site) = &args.explain_proof {
                return explain_proof(site, &session.run);
            }
            check_sources(&recorded, &session.properties)
        }
        Looked::Failed(failed) => of_text(&session, failed)?,
    };
    finish(&report, &args.show, &session, false, console)
}

/// What a build without a run comes to.
pub(super) enum Looked {
    /// It was built, and this is what was found.
    Built(Box<Recorded>),
    /// It does not compile.
    Failed(Failed),
}

/// Builds what `cargo test` runs, and looks at what the compiler made of it. What was found is kept in the folder of the run.
pub(super) fn look(
    options: &BuildArgs,
    targets: &TargetArgs,
    session: &mut Session,
    console: Console,
) -> Result<Looked> {
    let attempt =
        |session: &Session| compile(options, targets, &session.instrumented(&session.run)?, console);
    let plainly = |session: &Session| {
        Ok(compile(options, targets, &session.plainly(None)?, console)?.success == Some(true))
    };
    match build(session, console, attempt, plainly)? {
        Outcome::Built(built) => {
            check_interrupted()?;
            let recorded = collect::recorded(session, &built, Vec::new());
            write_value(&session.run.join("recorded.json"), &recorded)?;
            Ok(Looked::Built(Box::new(recorded)))
        }
        Outcome::Failed(failed) => Ok(Looked::Failed(failed)),
    }
}

/// Has cargo build what `cargo test` runs.
fn compile(
    options: &BuildArgs,
    targets: &TargetArgs,
    surroundings: &Surroundings,
    console: Console,
) -> Result<Built> {
    let mut command = call("test", surroundings, console);
    build_options(&mut command, options, CARGO);
    target_options(&mut command, targets, true);
    command.arg("--no-run");
    run_reading(command, console, show_line, |_| Ok(()))
}

/// The report of code that does not compile.
fn of_text(session: &Session, failed: Failed) -> Result<Report> {
    let mut hits = Vec::new();
    let mut sources = Vec::new();
    let files = files(&session.project, session.std_replacement(), &session.overlay.undone())?;
    for file in files.into_iter().filter(|it| !it.is_foreign) {
        hits.extend(untyped::hits(&file));
        sources.push(as_source(&file));
    }
    let note = "without the compiler types are unknown, so only direct calls that block a task were looked for, file by file";
    let analysed = Analysed { hits, notes: vec![note.to_owned()], targets: 0, ..Analysed::default() };
    let mut report = check_sources(&collect::of_text(session, sources, analysed), &session.properties);
    report.fail_to_build(failed == Failed::Plainly, failed.note());
    Ok(report)
}
