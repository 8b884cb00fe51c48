//! The report as a person can be shown it: nothing in its texts is obeyed by a terminal or a log.

use super::Report;
use crate::escape::{every, legible};
use std::io;

/// The report with its lines of source, and with all texts of both escaped.
pub(super) fn for_people(report: &Report) -> io::Result<Report> {
    let excerpts = every(&report.excerpts, legible).map_err(io::Error::from)?;
    let report = every(report, legible).map_err(io::Error::from)?;
    Ok(Report { excerpts, ..report })
}
