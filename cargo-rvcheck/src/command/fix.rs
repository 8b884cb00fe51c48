//! `cargo rvcheck fix`.

use super::check::{Looked, look};
use super::show::print_documents;
use super::test::without_skipped;
use crate::check::check_sources;
use crate::cli::FixArgs;
use crate::console::Console;
use crate::error::{Expected, Result, reading, writing};
use crate::exit_code::ExitCode;
use crate::finding::Level;
use crate::fixing::{Chosen, changed, choose, kept, repository};
use crate::harness::session::Session;
use crate::interruption::{self, Running, check_interrupted};
use crate::levels::{Choice, Levels};
use crate::policy::{Policy, settled};
use crate::project::{cargo, root};
use crate::report::{Excerpts, Gate, Report};
use crate::request::{CARGO, build_options, target_options};
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_spec::Property;
use rvcheck_spec::language::problem::did_you_mean;
use similar::TextDiff;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Stdio;

/// Looks at the source as `check` does, and applies the fixes that need no look. What does not compile afterwards is undone.
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

/// Applies what compiles, and says what was done.
fn apply(args: &FixArgs, chosen: &[Chosen<'_>], sources: &mut Sources, console: Console) -> Result<ExitCode> {
    if chosen.is_empty() {
        return Ok(ExitCode::Clean);
    }
    let mut refused: BTreeMap<usize, String> = BTreeMap::new();
    let done = kept(chosen.len(), |these| {
        let some: Vec<&Chosen<'_>> = these.iter().map(|it| &chosen[*it]).collect();
        sources.write(&some)?;
        let refusal = refusal(args, console)?;
        let works = refusal.is_none();
        if let (Some(why), Some(last)) = (refusal, these.last()) {
            refused.insert(*last, why);
        }
        Ok::<bool, Expected>(works)
    });
    // Whatever happened, what is on disk afterwards compiles, as far as is known.
    let kept = done.as_ref().map_or(&[][..], Vec::as_slice);
    let some: Vec<&Chosen<'_>> = kept.iter().map(|it| &chosen[*it]).collect();
    sources.write(&some)?;
    let done = done?;
    if done.is_empty()
        && let Some(why) = refusal(args, console)?
    {
        console.error(format_args!("it does not compile as it is, so nothing was changed\n{why}"));
        return Ok(ExitCode::FailsPlainly);
    }
    for (number, Chosen { finding, fix }) in chosen.iter().enumerate() {
        let (file, line) = (&fix.edits[0].file, fix.edits[0].line);
        let what = format!("{file}:{line}: {} ({})", fix.message, finding.property);
        if done.contains(&number) {
            console.status("Fixed", what);
        } else {
            let why = refused.get(&number).map_or("", String::as_str);
            console.warn(format_args!("undone, because it does not compile: {what}\n{why}"));
        }
    }
    Ok(ExitCode::Clean)
}

/// The compiler's first error where cargo checks the targets as users build them, and then those that are tested; `None` where it has
/// none.
fn refusal(args: &FixArgs, console: Console) -> Result<Option<String>> {
    // With the targets that are tested, the features of their dependencies are switched on for all.
    for of_tests in [false, true] {
        if !of_tests && args.targets.is_chosen() {
            continue;
        }
        let mut command = cargo();
        command.args(["check", "--quiet", "--color", "never", "--message-format", "short"]);
        for given in &args.build.config {
            command.args(["--config", given]);
        }
        if let Some(folder) = &args.build.target_dir {
            command.arg("--target-dir").arg(folder);
        }
        build_options(&mut command, &args.build, CARGO);
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
            return Ok(Some(first.to_owned()));
        }
    }
    Ok(None)
}

/// The files that fixes change.
struct Sources {
    root: Utf8PathBuf,
    /// By their names in reports: the text that was looked at, and the one that is on disk.
    files: BTreeMap<String, (String, String)>,
}

impl Sources {
    /// Reads them. A file that is not as it was when it was looked at is an error.
    fn read(root: &Utf8Path, chosen: &[Chosen<'_>], seen: &Excerpts) -> Result<Sources> {
        let mut files = BTreeMap::new();
        for edit in chosen.iter().flat_map(|it| &it.fix.edits) {
            let path = root.join(&edit.file);
            let text = fs::read_to_string(&path).map_err(reading(&path))?;
            let line = usize::try_from(edit.line).ok().and_then(|it| text.lines().nth(it.checked_sub(1)?));
            if line != seen.line(&edit.file, edit.line) {
                let message = format!("{path} was changed meanwhile, so nothing was fixed\nrun this again");
                return Err(Expected::Configuration(message));
            }
            files.insert(edit.file.clone(), (text.clone(), text));
        }
        Ok(Sources { root: root.to_owned(), files })
    }

    /// What a file is with these fixes.
    fn with(text: &str, file: &str, chosen: &[&Chosen<'_>]) -> String {
        let edits = chosen.iter().flat_map(|it| &it.fix.edits).filter(|it| it.file == file);
        changed(text, edits).unwrap_or_else(|| text.to_owned())
    }

    /// Lets the files have these fixes and no other.
    fn write(&mut self, chosen: &[&Chosen<'_>]) -> Result<()> {
        for (file, (text, written)) in &mut self.files {
            let new = Sources::with(text, file, chosen);
            if *written != new {
                let path = self.root.join(file);
                fs::write(&path, &new).map_err(writing(&path))?;
                *written = new;
            }
        }
        Ok(())
    }

    /// What the fixes change, as a unified diff for each file.
    fn diffs(&self, chosen: &[Chosen<'_>]) -> Vec<String> {
        let all: Vec<&Chosen<'_>> = chosen.iter().collect();
        let diff = |(file, (text, _)): (&String, &(String, String))| {
            let new = Sources::with(text, file, &all);
            let diff = TextDiff::from_lines(text, &new);
            let shown = diff.unified_diff().header(&format!("a/{file}"), &format!("b/{file}")).to_string();
            shown.trim_end_matches('\n').to_owned()
        };
        self.files.iter().map(diff).collect()
    }
}
