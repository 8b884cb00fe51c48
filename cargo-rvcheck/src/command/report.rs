//! `cargo rvcheck report`.

use super::show::{check, policy, show};
use crate::check::timeline::Stored;
use crate::cli::ReportArgs;
use crate::console::Console;
use crate::error::{Expected, Result, writing};
use crate::escape::legible;
use crate::exit_code::ExitCode;
use crate::inject::compiler::Compiler;
use crate::layout::{Layout, read_value};
use crate::policy::settled;
use crate::project::Project;
use crate::recorded::Recorded;
use crate::report::html::{INDEX, write_pages};
use crate::report::stored;
use crate::request::Scope;
use crate::timeline::Timeline;
use camino::Utf8Path;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process::{Command, Stdio};

/// Shows the report of the last run again, without running anything.
pub(super) fn report(args: &ReportArgs, console: Console) -> Result<ExitCode> {
    let project = Project::load(&args.build, Scope::Graph, &Compiler::find(&args.build)?.host)?;
    let last = Layout::below(&project.target_directory).runs(&project.root).last()?;
    console.status("Reading", last.with_age());
    let run = last.folder;
    if let Some(site) = &args.explain_proof {
        return explain_proof(site, &run);
    }
    let mut report = stored::read(&run)?;
    report.timeline = Timeline::of(Stored(run.clone()));
    check(&args.show, Some(&project.workspace), report.properties.iter().map(|it| it.id.as_str()))?;
    let code = show(&report, &args.show, Some(&project.workspace), console)?;
    if args.open {
        let settled = settled(&report, &policy(&args.show, Some(&project.workspace))?);
        let pages = run.join("pages");
        write_pages(&settled, &pages).map_err(writing(&pages))?;
        open(&pages.join(INDEX), console);
    }
    Ok(code)
}

/// Shows a page in the browser.
fn open(page: &Utf8Path, console: Console) {
    let program = std::env::var("BROWSER").ok().filter(|it| !it.is_empty()).unwrap_or_else(|| {
        let usual = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        if cfg!(windows) { "explorer" } else { usual }.to_owned()
    });
    console.status("Opening", page);
    // What it prints is for nobody, and it may run as long as it likes.
    let mut command = Command::new(&program);
    command.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(error) = command.spawn() {
        console
            .warn(format_args!("`{program}` cannot show {page}: {error}; open it yourself, or set BROWSER"));
    }
}

/// Prints what was proved of a place in the build of this run.
pub(super) fn explain_proof(site: &str, run: &Utf8Path) -> Result<ExitCode> {
    let recorded: Recorded = read_value(&run.join("recorded.json"))?;
    let proofs = recorded.analysed.proofs;
    let text = proofs.explained(site).ok_or_else(|| {
        let known: BTreeSet<String> =
            proofs.places.iter().map(|it| format!("{}:{}", it.file, it.line)).collect();
        let known: Vec<String> = known.into_iter().collect();
        let name = site.to_owned();
        Expected::Unknown {
            what: "place that is looked at",
            name,
            known: format!("there are: {}", known.join(", ")),
        }
    })?;
    io::stdout().lock().write_all(legible(&text).as_bytes()).map_err(Expected::Print)?;
    Ok(ExitCode::Clean)
}
