//! What the findings of a property make of its verdict: notes alone violate nothing, and what only the source shows has not
//! happened.

use super::{PropertyReport, Rearranged, RearrangementReport, Report, Undecided, UnitVerdict, Verdict};
use crate::finding::{Finding, Level, Proof};
use rvcheck_source::rules::RULES;
use std::collections::BTreeSet;

/// The verdict of a property by those of its units: the worst one. A test that fails now and then, or without the tool too, is undecided,
/// but that takes nothing away from what the others have shown. `None` where there is no unit.
pub(crate) fn overall<'u>(
    units: impl Iterator<Item = &'u UnitVerdict> + Clone,
    undecided: &[Undecided],
) -> Option<Verdict> {
    let failing: BTreeSet<&str> =
        undecided.iter().filter(|it| it.fails_anyway).map(|it| it.test.as_str()).collect();
    let is_open = |it: &&UnitVerdict| it.verdict == Verdict::Inconclusive && failing.contains(&*it.test);
    let worst = units.clone().map(|it| it.verdict).max()?;
    let others = units.filter(|it| !is_open(it)).map(|it| it.verdict).max();
    // What no other test has exercised, this one may have.
    Some(others.filter(|it| worst == Verdict::Inconclusive && *it == Verdict::Held).unwrap_or(worst))
}

/// Brings the verdicts of the report in line with its findings. Doing so twice changes nothing.
pub(crate) fn settle(report: &mut Report) {
    let Report { findings, properties, rearrangements, run, .. } = report;
    for row in properties {
        let its: Vec<&Finding> = findings.iter().filter(|it| it.property == row.id).collect();
        let open = || its.iter().filter(|it| !it.suppressed);
        row.notes = open().filter(|it| it.level == Level::Note).count() as u64;
        match its.iter().map(|it| it.level).max() {
            None => {}
            Some(Level::Note) => hold(row, &run.undecided),
            Some(_) => open().filter(|it| it.level > Level::Note).for_each(|it| raise(row, it)),
        }
        // What a model predicts is a note, and all the same what was asked for.
        let of_row = |it: &&RearrangementReport| it.property == row.id && it.answer == Rearranged::Violation;
        for it in rearrangements.iter().filter(of_row) {
            for unit in row.units.iter_mut().filter(|unit| unit.test == it.test) {
                unit.verdict = unit.verdict.max(Verdict::Predicted);
            }
            row.verdict = row.verdict.max(Verdict::Predicted);
        }
        row.units.sort_by(|a, b| b.verdict.cmp(&a.verdict).then_with(|| a.test.cmp(&b.test)));
    }
}

/// All of its findings are notes.
fn hold(row: &mut PropertyReport, undecided: &[Undecided]) {
    // What was only in other crates has no finding, and no note takes it back.
    if row.elsewhere == 0 {
        for unit in row.units.iter_mut().filter(|it| it.verdict.is_bad()) {
            unit.verdict = Verdict::Held;
        }
    }
    let worst = overall(row.units.iter(), undecided);
    row.verdict = match worst.unwrap_or(row.verdict) {
        Verdict::Violated if row.elsewhere > 0 => Verdict::Violated,
        Verdict::Inconclusive => Verdict::Inconclusive,
        _ if row.verdict == Verdict::Proved => Verdict::Proved,
        Verdict::NotExercised if row.notes == 0 => Verdict::NotExercised,
        _ => Verdict::Held,
    };
}

/// This finding is more than a note.
fn raise(row: &mut PropertyReport, finding: &Finding) {
    let verdict = match finding.proof {
        Proof::Confirmed => Verdict::Violated,
        // What was seen is in the verdicts already, unless it was a note and its user has said that it is more, or the source tells
        // what no event does.
        Proof::Observed if row.level == Level::Note || !finding.rule.is_empty() => Verdict::Violated,
        Proof::Static if RULES.iter().any(|it| it.property == finding.property) => Verdict::Found,
        _ => return,
    };
    row.verdict = row.verdict.max(verdict);
    if verdict != Verdict::Found {
        for unit in row.units.iter_mut().filter(|it| it.test == finding.test) {
            unit.verdict = unit.verdict.max(verdict);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Allowance, Location, Suppressed};
    use crate::report::UnitVerdict;

    fn found(level: Level, proof: Proof) -> Finding {
        let place = Location {
            file: "src/lib.rs".into(),
            line: 3,
            column: 5,
            end_line: 3,
            end_column: 9,
            label: String::new(),
        };
        let found = Finding::of_text("lock-order", level, place, "found".into(), "");
        Finding { proof, test: "it::a".into(), ..found }
    }

    fn unit(test: &str, verdict: Verdict) -> UnitVerdict {
        UnitVerdict { test: test.into(), verdict, bindings: 1, exercised: 1, witness: Vec::new() }
    }

    /// The verdicts of the row and of its units `a` and `b`, and the number of notes.
    fn settled(units: [Verdict; 2], elsewhere: u64, findings: &[Finding]) -> (Verdict, [Verdict; 2], u64) {
        let units = vec![unit("it::a", units[0]), unit("it::b", units[1])];
        let verdict = units.iter().map(|it| it.verdict).max().expect("there are two");
        let row = PropertyReport { verdict, units, elsewhere, ..PropertyReport::of("lock-order") };
        let mut report =
            Report { findings: findings.to_vec(), properties: vec![row], ..Report::empty("build") };
        settle(&mut report);
        let once = report.clone();
        settle(&mut report);
        assert_eq!(report, once, "it changes nothing any more");
        let row = &report.properties[0];
        let of = |test| row.units.iter().find(|it| it.test == test).map(|it| it.verdict);
        (row.verdict, ["it::a", "it::b"].map(|it| of(it).expect("it is there")), row.notes)
    }

    #[test]
    fn notes_alone_violate_nothing() {
        use Verdict::{Found, Held, Inconclusive, NotExercised, Predicted, Violated};
        let note = || found(Level::Note, Proof::Observed);
        let cases = [
            ([Violated, Held], 0, vec![note()], (Held, [Held, Held], 1)),
            ([Predicted, NotExercised], 0, vec![note(), note()], (Held, [Held, NotExercised], 2)),
            ([Violated, Inconclusive], 0, vec![note()], (Inconclusive, [Held, Inconclusive], 1)),
            ([NotExercised; 2], 0, vec![found(Level::Note, Proof::Static)], (Held, [NotExercised; 2], 1)),
            // What has no finding is not taken back by a note.
            ([Violated, Held], 1, vec![note()], (Violated, [Violated, Held], 1)),
            ([Violated, Held], 0, vec![], (Violated, [Violated, Held], 0)),
            // One that is more than a note counts, whatever else there is.
            (
                [Violated, Held],
                0,
                vec![note(), found(Level::Warning, Proof::Observed)],
                (Violated, [Violated, Held], 1),
            ),
            ([Held; 2], 0, vec![found(Level::Error, Proof::Confirmed)], (Violated, [Violated, Held], 0)),
            // What the source alone shows did not happen.
            ([Held; 2], 0, vec![found(Level::Error, Proof::Static)], (Found, [Held; 2], 0)),
            (
                [Violated, Held],
                0,
                vec![found(Level::Error, Proof::Static), found(Level::Error, Proof::Observed)],
                (Violated, [Violated, Held], 0),
            ),
        ];
        for (units, elsewhere, findings, expected) in cases {
            assert_eq!(settled(units, elsewhere, &findings), expected, "{findings:?}");
        }
    }

    #[test]
    fn a_test_that_fails_anyway_takes_nothing_from_what_others_have_shown() {
        use Verdict::{Held, Inconclusive, NotExercised, Violated};
        let undecided =
            |fails_anyway| Undecided { test: "it::a".into(), reason: String::new(), fails_anyway };
        let cases = [
            ([Inconclusive, Held], true, Held),
            ([Inconclusive, Held], false, Inconclusive),
            ([Inconclusive, Inconclusive], true, Inconclusive),
            ([Inconclusive, Violated], true, Violated),
            ([Violated, Held], true, Violated),
            // Whether it was exercised where the test failed is not known.
            ([Inconclusive, NotExercised], true, Inconclusive),
        ];
        for (verdicts, fails_anyway, expected) in cases {
            let units = [unit("it::a", verdicts[0]), unit("it::b", verdicts[1])];
            assert_eq!(overall(units.iter(), &[undecided(fails_anyway)]), Some(expected), "{verdicts:?}");
        }
    }

    #[test]
    fn what_is_allowed_neither_counts_as_a_note_nor_is_found() {
        let allowed = |level, proof| Finding {
            suppressed: true,
            suppression: Some(Suppressed { by: Allowance::Comment, reason: "known".into() }),
            ..found(level, proof)
        };
        let held = [Verdict::Held; 2];
        let note = allowed(Level::Note, Proof::Observed);
        assert_eq!(settled([Verdict::Violated, Verdict::Held], 0, &[note]), (Verdict::Held, held, 0));
        let shown = allowed(Level::Error, Proof::Static);
        assert_eq!(settled(held, 0, &[shown]), (Verdict::Held, held, 0));
    }
}
