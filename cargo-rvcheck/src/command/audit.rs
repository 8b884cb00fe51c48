//! Whether what was proved stands up to what was seen: with everything monitored, no place that was proved may take part in a finding,
//! and no verdict may differ from that of a run that relies on the proofs.

use crate::analysis::proofs::{Known, Proofs};
use crate::report::{Report, Verdict};
use std::collections::BTreeMap;

/// What speaks against the proofs, in sentences. `full` is checked with everything monitored, and `residual` with what is left to monitor.
pub(super) fn contradictions(full: &Report, residual: &Report, proofs: &Proofs) -> Vec<String> {
    let mut found = Vec::new();
    for finding in &full.findings {
        let property = &finding.property;
        if proofs.properties.contains(property) {
            found.push(format!("{property} is proved, but it is found at {}", place(&finding.primary)));
        }
        for location in std::iter::once(&finding.primary).chain(&finding.related) {
            let is_here = |it: &&crate::analysis::proofs::ProofSite| {
                it.property == *property
                    && (it.file.as_str(), it.line, it.column)
                        == (location.file.as_str(), location.line, location.column)
            };
            if let Some(Known::Proved(reason)) = proofs.places.iter().find(is_here).map(|it| &it.known) {
                let (here, primary) = (place(location), place(&finding.primary));
                found.push(format!(
                    "{here} is proved for {property} ({reason}), but takes part in what is found at {primary}"
                ));
            }
        }
    }
    let verdicts = |of: &Report| -> BTreeMap<String, Verdict> {
        of.properties.iter().map(|it| (it.id.clone(), it.verdict)).collect()
    };
    let (all, left) = (verdicts(full), verdicts(residual));
    for (id, verdict) in &all {
        let other = left.get(id).map_or("missing", |it| it.name());
        if other != verdict.name() {
            found.push(format!("{id} is {} with everything monitored, and {other} without", verdict.name()));
        }
    }
    let count = |of: &Report| of.findings.len();
    if count(full) != count(residual) {
        found.push(format!(
            "there are {} findings with everything monitored, and {} without",
            count(full),
            count(residual)
        ));
    }
    found.sort();
    found.dedup();
    found
}

fn place(location: &crate::finding::Location) -> String {
    format!("{}:{}:{}", location.file, location.line, location.column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::proofs::ProofSite;
    use crate::finding::{Draft, Level, Location, NextStep, Proof, Witness, finding};
    use crate::report::PropertyReport;

    fn report(verdict: Verdict, lines: &[u32]) -> Report {
        let mut report = Report::empty("build");
        report.properties = vec![PropertyReport { verdict, ..PropertyReport::of("lock-order") }];
        let location = |line: &u32| {
            let (file, label) = ("src/lib.rs".into(), String::new());
            let location = Location { file, line: *line, column: 5, end_line: *line, end_column: 9, label };
            crate::finding::CodeLocation { location, own: true, in_test: false }
        };
        let draft = Draft {
            property: "lock-order".into(),
            level: Level::Error,
            proof: Proof::Observed,
            message: String::new(),
            test: String::new(),
            witness: Witness::default(),
            next: NextStep::default(),
        };
        let places: Vec<_> = lines.iter().map(location).collect();
        if let Some((primary, related)) = places.split_first() {
            report.findings.extend(finding(draft, std::slice::from_ref(primary), related));
        }
        report
    }

    fn proofs(line: u32, properties: &[&str]) -> Proofs {
        let known = Known::Proved("ordered".into());
        let place =
            ProofSite { property: "lock-order".into(), file: "src/lib.rs".into(), line, column: 5, known };
        let properties = properties.iter().map(|it| (*it).to_owned()).collect();
        Proofs { places: vec![place], properties, ..Proofs::default() }
    }

    #[test]
    fn a_finding_at_a_place_that_is_proved_is_a_contradiction() {
        let seen = report(Verdict::Violated, &[3, 7]);
        for (line, count) in [(3, 1), (7, 1), (8, 0)] {
            assert_eq!(contradictions(&seen, &seen, &proofs(line, &[])).len(), count, "line {line}");
        }
    }

    #[test]
    fn a_finding_of_a_property_that_is_proved_and_another_verdict_without_it_are() {
        let (with, without) = (report(Verdict::Violated, &[3]), report(Verdict::Proved, &[]));
        let found = contradictions(&with, &without, &proofs(9, &["lock-order"]));
        assert_eq!(found.len(), 3, "{found:?}");
        let agreed = report(Verdict::Proved, &[]);
        assert_eq!(contradictions(&agreed, &agreed, &proofs(9, &["lock-order"])), [""; 0]);
    }
}
