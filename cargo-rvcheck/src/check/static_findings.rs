//! What was found without running anything, among what was seen.
//!
//! One bug is one finding: what was found both ways is shown as it was seen, and the other is its evidence.

use super::joined::{self, Failures};
use super::outlived::{self, Ends, Outlived};
use super::predictions::LOCK_ORDER;
use super::process::Apart;
use super::same::{is_the_same, starts_with};
use crate::again::Again;
use crate::analysis::{HitLocation, StaticHit};
use crate::finding::{CodeLocation, Draft, Finding, Level, NextStep, Proof, Witness, finding};
use crate::report::PropertyReport;
use rvcheck_source::rules::RULES;

/// What runs show of what the source alone can only hold for possible.
#[derive(Clone, Copy, Default)]
pub(super) struct Shown<'a> {
    /// Lock-order inversions that the program keeps from meeting, of which the source does not tell whether they do: a note.
    pub(super) apart: &'a [Apart],
    /// Failures of tasks whose results were taken.
    pub(super) failures: &'a [Failures],
    /// Tasks and threads that went on without a handle.
    pub(super) outlived: &'a [Outlived],
    /// How tasks and threads ended.
    pub(super) ends: &'a [Ends],
}

/// Adds what was found without running anything to what was seen.
pub(super) fn add(hits: &[StaticHit], again: &Again, shown: Shown<'_>, findings: &mut Vec<Finding>) {
    let seen = findings.len();
    for hit in hits {
        let Some(mut found) = of_hit(hit, again) else { continue };
        if !hit.primary.in_test {
            joined::raise(&mut found, shown.failures);
        }
        if hit.needs_run {
            outlived::raise(&mut found, shown.outlived);
        }
        if hit.needs_run && found.proof != Proof::Observed {
            continue;
        }
        outlived::refute(&mut found, shown.ends);
        if let Some(apart) = shown.apart.iter().find(|it| found.property == LOCK_ORDER && it.is_of(&found)) {
            found.level = Level::Note;
            found.message = format!("{}; in {} the program keeps them apart", found.message, apart.test);
        }
        let same: Vec<usize> = (0..seen).filter(|&index| is_the_same(&findings[index], &found)).collect();
        for &index in &same {
            findings[index].take_from_source(&found);
        }
        if same.is_empty() {
            findings.push(found);
        }
    }
}

impl Apart {
    /// Whether all of its places are places of this finding.
    fn is_of(&self, found: &Finding) -> bool {
        let places = || std::iter::once(&found.primary).chain(&found.related);
        !self.asked.is_empty() && self.asked.iter().all(|it| places().any(|place| starts_with(place, it)))
    }
}

/// The finding that a hit makes.
fn of_hit(hit: &StaticHit, again: &Again) -> Option<Finding> {
    let command = again.command("check", Some(&hit.package));
    let draft = Draft {
        property: hit.property.clone(),
        level: hit.level,
        proof: Proof::Static,
        message: hit.message.clone(),
        test: String::new(),
        witness: Witness::default(),
        next: NextStep { advice: hit.advice.clone(), command },
    };
    let related: Vec<CodeLocation> = hit.related.iter().map(place).collect();
    let found = finding(draft, &[place(&hit.primary)], &related)?;
    Some(Finding { rule: hit.rule.clone(), fixes: hit.fixes.clone(), ..found })
}

fn place(at: &HitLocation) -> CodeLocation {
    CodeLocation { location: at.location.clone(), own: true, in_test: at.in_test }
}

/// Takes what was found without running anything into the rows of the properties. One that is only looked for, and not monitored,
/// gets a row of its own where something was found.
pub(super) fn add_rows(findings: &[Finding], rows: &mut Vec<PropertyReport>) {
    for found in findings.iter().filter(|it| it.proof == Proof::Static && !it.suppressed) {
        if !RULES.iter().any(|it| it.property == found.property) {
            continue;
        }
        if !rows.iter().any(|it| it.id == found.property) {
            rows.push(PropertyReport { level: found.level, ..PropertyReport::of(&found.property) });
        }
    }
    rows.sort_by(|a, b| a.id.cmp(&b.id));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Location;

    fn at(line: u32, in_test: bool) -> HitLocation {
        let location = Location {
            file: "src/lib.rs".into(),
            line,
            column: 5,
            end_line: line,
            end_column: 9,
            label: "here".into(),
        };
        HitLocation { location, in_test }
    }

    fn hit(property: &str, primary: u32, related: &[u32]) -> StaticHit {
        StaticHit {
            property: property.into(),
            rule: property.into(),
            primary: at(primary, false),
            related: related.iter().map(|it| at(*it, false)).collect(),
            level: Level::Warning,
            needs_run: false,
            message: "found".into(),
            advice: String::new(),
            package: "shop".into(),
            fixes: Vec::new(),
        }
    }

    /// What was seen, with a static finding turned into an observed one.
    fn seen(property: &str, primary: u32, related: &[u32]) -> Finding {
        let level = Level::Note;
        let found = of_hit(&StaticHit { level, ..hit(property, primary, related) }, &Again::default())
            .expect("it has a place");
        Finding { proof: Proof::Observed, message: "seen".into(), ..found }
    }

    #[test]
    fn one_bug_is_one_finding() {
        let cases = [
            // The same place to change; one that is related in the other; another property; only related places in common.
            (seen("double-lock", 3, &[]), hit("double-lock", 3, &[]), 1),
            (seen("double-lock", 3, &[7]), hit("double-lock", 7, &[]), 1),
            (seen("double-lock", 7, &[]), hit("double-lock", 3, &[7]), 1),
            (seen("double-lock", 3, &[]), hit("lock-order", 3, &[]), 2),
            (seen("double-lock", 3, &[9]), hit("double-lock", 4, &[9]), 2),
        ];
        for (seen, hit, expected) in cases {
            let mut findings = vec![seen];
            add(std::slice::from_ref(&hit), &Again::default(), Shown::default(), &mut findings);
            assert_eq!(findings.len(), expected, "{hit:?}");
            let both = findings[0].evidence.iter().map(|it| (it.proof, it.message.as_str()));
            let expected: &[_] = if expected == 1 { &[(Proof::Static, "found")] } else { &[] };
            assert_eq!(both.collect::<Vec<_>>(), expected);
            assert_eq!((findings[0].proof, findings[0].message.as_str()), (Proof::Observed, "seen"));
            assert_eq!(findings[0].level == Level::Warning, !expected.is_empty());
        }
    }

    #[test]
    fn orders_that_a_run_shows_to_be_kept_apart_are_a_note() {
        let apart = |lines: &[u32]| Apart {
            test: "it::works".into(),
            asked: lines.iter().map(|it| at(*it, false).location).collect(),
        };
        let cases = [
            ("lock-order", vec![apart(&[3, 7])], Level::Note),
            // Of one place nothing is known; no place at all; another property.
            ("lock-order", vec![apart(&[3, 9])], Level::Warning),
            ("lock-order", vec![apart(&[])], Level::Warning),
            ("double-lock", vec![apart(&[3, 7])], Level::Warning),
        ];
        for (property, apart, expected) in cases {
            let mut findings = Vec::new();
            let shown = Shown { apart: &apart, ..Shown::default() };
            add(&[hit(property, 3, &[5, 7])], &Again::default(), shown, &mut findings);
            assert_eq!(findings[0].level, expected, "{property} {apart:?}");
            assert_eq!(findings[0].message.contains("it::works"), expected == Level::Note);
        }
    }

    #[test]
    fn orders_that_a_run_shows_where_it_is_in_doubt_whether_they_can_meet_are_a_note() {
        let cases = [
            ("lock-order", Proof::Potential, Level::Note),
            // They could have met there, as far as everything is known; whether they do is tried.
            ("lock-order", Proof::Witnessed, Level::Warning),
            ("lock-order", Proof::Observed, Level::Warning),
            // Whether one task asks twice, the source tells.
            ("double-lock", Proof::Potential, Level::Warning),
        ];
        for (property, proof, expected) in cases {
            let mut findings = vec![Finding { proof, ..seen(property, 3, &[7]) }];
            add(&[hit(property, 7, &[3])], &Again::default(), Shown::default(), &mut findings);
            assert_eq!((findings.len(), findings[0].level), (1, expected), "{property} {proof:?}");
            assert_eq!(findings[0].evidence.len(), 1);
        }
    }

    #[test]
    fn in_test_code_it_is_at_most_a_note() {
        let found =
            of_hit(&StaticHit { primary: at(3, true), ..hit("double-lock", 3, &[]) }, &Again::default());
        assert_eq!(found.map(|it| (it.level, it.proof)), Some((Level::Note, Proof::Static)));
    }

    #[test]
    fn a_property_of_which_something_is_found_without_being_monitored_has_a_row() {
        let mut findings = Vec::new();
        add(&[hit("guard-across-await", 3, &[])], &Again::default(), Shown::default(), &mut findings);
        let mut rows = vec![PropertyReport::of("lock-order")];
        add_rows(&findings, &mut rows);
        let rows: Vec<_> = rows.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(rows, ["guard-across-await", "lock-order"]);
    }
}
