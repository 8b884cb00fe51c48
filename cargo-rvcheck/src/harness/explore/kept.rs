//! The schedules of what went wrong, kept where today's are. Each is written at once, so that nothing is lost whatever ends the tool.

use super::bench::{Subject, delayed};
use crate::digest::digest;
use crate::error::Result;
use crate::explore::seen::{Failure, FailureKind};
use crate::layout::{create_folder, write_whole};
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_event::exploration::plan::Plan;

/// The longest name of a test that becomes part of the name of a file.
const LONGEST: usize = 100;

/// Writes the schedule with which this went wrong in a test, in place of an earlier one for the same.
pub(super) fn keep(
    folder: &Utf8Path,
    subject: &Subject,
    failure: &Failure,
    plan: &Plan,
) -> Result<Utf8PathBuf> {
    let says = if failure.message.is_empty() { String::new() } else { format!(": {}", failure.message) };
    let (kind, what) = match failure.kind {
        FailureKind::Hang => ("hang", "no participant can go on"),
        FailureKind::Left => ("left", "it passes, but a participant is left waiting forever"),
        FailureKind::Livelock => ("livelock", "all tasks loop forever"),
        FailureKind::Test => ("fails", "it fails"),
        FailureKind::Died => ("dies", "its process is ended"),
        FailureKind::Property => ("violates", "it violates a property"),
    };
    write(&folder.join(file_name(subject, kind, &failure.signature)), subject, format!("{what}{says}"), plan)
}

/// The same for a run that did not end in time.
pub(super) fn keep_endless(folder: &Utf8Path, subject: &Subject, plan: &Plan) -> Result<Utf8PathBuf> {
    let path = folder.join(file_name(subject, "endless", ""));
    write(&path, subject, "it does not end in time".to_owned(), plan)
}

fn write(path: &Utf8Path, subject: &Subject, what: String, plan: &Plan) -> Result<Utf8PathBuf> {
    create_folder(path.parent().unwrap_or(path))?;
    let remarks = vec![format!("of `{}`", subject.name()), what];
    let text = if subject.is_controlled {
        Plan { remarks, ..plan.clone() }.to_string()
    } else {
        delayed(&plan.delays, remarks).to_string()
    };
    write_whole(path, text.as_bytes())?;
    Ok(path.to_owned())
}

/// The same for the same failure of the same test in every run of the tool.
fn file_name(subject: &Subject, kind: &str, signature: &str) -> String {
    let name = subject.name();
    let readable: String =
        name.chars().map(|it| if it.is_alphanumeric() || it == '_' { it } else { '-' }).collect();
    let readable: String = readable.chars().take(LONGEST).collect();
    let digits = digest([subject.launch.listed.package.as_str(), name.as_str(), signature]);
    format!("{readable}-{kind}-{}.txt", &digits[..8])
}
