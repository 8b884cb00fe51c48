//! The report as JSON: the schema `rvcheck.report/1`.

use super::{Report, Style};
use crate::escape::write_pretty;
use std::io::{self, Write};

/// Writes the report as indented JSON with a final newline.
pub(super) fn render_json(report: &Report, out: &mut dyn Write, _: Style) -> io::Result<()> {
    write_pretty(report, out)
}
