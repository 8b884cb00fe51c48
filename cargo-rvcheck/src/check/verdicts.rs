//! The verdicts of all processes as one table.

use super::live::LiveChecked;
use super::process::{Checked, PropertyChecked};
use super::sites::Census;
use super::violation::level;
use crate::finding::Level;
use crate::report::verdicts::overall;
use crate::report::{LiveReport, PropertyReport, SiteCount, Undecided, UnitVerdict, Verdict};
use rvcheck_event::kind::EventKind;
use rvcheck_spec::Property;
use std::collections::{BTreeMap, BTreeSet};

/// What all processes say of one property.
fn row<'a>(
    id: &str,
    processes: impl Iterator<Item = &'a PropertyChecked>,
    sites: SiteCount,
    undecided: &[Undecided],
) -> PropertyReport {
    let mut sum = PropertyChecked::default();
    for checked in processes {
        sum.events += checked.events;
        sum.elsewhere += checked.elsewhere;
        for unit in checked.units.values() {
            sum.add_other_process(unit.clone());
        }
    }
    let mut units: Vec<UnitVerdict> = sum.units.into_values().collect();
    units.sort_by(|a, b| b.verdict.cmp(&a.verdict).then_with(|| a.test.cmp(&b.test)));
    PropertyReport {
        id: id.to_owned(),
        title: String::new(),
        level: Level::Error,
        verdict: overall(units.iter(), undecided).unwrap_or(Verdict::NotExercised),
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
fn live(processes: &[Checked], census: &Census, undecided: &[Undecided]) -> Vec<PropertyReport> {
    let mut names: BTreeMap<&str, Vec<&LiveChecked>> = BTreeMap::new();
    for (name, checked) in processes.iter().flat_map(|it| &it.live) {
        names.entry(name).or_default().push(checked);
    }
    let row_of = |(name, checked): (&str, Vec<&LiveChecked>)| {
        let alphabet: BTreeSet<EventKind> =
            checked.iter().flat_map(|it| it.alphabet.iter().copied()).collect();
        let sites = census.of_alphabet(alphabet.into_iter());
        let formula = checked.iter().map(|it| &it.formula).find(|it| !it.is_empty()).cloned();
        let since_tail = checked.iter().any(|it| it.since_tail);
        let live = Some(LiveReport { formula: formula.unwrap_or_default(), since_tail });
        PropertyReport { live, ..row(name, checked.iter().map(|it| &it.checked), sites, undecided) }
    };
    names.into_iter().map(row_of).collect()
}

/// One row for each property, in the order of their ids.
pub(super) fn table(properties: &[Property], processes: &[Checked], census: &Census) -> Vec<PropertyReport> {
    let mut rows: Vec<PropertyReport> = Vec::new();
    let undecided: Vec<Undecided> = processes.iter().flat_map(|it| &it.undecided).cloned().collect();
    for (index, property) in properties.iter().enumerate() {
        let checked = processes.iter().filter_map(|it| it.properties.get(index));
        let sites = census.of_alphabet(property.alphabet().into_iter());
        let title = property.title().to_owned();
        rows.push(PropertyReport {
            title,
            level: level(property.level()),
            ..row(property.id(), checked, sites, &undecided)
        });
    }
    rows.extend(live(processes, census, &undecided));
    rows.sort_by(|a, b| a.id.cmp(&b.id));
    rows
}
