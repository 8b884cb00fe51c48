//! What a process has learnt of places, and what its remedies have done, as the report has it.

use super::sources::{CompiledSite, Sources};
use crate::finding::Location;
use crate::report::EnforcedReport;
use rvcheck_enforcement::lesson;
use rvcheck_event::id::{SiteId, TaskId};
use rvcheck_event::kind::Sort;
use rvcheck_event::names::Names;
use rvcheck_event::remedy::Remedy;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_spec::{Property, Violation};

/// What was enforced in a process.
pub(super) fn of_process(names: &Names, sources: &Sources) -> Vec<EnforcedReport> {
    let reports = names.learnt().iter().filter_map(|learnt| {
        let sites = learnt.places.iter().filter_map(|it| names.site(*it));
        let mut places: Vec<Location> =
            sites.map(|it| sources.place(CompiledSite::of(it), "").location).collect();
        places.sort();
        (!places.is_empty()).then(|| EnforcedReport {
            property: learnt.property.clone(),
            remedy: learnt.remedy.name().to_owned(),
            advice: advice(learnt.remedy, &places),
            places,
            known: learnt.was_known,
            times: learnt.applied.times,
            nanos: learnt.applied.nanos,
            given_up: u64::from(learnt.applied.given_up),
        })
    });
    reports.collect()
}

/// What should be changed at these places.
fn advice(remedy: Remedy, places: &[Location]) -> String {
    let places: Vec<String> = places.iter().map(|it| format!("{}:{}", it.file, it.line)).collect();
    let at = places.join(" and ");
    match remedy {
        Remedy::Offload => format!("the spawn at {at} should use `spawn_blocking`"),
        Remedy::Handle => {
            format!(
                "the task spawned at {at} should handle its errors, or its handle should be kept and awaited"
            )
        }
        Remedy::Gate => {
            format!("the locks taken at {at} should be acquired in one order, or under a third lock")
        }
        Remedy::Refuse => format!("the call at {at} should not be made then"),
    }
}

/// Whether a remedy has kept this from doing harm: the handler of the property was told of the panic or the error, or the gate of the two
/// places, which was known from the beginning and never given up, has kept apart those who took the locks there.
pub(super) fn is_remedied(violation: &Violation, property: &Property, world: &World) -> bool {
    is_handled(violation, property, world.names()) || is_gated(violation, property, world)
}

fn is_gated(violation: &Violation, property: &Property, world: &World) -> bool {
    let mut gates = world.names().learnt().iter().filter(|it| {
        it.remedy == Remedy::Gate && it.was_known && it.applied.given_up == 0 && it.property == property.id()
    });
    let places = |gate: &[SiteId; 2]| {
        let mut places = *gate;
        places.sort();
        places
    };
    let shown = || lesson::places(Remedy::Gate, violation, SiteId::NONE, world);
    gates.any(|gate| shown().is_some_and(|it| places(&it) == places(&gate.places)))
}

fn is_handled(violation: &Violation, property: &Property, names: &Names) -> bool {
    let tasks = violation.binding.iter().filter_map(|it| match it {
        Value::Object(Sort::Task, id) => Some(TaskId(*id)),
        _ => None,
    });
    tasks.into_iter().any(|it| names.handled_by(it) == Some(property.id()))
}

/// Those of several processes or runs, each place once, or each pair of places.
pub(super) fn merged(all: impl IntoIterator<Item = EnforcedReport>) -> Vec<EnforcedReport> {
    let mut merged: Vec<EnforcedReport> = Vec::new();
    let mut all: Vec<EnforcedReport> = all.into_iter().collect();
    // A process may reach one of two places that earlier runs have learnt.
    all.sort_by_key(|it| std::cmp::Reverse(it.places.len()));
    for report in all {
        let is_of_it = |it: &EnforcedReport| {
            it.known && report.known && report.places.iter().all(|place| it.places.contains(place))
        };
        let is_it = |it: &&mut EnforcedReport| {
            (&it.property, &it.remedy) == (&report.property, &report.remedy)
                && (it.places == report.places || is_of_it(it))
        };
        match merged.iter_mut().find(is_it) {
            Some(known) => {
                known.known |= report.known;
                known.times = known.times.saturating_add(report.times);
                known.nanos = known.nanos.saturating_add(report.nanos);
                known.given_up = known.given_up.saturating_add(report.given_up);
            }
            None => merged.push(report),
        }
    }
    merged.sort_by(|a, b| (&a.property, &a.places).cmp(&(&b.property, &b.places)));
    merged
}
