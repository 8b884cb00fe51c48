//! The schedules of what went wrong, kept where today's are. Each is written at once, so that nothing is lost whatever ends the tool.

use super::bench::Subject;
use crate::digest::digest;
use crate::error::{Result, writing};
use crate::explore::seen::{Failure, FailureKind};
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_event::exploration::plan::Plan;
use std::fs;

/// The longest name of a test that becomes part of the name of a file.
const LONGEST: usize = 100;

/// Writes the schedule with which this went wrong in a test, in place of an earlier one for the same.
pub(super) fn keep(
    folder: &Utf8Path,
    subject: &Subject,
    failure: &Failure,
    plan: &Plan,
) -> Result<Utf8PathBuf> {
    fs::create_dir_all(folder).map_err(writing(folder))?;
    let path = folder.join(file_name(subject, failure));
    let says = if failure.message.is_empty() { String::new() } else { format!(": {}", failure.message) };
    let what = match failure.kind {
        FailureKind::Hang => "nobody can go on",
        FailureKind::Livelock => "all tasks go round without end",
        FailureKind::Test => "it fails",
        FailureKind::Died => "its process is ended",
    };
    let remarks = vec![format!("of `{}`", subject.name()), format!("{what}{says}")];
    let text = Plan { remarks, ..plan.clone() }.to_string();
    // Whoever reads it meanwhile reads the one or the other.
    let beside = path.with_extension("new");
    fs::write(&beside, text).and_then(|()| fs::rename(&beside, &path)).map_err(writing(&path))?;
    Ok(path)
}

/// The same for the same failure of the same test in every run of the tool.
fn file_name(subject: &Subject, failure: &Failure) -> String {
    let name = subject.name();
    let readable: String =
        name.chars().map(|it| if it.is_alphanumeric() || it == '_' { it } else { '-' }).collect();
    let readable: String = readable.chars().take(LONGEST).collect();
    let kind = match failure.kind {
        FailureKind::Hang => "hang",
        FailureKind::Livelock => "livelock",
        FailureKind::Test => "fails",
        FailureKind::Died => "dies",
    };
    let digits = digest([subject.launch.listed.package.as_str(), name.as_str(), failure.signature.as_str()]);
    format!("{readable}-{kind}-{}.txt", &digits[..8])
}
