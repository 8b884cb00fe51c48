//! What was enforced: the remedies that were applied at places of the program.

use super::table::counted;
use super::{EnforcedReport, Report};
use std::io::{self, Write};

/// Writes two lines for each remedy: what it has done, and what should be changed.
pub(super) fn enforced(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.enforced.is_empty() {
        return Ok(());
    }
    writeln!(out, "enforced")?;
    for it in &report.enforced {
        writeln!(out, "  {:<8} {}: {}", it.remedy, it.property, done(it))?;
        writeln!(out, "           {}", it.advice)?;
    }
    writeln!(out)
}

/// `applied 3 times, which delayed tasks by 0.120 ms in all`.
fn done(it: &EnforcedReport) -> String {
    let times = match it.times {
        0 => "learnt, and not applied yet".to_owned(),
        times => {
            let (millis, micros) = (it.nanos / 1_000_000, it.nanos / 1_000 % 1_000);
            format!(
                "applied {}, which delayed tasks by {millis}.{micros:03} ms in all",
                counted(times, "time")
            )
        }
    };
    let known = if it.known { "; known from an earlier run" } else { "" };
    let given_up = if it.given_up > 0 {
        format!("; given up {}, because it kept a task too long", counted(it.given_up, "time"))
    } else {
        String::new()
    };
    format!("{times}{known}{given_up}")
}
