//! Formulas that the program brings along, checked beside the properties of files: each over its own stretch of a unit's trace.

mod quoted;
mod refusal;
mod schedule;

use super::context::{FindingContext, Moment};
use super::engine_verdicts::{fault_note, unit_verdict};
use super::process::{Checked, PropertyChecked};
use super::violation::Asked;
use crate::finding::Finding;
use crate::report::{UnitVerdict, Verdict};
use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::observer::Observer;
use rvcheck_event::trace::read::Trace;
use rvcheck_event::world::World;
use rvcheck_spec::{Monitor, Property, UnitEnd, Verdicts, Violation, Vocabulary, compile_live};
use schedule::{Formula, Stretch, calls, schedule};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What checking one of these formulas came to, in one process.
#[derive(Clone, Debug, Default)]
pub(super) struct LiveChecked {
    /// The formula, as it was given first.
    pub(super) formula: String,
    /// It was checked over what happened before, too.
    pub(super) since_tail: bool,
    /// What it speaks of.
    pub(super) alphabet: BTreeSet<EventKind>,
    pub(super) checked: PropertyChecked,
}

/// The formulas of one process.
#[derive(Default)]
pub(super) struct Live {
    /// What is checked, a formula in a stretch each.
    checks: Vec<Check>,
    watches: HashMap<UnitId, Vec<Watch>>,
    /// How many events each unit has had.
    counts: HashMap<UnitId, u64>,
    rows: BTreeMap<String, LiveChecked>,
    /// The violations that were not reported yet, each of one of `checks`.
    violations: Vec<(usize, Violation)>,
    /// The stretches that are over.
    concluded: Vec<Concluded>,
    findings: Vec<Finding>,
    notes: Vec<String>,
}

/// One formula from one place on, under one or several names: what is equal is checked once.
struct Watch {
    formula: String,
    from: u64,
    monitor: Monitor,
    /// Its names, as places in [`Live::checks`].
    checks: Vec<usize>,
}

/// A formula in a stretch.
struct Check {
    /// What is checked; nothing where the formula cannot be.
    property: Option<Property>,
    stretch: Stretch,
}

/// A stretch that is over.
struct Concluded {
    check: usize,
    end: UnitEnd,
    verdicts: Verdicts,
}

impl Live {
    /// What the program of this trace asks for. What cannot be is noted at once.
    pub(super) fn of(trace: &Trace<'_>, context: &FindingContext<'_>, vocabulary: &Vocabulary) -> Live {
        let mut live = Live::default();
        let calls = calls(trace);
        if calls.is_empty() {
            return live;
        }
        let taken = context.properties.iter().map(Property::id).collect();
        let (stretches, refused) = schedule(&calls, &taken);
        for it in refused {
            live.findings.push(refusal::of_call(&it, context, trace.names()));
        }
        for stretch in stretches {
            live.begin(stretch, trace, context, vocabulary);
        }
        live
    }

    fn begin(
        &mut self,
        stretch: Stretch,
        trace: &Trace<'_>,
        context: &FindingContext<'_>,
        vocabulary: &Vocabulary,
    ) {
        let check = self.checks.len();
        let (unit, from) = (stretch.unit, stretch.from);
        let formula = stretch.formula.clone();
        let property = self.compiled(&stretch, trace, context, vocabulary);
        self.checks.push(Check { property: property.clone(), stretch });
        let (Formula::Whole(formula), Some(property)) = (formula, property) else {
            let verdicts = Verdicts { properties: Vec::new(), violations: Vec::new() };
            return self.concluded.push(Concluded { check, end: UnitEnd::Cut, verdicts });
        };
        let watches = self.watches.entry(unit).or_default();
        match watches.iter_mut().find(|it| it.from == from && it.formula == formula) {
            Some(watch) => watch.checks.push(check),
            None => {
                let monitor = Monitor::new(vec![property]);
                watches.push(Watch { formula, from, monitor, checks: vec![check] });
            }
        }
    }

    /// The property that a formula is. What is wrong with it is noted.
    fn compiled(
        &mut self,
        stretch: &Stretch,
        trace: &Trace<'_>,
        context: &FindingContext<'_>,
        vocabulary: &Vocabulary,
    ) -> Option<Property> {
        let row = self.rows.entry(stretch.name.clone()).or_default();
        row.since_tail |= stretch.tail;
        let names = trace.names();
        let Formula::Whole(formula) = &stretch.formula else {
            self.findings.push(refusal::of_formula(stretch, context, names));
            return None;
        };
        if row.formula.is_empty() {
            row.formula.clone_from(formula);
        }
        let compiled = compile_live(&stretch.name, formula, vocabulary);
        let Some(property) = compiled.property else {
            for problem in &compiled.problems {
                let (finding, note) = refusal::of_problem(problem, formula, stretch, context, names);
                self.findings.push(finding);
                self.notes.extend(note);
            }
            return None;
        };
        row.alphabet.extend(property.alphabet());
        self.notes.extend(super::note_of_formula(&property));
        for it in compiled.undeclared {
            let recorded = if it.is_event { it.name.clone() } else { format!("set {}", it.name) };
            if names.id_of(&recorded).is_none() {
                self.notes.push(format!(
                    "`{}` refers to `{}`, which no property file declares and the program never reports",
                    stretch.name, it.name
                ));
            }
        }
        Some(property)
    }

    /// Makes findings of what is violated.
    pub(super) fn report(&mut self, context: &FindingContext<'_>, moment: Moment<'_>) {
        for (check, violation) in self.violations.drain(..) {
            let Check { property: Some(property), stretch } = &self.checks[check] else { continue };
            let asked = Asked { site: stretch.site, tail: stretch.tail };
            self.findings.extend(context.finding(&violation, property, moment, Some(asked)));
        }
    }

    /// The trace is over; `whole` if nothing of it is missing.
    pub(super) fn end(&mut self, whole: bool, end: impl Fn(UnitId) -> UnitEnd, world: &World) {
        let mut rest: Vec<(UnitId, Vec<Watch>)> = std::mem::take(&mut self.watches).into_iter().collect();
        rest.sort_by_key(|(unit, _)| *unit);
        for (unit, watches) in rest {
            for watch in watches {
                for check in watch.checks {
                    let removed = self.checks[check].stretch.to.is_some();
                    let end = if removed && whole { UnitEnd::Complete } else { end(unit) };
                    self.conclude(watch.monitor.clone(), check, end, world);
                }
            }
        }
    }

    /// The stretch of a formula is over.
    fn conclude(&mut self, mut monitor: Monitor, check: usize, end: UnitEnd, world: &World) {
        monitor.end_of_unit(self.checks[check].stretch.unit, end);
        let mut verdicts = monitor.finish(world);
        self.violations.extend(verdicts.violations.drain(..).map(|it| (check, it)));
        self.concluded.push(Concluded { check, end, verdicts });
    }

    /// Takes everything into what was found in the process. `whole` if nothing of the trace is missing.
    pub(super) fn finish(
        mut self,
        whole: bool,
        context: &FindingContext<'_>,
        world: &World,
        checked: &mut Checked,
    ) {
        for Concluded { check, end, verdicts } in self.concluded {
            let Stretch { name, unit, .. } = &self.checks[check].stretch;
            let row = &mut self.rows.entry(name.clone()).or_default().checked;
            let nothing =
                if end == UnitEnd::Complete { Verdict::NotExercised } else { Verdict::Inconclusive };
            let mut verdict = UnitVerdict {
                test: context.unit_name(*unit, world.names()),
                verdict: nothing,
                bindings: 0,
                exercised: 0,
                witness: Vec::new(),
            };
            for property in &verdicts.properties {
                for it in property.units.iter().filter(|it| it.unit == *unit) {
                    verdict = unit_verdict(it, context, world.names());
                    row.events += it.events;
                }
                self.notes.extend(property.fault.as_ref().map(|fault| fault_note(name, fault, context)));
            }
            if !whole && verdict.verdict != Verdict::Violated {
                verdict.verdict = Verdict::Inconclusive;
            }
            row.add(verdict);
        }
        checked.findings.extend(self.findings);
        checked.notes.extend(self.notes);
        checked.live = self.rows;
    }
}

impl Observer for Live {
    fn observe(&mut self, event: &Event, world: &World) {
        if self.watches.is_empty() {
            return;
        }
        let count = self.counts.entry(event.unit).or_default();
        let here = *count;
        *count += 1;
        let watches = self.watches.get_mut(&event.unit).into_iter().flatten();
        for watch in watches.filter(|it| it.from <= here) {
            watch.monitor.observe(event, world);
            for violation in watch.monitor.take_violations() {
                self.violations.extend(watch.checks.iter().map(|check| (*check, violation.clone())));
            }
        }
    }

    /// A call that removes a formula decides it.
    fn control(&mut self, event: &Event, world: &World) {
        let here = self.counts.get(&event.unit).copied().unwrap_or(0);
        let Some(mut watches) = self.watches.remove(&event.unit) else { return };
        for watch in watches.iter_mut().filter(|it| it.from <= here) {
            let checks = &self.checks;
            let is_over = |check: &mut usize| checks[*check].stretch.to.is_some_and(|to| to <= here);
            for check in watch.checks.extract_if(.., is_over).collect::<Vec<_>>() {
                self.conclude(watch.monitor.clone(), check, UnitEnd::Complete, world);
            }
        }
        watches.retain(|it| !it.checks.is_empty());
        self.watches.insert(event.unit, watches);
    }

    fn collect(&mut self, dead: &[(Sort, u32)]) {
        for watch in self.watches.values_mut().flatten() {
            Observer::collect(&mut watch.monitor, dead);
        }
    }
}
