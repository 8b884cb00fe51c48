//! The verdicts of all processes as one table.

use super::process::{Judged, PropertyJudged};
use super::sites::Census;
use crate::report::{PropertyReport, UnitVerdict, Verdict};
use rvcheck_spec::Automaton;
use std::collections::BTreeMap;

/// One row for each property, in the order of their ids.
pub(super) fn table(automata: &[Automaton], processes: &[Judged], census: &Census) -> Vec<PropertyReport> {
    let mut rows: Vec<PropertyReport> = Vec::new();
    for (index, automaton) in automata.iter().enumerate() {
        let mut sum = PropertyJudged::default();
        for property in processes.iter().filter_map(|it| it.properties.get(index)) {
            sum.events += property.events;
            sum.elsewhere += property.elsewhere;
            for unit in property.units.values() {
                sum.add_other_process(unit.clone());
            }
        }
        let mut units: Vec<UnitVerdict> = sum.units.into_values().collect();
        units.sort_by(|a, b| b.verdict.cmp(&a.verdict).then_with(|| a.test.cmp(&b.test)));
        rows.push(PropertyReport {
            id: automaton.id.clone(),
            verdict: units.first().map_or(Verdict::NotExercised, |worst| worst.verdict),
            units,
            sites: census.of_alphabet(automaton.alphabet()),
            events: sum.events,
            reasons: BTreeMap::new(),
            elsewhere: sum.elsewhere,
        });
    }
    rows.sort_by(|a, b| a.id.cmp(&b.id));
    rows
}
