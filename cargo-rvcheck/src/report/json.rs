//! The report as JSON: the schema `rvcheck.report/1`.

use super::Report;
use crate::escape::write_pretty;
use std::io::{self, Write};

/// Writes the report as indented JSON with a final newline.
pub fn render_json(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    write_pretty(report, out)
}
