//! The verdicts of all processes as one table.

use super::process::{Judged, PropertyJudged};
use super::sites::Census;
use crate::report::{PropertyReport, UnitVerdict, Verdict};
use rvcheck_spec::Property;
use std::collections::BTreeMap;

/// One row for each property, in the order of their ids.
pub(super) fn table(properties: &[Property], processes: &[Judged], census: &Census) -> Vec<PropertyReport> {
    let mut rows: Vec<PropertyReport> = Vec::new();
    for (index, property) in properties.iter().enumerate() {
        let mut sum = PropertyJudged::default();
        for judged in processes.iter().filter_map(|it| it.properties.get(index)) {
            sum.events += judged.events;
            sum.elsewhere += judged.elsewhere;
            for unit in judged.units.values() {
                sum.add_other_process(unit.clone());
            }
        }
        let mut units: Vec<UnitVerdict> = sum.units.into_values().collect();
        units.sort_by(|a, b| b.verdict.cmp(&a.verdict).then_with(|| a.test.cmp(&b.test)));
        rows.push(PropertyReport {
            id: property.id().to_owned(),
            verdict: units.first().map_or(Verdict::NotExercised, |worst| worst.verdict),
            units,
            sites: census.of_alphabet(property.alphabet().into_iter()),
            events: sum.events,
            reasons: BTreeMap::new(),
            elsewhere: sum.elsewhere,
        });
    }
    rows.sort_by(|a, b| a.id.cmp(&b.id));
    rows
}
