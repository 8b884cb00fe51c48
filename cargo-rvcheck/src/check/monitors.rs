//! The monitors of a process: those of the properties, and those of formulas that the program brings along. What they object to
//! becomes a finding at once, as long as everything that it speaks of is known.

use super::cancellations::Ended;
use super::context::{FindingContext, Moment};
use super::enforced::is_remedied;
use super::engine_verdicts::note_verdicts;
use super::live::Live;
use super::process::Checked;
use super::recent::Recent;
use super::repeats::{Became, Kind, Repeats};
use super::sources::CompiledSite;
use super::units::Ending;
use super::unread::{SEEN, Unread};
use super::violation::runs;
use crate::finding::Level;
use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::names::Names;
use rvcheck_event::observer::Observer;
use rvcheck_event::world::World;
use rvcheck_spec::{Monitor, Property, UnitEnd, Violation};

/// The property of errors that nobody can read.
pub(super) const LOST_ERROR: &str = "lost-error";

/// See the module.
pub(super) struct Monitors<'a> {
    context: FindingContext<'a>,
    recent: Recent,
    monitor: Monitor,
    repeats: Repeats,
    unread: Unread,
    live: Live,
    /// What they have found.
    pub(super) checked: &'a mut Checked,
}

impl<'a> Monitors<'a> {
    pub(super) fn new(
        context: FindingContext<'a>,
        recent: Recent,
        live: Live,
        checked: &'a mut Checked,
    ) -> Monitors<'a> {
        let monitor = Monitor::new(context.properties.to_vec());
        Monitors {
            context,
            recent,
            monitor,
            repeats: Repeats::default(),
            unread: Unread::default(),
            live,
            checked,
        }
    }

    /// Notes the verdicts now that there are no more events, and reports what comes of that. `whole` if none were lost; `ending` is how
    /// a unit ended.
    pub(super) fn finish(
        mut self,
        world: &World,
        whole: bool,
        ending: &dyn Fn(UnitId) -> Ending,
    ) -> (Recent, &'a mut Checked) {
        let end_of = |unit: UnitId| {
            if whole && ending(unit) == Ending::Normal { UnitEnd::Complete } else { UnitEnd::Cut }
        };
        for unit in world.names().units().map(|it| it.0).chain([UnitId::PROCESS]) {
            self.monitor.end_of_unit(unit, end_of(unit));
        }
        self.live.end(whole, end_of, world);
        self.report_live(world);
        let Monitors { context, recent, monitor, mut repeats, mut unread, live, checked } = self;
        live.finish(whole, &context, world, checked);
        let verdicts = monitor.finish(world);
        let moment = Moment { world, recent: &recent };
        for (violation, is_seen) in unread.take() {
            report(&violation, is_seen, &context, moment, (&mut repeats, &mut *checked));
        }
        for violation in &verdicts.violations {
            report(violation, false, &context, moment, (&mut repeats, &mut *checked));
        }
        note_verdicts(&verdicts, &context, moment, whole.then_some(ending), checked);
        (recent, checked)
    }

    fn report_live(&mut self, world: &World) {
        let moment = Moment { world, recent: &self.recent };
        self.live.report(&self.context, moment);
    }
}

impl Observer for Monitors<'_> {
    fn observe(&mut self, event: &Event, world: &World) {
        self.checked.events += 1;
        self.recent.observe(event, world);
        self.unread.observe(event, world);
        self.monitor.observe(event, world);
        for violation in self.monitor.take_violations() {
            let property = &self.context.properties[violation.property];
            let Some(violation) = self.unread.hold(violation, property) else { continue };
            let moment = Moment { world, recent: &self.recent };
            report(&violation, false, &self.context, moment, (&mut self.repeats, &mut *self.checked));
        }
        self.live.observe(event, world);
        self.report_live(world);
    }

    fn control(&mut self, event: &Event, world: &World) {
        self.live.control(event, world);
        self.report_live(world);
    }

    fn collect(&mut self, dead: &[(Sort, u32)]) {
        self.recent.collect(dead);
        self.unread.collect(dead);
        Observer::collect(&mut self.monitor, dead);
        self.live.collect(dead);
    }
}

/// Adds the finding of a violation of a property to the others. `is_seen` is whether somebody has noticed the failure otherwise.
fn report(
    violation: &Violation,
    is_seen: bool,
    context: &FindingContext<'_>,
    moment: Moment<'_>,
    (repeats, checked): (&mut Repeats, &mut Checked),
) {
    let Some(property) = context.properties.get(violation.property) else { return };
    let row = &mut checked.properties[violation.property];
    let unit = || context.unit_name(violation.unit, moment.world.names());
    let ended = ended(violation, property, context, moment.recent);
    let is_meant = is_meant_panic(violation, property, context, moment);
    if is_meant || ended == Some(Ended::ByOwner) || is_remedied(violation, property, moment.world) {
        return row.pass_over(unit());
    }
    let kind = Kind::of(violation, runs(violation, moment), ended.is_some() || is_seen);
    match repeats.enough(&kind) {
        Some(Became::Finding(place)) => return checked.findings[place].count_again(),
        Some(Became::Nothing) => return row.find_elsewhere(unit()),
        None => {}
    }
    let found = context.finding(violation, property, moment, None);
    let became = found.as_ref().map_or(Became::Nothing, |_| Became::Finding(checked.findings.len()));
    repeats.note(kind, became);
    match found {
        Some(mut finding) => {
            if let Some(doubt) = ended.and_then(Ended::doubt) {
                finding.level = finding.level.min(Level::Note);
                finding.message.push_str(doubt);
            }
            if is_seen {
                finding.level = finding.level.min(Level::Note);
                finding.message.push_str(SEEN);
            }
            if may_be_stopped(violation, property, moment.world.names()) {
                finding.level = finding.level.min(Level::Note);
                finding.message.push_str("; a property stopped its test, which may be that panic");
            }
            row.find(&finding);
            row.serve(unit(), &finding);
            checked.findings.push(finding);
        }
        None => row.find_elsewhere(unit()),
    }
}

/// Whether what this is about may be the panic by which a property has stopped the program.
fn may_be_stopped(violation: &Violation, property: &Property, names: &Names) -> bool {
    let is_panic = violation.witness.iter().any(|it| it.kind == EventKind::Panic);
    let is_stopped = names.stops().iter().any(|it| it.unit == violation.unit && !it.ended);
    property.id() == LOST_ERROR && is_panic && is_stopped
}

/// Whether this is about a task or thread of a test that can do nothing else than to panic: the test looks at what becomes of the others.
fn is_meant_panic(
    violation: &Violation,
    property: &Property,
    context: &FindingContext<'_>,
    moment: Moment<'_>,
) -> bool {
    let is_lost = property.id() == LOST_ERROR && !context.definitions.contains_key(LOST_ERROR);
    let mut panics = violation.witness.iter().filter(|it| is_lost && it.kind == EventKind::Panic);
    panics.any(|it| {
        let site = moment.world.names().site(it.site).filter(|it| it.position.is_known());
        site.is_some_and(|it| context.sources.is_meant_panic(CompiledSite::of(it)))
    })
}

/// What the error that this is about says of who has ended its task, where that is what the property asks for.
fn ended(
    violation: &Violation,
    property: &Property,
    context: &FindingContext<'_>,
    recent: &Recent,
) -> Option<Ended> {
    let is_lost = property.id() == LOST_ERROR && !context.definitions.contains_key(LOST_ERROR);
    let last =
        violation.witness.iter().rev().find(|it| matches!(it.kind, EventKind::Finish | EventKind::Panic))?;
    recent.ended(last.task).filter(|_| is_lost)
}
