//! Formulas that the program brings along, checked beside the properties of files: each over its own stretch of a unit's trace.

mod quoted;
mod refusal;
mod schedule;

use super::cook::Asked;
use super::process::{Checked, PropertyChecked};
use super::scene::Awaits;
use super::stepping::{Kitchen, fault_note, unit_verdict};
use crate::finding::Finding;
use crate::report::{UnitVerdict, Verdict};
use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::trace::read::Trace;
use rvcheck_event::world::World;
use rvcheck_spec::{Monitor, Property, UnitEnd, Vocabulary, compile_live};
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
    watches: HashMap<UnitId, Vec<Watch>>,
    /// How many events each unit has had.
    counts: HashMap<UnitId, u64>,
    rows: BTreeMap<String, LiveChecked>,
    /// The verdicts so far.
    concluded: Vec<(String, UnitVerdict)>,
    findings: Vec<Finding>,
    notes: Vec<String>,
}

/// One formula from one place on, under one or several names: what is equal is checked once.
struct Watch {
    formula: String,
    from: u64,
    monitor: Monitor,
    checks: Vec<Check>,
}

/// One of its names.
struct Check {
    property: Property,
    stretch: Stretch,
}

impl Live {
    /// What the program of this trace asks for. What cannot be is noted at once.
    pub(super) fn of(trace: &Trace<'_>, kitchen: &Kitchen<'_>, vocabulary: &Vocabulary) -> Live {
        let mut live = Live::default();
        let calls = calls(trace);
        if calls.is_empty() {
            return live;
        }
        let taken = kitchen.properties.iter().map(Property::id).collect();
        let (stretches, refused) = schedule(&calls, &taken);
        for it in refused {
            live.findings.push(refusal::of_call(&it, kitchen, trace.names()));
        }
        for stretch in stretches {
            live.begin(stretch, trace, kitchen, vocabulary);
        }
        live
    }

    fn begin(&mut self, stretch: Stretch, trace: &Trace<'_>, kitchen: &Kitchen<'_>, vocabulary: &Vocabulary) {
        let row = self.rows.entry(stretch.name.clone()).or_default();
        row.since_tail |= stretch.tail;
        let names = trace.names();
        let Formula::Whole(formula) = stretch.formula.clone() else {
            self.findings.push(refusal::of_formula(&stretch, kitchen, names));
            return self.undecided(&stretch, kitchen, trace);
        };
        if row.formula.is_empty() {
            row.formula.clone_from(&formula);
        }
        let compiled = compile_live(&stretch.name, &formula, vocabulary);
        let Some(property) = compiled.property else {
            for problem in &compiled.problems {
                let (finding, note) = refusal::of_problem(problem, &formula, &stretch, kitchen, names);
                self.findings.push(finding);
                self.notes.extend(note);
            }
            return self.undecided(&stretch, kitchen, trace);
        };
        row.alphabet.extend(property.alphabet());
        self.notes.extend(super::note_of_formula(&property));
        for it in compiled.undeclared {
            let said = if it.is_event { it.name.clone() } else { format!("set {}", it.name) };
            if names.id_of(&said).is_none() {
                self.notes.push(format!(
                    "`{}` speaks of `{}`, which no property file declares and the program never says",
                    stretch.name, it.name
                ));
            }
        }
        let watches = self.watches.entry(stretch.unit).or_default();
        let from = stretch.from;
        let equal = watches.iter_mut().find(|it| it.from == from && it.formula == formula);
        match equal {
            Some(watch) => watch.checks.push(Check { property, stretch }),
            None => {
                let monitor = Monitor::new(vec![property.clone()]);
                watches.push(Watch { formula, from, monitor, checks: vec![Check { property, stretch }] });
            }
        }
    }

    /// A formula that cannot be checked in its unit.
    fn undecided(&mut self, stretch: &Stretch, kitchen: &Kitchen<'_>, trace: &Trace<'_>) {
        let test = kitchen.unit_name(stretch.unit, trace.names());
        let verdict = UnitVerdict {
            test,
            verdict: Verdict::Inconclusive,
            bindings: 0,
            exercised: 0,
            witness: Vec::new(),
        };
        self.concluded.push((stretch.name.clone(), verdict));
    }

    /// Takes a call. Where it removes a formula, that is decided.
    pub(super) fn call(&mut self, unit: UnitId, world: &World, kitchen: &Kitchen<'_>, awaits: &Awaits) {
        let here = self.counts.get(&unit).copied().unwrap_or(0);
        let Some(mut watches) = self.watches.remove(&unit) else { return };
        for watch in watches.iter_mut().filter(|it| it.from <= here) {
            let over = watch.checks.extract_if(.., |it| it.stretch.to.is_some_and(|to| to <= here));
            for check in over.collect::<Vec<_>>() {
                let monitor = watch.monitor.clone();
                self.conclude(monitor, &check, UnitEnd::Complete, world, kitchen, awaits);
            }
        }
        watches.retain(|it| !it.checks.is_empty());
        self.watches.insert(unit, watches);
    }

    /// Takes one event, which is no call.
    pub(super) fn step(&mut self, event: &Event, world: &World, kitchen: &Kitchen<'_>, awaits: &Awaits) {
        if self.watches.is_empty() {
            return;
        }
        let count = self.counts.entry(event.unit).or_default();
        let here = *count;
        *count += 1;
        let Some(mut watches) = self.watches.remove(&event.unit) else { return };
        for watch in watches.iter_mut().filter(|it| it.from <= here) {
            watch.monitor.step(event, world);
            for violation in watch.monitor.take_violations() {
                for check in &watch.checks {
                    self.findings.extend(kitchen.finding(
                        &violation,
                        &check.property,
                        world,
                        awaits,
                        Some(check.asked()),
                    ));
                }
            }
        }
        self.watches.insert(event.unit, watches);
    }

    /// Takes note of what died.
    pub(super) fn collect(&mut self, dead: &[(Sort, u32)]) {
        for watch in self.watches.values_mut().flatten() {
            watch.monitor.collect(dead.iter().copied());
        }
    }

    /// The trace is over; `whole` if nothing of it is missing.
    pub(super) fn finish(
        mut self,
        whole: bool,
        end: impl Fn(UnitId) -> UnitEnd,
        world: &World,
        kitchen: &Kitchen<'_>,
        awaits: &Awaits,
        checked: &mut Checked,
    ) {
        let mut rest: Vec<(UnitId, Vec<Watch>)> = std::mem::take(&mut self.watches).into_iter().collect();
        rest.sort_by_key(|(unit, _)| *unit);
        for (unit, watches) in rest {
            for watch in watches {
                for check in &watch.checks {
                    let end = if check.stretch.to.is_some() && whole { UnitEnd::Complete } else { end(unit) };
                    self.conclude(watch.monitor.clone(), check, end, world, kitchen, awaits);
                }
            }
        }
        for (name, mut verdict) in self.concluded {
            if !whole && verdict.verdict != Verdict::Violated {
                verdict.verdict = Verdict::Inconclusive;
            }
            self.rows.entry(name).or_default().checked.add(verdict);
        }
        checked.findings.extend(self.findings);
        checked.notes.extend(self.notes);
        checked.live = self.rows;
    }

    /// The stretch of a formula is over.
    fn conclude(
        &mut self,
        mut monitor: Monitor,
        check: &Check,
        end: UnitEnd,
        world: &World,
        kitchen: &Kitchen<'_>,
        awaits: &Awaits,
    ) {
        let (unit, name) = (check.stretch.unit, &check.stretch.name);
        monitor.end_of_unit(unit, end);
        let verdicts = monitor.finish(world);
        for violation in &verdicts.violations {
            self.findings.extend(kitchen.finding(
                violation,
                &check.property,
                world,
                awaits,
                Some(check.asked()),
            ));
        }
        let test = kitchen.unit_name(unit, world.names());
        let nothing = if end == UnitEnd::Complete { Verdict::NotExercised } else { Verdict::Inconclusive };
        let mut verdict =
            UnitVerdict { test, verdict: nothing, bindings: 0, exercised: 0, witness: Vec::new() };
        for property in &verdicts.properties {
            for it in property.units.iter().filter(|it| it.unit == unit) {
                verdict = unit_verdict(it, kitchen, world);
                self.rows.entry(name.clone()).or_default().checked.events += it.events;
            }
            self.notes.extend(property.fault.as_ref().map(|fault| fault_note(name, fault, kitchen)));
        }
        self.concluded.push((name.clone(), verdict));
    }
}

impl Check {
    fn asked(&self) -> Asked {
        Asked { site: self.stretch.site, tail: self.stretch.tail }
    }
}
