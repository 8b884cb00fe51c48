//! The report as one line a finding, for editors and `grep`, and one for each place that was unmonitored.

use super::{Report, Style};
use crate::escape::{every, one_line};
use std::io::{self, Write};

/// Writes `file:line:column: level[property] message` for every finding that is not suppressed, and then
/// `file:line:column: unmonitored: reason` for every place that was unmonitored, without the column where a whole line is
/// meant.
pub(super) fn render_short(report: &Report, out: &mut dyn Write, _: Style) -> io::Result<()> {
    let report = &every(report, one_line).map_err(io::Error::from)?;
    for finding in report.open() {
        let at = &finding.primary;
        writeln!(
            out,
            "{}:{}:{}: {}[{}] {}",
            at.file, at.line, at.column, finding.level, finding.property, finding.message
        )?;
    }
    for place in &report.unmonitored {
        let column = place.column.map_or_else(String::new, |it| format!("{it}:"));
        writeln!(out, "{}:{}:{column} unmonitored: {}", place.file, place.line, place.reason)?;
    }
    Ok(())
}
