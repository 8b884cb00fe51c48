//! One defect is one finding, in however many units, bindings, processes and parts of a run it was seen.

use super::{Evidence, Finding, Location, Pictures, Tried, order};
use std::collections::BTreeMap;

/// The same defect seen in several units, bindings, processes or parts of a run becomes one finding, with a count: the one that is
/// founded best and says most, whichever came first. Two findings are the same when property, state and the beginning of the primary
/// location are. The result is in the order of [`order`].
pub fn merged(findings: Vec<Finding>) -> Vec<Finding> {
    let mut kept: Vec<Finding> = Vec::new();
    let mut known: BTreeMap<(String, String, String, u32, u32), usize> = BTreeMap::new();
    for finding in findings {
        let place = &finding.primary;
        let key = (
            finding.property.clone(),
            finding.witness.state.clone(),
            place.file.clone(),
            place.line,
            place.column,
        );
        if let Some(&index) = known.get(&key) {
            kept[index].join(finding);
        } else {
            known.insert(key, kept.len());
            kept.push(finding);
        }
    }
    kept.sort_by(order);
    kept
}

impl Finding {
    /// Counts another one that is the same, and says nothing else.
    pub(crate) fn count_again(&mut self) {
        self.occurrences = self.occurrences.saturating_add(1);
    }

    /// Takes in another one that is the same. In which order several are taken in makes no difference.
    fn join(&mut self, mut other: Finding) {
        if other.says_more_than(self) {
            std::mem::swap(self, &mut other);
        }
        self.occurrences = self.occurrences.saturating_add(other.occurrences);
        self.level = self.level.max(other.level);
        self.proof = self.proof.max(other.proof);
        if !other.suppressed {
            (self.suppressed, self.suppression) = (false, None);
        }
        let weight = |it: &Option<Tried>| it.as_ref().map(|it| (!it.happened.is_empty(), it.times));
        if weight(&other.tried) > weight(&self.tried) {
            self.tried = other.tried;
        }
        if self.pictures == Pictures::default() {
            self.pictures = other.pictures;
        }
        if self.fixes.is_empty() {
            self.fixes = other.fixes;
        }
        for evidence in other.evidence {
            self.add_evidence(evidence);
        }
    }

    /// Adds another way in which the same was found, once.
    pub fn add_evidence(&mut self, evidence: Evidence) {
        if !self.evidence.contains(&evidence) {
            self.evidence.push(evidence);
            self.evidence.sort_by(|a, b| (b.proof, &a.message).cmp(&(a.proof, &b.message)));
        }
    }

    /// Whether this one is to be shown of two that are the same.
    fn says_more_than(&self, other: &Finding) -> bool {
        // What a person calls something stands in backticks.
        let names = |it: &Finding| {
            let labels = it.related.iter().chain([&it.primary]).map(|it| it.label.as_str());
            labels.chain([it.message.as_str()]).map(|it| it.matches('`').count()).sum::<usize>()
        };
        let size = |it: &Finding| (it.related.len(), it.witness.events.len());
        let rank = |it: &Finding| (it.level, it.proof, names(it), size(it));
        rank(self).cmp(&rank(other)).then_with(|| text(other).cmp(&text(self))).is_gt()
    }
}

fn text(finding: &Finding) -> (&str, &str, &Location, &[Location], &str) {
    let Finding { test, message, primary, related, next, .. } = finding;
    (test, message, primary, related, &next.command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::tests::{draft, place};
    use crate::finding::{Level, Proof, finding};

    #[test]
    fn the_same_defect_in_two_units_is_one_finding_that_counts_two() {
        let first = finding(draft(), &[place(1, true, false)], &[]).expect("it has a primary location");
        let again = Finding { test: "it::other".into(), ..first.clone() };
        let other = finding(draft(), &[place(9, true, false)], &[]).expect("it has a primary location");
        let all = merged(vec![other.clone(), first.clone(), again]);
        assert_eq!(all, [Finding { occurrences: 2, ..first }, other]);
    }

    #[test]
    fn what_is_shown_of_the_same_does_not_depend_on_what_came_first() {
        let first = finding(draft(), &[place(1, true, false)], &[]).expect("it has a primary location");
        let of = |test: &str, message: &str| Finding {
            test: test.into(),
            message: message.into(),
            ..first.clone()
        };
        let evidence = |message: &str| Evidence { proof: Proof::Static, message: message.into() };
        let vague = Finding { evidence: vec![evidence("b")], ..of("it::a", "waits for a semaphore") };
        let named = of("it::c", "waits for `shared.gate`");
        let alike = Finding { evidence: vec![evidence("a")], ..of("it::b", "waits for `shared.gate`") };
        let guessed = Finding { proof: Proof::Potential, ..of("it::0", "`a`, `b` and `c`") };
        let all = [vague, named, alike.clone(), guessed];
        let expected = Finding { occurrences: 4, evidence: vec![evidence("a"), evidence("b")], ..alike };
        for turn in 0..all.len() {
            let mut some = all.to_vec();
            some.rotate_left(turn);
            assert_eq!(merged(some.clone()), std::slice::from_ref(&expected), "{turn}");
            some.reverse();
            // Parts of them first, as with partitions.
            let (one, other) = some.split_at(2);
            let parts = merged(one.to_vec()).into_iter().chain(merged(other.to_vec())).collect();
            assert_eq!(merged(parts), std::slice::from_ref(&expected), "{turn}, reversed");
        }
    }

    #[test]
    fn the_worst_level_is_shown_first() {
        let note = finding(draft(), &[place(1, true, true)], &[]).expect("it has a primary location");
        let error = finding(draft(), &[place(7, true, false)], &[]).expect("it has a primary location");
        let levels: Vec<_> = merged(vec![note, error]).into_iter().map(|it| it.level).collect();
        assert_eq!(levels, [Level::Error, Level::Note]);
    }
}
