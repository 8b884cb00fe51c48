//! One bug is one finding: the strongest proof wins, and the others are its evidence.

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

/// Adds what has happened, unless it is known that the same bug happens. Whatever else is about that becomes its evidence.
pub(crate) fn add(findings: &mut Vec<Finding>, mut happened: Finding) {
    let happens = |it: &Finding| matches!(it.proof, Proof::Confirmed | Proof::Observed);
    if findings.iter().any(|it| happens(it) && is_the_same(it, &happened)) {
        return;
    }
    let (same, others): (Vec<Finding>, Vec<Finding>) =
        std::mem::take(findings).into_iter().partition(|it| is_the_same(it, &happened));
    *findings = others;
    for Finding { proof, message, evidence, suppressed, suppression, .. } in same {
        happened.evidence.push(Evidence { proof, message });
        happened.evidence.extend(evidence);
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
        let same = |it: &&mut Finding| it.proof == Proof::Observed && is_the_same(it, &prediction);
        match seen.iter_mut().find(same) {
            Some(other) => {
                other.evidence.push(Evidence { proof: prediction.proof, message: prediction.message });
            }
            None => seen.push(prediction),
        }
    }
    seen.sort_by(crate::finding::order);
    seen
}
