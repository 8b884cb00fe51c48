//! What was proved, in the rows of the properties. A property that no run of the build can violate is not stepped at all.

use super::Options;
use super::sites::Census;
use super::violation::level;
use crate::analysis::proofs::Proofs;
use crate::finding::Location;
use crate::recorded::Recorded;
use crate::report::{PropertyReport, Verdict};
use rvcheck_spec::Property;
use std::collections::{BTreeMap, BTreeSet};

/// The options with the properties that are to be stepped, and the other ones. Those of the user's own are always stepped.
pub(super) fn split(recorded: &Recorded, options: &Options) -> (Options, Vec<Property>) {
    let proofs = &recorded.analysed.proofs;
    let is_proved = |it: &Property| {
        !options.audit && proofs.properties.contains(it.id()) && !options.definitions.contains_key(it.id())
    };
    let (proved, properties) = options.properties.iter().cloned().partition(is_proved);
    (Options { properties, ..options.clone() }, proved)
}

/// The rows of properties that were not stepped.
pub(super) fn rows(proved: &[Property], census: &Census) -> Vec<PropertyReport> {
    let row = |it: &Property| PropertyReport {
        title: it.title().to_owned(),
        level: level(it.level()),
        sites: census.of_alphabet(it.alphabet().into_iter()),
        ..PropertyReport::of(it.id())
    };
    proved.iter().map(row).collect()
}

/// Takes into the rows how many places are proved, and which properties are as a whole. `definitions` has the properties of the user's own.
pub(super) fn count(proofs: &Proofs, definitions: &BTreeMap<String, Location>, rows: &mut [PropertyReport]) {
    for row in rows.iter_mut().filter(|it| !definitions.contains_key(&it.id)) {
        let mut places = BTreeSet::new();
        for (place, reason) in proofs.proved(&row.id) {
            if places.insert((&place.file, place.line, place.column)) {
                *row.reasons.entry(reason.to_owned()).or_default() += 1;
            }
        }
        let sites = &mut row.sites;
        let monitored = sites.total - sites.unmonitored;
        sites.proved = (places.len() as u64).min(monitored);
        if proofs.properties.contains(&row.id) {
            // What else could take part in a violation can do so only together with a place of which none is left.
            let rest = monitored - sites.proved;
            if rest > 0 {
                *row.reasons.entry("never-occurs".to_owned()).or_default() += rest;
            }
            sites.proved = monitored;
            if row.verdict < Verdict::Predicted {
                row.verdict = Verdict::Proved;
            }
        }
        sites.residual = monitored - sites.proved;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::proofs::{Known, ProofSite};
    use crate::report::SiteCount;

    fn place(property: &str, line: u32, known: Known) -> ProofSite {
        ProofSite { property: property.into(), file: "src/lib.rs".into(), line, column: 1, known }
    }

    fn row(id: &str, verdict: Verdict, total: u64, unmonitored: u64) -> PropertyReport {
        PropertyReport { verdict, sites: SiteCount::of(total, unmonitored), ..PropertyReport::of(id) }
    }

    #[test]
    fn places_are_counted_by_reason_and_what_is_proved_as_a_whole_is_no_longer_monitored() {
        let proofs = Proofs {
            places: vec![
                place("lock-order", 1, Known::Proved("orphan".into())),
                place("lock-order", 2, Known::Proved("ordered".into())),
                place("lock-order", 3, Known::Monitored("why".into())),
                place("guard-across-await", 1, Known::Proved("orphan".into())),
            ],
            properties: ["guard-across-await", "semaphore", "own"].map(str::to_owned).into(),
            ..Proofs::default()
        };
        let definition = Location {
            file: "specs/own.toml".into(),
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 2,
            label: String::new(),
        };
        let definitions = BTreeMap::from([("own".to_owned(), definition)]);
        let mut rows = [
            row("lock-order", Verdict::Held, 5, 1),
            row("guard-across-await", Verdict::Inconclusive, 7, 2),
            row("semaphore", Verdict::NotExercised, 0, 0),
            row("own", Verdict::Held, 3, 0),
        ];
        count(&proofs, &definitions, &mut rows);
        let found: Vec<_> = rows
            .iter()
            .map(|it| (it.verdict, it.sites.proved, it.sites.residual, it.reasons.values().sum::<u64>()))
            .collect();
        assert_eq!(
            found,
            [
                (Verdict::Held, 2, 2, 2),
                (Verdict::Proved, 5, 0, 5),
                (Verdict::Proved, 0, 0, 0),
                (Verdict::Held, 0, 3, 0)
            ]
        );
    }

    #[test]
    fn a_proof_never_hides_a_violation() {
        let proofs = Proofs { properties: ["semaphore".to_owned()].into(), ..Proofs::default() };
        let mut rows = [row("semaphore", Verdict::Violated, 1, 0)];
        count(&proofs, &BTreeMap::new(), &mut rows);
        assert_eq!(rows[0].verdict, Verdict::Violated);
    }
}
