//! The report as the last of the messages of a run.

use super::Message;
use crate::escape::write_line;
use crate::report::Report;
use std::io::{self, Write};

/// Writes a line of JSON for each finding, and then one with the report.
pub fn render_messages(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let findings = report.findings.iter().map(|it| Message::Finding { finding: it.clone() });
    for message in findings.chain([Message::Report(report.clone())]) {
        write_line(&message, out)?;
    }
    Ok(())
}
