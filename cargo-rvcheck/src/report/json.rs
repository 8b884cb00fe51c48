//! The report as JSON: the schema `rvcheck.report/1`.

use super::Report;
use std::io::{self, Write};

/// Writes the report as indented JSON with a final newline.
pub fn render_json(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, report).map_err(io::Error::from)?;
    writeln!(out)
}
