//! The verdicts of the engine, under the names of reports.

use super::context::{FindingContext, Moment};
use super::process::Checked;
use super::units::Ending;
use crate::report::{UnitVerdict, Verdict};
use rvcheck_event::id::UnitId;
use rvcheck_event::names::Names;
use rvcheck_spec::{DoubtKind, Fault, Property, Scope, Verdicts};
use std::collections::BTreeMap;

/// Notes the verdict of each property over each unit. `ending` tells how a unit ended, if no events were lost.
pub(super) fn note_verdicts(
    verdicts: &Verdicts,
    context: &FindingContext<'_>,
    moment: Moment<'_>,
    ending: Option<&dyn Fn(UnitId) -> Ending>,
    checked: &mut Checked,
) {
    let names = moment.world.names();
    let has_own = !context.units.own().is_empty();
    for (index, property) in verdicts.properties.iter().enumerate() {
        for unit in &property.units {
            checked.properties[index].events += unit.events;
            let mut verdict = unit_verdict(unit, context, names);
            verdict.witness = context.witness(index, &unit.witness, moment);
            let recorded = names.unit(unit.unit).map_or("", |id| names.text(id));
            let whole_process = context.properties[index].scope() == Scope::Process;
            let expected = context.units.test(recorded).is_some() || (whole_process && has_own);
            if !expected && context.units.is_frame() && !unit.exercised {
                continue;
            }
            // A test that panics as it should is nothing to worry about. What it has not touched, it says nothing of; and what it
            // has not violated, where no end could mend or break that, it has kept.
            let panicked = ending.is_some_and(|it| it(unit.unit) == Ending::Panicked);
            let over = property.fault.is_none() && panicked;
            if over && verdict.verdict == Verdict::Inconclusive && unit.doubt.is_none() {
                if !unit.exercised {
                    verdict.verdict = Verdict::NotExercised;
                } else if context.properties[index].is_safety() {
                    verdict.verdict = Verdict::Held;
                }
            }
            checked.properties[index].add(verdict);
        }
        checked.notes.extend(doubts(&context.properties[index], &property.units, context, names));
        if let Some(fault) = &property.fault {
            let id = context.properties.get(index).map_or("", Property::id);
            checked.leave_open(fault_note(id, fault, context));
        }
    }
}

/// The verdict over a unit.
pub(super) fn unit_verdict(
    unit: &rvcheck_spec::UnitVerdict,
    context: &FindingContext<'_>,
    names: &Names,
) -> UnitVerdict {
    UnitVerdict {
        test: context.unit_name(unit.unit, names),
        verdict: verdict(unit.verdict),
        bindings: unit.bindings,
        exercised: unit.bindings_exercised,
        witness: Vec::new(),
    }
}

/// Why a property was not checked to the end.
pub(super) fn fault_note(id: &str, fault: &Fault, context: &FindingContext<'_>) -> String {
    format!("`{id}` was not checked to the end of {}: {}", context.units.label(), reason(fault))
}

/// Why a grammar is not decided over some units, a line for each reason.
fn doubts(
    property: &Property,
    units: &[rvcheck_spec::UnitVerdict],
    context: &FindingContext<'_>,
    names: &Names,
) -> Vec<String> {
    let mut found: BTreeMap<(DoubtKind, &str), Vec<String>> = BTreeMap::new();
    let open = units.iter().filter(|it| it.verdict != rvcheck_spec::Verdict::Violated);
    for (unit, doubt) in open.filter_map(|it| Some((it.unit, it.doubt?))) {
        let unit = context.unit_name(unit, names);
        found.entry((doubt.kind, names.event(&doubt.event))).or_default().push(unit);
    }
    let line = |((kind, event), units): ((DoubtKind, &str), Vec<String>)| {
        let why = match kind {
            DoubtKind::Assertion => {
                format!("an assertion uses an unknown value of `{event}`, or of an earlier event")
            }
            DoubtKind::Instance => format!("the instance that a `{event}` belongs to is unknown"),
            DoubtKind::Unsent => {
                format!("the trace is incompatible: `{event}` has no matching send before it")
            }
        };
        let more = if units.len() > 1 { format!(" and {} more", units.len() - 1) } else { String::new() };
        format!("`{}` is not decided over `{}`{more}: {why}", property.id(), units[0])
    };
    found.into_iter().map(line).collect()
}

const fn verdict(verdict: rvcheck_spec::Verdict) -> Verdict {
    match verdict {
        rvcheck_spec::Verdict::Violated => Verdict::Violated,
        rvcheck_spec::Verdict::Inconclusive => Verdict::Inconclusive,
        rvcheck_spec::Verdict::Held => Verdict::Held,
        rvcheck_spec::Verdict::NotExercised => Verdict::NotExercised,
    }
}

fn reason(fault: &Fault) -> String {
    match fault {
        Fault::Instances { limit } => {
            format!("it has more than {limit} combinations of objects alive at once")
        }
        Fault::Work { limit } => {
            format!("relating its objects and events to each other took more than {limit} steps")
        }
        Fault::Events { limit } => {
            format!("there are more than {limit} events, and a formula needs all of them at once")
        }
        Fault::Overlap { state, transitions: (first, second), event } => format!(
            "in state `{state}` two of its transitions, numbers {} and {}, are enabled by the same `{}`",
            first + 1,
            second + 1,
            event.kind.signature().name
        ),
    }
}
