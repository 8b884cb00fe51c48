//! The verdicts of all processes as one table.

use super::cook::level;
use super::live::LiveJudged;
use super::process::{Judged, PropertyJudged};
use super::sites::Census;
use crate::finding::Level;
use crate::report::{LiveReport, PropertyReport, SiteCount, UnitVerdict, Verdict};
use rvcheck_event::kind::EventKind;
use rvcheck_spec::Property;
use std::collections::{BTreeMap, BTreeSet};

/// What all processes say of one property.
fn row<'a>(
    id: &str,
    processes: impl Iterator<Item = &'a PropertyJudged>,
    sites: SiteCount,
) -> PropertyReport {
    let mut sum = PropertyJudged::default();
    for judged in processes {
        sum.events += judged.events;
        sum.elsewhere += judged.elsewhere;
        for unit in judged.units.values() {
            sum.add_other_process(unit.clone());
        }
    }
    let mut units: Vec<UnitVerdict> = sum.units.into_values().collect();
    units.sort_by(|a, b| b.verdict.cmp(&a.verdict).then_with(|| a.test.cmp(&b.test)));
    PropertyReport {
        id: id.to_owned(),
        title: String::new(),
        level: Level::Error,
        verdict: units.first().map_or(Verdict::NotExercised, |worst| worst.verdict),
        units,
        sites,
        events: sum.events,
        reasons: BTreeMap::new(),
        elsewhere: sum.elsewhere,
        notes: 0,
        live: None,
    }
}

/// The rows of the formulas that programs brought along.
fn live(processes: &[Judged], census: &Census) -> Vec<PropertyReport> {
    let mut names: BTreeMap<&str, Vec<&LiveJudged>> = BTreeMap::new();
    for (name, judged) in processes.iter().flat_map(|it| &it.live) {
        names.entry(name).or_default().push(judged);
    }
    let row_of = |(name, judged): (&str, Vec<&LiveJudged>)| {
        let alphabet: BTreeSet<EventKind> =
            judged.iter().flat_map(|it| it.alphabet.iter().copied()).collect();
        let sites = census.of_alphabet(alphabet.into_iter());
        let formula = judged.iter().map(|it| &it.formula).find(|it| !it.is_empty()).cloned();
        let since_tail = judged.iter().any(|it| it.since_tail);
        let live = Some(LiveReport { formula: formula.unwrap_or_default(), since_tail });
        PropertyReport { live, ..row(name, judged.iter().map(|it| &it.judged), sites) }
    };
    names.into_iter().map(row_of).collect()
}

/// One row for each property, in the order of their ids.
pub(super) fn table(properties: &[Property], processes: &[Judged], census: &Census) -> Vec<PropertyReport> {
    let mut rows: Vec<PropertyReport> = Vec::new();
    for (index, property) in properties.iter().enumerate() {
        let judged = processes.iter().filter_map(|it| it.properties.get(index));
        let sites = census.of_alphabet(property.alphabet().into_iter());
        let title = property.title().to_owned();
        rows.push(PropertyReport {
            title,
            level: level(property.level()),
            ..row(property.id(), judged, sites)
        });
    }
    rows.extend(live(processes, census));
    rows.sort_by(|a, b| a.id.cmp(&b.id));
    rows
}
