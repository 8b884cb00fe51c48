//! Properties that speak of functions which are not recorded: whatever the recorded events say, they are not decided.

use crate::finding::{Finding, Level};
use crate::report::{PropertyReport, Report, Verdict};
use crate::unobserved::{Unobserved, in_doubt};
use rvcheck_spec::Property;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Makes what is found of such properties notes and their verdicts inconclusive, and says why.
pub(super) fn apply(properties: &[Property], unobserved: &[Unobserved], report: &mut Report) {
    soften(properties, unobserved, &mut report.findings);
    let doubted = in_doubt(properties, unobserved);
    for row in &mut report.properties {
        if let Some(missing) = doubted.get(row.id.as_str()) {
            open(row);
            report.run.notes.push(format!(
                "`{}` is not decided: `{}` is not observed: {}",
                row.id, missing.function, missing.reason
            ));
        }
    }
}

/// Makes notes of what was found of such properties.
pub(super) fn soften(properties: &[Property], unobserved: &[Unobserved], findings: &mut [Finding]) {
    let doubted = in_doubt(properties, unobserved);
    for finding in findings {
        doubt(finding, &doubted);
    }
}

fn open(row: &mut PropertyReport) {
    let decided = |it: Verdict| !matches!(it, Verdict::NotExercised | Verdict::Proved);
    for unit in row.units.iter_mut().filter(|it| decided(it.verdict)) {
        unit.verdict = Verdict::Inconclusive;
    }
    row.verdict = Verdict::Inconclusive;
}

fn doubt(finding: &mut Finding, doubted: &BTreeMap<&str, &Unobserved>) {
    let Some(missing) = doubted.get(finding.property.as_str()) else { return };
    finding.level = Level::Note;
    let _ = write!(finding.message, "; what `{}` does is not recorded", missing.function);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Location;
    use crate::report::UnitVerdict;
    use crate::specs::read;
    use Verdict::{Held, Inconclusive, NotExercised, Violated};

    #[test]
    fn what_speaks_of_a_missing_function_is_a_note_and_undecided() {
        let text = "schema = 1\n[events]\na = []\nb = []\n".to_owned()
            + &["a", "b"]
                .map(|it| {
                    format!("[[property]]\nid = \"no-{it}\"\nlogic = \"ltl\"\nformula = \"G !{it}()\"\n")
                })
                .concat();
        let specs = read(&[("own.toml".to_owned(), text)]);
        let properties: Vec<Property> = specs.properties.into_iter().map(|it| it.compiled).collect();
        let place = Location {
            file: "src/lib.rs".into(),
            line: 3,
            column: 5,
            end_line: 3,
            end_column: 9,
            label: String::new(),
        };
        let finding = |id: &str| Finding::of_text(id, Level::Error, place.clone(), "`a` happens".into(), "");
        let unit = |verdict| UnitVerdict {
            test: "it::one".into(),
            verdict,
            bindings: 1,
            exercised: 1,
            witness: Vec::new(),
        };
        let row = |id: &str| {
            let units = [Violated, Held, NotExercised].map(unit).to_vec();
            PropertyReport { verdict: Violated, units, ..PropertyReport::of(id) }
        };
        let mut report = Report {
            findings: vec![finding("no-a"), finding("no-b")],
            properties: vec![row("no-a"), row("no-b")],
            ..Report::empty("build")
        };
        let missing =
            [Unobserved { event: "a".into(), function: "shop::a".into(), reason: "a `const fn`".into() }];
        apply(&properties, &missing, &mut report);
        let seen =
            |row: &PropertyReport| (row.verdict, row.units.iter().map(|it| it.verdict).collect::<Vec<_>>());
        assert_eq!(
            seen(&report.properties[0]),
            (Inconclusive, vec![Inconclusive, Inconclusive, NotExercised])
        );
        assert_eq!(seen(&report.properties[1]), (Violated, vec![Violated, Held, NotExercised]));
        assert_eq!(
            report.findings.iter().map(|it| it.level).collect::<Vec<_>>(),
            [Level::Note, Level::Error]
        );
        assert_eq!(report.findings[0].message, "`a` happens; what `shop::a` does is not recorded");
        let mut explored = vec![finding("no-a"), finding("no-b")];
        soften(&properties, &missing, &mut explored);
        assert_eq!(explored.iter().map(|it| it.level).collect::<Vec<_>>(), [Level::Note, Level::Error]);
        assert_eq!(report.run.notes, ["`no-a` is not decided: `shop::a` is not observed: a `const fn`"]);
    }
}
