//! One bug is one finding: the strongest proof wins, and the others are its evidence.

use super::monitors::LOST_ERROR;
use super::predictions::LOCK_ORDER;
use crate::finding::{Evidence, Finding, Location, Proof};
use crate::report::Report;
use crate::report::verdicts::settle;

/// Whether both are about the same bug: the place to change of one is among the places of the other.
pub(crate) fn is_the_same(one: &Finding, other: &Finding) -> bool {
    let among = |place: &Location, of: &Finding| {
        std::iter::once(&of.primary).chain(&of.related).any(|it| starts_with(it, place))
    };
    one.property == other.property && (among(&one.primary, other) || among(&other.primary, one))
}

/// Whether both places begin at the same one.
pub(super) fn starts_with(one: &Location, other: &Location) -> bool {
    (&one.file, one.line, one.column) == (&other.file, other.line, other.column)
}

fn happens(it: &Finding) -> bool {
    matches!(it.proof, Proof::Confirmed | Proof::Observed)
}

/// Adds what has happened, unless it is known that the same bug happens, and is as bad. Whatever else is about that becomes its evidence.
pub(crate) fn add(findings: &mut Vec<Finding>, mut happened: Finding) {
    let is_as_bad = |it: &Finding| happens(it) && it.level >= happened.level;
    if findings.iter().any(|it| is_as_bad(it) && is_the_same(it, &happened)) {
        return;
    }
    let (same, others): (Vec<Finding>, Vec<Finding>) =
        std::mem::take(findings).into_iter().partition(|it| is_the_same(it, &happened));
    *findings = others;
    for Finding { proof, message, evidence, suppressed, suppression, .. } in same {
        happened.add_evidence(Evidence { proof, message });
        for it in evidence {
            happened.add_evidence(it);
        }
        if suppressed {
            (happened.suppressed, happened.suppression) = (true, suppression);
        }
    }
    findings.push(happened);
}

/// Ends the search for deadlocks: each prediction says why it was not tried, if it was not, for this reason unless it has one of its own;
/// and all that is about the same locks becomes one finding. Not earlier, since each place is tried by itself.
pub(crate) fn conclude(report: &mut Report, untried: &str) {
    report.note_untried(untried);
    join_cycles(&mut report.findings);
    settle(report);
}

/// Cycles of the same locks are one finding, whichever places take them: the best founded one, with the places of the others.
fn join_cycles(findings: &mut Vec<Finding>) {
    findings.sort_by(crate::finding::order);
    let mut kept: Vec<Finding> = Vec::with_capacity(findings.len());
    for mut finding in std::mem::take(findings) {
        match kept.iter_mut().find(|it| is_same_cycle(it, &finding)) {
            Some(known) => {
                if finding.proof > known.proof && finding.level >= known.level {
                    std::mem::swap(known, &mut finding);
                }
                known.take_cycle(finding);
            }
            None => kept.push(finding),
        }
    }
    kept.sort_by(crate::finding::order);
    *findings = kept;
}

/// Whether both are about cycles of the same locks. What the user has allowed allows nothing else.
fn is_same_cycle(one: &Finding, other: &Finding) -> bool {
    one.property == other.property
        && one.suppressed == other.suppressed
        && !one.witness.locks.is_empty()
        && one.witness.locks == other.witness.locks
}

/// What was predicted and has happened as well is shown as what has happened.
pub(super) fn happened(findings: Vec<Finding>) -> Vec<Finding> {
    let is_prediction = |it: &Finding| matches!(it.proof, Proof::Witnessed | Proof::Potential);
    let (predicted, mut seen): (Vec<Finding>, Vec<Finding>) = findings.into_iter().partition(is_prediction);
    for prediction in predicted {
        let same = |it: &&mut Finding| happens(it) && is_the_same(it, &prediction);
        match seen.iter_mut().find(same) {
            Some(other) => other.take_as_evidence(prediction),
            None => seen.push(prediction),
        }
    }
    seen.sort_by(crate::finding::order);
    seen
}

impl Finding {
    /// The source shows the same. Of orders of locks it does not tell whether they meet: where a run shows them one after the other, and
    /// it is in doubt whether they could have met there, that is all that there is to say. Nor does it
    /// know what an error stands for that a run has seen.
    pub(super) fn take_from_source(&mut self, found: &Finding) {
        let is_decided = match self.property.as_str() {
            LOCK_ORDER => self.proof == Proof::Potential,
            LOST_ERROR => self.proof == Proof::Observed,
            _ => false,
        };
        if !is_decided {
            self.level = self.level.max(found.level);
        }
        self.take_as_evidence(found.clone());
    }

    /// Another one is about a cycle of the same locks, and founded no better.
    fn take_cycle(&mut self, other: Finding) {
        self.occurrences = self.occurrences.saturating_add(other.occurrences);
        for place in std::iter::once(&other.primary).chain(&other.related) {
            if !std::iter::once(&self.primary).chain(&self.related).any(|it| starts_with(it, place)) {
                self.related.push(place.clone());
            }
        }
        self.take_as_evidence(other);
    }

    /// Another one is about the same bug, and founded less well.
    fn take_as_evidence(&mut self, other: Finding) {
        self.add_evidence(Evidence { proof: other.proof, message: other.message });
        if self.fixes.is_empty() {
            self.fixes = other.fixes;
        }
        for it in other.evidence {
            self.add_evidence(it);
        }
    }
}

/// The findings of several reports as one: what one has only seen in the source, or predicted, another may have seen to happen.
pub(crate) fn unified(findings: Vec<Finding>) -> Vec<Finding> {
    let (of_source, seen): (Vec<Finding>, Vec<Finding>) =
        findings.into_iter().partition(|it| it.proof == Proof::Static);
    let mut all = happened(seen);
    let seen = all.len();
    for found in of_source {
        let same: Vec<usize> = (0..seen).filter(|&index| is_the_same(&all[index], &found)).collect();
        for &index in &same {
            all[index].take_from_source(&found);
        }
        if same.is_empty() {
            all.push(found);
        }
    }
    all.sort_by(crate::finding::order);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{CodeLocation, Draft, Level, NextStep, Witness, finding};

    fn cycle(level: Level, proof: Proof, line: u32, locks: &[&str]) -> Finding {
        let draft = Draft {
            property: LOCK_ORDER.to_owned(),
            level,
            proof,
            message: format!("a deadlock at line {line}"),
            test: "it::pours".to_owned(),
            witness: Witness {
                locks: locks.iter().map(|it| (*it).to_owned()).collect(),
                ..Witness::default()
            },
            next: NextStep::default(),
        };
        let location = Location {
            file: "src/lib.rs".to_owned(),
            line,
            column: 9,
            end_line: line,
            end_column: 13,
            label: "waits for `cup` here".to_owned(),
        };
        let place = CodeLocation { location, own: true, in_test: false };
        finding(draft, &[place], &[]).expect("it has a place")
    }

    fn joined(mut findings: Vec<Finding>) -> Vec<(Proof, u32, Vec<u32>, usize)> {
        join_cycles(&mut findings);
        let lines = |it: &Finding| it.related.iter().map(|it| it.line).collect();
        findings.iter().map(|it| (it.proof, it.primary.line, lines(it), it.evidence.len())).collect()
    }

    const CUP_AND_POT: [&str; 2] = ["src/lib.rs:1:2", "src/lib.rs:2:2"];

    #[test]
    fn cycles_of_the_same_locks_are_one_finding_with_the_places_of_all() {
        let confirmed = cycle(Level::Error, Proof::Confirmed, 30, &CUP_AND_POT);
        let witnessed = cycle(Level::Note, Proof::Witnessed, 20, &CUP_AND_POT);
        let expected = [(Proof::Confirmed, 30, vec![20], 1)];
        assert_eq!(joined(vec![witnessed.clone(), confirmed.clone()]), expected);
        assert_eq!(joined(vec![confirmed, witnessed]), expected);
    }

    #[test]
    fn cycles_of_other_locks_or_of_locks_that_are_not_known_stay_apart() {
        let one = cycle(Level::Note, Proof::Witnessed, 20, &CUP_AND_POT);
        let other = cycle(Level::Note, Proof::Witnessed, 30, &["src/lib.rs:1:2", "src/lib.rs:3:2"]);
        assert_eq!(joined(vec![one.clone(), other]).len(), 2);
        let unknown = |line| cycle(Level::Note, Proof::Witnessed, line, &[]);
        assert_eq!(joined(vec![unknown(20), unknown(30)]).len(), 2);
        let allowed = Finding { suppressed: true, ..cycle(Level::Note, Proof::Witnessed, 30, &CUP_AND_POT) };
        assert_eq!(joined(vec![one, allowed]).len(), 2);
    }

    #[test]
    fn the_source_raises_no_finding_of_which_a_run_has_decided_how_much_it_says() {
        let level = |property: &str, proof| {
            let of = |it: Finding| Finding { property: property.to_owned(), ..it };
            let mut seen = of(cycle(Level::Note, proof, 20, &[]));
            seen.take_from_source(&of(cycle(Level::Warning, Proof::Static, 20, &[])));
            seen.level
        };
        assert_eq!(level(LOST_ERROR, Proof::Observed), Level::Note);
        assert_eq!(level(LOCK_ORDER, Proof::Potential), Level::Note);
        assert_eq!(level(LOCK_ORDER, Proof::Witnessed), Level::Warning);
        assert_eq!(level("double-lock", Proof::Observed), Level::Warning);
    }
}
