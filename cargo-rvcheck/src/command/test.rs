//! `cargo rvcheck test`.

use super::show::{check, checked, finish, options};
use crate::check::check_run;
use crate::cli::TestArgs;
use crate::console::Console;
use crate::error::{Expected, Result};
use crate::escape::one_line;
use crate::exit_code::ExitCode;
use crate::harness::cargo::{call, run_reading, show_line, test_arguments};
use crate::harness::explore::{Exploration, Tested, explore, replay};
use crate::harness::filterset::Filtersets;
use crate::harness::instrumented::{Failed, Outcome, build};
use crate::harness::reporter::tests_decided;
use crate::harness::run_file::{Mode, Ran, count, read_results};
use crate::harness::selection::Selection;
use crate::harness::session::Session;
use crate::harness::steered::confirm;
use crate::harness::{collect, documentation, nextest, plain};
use crate::interruption::{self, Running, check_interrupted};
use crate::project::built::Built;
use crate::project::{Project, described};
use crate::recorded::{Origin, Recorded, TestOutcome};
use crate::report::{Report, Undecided};
use crate::request::{BuildArgs, CARGO, Exploring, Part, SelectionArgs, build_options, target_options};
use crate::wrapper::here;
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_event::exploration::plan::Plan;
use rvcheck_event::schedule::Schedule;
use rvcheck_spec::Property;
use std::fs;

/// Runs the instrumented tests and reports.
pub(super) fn test(args: &TestArgs, console: Console) -> Result<u8> {
    test_exploring(args, args.exploring(), None, console)
}

/// The same; then the tests are explored in this way, and of the schedules this part is tried.
pub(super) fn test_exploring(
    args: &TestArgs,
    exploring: Option<Exploring>,
    part: Option<Part>,
    console: Console,
) -> Result<u8> {
    interruption::handle(Running::Tests);
    let follow = args.show.print.is_stream() && !asks_for_list(args);
    let mut session = Session::prepare(&args.build, args.monitor.clone(), follow, console)?;
    check(&args.show, Some(&session.project.workspace), session.properties.iter().map(Property::id))?;
    session.again = std::mem::take(&mut session.again).by(args.test_tool);
    let args = &TestArgs { build: without_skipped(&args.build, &session.project)?, ..args.clone() };
    let single = !asks_for_list(args) && nextest::is_chosen(args, &session.project, console)?;
    session.selection = if single {
        // Nextest evaluates filtersets itself.
        Selection { retries: args.selection.retries, ..Selection::default() }
    } else {
        selection(&args.selection, &args.build, &session)?
    };
    match args.schedule.as_deref().map(schedule).transpose()? {
        Some(Given::Plan(path, plan)) => return replayed(&mut session, args, &path, &plan, console),
        Some(Given::Delays(path)) => session.schedule = Some(path),
        None => {}
    }
    if asks_for_list(args) {
        return list(&mut session, args, console);
    }
    let mode = if single { Mode::SingleTests } else { Mode::Tests };
    // Nextest divides the tests itself.
    session.order_part(&session.run, mode, args.partition.filter(|_| !single))?;
    let attempt = |session: &Session| {
        if single && !args.no_run {
            nextest::run(session, args, &session.instrumented(&session.run)?, console)
        } else {
            run(session, args, show_line, console)
        }
    };
    match build(&mut session, console, attempt, |it| plain::builds(it, args, console))? {
        Outcome::Failed(failed) => {
            let plainly = failed == Failed::Plainly;
            let report = Report::of_failed_build(&session.id, plainly, vec![failed.note().to_owned()]);
            finish(&report, &args.show, &session, !args.no_snapshot, console).map(|it| it as u8)
        }
        // Nothing ran, and nothing is wrong with that.
        Outcome::Built(_) if args.no_run => check_interrupted().map(|()| ExitCode::Clean as u8),
        Outcome::Built(built) => {
            let mut processes: Vec<Ran> = read_results(&session.run, count(&session.run))?;
            nextest::join_attempts(&mut processes);
            documentation::name_tests(&mut processes);
            // Whatever ends the run early, what was seen until then is reported.
            let mut incomparable = None;
            let whole = check_interrupted()
                .and_then(|()| plain::decide(&session, args, console, &mut processes))
                .and_then(|why| {
                    incomparable = why;
                    documentation::decide(&session, args, console, &mut processes)
                });
            tests_decided(&processes, |folder| {
                session.project.packages.get(folder).map_or("", |it| it.name.as_str())
            });
            let recorded = collect::recorded(&session, &built, processes.clone());
            let mut contradictions = Vec::new();
            let audit = args.audit.then_some(&mut contradictions);
            let mut report = checked(&session, &recorded, audit, console)?;
            if let Some(process) = incomparable {
                report.run.leave_open(Undecided::process(process));
            }
            let recheck = |it: &Recorded| check_run(it, &options(&session, args.audit));
            let checks = options(&session, false);
            let tested = Tested { session: &session, args, recorded: &recorded, options: &checks, console };
            let whole = whole.and_then(|()| confirm(&tested, &mut report, &processes, recheck));
            let exploring = exploring.filter(|_| session.schedule.is_none());
            let whole = whole.and_then(|()| match exploring {
                Some(exploring) => explore(&Exploration { tested, exploring, part }, &mut report, &processes),
                None => Ok(()),
            });
            report.run.partial = is_partial(args, &session);
            let nothing = args.selected().and_then(|it| none_ran(&it, &processes));
            report.run.notes.extend(nothing.iter().map(|it| it.0.clone()));
            report.run.part = part.or(args.partition);
            if let Err(error) = &whole {
                report.cut_short(error);
            }
            let code = finish(&report, &args.show, &session, !args.no_snapshot, console)?;
            whole?;
            if let Some((what, advice)) = nothing.filter(|_| code == ExitCode::NothingChecked) {
                console.error(format_args!("{what}\n{advice}"));
            }
            if contradictions.is_empty() {
                Ok(code as u8)
            } else {
                Err(Expected::Audit(contradictions.join("\n")))
            }
        }
    }
}

/// A schedule that was given: its file, which is known to be one.
enum Given {
    /// It says who goes on.
    Plan(Utf8PathBuf, Box<Plan>),
    /// It says where tasks are delayed.
    Delays(Utf8PathBuf),
}

fn schedule(path: &Utf8Path) -> Result<Given> {
    let path = here()?.join(path);
    let text = fs::read_to_string(&path).map_err(|source| Expected::Given { path: path.clone(), source })?;
    if let Some(plan) = replay::plan(&path, &text) {
        return Ok(Given::Plan(path, Box::new(plan?)));
    }
    match Schedule::read(&text) {
        Ok(_) => Ok(Given::Delays(path)),
        Err(reason) => Err(Expected::Configuration(format!("{path} is no schedule: {reason}"))),
    }
}

/// Runs one test by a plan, and reports what that shows.
fn replayed(
    session: &mut Session,
    args: &TestArgs,
    path: &Utf8Path,
    plan: &Plan,
    console: Console,
) -> Result<u8> {
    let attempt = |session: &Session| replay::prepare(session, args, console);
    match build(session, console, attempt, |it| plain::builds(it, args, console))? {
        Outcome::Failed(failed) => {
            let plainly = failed == Failed::Plainly;
            let report = Report::of_failed_build(&session.id, plainly, vec![failed.note().to_owned()]);
            finish(&report, &args.show, session, false, console).map(|it| it as u8)
        }
        Outcome::Built(built) => {
            check_interrupted()?;
            let mut recorded = collect::recorded(session, &built, Vec::new());
            let run = replay::replay(session, path, plan, console)?;
            recorded.processes = vec![run.process.clone()];
            let mut report = checked(session, &recorded, None, console)?;
            let options = &options(session, false);
            let tested = Tested { session, args, recorded: &recorded, options, console };
            replay::tell(&tested, &run, &mut report)?;
            report.run.partial = true;
            finish(&report, &args.show, session, false, console).map(|it| it as u8)
        }
    }
}

/// Has cargo build and run the tests. `text` is given what they print on standard output past the runner.
fn run(session: &Session, args: &TestArgs, text: impl FnMut(&str), console: Console) -> Result<Built> {
    let mut command = call("test", &session.instrumented(&session.run)?, console);
    build_options(&mut command, &args.build, CARGO);
    target_options(&mut command, &args.targets, true);
    // Cargo is to run everything whether the user asks for it or not, so that the rest is checked.
    command.arg("--no-fail-fast");
    if args.no_run {
        command.arg("--no-run");
    }
    test_arguments(&mut command, &args.for_executables());
    run_reading(command, console, text, |built| session.list(&session.run, built))
}

/// The arguments without the packages that ask to be skipped.
pub(super) fn without_skipped(args: &BuildArgs, project: &Project) -> Result<BuildArgs> {
    let mut args = args.clone();
    if project.skipped.is_empty() {
        return Ok(args);
    }
    if project.selected.is_empty() {
        let skipped = project.skipped.join(", ");
        let message = format!(
            "[package.metadata.rvcheck] skips all that would be tested: {skipped}\n`-p` tests a package nevertheless"
        );
        return Err(Expected::Configuration(message));
    }
    let workspace = &mut args.workspace;
    (workspace.workspace, workspace.all, workspace.exclude) = (false, false, Vec::new());
    workspace.package.clone_from(&project.selected);
    Ok(args)
}

/// Whether only a part of the tests was asked for.
fn is_partial(args: &TestArgs, session: &Session) -> bool {
    let project = &session.project;
    let chosen = |name: &String| project.selected.contains(name) || project.skipped.contains(name);
    let members = project.members().filter(|(_, it)| !chosen(&it.name));
    let chosen = args.targets.is_chosen() || !args.selection.filtersets.is_empty();
    !args.for_executables().is_empty() || chosen || members.count() > 0
}

/// What the runner is to select, where nextest does not run the tests.
pub(super) fn selection(args: &SelectionArgs, build: &BuildArgs, session: &Session) -> Result<Selection> {
    let filtersets = Filtersets::new(&args.filtersets, || described(build, &session.compiler.host))?;
    Ok(Selection { filtersets, part: None, retries: args.retries })
}

/// What to say where none of the tests ran that were asked for, and what to do.
fn none_ran(selected: &str, processes: &[Ran]) -> Option<(String, &'static str)> {
    let tests = || processes.iter().flat_map(|it| &it.tests);
    let ignored = tests().filter(|it| it.outcome == TestOutcome::Ignored).count();
    let whole = processes.iter().any(|it| it.unnamed > 0 || (!it.libtest && it.origin == Origin::Tool));
    if whole || tests().count() > ignored {
        return None;
    }
    let run_ignored = "`--run-ignored all` runs ignored tests, too";
    Some(match ignored {
        0 => (
            format!("no test is selected by {selected}"),
            "`cargo rvcheck list tests` lists what there is; with `--allow-empty` this is no failure",
        ),
        1 => (format!("the one test that is selected by {selected} is ignored"), run_ignored),
        _ => (format!("all {ignored} tests that are selected by {selected} are ignored"), run_ignored),
    })
}

/// The test executables are only to say which tests they have.
fn asks_for_list(args: &TestArgs) -> bool {
    args.args.iter().any(|it| it == "--list")
}

/// Lists the tests on standard output, as cargo does.
fn list(session: &mut Session, args: &TestArgs, console: Console) -> Result<u8> {
    session.order(&session.run, Mode::Listing)?;
    let attempt = |session: &Session| run(session, args, |line| println!("{}", one_line(line)), console);
    let outcome = build(session, console, attempt, |it| plain::builds(it, args, console))?;
    check_interrupted()?;
    match outcome {
        Outcome::Built(_) => Ok(ExitCode::Clean as u8),
        Outcome::Failed(failed) => {
            console.error(failed.note());
            Ok(failed.exit_code() as u8)
        }
    }
}
