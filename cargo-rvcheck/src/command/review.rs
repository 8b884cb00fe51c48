//! `cargo rvcheck review`, `accept` and `reject`.

use crate::cli::{ReviewArgs, ShowArgs};
use crate::console::Console;
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::inject::compiler::Compiler;
use crate::layout::Layout;
use crate::policy::settled;
use crate::project::{self, Project};
use crate::report::{counted, stored};
use crate::request::Scope;
use crate::snapshot::{self, Pending, diff, stable_text};
use camino::Utf8PathBuf;
use console::{Key, Term};
use std::io::{self, IsTerminal};

/// Shows each snapshot that waits, and asks what to do with it. Without a terminal it only shows them.
pub(super) fn review(args: &ReviewArgs, console: Console) -> Result<ExitCode> {
    let pending = snapshot::pending(&root(args)?)?;
    if pending.is_empty() {
        console.status("Review", "nothing is waiting");
        return Ok(ExitCode::Clean);
    }
    let ask = io::stdin().is_terminal() && io::stderr().is_terminal();
    let mut left = 0;
    for (number, it) in pending.iter().enumerate() {
        console.status("Snapshot", format_args!("{} of {}: {}", number + 1, pending.len(), it.accepted_path));
        show(it, console);
        match if ask { answer()? } else { Answer::Skip } {
            Answer::Accept => take(it, console)?,
            Answer::Reject => leave(it, console)?,
            Answer::Skip => left += 1,
        }
    }
    if left == 0 {
        return Ok(ExitCode::Clean);
    }
    if !ask {
        console
            .status("Review", "`cargo rvcheck accept` takes what is new, `cargo rvcheck reject` leaves it");
    }
    Ok(ExitCode::Differs)
}

/// Accepts every snapshot that waits. Where none is waiting and none was accepted, the last run becomes the first one.
pub(super) fn accept(args: &ReviewArgs, show: &ShowArgs, console: Console) -> Result<ExitCode> {
    let root = root(args)?;
    let pending = snapshot::pending(&root)?;
    for it in &pending {
        take(it, console)?;
    }
    if !pending.is_empty() {
        return Ok(ExitCode::Clean);
    }
    if root.join(snapshot::SNAPSHOTS).join("report.snap").exists() {
        console.status("Accepted", "nothing: nothing is waiting");
        return Ok(ExitCode::Clean);
    }
    let project = Project::load(&args.build, Scope::Graph, &Compiler::find(&args.build)?.host)?;
    let report = stored::read(&Layout::below(&project.target_directory).runs(&project.root).last()?.folder)?;
    if report.run.partial || report.is_undecided() {
        let message = "the last run was not a whole one, or could not decide everything\nrun `cargo rvcheck test` first";
        return Err(Expected::Configuration(message.to_owned()));
    }
    let text = stable_text(&settled(&report, &super::show::policy(show, Some(&project.workspace))?));
    let path = snapshot::write(&root, &text)?;
    console.status("Accepted", format_args!("{path}, {}", counted(text.lines().count() as u64, "line")));
    Ok(ExitCode::Clean)
}

/// Removes every snapshot that waits.
pub(super) fn reject(args: &ReviewArgs, console: Console) -> Result<ExitCode> {
    let pending = snapshot::pending(&root(args)?)?;
    for it in &pending {
        leave(it, console)?;
    }
    if pending.is_empty() {
        console.status("Rejected", "nothing: nothing is waiting");
    }
    Ok(ExitCode::Clean)
}

fn root(args: &ReviewArgs) -> Result<Utf8PathBuf> {
    let message = "there is no workspace here, and so no snapshot";
    project::root(&args.build)?.ok_or_else(|| Expected::Configuration(message.to_owned()))
}

fn show(pending: &Pending, console: Console) {
    console.plain(diff(&pending.accepted, &pending.new).trim_end());
}

fn take(pending: &Pending, console: Console) -> Result<()> {
    snapshot::accept(pending)?;
    console.status("Accepted", &pending.accepted_path);
    Ok(())
}

fn leave(pending: &Pending, console: Console) -> Result<()> {
    snapshot::reject(pending)?;
    console.status("Rejected", &pending.path);
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Accept,
    Reject,
    Skip,
}

/// Asks until a key is pressed that is an answer.
fn answer() -> Result<Answer> {
    let terminal = Term::stderr();
    terminal.write_str("accept (a), reject (r) or skip (s)? ").map_err(Expected::Print)?;
    loop {
        if let Some((answer, word)) = meaning(&terminal.read_key().map_err(Expected::Print)?) {
            terminal.write_line(word).map_err(Expected::Print)?;
            return Ok(answer);
        }
    }
}

/// The answer that a key gives, and its name. Leaving the question is no answer to it.
fn meaning(key: &Key) -> Option<(Answer, &'static str)> {
    match key {
        Key::Char('a' | 'A') => Some((Answer::Accept, "accept")),
        Key::Char('r' | 'R') => Some((Answer::Reject, "reject")),
        Key::Char('s' | 'S') | Key::Escape => Some((Answer::Skip, "skip")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_an_answer_and_any_other_key_is_none() {
        for (key, expected) in [
            (Key::Char('a'), Some(Answer::Accept)),
            (Key::Char('R'), Some(Answer::Reject)),
            (Key::Char('s'), Some(Answer::Skip)),
            (Key::Escape, Some(Answer::Skip)),
            (Key::Char('q'), None),
            (Key::Enter, None),
        ] {
            assert_eq!(meaning(&key).map(|it| it.0), expected, "{key:?}");
        }
    }
}
