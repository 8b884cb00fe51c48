//! A report in its run's folder, so that `cargo rvcheck report` can render it again.

use super::{Excerpts, Report, render_json};
use camino::Utf8Path;
use std::fs;
use std::io;

/// The file with the report.
const REPORT: &str = "report.json";
/// The file with the lines of source that it quotes.
const EXCERPTS: &str = "excerpts.json";

/// Stores the report in this folder. Errors are those of the file system.
pub fn write(report: &Report, folder: &Utf8Path) -> io::Result<()> {
    let mut text = Vec::new();
    render_json(report, &mut text)?;
    fs::write(folder.join(REPORT), text)?;
    fs::write(folder.join(EXCERPTS), serde_json::to_vec(&report.excerpts)?)
}

/// The report that was stored in this folder. A missing or damaged file of excerpts only costs the quoted lines.
pub fn read(folder: &Utf8Path) -> io::Result<Report> {
    let mut report: Report = serde_json::from_slice(&fs::read(folder.join(REPORT))?)?;
    report.excerpts = fs::read(folder.join(EXCERPTS))
        .ok()
        .and_then(|text| serde_json::from_slice::<Excerpts>(&text).ok())
        .unwrap_or_default();
    Ok(report)
}
