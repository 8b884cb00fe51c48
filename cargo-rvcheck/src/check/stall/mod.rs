//! The findings of tests that stalled, or that left somebody behind who will never go on: which task waits where, for what, and which one
//! has that.

mod witness;
mod wording;

use super::context::{FindingContext, Moment};
use super::pictures::touched;
use super::predictions::library_first;
use super::process::Checked;
use super::units::PROCESS;
use crate::finding::{CodeLocation, Draft, Finding, Level, NextStep, Pictures, Proof, Touched, finding};
use crate::report::{UnitVerdict, Verdict};
use crate::waits::{Abandoned, Cause, Explanation, Lost, Stuck, Waits, explain};
use rvcheck_event::id::{SiteId, TaskId, UnitId};
use std::collections::BTreeSet;
use witness::witness;
use wording::Wording;

/// Reports why a process did not come to its end.
pub(super) struct StallReporter<'a> {
    pub(super) context: FindingContext<'a>,
    /// The end of its trace.
    pub(super) moment: Moment<'a>,
}

impl StallReporter<'_> {
    /// The property that it violates. A worker that was let go of, and that nobody can tell to end any more, has leaked.
    fn property(&self, stall: StallInfo<'_>) -> &'static str {
        let has_leaked = |left: &Abandoned| {
            let in_own_code = |(_, site): &(TaskId, SiteId)| {
                let place = self.context.known_place(*site, "", self.moment.world.names());
                place.is_some_and(|it| it.own && !it.in_test)
            };
            left.detached && left.lost != Lost::Work && left.spawned.iter().all(in_own_code)
        };
        match stall.explanation.cause {
            Cause::Abandoned if stall.left.is_some_and(has_leaked) => "task-leak",
            cause => cause.property(),
        }
    }

    /// Adds what explains it to the findings and verdicts. Whose waits are explained for certain.
    pub(super) fn report(&self, waits: &Waits, checked: &mut Checked) -> BTreeSet<TaskId> {
        let mut explained = BTreeSet::new();
        for unit in waits.units().into_iter().filter(|it| !waits.is_ended(*it)) {
            let world = self.moment.world;
            let recorded = world.names().unit(unit).map_or("", |id| world.names().text(id));
            let test = self.context.units.test(recorded);
            let last = self.context.units.is_stalled(test);
            let stuck = Stuck { hung: self.context.units.hung(), ..waits.stuck(unit) };
            for explanation in explain(waits, &stuck, world, last) {
                let stall = StallInfo { explanation: &explanation, stuck: &stuck, unit, test, left: None };
                self.add(stall, checked);
                if !explanation.in_doubt {
                    explained.extend(explanation.pending().iter().map(|it| it.task));
                }
            }
        }
        explained
    }

    /// Adds those whom units have left behind, but for those whose waits are explained.
    pub(super) fn report_abandoned(
        &self,
        abandoned: &[Abandoned],
        explained: &BTreeSet<TaskId>,
        checked: &mut Checked,
    ) {
        let is_explained =
            |it: &&Abandoned| it.explanation.pending().iter().any(|it| explained.contains(&it.task));
        for left in abandoned.iter().filter(|it| !is_explained(it)) {
            let recorded = self.moment.world.names().unit(left.unit);
            let recorded = recorded.map_or("", |id| self.moment.world.names().text(id));
            let test = self.context.units.test(recorded);
            let Abandoned { explanation, stuck, unit, .. } = left;
            self.add(StallInfo { explanation, stuck, unit: *unit, test, left: Some(left) }, checked);
        }
    }

    fn add(&self, stall: StallInfo<'_>, checked: &mut Checked) {
        let Some(found) = self.finding(stall) else { return };
        let place = self.context.properties.iter().position(|it| it.id() == found.property);
        if let Some(place) = place.and_then(|at| checked.properties.get_mut(at))
            && found.level > Level::Note
        {
            place.find(&found);
            place.add(UnitVerdict {
                test: found.test.clone(),
                verdict: Verdict::Violated,
                bindings: 1,
                exercised: 1,
                witness: Vec::new(),
            });
        }
        checked.findings.push(found);
    }

    fn finding(&self, stall: StallInfo<'_>) -> Option<Finding> {
        let StallInfo { explanation, stuck, unit, test, left } = stall;
        let wording = Wording { witness: witness(explanation, unit), reporter: self };
        let pending = explanation.pending();
        // That a test waits for the future that it drives needs no saying.
        let rest = stuck.waiting().flat_map(|it| it.1);
        let rest = rest.filter(|it| !pending.contains(it) && !it.is_own_future());
        let candidates: Vec<CodeLocation> = pending.iter().filter_map(|it| wording.waits_at(it)).collect();
        let held: Vec<CodeLocation> =
            explanation.cycle.iter().filter_map(|it| wording.had_at(it.pending.wanted, it.hold?)).collect();
        let queued = explanation.queued.iter().filter_map(|it| wording.queued_at(it));
        let signal = explanation.signal.iter().filter_map(|it| wording.signalled_at(*it));
        let others = rest.filter_map(|it| wording.waits_at(it));
        let outside = stuck.tasks.iter().filter_map(|(task, standing)| wording.stands_at(*task, standing));
        let is_idle = left.is_some_and(|it| it.lost != Lost::Work);
        // A hang, or what is stuck, counts in a test, too.
        let privilege = |place: CodeLocation| if is_idle { place } else { unprivileged(place) };
        let related: Vec<CodeLocation> = candidates
            .iter()
            .cloned()
            .chain(held.iter().cloned())
            .chain(queued)
            .chain(signal)
            .chain(others)
            .chain(outside)
            .chain(left.into_iter().flat_map(|it| wording.of_left(it)))
            .map(privilege)
            .collect();
        let draft = Draft {
            property: self.property(stall).to_owned(),
            level: match () {
                () if explanation.in_doubt || left.is_some_and(|it| it.lost == Lost::Services) => Level::Note,
                () if is_idle => Level::Warning,
                () => Level::Error,
            },
            proof: Proof::Observed,
            message: wording.message(stall) + left.map_or("", |it| without(it, test)),
            test: test.map_or_else(|| PROCESS.to_owned(), |test| self.context.units.name(test)),
            witness: wording.events(explanation),
            next: NextStep {
                advice: if is_idle { END_IT } else { wording.advice(explanation) }.to_owned(),
                command: self.context.units.again(test),
            },
        };
        let of_locks = matches!(explanation.cause, Cause::LockOrder | Cause::DoubleLock);
        // A test that shows a deadlock is not what a person would change.
        let candidates =
            if of_locks || left.is_some() { library_first(&[candidates, held].concat()) } else { candidates };
        let candidates: Vec<CodeLocation> =
            candidates.into_iter().chain(related.clone()).map(privilege).collect();
        let touched = Touched {
            stuck: !explanation.in_doubt,
            ..touched(wording.witness.iter(), &[], &wording.scene())
        };
        let touched = explanation.signal.iter().fold(touched, |mut touched, (task, _)| {
            touched.add_task(*task, || wording.task(*task));
            touched
        });
        let found = finding(draft, &candidates, &related)?;
        Some(Finding { pictures: Pictures::of(touched), ..found })
    }
}

/// What there is to tell.
#[derive(Clone, Copy)]
struct StallInfo<'t> {
    explanation: &'t Explanation,
    stuck: &'t Stuck,
    unit: UnitId,
    test: Option<&'t str>,
    /// Those who wait were left behind.
    left: Option<&'t Abandoned>,
}

/// What to do about a worker that nobody tells to end.
const END_IT: &str = "end the task when its owner is dropped, or let the test stop it";

/// What is said of those who were left behind.
const fn without(left: &Abandoned, test: Option<&str>) -> &'static str {
    match (test.is_some(), left.is_over) {
        (true, true) => "; the test has ended without it",
        (true, false) => "; the test goes on without it",
        (false, true) => "; the program has ended without it",
        (false, false) => "; the program goes on without it",
    }
}

/// Whether a property is one by which a hang is explained.
pub(super) fn is_of_stalls(property: &str) -> bool {
    Cause::ALL.iter().any(|it| it.property() == property)
}

/// A hang counts in a test, too.
fn unprivileged(place: CodeLocation) -> CodeLocation {
    CodeLocation { in_test: false, ..place }
}
