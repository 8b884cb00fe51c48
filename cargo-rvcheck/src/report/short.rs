//! The report as one line a finding, for editors and `grep`.

use super::Report;
use std::io::{self, Write};

/// Writes `file:line:column: level[property] message` for every finding that is not suppressed.
pub fn render_short(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for finding in report.open() {
        let at = &finding.primary;
        let message = finding.message.replace('\n', " ");
        writeln!(
            out,
            "{}:{}:{}: {}[{}] {message}",
            at.file, at.line, at.column, finding.level, finding.property
        )?;
    }
    Ok(())
}
