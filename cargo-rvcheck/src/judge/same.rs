//! One bug is one finding: the strongest proof wins, and the others are its evidence.

use super::predicted::LOCK_ORDER;
use crate::finding::{Evidence, Finding, Location, Proof};

/// Whether both are about the same bug: the place to change of one is among the places of the other.
pub(super) fn is_the_same(one: &Finding, other: &Finding) -> bool {
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

/// Adds what has happened, unless it is known that the same bug happens. Whatever else is about that becomes its evidence.
pub(crate) fn add(findings: &mut Vec<Finding>, mut happened: Finding) {
    if findings.iter().any(|it| happens(it) && is_the_same(it, &happened)) {
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
    /// it is in doubt whether they could have met there, that is all that there is to say.
    pub(super) fn take_from_source(&mut self, found: &Finding) {
        if self.property != LOCK_ORDER || self.proof != Proof::Potential {
            self.level = self.level.max(found.level);
        }
        self.take_as_evidence(found.clone());
    }

    /// Another one is about the same bug, and founded less well.
    fn take_as_evidence(&mut self, other: Finding) {
        self.add_evidence(Evidence { proof: other.proof, message: other.message });
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
