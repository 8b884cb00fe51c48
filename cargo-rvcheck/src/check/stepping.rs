//! The monitors' way through a trace.

use super::Options;
use super::cook::{Asked, Origin, cooked};
use super::departed::Departed;
use super::live::Live;
use super::orders;
use super::predicted::{self, Telling};
use super::process::{Checked, note_losses};
use super::scene::{Awaits, Scene};
use super::sources::{Sources, Spot};
use super::stall::Standstill;
use super::suspected;
use super::tail::Tails;
use super::told::{Ended, Told};
use super::units::{Ending, PROCESS, Units};
use crate::finding::{self, Finding, Level, Location};
use crate::report::{UnitVerdict, Verdict};
use crate::waits::Waits;
use camino::Utf8Path;
use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::kind::{EventKind, Sort, TestOutcome};
use rvcheck_event::log::Log;
use rvcheck_event::names::{Names, RecordedSite};
use rvcheck_event::record::flag;
use rvcheck_event::stream::EventStream;
use rvcheck_event::trace::merge;
use rvcheck_event::trace::read::Trace;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_predict::{Facts, Gather, Limits, Survey, Suspects};
use rvcheck_spec::{Fault, Monitor, Property, Scope, UnitEnd, Verdicts, Violation, Witness};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The property of errors that nobody can read.
const LOST_ERROR: &str = "lost-error";
/// After how many events the monitors are told what died. Telling costs a little, and waiting costs memory.
const COLLECT_EVERY: u64 = 256;

/// Steps the monitors over all events, cooks what they find, and notes the verdicts. Whether the trace is whole.
pub(super) fn step_through(
    mut trace: Trace<'_>,
    units: &Units<'_>,
    options: &Options,
    sources: &Sources,
    checked: &mut Checked,
) -> bool {
    let properties = &options.properties;
    if units.is_documentation() {
        place_documentation(&mut trace, units, sources);
    }
    name_calls(&mut trace, sources);
    let (tails, departed) = (RefCell::new(Tails::new(options.tail)), RefCell::default());
    let kitchen = Kitchen {
        units,
        properties,
        homes: &options.homes,
        sources,
        tails,
        departed,
        told: RefCell::default(),
    };
    let mut merge = merge::events(&trace);
    let mut live = Live::of(&trace, &kitchen, &options.vocabulary);
    let mut stepped = kitchen.step(&mut merge, &mut live, checked);
    let whole = note_losses(&trace, merge.problems(), units, checked);
    if let Some(survey) = &stepped.survey {
        checked.orders = orders::of_process(survey.nestings(), units, sources, merge.world());
    }
    if let Some(facts) = stepped.survey.take().and_then(Survey::suspicion) {
        kitchen.predict(facts, merge::events(&trace), merge.world(), checked);
    }
    let suspects = stepped.suspects.take().map_or_else(Vec::new, Suspects::finish);
    checked.steering.extend(suspected::steering(&suspects, units, sources, merge.world()));
    kitchen.finish(stepped, live, merge.world(), whole, checked);
    whole
}

/// The same over a trace that was written as text.
pub(super) fn step_through_log(
    log: &Log,
    units: &Units<'_>,
    options: &Options,
    sources: &Sources,
    checked: &mut Checked,
) {
    let properties = &options.properties;
    let (tails, departed) = (RefCell::new(Tails::new(options.tail)), RefCell::default());
    let kitchen = Kitchen {
        units,
        properties,
        homes: &options.homes,
        sources,
        tails,
        departed,
        told: RefCell::default(),
    };
    let mut replay = log.replay();
    // A text has no calls that ask for a formula to be checked.
    let mut live = Live::default();
    let mut stepped = kitchen.step(&mut replay, &mut live, checked);
    if let Some(facts) = stepped.survey.take().and_then(Survey::suspicion) {
        kitchen.predict(facts, log.replay(), replay.world(), checked);
    }
    kitchen.finish(stepped, live, replay.world(), true, checked);
}

/// Tells the trace what is called at its sites, which only the source knows.
fn name_calls(trace: &mut Trace<'_>, sources: &Sources) {
    let calls: Vec<_> = trace
        .names()
        .sites()
        .filter_map(|(id, place)| Some((id, sources.site(Spot::of(place))?.call.clone())))
        .collect();
    for (id, call) in calls {
        trace.names_mut().set_call(id, &call);
    }
}

/// The file into which rustdoc puts several tests.
const BUNDLE: &str = "doctest_bundle_";

/// Rustdoc gives the code of a test lines of its own, in the file with the documentation or in one that holds several
/// tests. So whatever lies in the latter, or in the former where nothing of the kind stands in the source, is taken
/// for code of the test, and placed where that begins.
fn place_documentation(trace: &mut Trace<'_>, units: &Units<'_>, sources: &Sources) {
    let test = units.documented_at();
    let is_code = |place: &RecordedSite| {
        let bundled = Utf8Path::new(&place.file).file_name().is_some_and(|it| it.starts_with(BUNDLE));
        let beside = place.own && test.is_none_or(|(file, _)| file == place.file);
        bundled || (beside && sources.site(Spot::of(place)).is_none())
    };
    let moved: Vec<_> = trace
        .names()
        .sites()
        .filter(|(_, place)| is_code(place))
        .map(|(id, place)| {
            // Without a line there is nothing to point at.
            let (file, line) = test.unwrap_or((&place.file, 0));
            (id, RecordedSite { file: file.to_owned(), line, column: 1, own: sources.text(file).is_some() })
        })
        .collect();
    for (id, place) in moved {
        trace.names_mut().set_site(id, place);
    }
}

/// What turns violations into findings.
pub(super) struct Kitchen<'a> {
    units: &'a Units<'a>,
    pub(super) properties: &'a [Property],
    homes: &'a BTreeMap<String, Location>,
    sources: &'a Sources,
    /// What has just happened in each unit.
    tails: RefCell<Tails>,
    /// Who has ended.
    departed: RefCell<Departed>,
    /// Whose errors say that they were ended.
    told: RefCell<Told>,
}

/// Monitors that have seen all events, and what goes with them.
struct Stepped {
    monitor: Monitor,
    awaits: Awaits,
    /// What a first look has shown of deadlocks to predict, if anybody wants to know.
    survey: Option<Survey>,
    /// What might stand still in another order, if anybody wants to know.
    suspects: Option<Suspects>,
    /// Who waits for what, where the process did not come to its end.
    waits: Option<Waits>,
    /// The tests whose threads ended by a panic. Whether such a test was to panic, not every form of a harness's output tells.
    panicked: BTreeSet<UnitId>,
}

impl Kitchen<'_> {
    /// Steps the monitors over all events, and cooks what they find on the way.
    fn step(&self, events: &mut impl EventStream, live: &mut Live, checked: &mut Checked) -> Stepped {
        let mut monitor = Monitor::new(self.properties.to_vec());
        let mut awaits = Awaits::default();
        let mut survey = predicted::is_wanted(self.properties).then(Survey::new);
        let mut suspects = suspected::is_wanted(self.properties).then(Suspects::new);
        let mut waits = self.units.was_cut().then(Waits::new);
        let mut panicked = BTreeSet::new();
        while let Some(event) = events.next() {
            if event.is_control() {
                live.call(event.unit, events.world(), self, &awaits);
                continue;
            }
            checked.events += 1;
            self.tails.borrow_mut().push(&event, events.world());
            self.departed.borrow_mut().see(&event, events.world());
            self.told.borrow_mut().see(&event, events.world());
            monitor.step(&event, events.world());
            if let Some(survey) = &mut survey {
                survey.see(&event, events.world());
            }
            if let Some(suspects) = &mut suspects {
                suspects.see(&event, events.world());
            }
            if let Some(waits) = &mut waits {
                waits.step(&event, events.world());
            }
            if event.kind == EventKind::Await {
                awaits.insert(event.task.0, event.site);
            }
            if event.kind == EventKind::TestEnd && event.flags & flag::ENUM == TestOutcome::Panicked as u8 {
                panicked.insert(event.unit);
            }
            for violation in monitor.take_violations() {
                self.cook(&violation, events.world(), &awaits, checked);
            }
            live.step(&event, events.world(), self, &awaits);
            if checked.events.is_multiple_of(COLLECT_EVERY) {
                let dead: Vec<(Sort, u32)> = events.drain_dead().collect();
                for (_, task) in dead.iter().filter(|(sort, _)| *sort == Sort::Task) {
                    awaits.remove(task);
                }
                live.collect(&dead);
                monitor.collect(dead);
            }
        }
        Stepped { monitor, awaits, survey, suspects, waits, panicked }
    }

    /// Looks a second time, for deadlocks that did not happen. `world` is the one after the last event.
    fn predict(&self, facts: Facts, mut events: impl EventStream, world: &World, checked: &mut Checked) {
        let mut gather = Gather::new(facts);
        while let Some(event) = events.next() {
            gather.see(&event, events.world());
            if gather.count().is_multiple_of(COLLECT_EVERY) {
                events.drain_dead();
            }
        }
        let mut history = gather.finish();
        let Kitchen { units, properties, sources, .. } = self;
        // What tests do in some order is in that one only there.
        let sites: BTreeSet<SiteId> = history.steps().iter().map(|it| it.site).collect();
        let is_in_test = |site: &SiteId| {
            let place = world.names().site(*site);
            place.is_some_and(|it| sources.place(Spot::of(it), "").in_test)
        };
        history.set_of_tests(sites.into_iter().filter(is_in_test));
        let predictions = rvcheck_predict::predict(&history, &Limits::default());
        Telling { history: &history, properties, units, sources, world }.tell(&predictions, checked);
    }

    /// Notes the verdicts now that there are no more events, and cooks what comes of that. `whole` if none were lost.
    fn finish(&self, stepped: Stepped, live: Live, world: &World, whole: bool, checked: &mut Checked) {
        let Stepped { mut monitor, awaits, waits, panicked, .. } = stepped;
        let ending = |unit: UnitId| self.ending(unit, &panicked, world);
        let end_of = |unit: UnitId| {
            if whole && ending(unit) == Ending::Normal { UnitEnd::Complete } else { UnitEnd::Cut }
        };
        for unit in world.names().units().map(|it| it.0).chain([UnitId::PROCESS]) {
            monitor.end_of_unit(unit, end_of(unit));
        }
        live.finish(whole, end_of, world, self, &awaits, checked);
        let verdicts = monitor.finish(world);
        for violation in &verdicts.violations {
            self.cook(violation, world, &awaits, checked);
        }
        note_verdicts(&verdicts, self, world, whole.then_some(&ending), checked);
        if let Some(waits) = waits {
            let Kitchen { units, properties, sources, .. } = *self;
            let (awaits, departed) = (&awaits, &self.departed.borrow());
            Standstill { units, properties, sources, world, departed, awaits }.report(&waits, checked);
        }
    }

    /// How a unit ended. `panicked` are the tests whose threads ended by a panic.
    fn ending(&self, unit: UnitId, panicked: &BTreeSet<UnitId>, world: &World) -> Ending {
        let name = world.names().unit(unit);
        let told = name.map_or_else(
            || self.units.process_ending(),
            |name| self.units.ending_of(world.names().text(name)),
        );
        if told == Ending::Normal && panicked.contains(&unit) { Ending::Panicked } else { told }
    }

    fn cook(&self, violation: &Violation, world: &World, awaits: &Awaits, checked: &mut Checked) {
        let Some(property) = self.properties.get(violation.property) else { return };
        let row = &mut checked.properties[violation.property];
        let ended = self.ended(violation, property);
        if ended == Some(Ended::ByOwner) {
            return row.pass_over(self.unit_name(violation.unit, world.names()));
        }
        match self.finding(violation, property, world, awaits, None) {
            Some(mut finding) => {
                if ended == Some(Ended::Perhaps) {
                    finding.level = finding.level.min(Level::Note);
                    finding.message.push_str("; it may say no more than that somebody ended it");
                }
                row.find(&finding);
                checked.findings.push(finding);
            }
            None => row.find_elsewhere(self.unit_name(violation.unit, world.names())),
        }
    }

    /// What the error that this is about says of who has ended its task, where that is what the property asks for.
    fn ended(&self, violation: &Violation, property: &Property) -> Option<Ended> {
        let is_lost = property.id() == LOST_ERROR && !self.homes.contains_key(LOST_ERROR);
        let told = self.told.borrow();
        let last = violation.witness.iter().rev().find(|it| it.kind == EventKind::Finish)?;
        told.of(last.task).filter(|_| is_lost)
    }

    /// The finding of a violation; `asked` is there for a formula of the program's.
    pub(super) fn finding(
        &self,
        violation: &Violation,
        property: &Property,
        world: &World,
        awaits: &Awaits,
        asked: Option<Asked>,
    ) -> Option<Finding> {
        let mut tail = self.tails.borrow().of(violation.unit);
        // What is decided late was certain before, unless it is the end that makes it so.
        let is_certain_before = !violation.at_end || property.is_decided_at_end().is_some();
        if let Some(last) = violation.witness.iter().next_back().filter(|_| is_certain_before) {
            match tail.iter().rposition(|it| it.event == *last) {
                Some(at) => tail.truncate(at + 1),
                None => tail.retain(|it| it.event.time < last.time),
            }
        }
        let departed = &self.departed.borrow();
        let scene =
            Scene { sources: self.sources, world, departed, awaits, witness: &violation.witness, tail };
        let origin = match (asked, self.homes.get(property.id())) {
            (Some(asked), _) => Origin::Program(asked),
            (None, Some(home)) => Origin::Workspace(home),
            (None, None) => Origin::Library,
        };
        cooked(violation, property, self.units, &scene, origin)
    }

    /// The variables of the first `exists` of a property, and what these values of theirs are called.
    fn witness(&self, property: usize, values: &[Value], world: &World) -> Vec<(String, String)> {
        let names = self.properties.get(property).map(Property::witnesses).unwrap_or_default();
        let (awaits, witness) = (&Awaits::default(), &Witness::default());
        let departed = &self.departed.borrow();
        let scene = Scene { sources: self.sources, world, departed, awaits, witness, tail: Vec::new() };
        names.into_iter().map(str::to_owned).zip(values.iter().map(|it| scene.name(*it))).collect()
    }

    /// What reports call a unit.
    pub(super) fn unit_name(&self, unit: UnitId, names: &Names) -> String {
        let recorded = names.unit(unit).map_or("", |id| names.text(id));
        self.units.test(recorded).map_or_else(|| PROCESS.to_owned(), |test| self.units.name(test))
    }

    /// The command line that runs this unit again.
    pub(super) fn again(&self, unit: UnitId, names: &Names) -> String {
        let recorded = names.unit(unit).map_or("", |id| names.text(id));
        self.units.again(self.units.test(recorded))
    }

    /// The text of a file that findings name.
    pub(super) fn text(&self, file: &str) -> Option<&str> {
        self.sources.text(file)
    }

    /// A place of the trace, as a finding names it.
    pub(super) fn place(&self, site: SiteId, label: &str, names: &Names) -> finding::Place {
        let nowhere = RecordedSite { file: String::new(), line: 0, column: 0, own: false };
        self.sources.place(Spot::of(names.site(site).unwrap_or(&nowhere)), label)
    }
}

/// Notes the verdict of each property over each unit, under the names of reports. `ending` tells how a unit ended, if no events
/// were lost.
fn note_verdicts(
    verdicts: &Verdicts,
    kitchen: &Kitchen<'_>,
    world: &World,
    ending: Option<&dyn Fn(UnitId) -> Ending>,
    checked: &mut Checked,
) {
    let has_own = !kitchen.units.own().is_empty();
    for (index, property) in verdicts.properties.iter().enumerate() {
        for unit in &property.units {
            checked.properties[index].events += unit.events;
            let mut verdict = unit_verdict(unit, kitchen, world);
            verdict.witness = kitchen.witness(index, &unit.witness, world);
            let recorded = world.names().unit(unit.unit).map_or("", |id| world.names().text(id));
            let whole_process = kitchen.properties[index].scope() == Scope::Process;
            let expected = kitchen.units.test(recorded).is_some() || (whole_process && has_own);
            if !expected && kitchen.units.is_frame() && !unit.exercised {
                continue;
            }
            // A test that panics as it should is nothing to worry about. What it has not touched, it says nothing of; and what it
            // has not violated, where no end could mend or break that, it has kept.
            let panicked = ending.is_some_and(|it| it(unit.unit) == Ending::Panicked);
            let over = property.fault.is_none() && panicked;
            if over && verdict.verdict == Verdict::Inconclusive {
                if !unit.exercised {
                    verdict.verdict = Verdict::NotExercised;
                } else if kitchen.properties[index].is_safety() {
                    verdict.verdict = Verdict::Held;
                }
            }
            checked.properties[index].add(verdict);
        }
        if let Some(fault) = &property.fault {
            let id = kitchen.properties.get(index).map_or("", Property::id);
            checked.inconclusive = true;
            checked.notes.push(fault_note(id, fault, kitchen));
        }
    }
}

/// The verdict over a unit, under the names of reports.
pub(super) fn unit_verdict(
    unit: &rvcheck_spec::UnitVerdict,
    kitchen: &Kitchen<'_>,
    world: &World,
) -> UnitVerdict {
    UnitVerdict {
        test: kitchen.unit_name(unit.unit, world.names()),
        verdict: verdict(unit.verdict),
        bindings: unit.bindings,
        exercised: unit.bindings_exercised,
        witness: Vec::new(),
    }
}

/// Why a property was not checked to the end.
pub(super) fn fault_note(id: &str, fault: &Fault, kitchen: &Kitchen<'_>) -> String {
    format!("`{id}` was not checked to the end of {}: {}", kitchen.units.label(), words(fault))
}

const fn verdict(verdict: rvcheck_spec::Verdict) -> Verdict {
    match verdict {
        rvcheck_spec::Verdict::Violated => Verdict::Violated,
        rvcheck_spec::Verdict::Inconclusive => Verdict::Inconclusive,
        rvcheck_spec::Verdict::Held => Verdict::Held,
        rvcheck_spec::Verdict::NotExercised => Verdict::NotExercised,
    }
}

fn words(fault: &Fault) -> String {
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
