//! What the user makes of a report: the level of each property, what is known and accepted, and how much has to be monitored.
//!
//! Checking knows nothing of this. A stored report is what was checked, and is settled anew whenever it is shown.

pub mod baseline;
mod changes;
mod levels;

pub use baseline::Baseline;
pub use changes::Changes;

use crate::finding::{BASELINE, Finding, Level, Location, UNMONITORED, order};
use crate::levels::Levels;
use crate::project::Settings;
use crate::report::path::in_repository;
use crate::report::verdicts::settle;
use crate::report::{Gate, Report, counted};
use crate::request::Share;

/// What the user makes of a report.
#[derive(Clone, Debug)]
pub struct Policy {
    /// What makes the tool fail.
    pub gate: Gate,
    /// The levels of properties.
    pub levels: Levels,
    /// What is known and accepted.
    pub baseline: Option<Baseline>,
    /// The greatest share of the sites that may go unmonitored.
    pub max_unmonitored: Option<Share>,
    /// What the packages of the workspace say of themselves.
    pub packages: Vec<Settings>,
    /// The lines to which the report is limited.
    pub changes: Option<Changes>,
}

/// The report as this policy has it. To settle what is settled already changes nothing.
pub fn settled(report: &Report, policy: &Policy) -> Report {
    let mut report = report.clone();
    report.findings.retain(|it| it.property != BASELINE && it.property != UNMONITORED);
    if let Some(baseline) = &policy.baseline {
        let stale = baseline::apply(baseline, &mut report.findings);
        // What was not run cannot be said to be mended.
        if !report.run.is_part() {
            report.findings.extend(stale);
        }
    }
    let share = Share::of(report.run.sites.unmonitored, report.run.sites.total);
    if let Some(most) = policy.max_unmonitored.filter(|most| share > *most) {
        report.findings.push(too_little_monitored(&report, share, most));
    }
    levels::apply(&policy.levels, &report.properties, &policy.packages, &mut report.findings);
    if let Some(changes) = &policy.changes {
        let place = |file: &str| in_repository(&report.workspace, file);
        let count = changes.apply(&mut report.findings, place);
        if count > 0 {
            let findings = counted(count, "finding");
            report.run.notes.push(format!("{findings} about lines that have not changed are not shown"));
        }
    }
    report.findings.sort_by(order);
    settle(&mut report);
    report.decide(policy.gate);
    report
}

fn too_little_monitored(report: &Report, share: Share, most: Share) -> Finding {
    let sites = &report.run.sites;
    let (unmonitored, total) = (sites.unmonitored, sites.total);
    let message = format!("{unmonitored} of {total} sites ({share}) are unmonitored; at most {most} may be");
    let advice =
        "the list of what is unmonitored has the reasons; raise --max-unmonitored if they are accepted";
    of_file(UNMONITORED, Level::Error, ("Cargo.toml", 1), message, advice)
}

/// A finding about a line of a file that is no source.
fn of_file(id: &str, level: Level, place: (&str, u32), message: String, advice: &str) -> Finding {
    let (file, line) = place;
    let primary = Location {
        file: file.to_owned(),
        line,
        column: 1,
        end_line: line,
        end_column: 2,
        label: String::new(),
    };
    Finding::of_text(id, level, primary, message, advice)
}

#[cfg(test)]
mod tests;
