//! One pass over the events of a process, for everything that looks at them.

use super::check_then_act::CheckThenActs;
use super::contended::Contended;
use super::context::{FindingContext, Moment};
use super::joined::Joins;
use super::live::Live;
use super::monitors::Monitors;
use super::nested_permits::NestedPermits;
use super::outlived::Outliving;
use super::predictions::{self, PredictionReporter};
use super::process::Checked;
use super::recent::Recent;
use super::slowest::Slowest;
use super::sources::CompiledSite;
use super::stall::StallReporter;
use super::test_ends::TestEnds;
use super::units::Ending;
use super::{candidates, check_then_act, inversions, what_ifs};
use crate::waits::Left;
use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::kind::{Sort, TestOutcome};
use rvcheck_event::observer::Observer;
use rvcheck_event::stream::EventStream;
use rvcheck_event::world::World;
use rvcheck_predict::{Candidates, Facts, Gather, Limits, Survey};
use std::collections::BTreeSet;

/// See the module.
pub(super) struct Pass<'a> {
    context: FindingContext<'a>,
    monitors: Monitors<'a>,
    /// What a first look shows of deadlocks to predict, if anybody wants to know.
    survey: Option<Survey>,
    /// What might stand still in another interleaving, if anybody wants to know.
    candidates: Option<Candidates>,
    /// Who waits for what, and who was left behind by a unit and will never go on.
    left: Left<'a>,
    ends: TestEnds,
    joins: Joins,
    outliving: Outliving,
    contended: Contended,
    nested: NestedPermits,
    /// Where somebody might come between a check and an act, if anybody wants to know.
    check_then_acts: Option<CheckThenActs>,
    slowest: Slowest<'a>,
}

impl<'a> Pass<'a> {
    /// Before the first event. So many events of each unit are kept for findings.
    pub(super) fn new(
        context: FindingContext<'a>,
        live: Live,
        tail: usize,
        checked: &'a mut Checked,
    ) -> Pass<'a> {
        Pass {
            monitors: Monitors::new(context, Recent::new(tail), live, checked),
            survey: predictions::is_wanted(context.properties).then(Survey::new),
            candidates: candidates::is_wanted(context.properties).then(Candidates::new),
            left: Left::knowing(context.sources),
            ends: TestEnds::default(),
            joins: Joins::default(),
            outliving: Outliving::default(),
            contended: Contended::of(context.held),
            nested: NestedPermits::default(),
            check_then_acts: check_then_act::is_wanted(context.properties).then(CheckThenActs::default),
            slowest: Slowest::new(context),
            context,
        }
    }

    /// What was found so far.
    pub(super) fn checked(&mut self) -> &mut Checked {
        self.monitors.checked
    }

    fn observers(&mut self) -> [&mut dyn Observer; 11] {
        let Pass {
            monitors,
            survey,
            candidates,
            left,
            ends,
            joins,
            outliving,
            contended,
            nested,
            check_then_acts,
            slowest,
            ..
        } = self;
        [
            monitors,
            survey,
            candidates,
            left,
            ends,
            joins,
            outliving,
            contended,
            nested,
            check_then_acts,
            slowest,
        ]
    }

    /// Takes the lock dependencies that the tests have shown into what was found.
    pub(super) fn add_lock_dependencies(&mut self, world: &World) {
        let Some(survey) = &self.survey else { return };
        let FindingContext { units, sources, .. } = self.context;
        self.monitors.checked.dependencies =
            inversions::of_process(survey.dependencies(), units, sources, world);
    }

    /// Concludes, now that there are no more events. `world` is the one after the last event, `whole` if none were lost;
    /// `again` gives the same events once more.
    pub(super) fn finish<S: EventStream>(self, world: &World, whole: bool, again: impl FnOnce() -> S) {
        let Pass {
            context,
            monitors,
            survey,
            candidates,
            left,
            ends,
            joins,
            outliving,
            contended,
            nested,
            check_then_acts,
            slowest,
        } = self;
        let FindingContext { units, sources, .. } = context;
        if let Some(facts) = survey.and_then(Survey::suspicion) {
            predict(facts, again(), &context, world, monitors.checked);
        }
        let full = candidates.as_ref().map_or_else(Vec::new, Candidates::what_ifs);
        what_ifs::report(&full, &context, world, monitors.checked);
        let candidates = candidates.map_or_else(Vec::new, Candidates::finish);
        monitors.checked.steering.extend(candidates::steering(&candidates, units, sources, world));
        let check_then_acts = check_then_acts.map(|it| it.finish(&context, world));
        monitors.checked.steering.extend(check_then_acts.into_iter().flatten());
        monitors.checked.failures = joins.finish(&context, world);
        monitors.checked.ends = outliving.ends(&context, world);
        monitors.checked.outlived = outliving.finish(&context, world);
        let ending = |unit: UnitId| ending(unit, &context, &ends, world);
        let (recent, checked) = monitors.finish(world, whole, &ending);
        let moment = Moment { world, recent: &recent };
        contended.report(&context, moment, checked);
        nested.report(&context, moment, checked);
        checked.slow = slowest.finish();
        let mut left = left;
        if units.is_program() {
            left.process_ends(world);
        } else if units.was_cut_for_good() {
            left.goes_on(world);
        }
        if candidates::is_wanted(context.properties) {
            checked.steering.extend(candidates::longer_runs(left.doubtful(), units, sources, world));
        }
        let (waits, abandoned) = left.finish();
        let reporter = StallReporter { context, moment };
        let stalls = if units.was_cut() { reporter.report(&waits, checked) } else { BTreeSet::new() };
        reporter.report_abandoned(&abandoned, &stalls, checked);
    }
}

impl Observer for Pass<'_> {
    fn observe(&mut self, event: &Event, world: &World) {
        self.observers().observe(event, world);
    }

    fn control(&mut self, event: &Event, world: &World) {
        self.observers().control(event, world);
    }

    fn collect(&mut self, dead: &[(Sort, u32)]) {
        self.observers().collect(dead);
    }
}

/// Looks a second time, for deadlocks that did not happen.
fn predict(
    facts: Facts,
    mut events: impl EventStream,
    context: &FindingContext<'_>,
    world: &World,
    checked: &mut Checked,
) {
    let mut gather = Gather::new(facts);
    events.feed(&mut gather);
    let mut history = gather.finish();
    // What tests do in some order is in that one only there.
    let sites: BTreeSet<SiteId> = history.steps().iter().map(|it| it.site).collect();
    let is_in_test = |site: &SiteId| {
        let place = world.names().site(*site);
        place.is_some_and(|it| context.sources.place(CompiledSite::of(it), "").in_test)
    };
    history.set_of_tests(sites.into_iter().filter(is_in_test));
    let predictions = rvcheck_predict::predict(&history, &Limits::default());
    PredictionReporter { history: &history, context: *context, world }.report(&predictions, checked);
}

/// How a unit ended, as the harness or the events have it.
fn ending(unit: UnitId, context: &FindingContext<'_>, ends: &TestEnds, world: &World) -> Ending {
    let name = world.names().unit(unit);
    let reported = name.map_or_else(
        || context.units.process_ending(),
        |name| context.units.ending_of(world.names().text(name)),
    );
    let panicked = ends.of(unit) == Some(TestOutcome::Panicked);
    if reported == Ending::Normal && panicked { Ending::Panicked } else { reported }
}
