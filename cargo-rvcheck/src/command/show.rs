//! Checking a run, and showing what came out.

use crate::check::timeline::Stored;
use crate::check::{HeldLimits, LifestateUse, Options, check_run};
use crate::cli::{Output, PrintArgs, ShowArgs};
use crate::console::{Console, Verbosity};
use crate::error::{Expected, Result, reading, writing};
use crate::escape::legible;
use crate::exit_code::ExitCode;
use crate::harness::session::Session;
use crate::inject::shortfall::shortfalls;
use crate::interruption;
use crate::layout::{create_folder, write_value};
use crate::levels::{Choice, Levels};
use crate::lock_dependencies::kept::Store;
use crate::messages::render_messages;
use crate::policy::{Changes, Policy, baseline, settled};
use crate::project::{Settings, Workspace};
use crate::recorded::Recorded;
use crate::report::html::write_pages;
use crate::report::{Format, Gate, Owner, Report, SnapshotReport, Style, stored};
use crate::snapshot::{self, SNAPSHOTS, diff, stable_text};
use crate::timeline::Timeline;
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_source::rules::RULES;
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::process::Command;

/// The report of a run. What it was made from is kept in the run's folder.
/// `audit` is there for what speaks against the proofs that it relies on, which is looked for then.
pub(super) fn checked(
    session: &Session,
    recorded: &Recorded,
    audit: Option<&mut Vec<String>>,
    console: Console,
) -> Result<Report> {
    write_value(&session.run.join("recorded.json"), recorded)?;
    interruption::is_kept(&session.run);
    for missing in shortfalls(&session.build.own(), &session.project) {
        let what = if missing.is_total() {
            "nothing of it".to_owned()
        } else {
            format!("not its {}", words(&missing.groups))
        };
        console.warn(format_args!(
            "the shim for {} {} does not compile as a whole: {what} is monitored",
            missing.name, missing.version
        ));
        console.detail(&missing.message);
    }
    let count = recorded.processes.len();
    console.status("Checking", format_args!("{count} process{}", if count == 1 { "" } else { "es" }));
    let store = Store::of(session.layout.root(), &session.project.root, &session.id);
    let dependencies = store.load(|why| console.warn(why));
    let options = Options { dependencies, ..options(session, audit.is_some()) };
    let mut report = check_run(recorded, &options);
    store.store(&report.dependencies)?;
    if let Some(learnt) = &session.learnt {
        report.run.notes.extend(learnt.notes.iter().cloned());
        learnt.store(&report.enforced)?;
    }
    if let Some(contradictions) = audit {
        let residual = check_run(recorded, &Options { audit: false, ..options });
        *contradictions = super::audit::contradictions(&report, &residual, &recorded.analysed.proofs);
    }
    Ok(report)
}

/// What the runs of a session are checked against.
pub(super) fn options(session: &Session, audit: bool) -> Options {
    let (properties, vocabulary) = (session.properties.clone(), session.vocabulary.clone());
    let definitions = session.definitions.clone();
    let (tail, dependencies, lifestates) = (session.tail(), Vec::new(), LifestateUse::Monitor);
    let whole_picture = false;
    let held = HeldLimits::of(session.thresholds());
    Options {
        properties,
        definitions,
        vocabulary,
        tail,
        audit,
        dependencies,
        lifestates,
        whole_picture,
        held,
    }
}

/// The words, with commas.
fn words(words: &BTreeSet<String>) -> String {
    words.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// Stores and shows the report of a session, and gives the exit code that it means. Where it `has_snapshot`, it is compared with that.
pub(super) fn finish(
    report: &Report,
    args: &ShowArgs,
    session: &Session,
    has_snapshot: bool,
    console: Console,
) -> Result<ExitCode> {
    session.end_messages();
    let run = &session.run;
    // Whatever of it cannot be written, the rest is.
    let stored = stored::write(report, run).map_err(writing(run));
    let workspace = &session.project.workspace;
    let mut settled = settled(report, &policy(args, Some(workspace))?);
    settled.timeline = Timeline::of(Stored(run.clone()));
    settled.owners = owners(workspace);
    if has_snapshot && !settled.run.is_part() && !settled.is_undecided() {
        compare(&mut settled, &workspace.root, args, console)?;
    }
    let code = print_all(&settled, args, console)?;
    stored.map(|()| code)
}

/// Compares a report with the snapshot that was accepted, if there is one.
fn compare(report: &mut Report, root: &Utf8Path, args: &ShowArgs, console: Console) -> Result<()> {
    let Some(found) = snapshot::compare(root, &stable_text(report))? else { return Ok(()) };
    let differs = found.accepted != found.new;
    report.snapshot = Some(SnapshotReport { path: format!("{SNAPSHOTS}/report.snap"), differs });
    report.decide(gate(args));
    if differs {
        console.plain(diff(&found.accepted, &found.new).trim_end());
        console.warn(format_args!(
            "the report differs from {}; `cargo rvcheck review` shows what to decide",
            found.accepted_path
        ));
    }
    Ok(())
}

/// Shows the report in every form that was asked for, as the user's policy has it, and gives the exit code that it means.
/// `workspace` has the baseline, and says what of its packages counts.
pub(super) fn show(
    report: &Report,
    args: &ShowArgs,
    workspace: Option<&Workspace>,
    console: Console,
) -> Result<ExitCode> {
    let mut settled = settled(report, &policy(args, workspace)?);
    settled.owners = workspace.map_or_else(Vec::new, owners);
    print_all(&settled, args, console)
}

/// The packages of a workspace, as cargo's messages name them.
fn owners(workspace: &Workspace) -> Vec<Owner> {
    let owner = |package: &Settings| Owner {
        id: package.id.clone(),
        manifest: workspace.root.join(format!("{}Cargo.toml", package.folder)).into_string(),
        folder: package.folder.clone(),
        targets: package.targets.clone(),
    };
    workspace.packages.iter().map(owner).collect()
}

fn print_all(report: &Report, args: &ShowArgs, console: Console) -> Result<ExitCode> {
    let code = report.outcome.map_or(ExitCode::Clean, |it| it.standing.into());
    let is_clean = code == ExitCode::Clean && report.open().next().is_none();
    // A folder of pages is no document that a renderer writes.
    let (pages, rest): (Vec<Output>, Vec<Output>) =
        args.print.output.iter().cloned().partition(|it| it.format == Format::Html && it.path.is_some());
    let pages = pages.iter().filter_map(|it| it.path.as_deref());
    let written = pages.map(|it| write_pages(report, it).map_err(writing(it))).fold(Ok(()), Result::and);
    let args = PrintArgs { output: rest, ..args.print.clone() };
    show_result(&|form, out, style| render(report, form, out, style), is_clean, &args, console)?;
    written.map(|()| code)
}

fn gate(args: &ShowArgs) -> Gate {
    Gate { fail_on: args.print.fail_on, allow_empty: args.print.allow_empty, strict: args.strict }
}

/// What the options and the files of the workspace make of a report.
pub(super) fn policy(args: &ShowArgs, workspace: Option<&Workspace>) -> Result<Policy> {
    let baseline = match workspace.filter(|_| !args.no_baseline) {
        Some(workspace) => baseline::read(&workspace.root)?,
        None => None,
    };
    Ok(Policy {
        gate: gate(args),
        levels: levels(args)?,
        baseline,
        max_unmonitored: args.max_unmonitored,
        packages: workspace.map_or_else(Vec::new, |it| it.packages.clone()),
        changes: changes(args, workspace)?,
    })
}

/// The lines to which the report is to be limited, if it is.
fn changes(args: &ShowArgs, workspace: Option<&Workspace>) -> Result<Option<Changes>> {
    let text = match (&args.since, &args.in_diff) {
        (Some(revision), None) => {
            let mut git = Command::new("git");
            git.args(["-c", "core.quotePath=false", "diff", "--no-color", "--no-ext-diff", "--no-relative"]);
            git.args(["--src-prefix=a/", "--dst-prefix=b/", "--unified=3", "--merge-base"]);
            // What looks like an option is none.
            git.arg("--end-of-options").arg(revision).arg("--");
            git.current_dir(workspace.map_or(Utf8Path::new("."), |it| &it.root));
            let output =
                git.output().map_err(|source| Expected::Start { program: "git".to_owned(), source })?;
            if !output.status.success() {
                let stderr = String::from_utf8_lossy(&output.stderr);
                let message =
                    format!("git cannot tell what has changed since `{revision}`\n{}", stderr.trim_end());
                return Err(Expected::Configuration(message));
            }
            output.stdout
        }
        (_, Some(path)) if path == "-" => {
            let mut text = Vec::new();
            io::stdin().read_to_end(&mut text).map_err(reading(path))?;
            text
        }
        (_, Some(path)) => {
            std::fs::read(path).map_err(|source| Expected::Given { path: path.clone(), source })?
        }
        (None, None) => return Ok(None),
    };
    Ok(Some(Changes::of_diff(&String::from_utf8_lossy(&text))))
}

/// The levels that the options give.
fn levels(args: &ShowArgs) -> Result<Levels> {
    let lists = [(&args.allow, Choice::Allow), (&args.warn, Choice::Warn), (&args.deny, Choice::Deny)];
    let given = lists.into_iter().flat_map(|(ids, choice)| ids.iter().map(move |it| (it.as_str(), choice)));
    Ok(Levels::of(given)?.over(args.levels.clone()))
}

/// Refuses, before anything runs, what would be refused when the report is shown. `properties` are known beside the library.
pub(super) fn check<'a>(
    args: &ShowArgs,
    workspace: Option<&Workspace>,
    properties: impl IntoIterator<Item = &'a str>,
) -> Result<()> {
    let library = rvcheck_specs::LIBRARY.iter().map(|it| it.id);
    let policy = policy(args, workspace)?;
    let rules = RULES.iter().map(|it| it.property);
    let known: Vec<&str> = library.chain(rules).chain(properties).collect();
    policy.levels.check(known.iter().copied())?;
    policy.packages.iter().try_for_each(|it| it.levels.check(known.iter().copied()))
}

/// Writes a result in a form.
pub(super) type Renderer<'a> = dyn Fn(Form, &mut dyn Write, Style) -> io::Result<()> + 'a;

/// As what a format is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As a document of its own.
    Document(Format),
    /// As the end of what was printed while the tool was at work.
    Shown(Format),
}

impl Form {
    /// The format.
    pub(super) const fn format(self) -> Format {
        match self {
            Form::Document(format) | Form::Shown(format) => format,
        }
    }
}

/// Shows a result in every form that was asked for. One in which nothing is to be reported is not shown where that is the wish.
pub(super) fn show_result(
    render: &Renderer<'_>,
    is_clean: bool,
    args: &PrintArgs,
    console: Console,
) -> Result<()> {
    // Whatever of it cannot be written, the rest is.
    let written = args.output.iter().map(|it| write(render, it)).fold(Ok(()), Result::and);
    let shown = show_to_caller(render, is_clean, args, console);
    written.and(shown)
}

/// Writes the result in one form.
fn write(render: &Renderer<'_>, output: &Output) -> Result<()> {
    let Some(path) = &output.path else {
        return print(&mut io::stdout().lock(), render, Form::Document(output.format), Style::PLAIN);
    };
    if let Some(folder) = path.parent().filter(|it| !it.as_str().is_empty()) {
        create_folder(folder)?;
    }
    let file = File::create(path).map_err(writing(path))?;
    let mut out = BufWriter::new(file);
    let written = render(Form::Document(output.format), &mut out, Style::PLAIN).and_then(|()| out.flush());
    written.map_err(writing(path))
}

/// Shows the result to whoever called the tool.
fn show_to_caller(render: &Renderer<'_>, is_clean: bool, args: &PrintArgs, console: Console) -> Result<()> {
    let verbose = console.shows(Verbosity::Verbose);
    let style = Style { color: console.colored(), verbose, ..Style::PLAIN };
    match args.message_format {
        Format::Human if is_clean && !console.shows(Verbosity::Normal) => Ok(()),
        format @ (Format::Human | Format::Short) => {
            print(&mut io::stderr().lock(), render, Form::Shown(format), style)
        }
        Format::Github => {
            // The log of the job is for people.
            print(&mut io::stdout().lock(), render, Form::Shown(Format::Github), style)?;
            print(&mut io::stderr().lock(), render, Form::Shown(Format::Human), style)?;
            std::env::var_os(JOB_SUMMARY).map_or(Ok(()), |path| append_summary(render, path.as_ref()))
        }
        format => print(&mut io::stdout().lock(), render, Form::Shown(format), style),
    }
}

/// The variable in which GitHub Actions names the file that becomes the summary of the job.
const JOB_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Appends the result to the summary of the job.
fn append_summary(render: &Renderer<'_>, path: &Path) -> Result<()> {
    let shown = Utf8PathBuf::from(path.display().to_string());
    let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(writing(&shown))?;
    render(Form::Document(Format::Markdown), &mut file, Style::PLAIN).map_err(writing(&shown))
}

fn print(out: &mut dyn Write, render: &Renderer<'_>, form: Form, style: Style) -> Result<()> {
    match render(form, out, style).and_then(|()| out.flush()) {
        // Whoever closes the pipe has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done.map_err(Expected::Print),
    }
}

fn render(report: &Report, form: Form, out: &mut dyn Write, style: Style) -> io::Result<()> {
    match form {
        Form::Shown(Format::Json) => render_messages(report, out),
        form => form.format().render(report, out, style),
    }
}

/// Prints lines for people to standard output.
pub(super) fn print_lines(lines: impl IntoIterator<Item = String>) -> Result<()> {
    print_documents(lines.into_iter().map(|it| legible(&it).into_owned()))
}

/// Prints documents to standard output as they are: what reads them is a program.
pub(super) fn print_documents(documents: impl IntoIterator<Item = String>) -> Result<()> {
    let mut out = io::stdout().lock();
    for document in documents {
        match writeln!(out, "{document}") {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            done => done.map_err(Expected::Print)?,
        }
    }
    out.flush().or_else(|error| {
        if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(Expected::Print(error)) }
    })
}
