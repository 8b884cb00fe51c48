//! `cargo rvcheck instrument`: what happens to the sources before they are compiled.

use super::show::{print_documents, print_lines};
use super::sources::files;
use crate::cli::InstrumentArgs;
use crate::console::Console;
use crate::error::{Expected, Result, writing};
use crate::exit_code::ExitCode;
use crate::harness::left_out::{kinds_left_out, reason};
use crate::harness::session::Known;
use crate::inject::compiler::Compiler;
use crate::inject::member_file::MemberFile;
use crate::layout::create_folder;
use crate::project::Project;
use crate::request::Scope;
use crate::rollback::decisions::Decisions;
use camino::Utf8Path;
use rvcheck_event::site::SiteKind;
use similar::TextDiff;
use std::collections::BTreeMap;

/// Shows how each kind of site is monitored, the changes as a diff, or writes the changed files.
pub(super) fn instrument(args: &InstrumentArgs, console: Console) -> Result<ExitCode> {
    let compiler = Compiler::find(&args.build)?;
    let project = Project::load(&args.build, Scope::Graph, &compiler.host)?;
    let known = Known::of(&project, &compiler, &args.build);
    let files = files(&project, known.std_replacement, &known.undone)?;

    if let Some(folder) = &args.out {
        write(folder, &files)?;
        console.status("Wrote", format_args!("{} files to {folder}", files.len()));
    }
    if args.diff {
        let parts = files.iter().filter(|it| it.text != it.rewritten.text);
        print_documents(parts.map(|it| diff(&it.shown, &it.text, &it.rewritten.text)))?;
    }
    if !args.diff && args.out.is_none() {
        print_lines(summary(&files, &known.decisions, &project))?;
    }
    Ok(ExitCode::Clean)
}

/// Writes the changed files below a folder that must not hold anything yet.
fn write(folder: &Utf8Path, files: &[MemberFile]) -> Result<()> {
    if folder.read_dir_utf8().is_ok_and(|mut it| it.next().is_some()) {
        return Err(Expected::Configuration(format!("{folder} is not empty\nname a new folder with --out")));
    }
    for file in files {
        // A file outside the workspace keeps its place beside it.
        let inside = file.shown.replace("../", "outside/");
        let path = folder.join(inside);
        create_folder(path.parent().unwrap_or(folder))?;
        std::fs::write(&path, &file.rewritten.text).map_err(writing(&path))?;
    }
    Ok(())
}

fn diff(name: &str, old: &str, new: &str) -> String {
    let diff = TextDiff::from_lines(old, new);
    let text = diff.unified_diff().header(&format!("a/{name}"), &format!("b/{name}")).to_string();
    text.trim_end_matches('\n').to_owned()
}

/// How each kind of site is monitored, and what cannot be.
fn summary(files: &[MemberFile], decisions: &Decisions, project: &Project) -> Vec<String> {
    let mut counts: BTreeMap<SiteKind, usize> = BTreeMap::new();
    for file in files {
        for site in file.sites() {
            *counts.entry(site.kind).or_default() += 1;
        }
    }
    let mut lines: Vec<String> = SiteKind::ALL
        .iter()
        .map(|kind| {
            let count = counts.get(kind).copied().unwrap_or(0);
            format!("{count:6} {:9} {}", kind.name(), how(*kind))
        })
        .collect();
    let skipped = files.iter().flat_map(|file| {
        let skipped = file.rewritten.skipped.iter();
        skipped.map(move |it| format!("  {}:{}: {}", file.shown, it.position, it.reason))
    });
    let skipped: Vec<String> = skipped.collect();
    if !skipped.is_empty() {
        lines.push("not changed:".to_owned());
        lines.extend(skipped);
    }
    let kinds = kinds_left_out(decisions, project).into_iter().map(|it| it.reason);
    let left_out: Vec<String> = kinds.chain(decisions.plain.iter().map(reason)).collect();
    if !left_out.is_empty() {
        lines.push("left out:".to_owned());
        lines.extend(left_out.iter().map(|it| format!("  {it}")));
    }
    lines
}

/// How sites of this kind are monitored.
const fn how(kind: SiteKind) -> &'static str {
    match kind {
        SiteKind::Await => {
            "`.__rv_await::<N>()` is inserted before `.await`; a future that has to wait is recorded"
        }
        SiteKind::Spawn => "the shims for std and tokio wrap the task and its handle",
        SiteKind::Lock => "the shims wrap the lock and its guards",
        SiteKind::Channel => "the shims wrap both ends and number the messages",
        SiteKind::Semaphore => "the shim for tokio wraps the semaphore and its permits",
        SiteKind::Signal => "the shims wrap the condition variable, notify, barrier or watch",
        SiteKind::Blocking => "the shims record the call from its beginning to its end",
        SiteKind::Creation => "the shims remember the place, as the name of what is created there",
        SiteKind::Observed => {
            "the function begins with a statement that records the call, and says what it returns"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_names_the_file_and_shows_the_line_before_and_after() {
        let text = diff("src/lib.rs", "a\nb().await;\n", "a\nb().__rv_await().await;\n");
        let expected =
            "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -1,2 +1,2 @@\n a\n-b().await;\n+b().__rv_await().await;";
        assert_eq!(text, expected);
    }
}
