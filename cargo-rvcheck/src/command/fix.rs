//! `cargo rvcheck fix`.

mod sources;
mod tests;

use self::sources::Sources;
use self::tests::Tests;
use super::check::{Looked, look};
use super::show::print_documents;
use super::test::without_skipped;
use crate::check::check_sources;
use crate::cli::FixArgs;
use crate::console::Console;
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::finding::Level;
use crate::fixing::{Chosen, choose, kept, repository};
use crate::harness::session::Session;
use crate::interruption::{self, Running, check_interrupted};
use crate::levels::{Choice, Levels};
use crate::policy::{Policy, settled};
use crate::project::{cargo, root};
use crate::report::{Gate, Report};
use crate::request::{CARGO, build_options, target_options};
use rvcheck_spec::Property;
use rvcheck_spec::language::problem::did_you_mean;
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

/// Looks at the source as `check` does, and applies the fixes that need no look. What does not compile afterwards, or makes a test fail, is
/// undone.
pub(super) fn fix(args: &FixArgs, levels: &[(String, Choice, String)], console: Console) -> Result<ExitCode> {
    interruption::handle(Running::Tests);
    let placed = levels.iter().map(|(id, choice, place)| (id.as_str(), *choice, place.as_str()));
    let levels = &Levels::placed(placed)?;
    if let Some(root) = root(&args.build)?.filter(|_| !args.dry_run) {
        repository::check(&root, args.repository)?;
    }
    let mut session = Session::prepare(&args.build, args.monitor.monitoring(), false, console)?;
    known(args, session.properties.iter().map(Property::id))?;
    let args = &FixArgs { build: without_skipped(&args.build, &session.project)?, ..args.clone() };
    let recorded = match look(&args.build, &args.targets, &mut session, console)? {
        Looked::Built(recorded) => recorded,
        Looked::Failed(failed) => {
            console.error(format_args!("{}; nothing was changed", failed.note()));
            return Ok(failed.exit_code());
        }
    };
    session.end_messages();
    let report = open(&check_sources(&recorded, &session.properties), levels, &session);
    let wanted = |id: &str| args.ids.is_empty() || args.ids.iter().any(|it| it == id);
    let choice = choose(report.open().filter(|it| wanted(&it.property)));
    let mut sources = Sources::read(&session.project.root, &choice.chosen, &report.excerpts)?;
    let code = if args.dry_run {
        print_documents(sources.diffs(&choice.chosen))?;
        ExitCode::Clean
    } else {
        apply(args, &choice.chosen, &mut sources, console)?
    };
    for (count, what) in [
        (choice.doubtful, "needs a look first: `cargo rvcheck check` shows it as a diff"),
        (choice.waiting, "changes the same place as another one: run this again"),
    ] {
        if count > 0 {
            console.status("Left", format_args!("{}: each {what}", fixes(count)));
        }
    }
    if choice.chosen.is_empty() {
        console.status("Fixed", "nothing: no finding has a fix that can be applied without looking");
    }
    Ok(code)
}

fn fixes(count: usize) -> String {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    if count == 1 { "1 fix".to_owned() } else { format!("{count} fixes") }
}

/// Refuses ids that nobody knows.
fn known<'a>(args: &FixArgs, own: impl Iterator<Item = &'a str>) -> Result<()> {
    let ids: BTreeSet<&str> = rvcheck_specs::LIBRARY.iter().map(|it| it.id).chain(own).collect();
    match args.ids.iter().find(|it| !ids.contains(it.as_str())) {
        None => Ok(()),
        Some(id) => {
            let known = format!("there are {}", ids.iter().copied().collect::<Vec<_>>().join(", "));
            let known = did_you_mean(id, ids).map_or(known.clone(), |guess| format!("{known}\n{guess}"));
            Err(Expected::Unknown { what: "property", name: id.clone(), known })
        }
    }
}

/// The report as the configured levels have it. What is in the baseline can be fixed as well.
fn open(report: &Report, levels: &Levels, session: &Session) -> Report {
    let policy = Policy {
        gate: Gate { fail_on: Level::Error, allow_empty: true, strict: false },
        levels: levels.clone(),
        baseline: None,
        max_unmonitored: None,
        packages: session.project.workspace.packages.clone(),
        changes: None,
    };
    settled(report, &policy)
}

/// Applies what compiles and makes no test fail, and says what was done.
fn apply(args: &FixArgs, chosen: &[Chosen<'_>], sources: &mut Sources, console: Console) -> Result<ExitCode> {
    if chosen.is_empty() {
        return Ok(ExitCode::Clean);
    }
    let tests = (!args.no_test).then(|| Tests::before(args, console)).transpose()?;
    let mut undone: BTreeMap<usize, Refusal> = BTreeMap::new();
    let done = works(chosen, sources, tests.as_ref(), args, console, &mut undone);
    // Where that was broken off, nothing is known of what is on disk.
    let kept = done.as_ref().map_or(&[][..], Vec::as_slice);
    let some: Vec<&Chosen<'_>> = kept.iter().map(|it| &chosen[*it]).collect();
    sources.write(&some)?;
    let done = done?;
    if done.is_empty()
        && let Some(why) = refusal(args, console)?
    {
        console.error(format_args!("{} as it is, so nothing was changed\n{}", why.what, why.detail));
        return Ok(ExitCode::FailsPlainly);
    }
    for (number, Chosen { finding, fix }) in chosen.iter().enumerate() {
        let (file, line) = (&fix.edits[0].file, fix.edits[0].line);
        let what = format!("{file}:{line}: {} ({})", fix.message, finding.property);
        if done.contains(&number) {
            console.status("Fixed", what);
        } else {
            let why = undone.remove(&number).unwrap_or_default();
            console.warn(format_args!("undone, because {}: {what}\n{}", why.what, why.detail));
        }
    }
    Ok(ExitCode::Clean)
}

/// Why some fixes cannot stay.
#[derive(Clone, Debug, Default)]
struct Refusal {
    /// In a clause.
    what: &'static str,
    /// What was printed of it, such as the compiler's first error.
    detail: String,
}

/// The numbers of the fixes that compile together and with which no test fails that has passed before. Why each of the others is undone is
/// noted.
fn works(
    chosen: &[Chosen<'_>],
    sources: &mut Sources,
    tests: Option<&Tests<'_>>,
    args: &FixArgs,
    console: Console,
    undone: &mut BTreeMap<usize, Refusal>,
) -> Result<Vec<usize>> {
    let mut kept_of = |numbers: &[usize], refusal: &dyn Fn() -> Result<Option<Refusal>>| {
        let done = kept(numbers.len(), |these| {
            let some: Vec<&Chosen<'_>> = these.iter().map(|it| &chosen[numbers[*it]]).collect();
            sources.write(&some)?;
            let refusal = refusal()?;
            let works = refusal.is_none();
            if let (Some(why), Some(last)) = (refusal, these.last()) {
                undone.insert(numbers[*last], why);
            }
            Ok::<bool, Expected>(works)
        });
        Ok::<Vec<usize>, Expected>(done?.into_iter().map(|it| numbers[it]).collect())
    };
    let all: Vec<usize> = (0..chosen.len()).collect();
    let compiled = kept_of(&all, &|| refusal(args, console))?;
    match tests {
        Some(tests) => kept_of(&compiled, &|| tests.failure()),
        None => Ok(compiled),
    }
}

/// Refuses with the compiler's first error where cargo checks the targets as users build them, and then those that are tested.
fn refusal(args: &FixArgs, console: Console) -> Result<Option<Refusal>> {
    // With the targets that are tested, the features of their dependencies are switched on for all.
    for of_tests in [false, true] {
        if !of_tests && args.targets.is_chosen() {
            continue;
        }
        let mut command = cargos("check", args);
        command.args(["--quiet", "--message-format", "short"]);
        if of_tests {
            target_options(&mut command, &args.targets, false);
        }
        check_interrupted()?;
        console.detail(format_args!("{command:?}"));
        let output = command.stdin(Stdio::null()).output();
        let output = output.map_err(|source| Expected::Start { program: "cargo".to_owned(), source })?;
        check_interrupted()?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let first = text.lines().find(|it| it.contains("error")).unwrap_or(text.trim_end());
            return Ok(Some(Refusal { what: "it does not compile", detail: first.to_owned() }));
        }
    }
    Ok(None)
}

/// A command of cargo's with the options of the user.
fn cargos(subcommand: &str, args: &FixArgs) -> Command {
    let mut command = cargo();
    command.args([subcommand, "--color", "never"]);
    for given in &args.build.config {
        command.args(["--config", given]);
    }
    if let Some(folder) = &args.build.target_dir {
        command.arg("--target-dir").arg(folder);
    }
    build_options(&mut command, &args.build, CARGO);
    command
}
