//! The findings of tests that stalled, or that left somebody behind who will never go on: which task waits where, for what, and which one
//! has that.

use super::callback;
use super::context::{FindingContext, Moment};
use super::pictures::touched;
use super::predictions::library_first;
use super::process::Checked;
use super::scene::Scene;
use super::units::PROCESS;
use crate::finding::{
    CodeLocation, Draft, Finding, Level, NextStep, Pictures, Proof, Touched, Witness, WitnessEvent, finding,
};
use crate::report::{UnitVerdict, Verdict};
use crate::waits::{Abandoned, Cause, Explanation, For, Hold, Pending, Standing, Stuck, Waits, explain};
use rvcheck_event::id::{SiteId, TaskId, UnitId};
use rvcheck_event::kind::Sort;
use rvcheck_event::value::Value;

/// Reports why a process did not come to its end.
pub(super) struct StallReporter<'a> {
    pub(super) context: FindingContext<'a>,
    /// The end of its trace.
    pub(super) moment: Moment<'a>,
}

impl StallReporter<'_> {
    /// The property that it violates. A worker that was let go of, and that nobody can tell to end any more, has leaked.
    fn property(&self, told: Told<'_>) -> &'static str {
        let has_leaked = |left: &Abandoned| {
            let in_own_code = |(_, site): &(TaskId, SiteId)| {
                let place = self.context.known_place(*site, "", self.moment.world.names());
                place.is_some_and(|it| it.own && !it.in_test)
            };
            left.detached && !left.keeps_work && left.spawned.iter().all(in_own_code)
        };
        match told.explanation.cause {
            Cause::Abandoned if told.left.is_some_and(has_leaked) => "task-leak",
            cause => cause.property(),
        }
    }

    /// Adds what explains it to the findings and verdicts.
    pub(super) fn report(&self, waits: &Waits, checked: &mut Checked) {
        for unit in waits.units().into_iter().filter(|it| !waits.is_ended(*it)) {
            let world = self.moment.world;
            let recorded = world.names().unit(unit).map_or("", |id| world.names().text(id));
            let test = self.context.units.test(recorded);
            let last = self.context.units.is_stalled(test);
            let stuck = Stuck { hung: self.context.units.hung(), ..waits.stuck(unit) };
            for explanation in explain(waits, &stuck, world, last) {
                let told = Told { explanation: &explanation, stuck: &stuck, unit, test, left: None };
                self.add(told, checked);
            }
        }
    }

    /// Adds those whom units have left behind.
    pub(super) fn report_abandoned(&self, abandoned: &[Abandoned], checked: &mut Checked) {
        for left in abandoned {
            let recorded = self.moment.world.names().unit(left.unit);
            let recorded = recorded.map_or("", |id| self.moment.world.names().text(id));
            let test = self.context.units.test(recorded);
            let Abandoned { explanation, stuck, unit, .. } = left;
            self.add(Told { explanation, stuck, unit: *unit, test, left: Some(left) }, checked);
        }
    }

    fn add(&self, told: Told<'_>, checked: &mut Checked) {
        let Some(found) = self.finding(told) else { return };
        let place = self.context.properties.iter().position(|it| it.id() == found.property);
        if let Some(place) = place.and_then(|at| checked.properties.get_mut(at))
            && found.level > Level::Note
        {
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

    fn finding(&self, told: Told<'_>) -> Option<Finding> {
        let Told { explanation, stuck, unit, test, left } = told;
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
        let is_idle = left.is_some_and(|it| !it.keeps_work);
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
            property: self.property(told).to_owned(),
            level: match () {
                () if explanation.in_doubt => Level::Note,
                () if is_idle => Level::Warning,
                () => Level::Error,
            },
            proof: Proof::Observed,
            message: wording.message(told) + if left.is_some() { OVER } else { "" },
            test: test.map_or_else(|| PROCESS.to_owned(), |test| self.context.units.name(test)),
            witness: wording.events(explanation),
            next: NextStep {
                advice: wording.advice(explanation).to_owned(),
                command: self.context.units.again(test),
            },
        };
        let of_locks = matches!(explanation.cause, Cause::LockOrder | Cause::DoubleLock);
        // A test that shows a deadlock is not what a person would change.
        let candidates = if of_locks || left.is_some() { library_first(&[candidates, held].concat()) } else { candidates };
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
struct Told<'t> {
    explanation: &'t Explanation,
    stuck: &'t Stuck,
    unit: UnitId,
    test: Option<&'t str>,
    /// Those who wait were left behind.
    left: Option<&'t Abandoned>,
}

/// What is said of those who were left behind.
const OVER: &str = "; the test has ended without it";

/// Whether a property is one by which a hang is explained.
pub(super) fn is_of_stalls(property: &str) -> bool {
    Cause::ALL.iter().any(|it| it.property() == property)
}

/// The waits and what is had, as events, by which objects are named.
fn witness(explanation: &Explanation, unit: UnitId) -> rvcheck_spec::Witness {
    let holds = explanation.cycle.iter().filter_map(|it| Some((it.pending.wanted, it.hold?)));
    let taken = holds.filter_map(|(wanted, hold)| event::taken(wanted, &hold, unit));
    let waited = explanation.pending().into_iter().map(|it| event::waited(&it, unit));
    rvcheck_spec::Witness { first: taken.chain(waited).collect(), ..rvcheck_spec::Witness::default() }
}

/// A hang counts in a test, too.
fn unprivileged(place: CodeLocation) -> CodeLocation {
    CodeLocation { in_test: false, ..place }
}

const fn advice(cause: Cause) -> &'static str {
    match cause {
        Cause::LockOrder => "take the locks in the same order everywhere",
        Cause::DoubleLock => "release the lock before requesting it again",
        Cause::Channels => {
            "drop the unused sender, enlarge the channel, or release what the other end needs before waiting"
        }
        Cause::Futurelock => "poll the future to completion or drop it before waiting for what it requested",
        Cause::LostWakeup => "check a condition that the signal changes, before and after waiting",
        Cause::Permits => "request no more permits than can be free, and none while holding some",
        Cause::Stall | Cause::Abandoned => {
            "provide what the task waits for, or let it stop waiting when no other task can"
        }
    }
}

/// The words of a finding, with the events by which objects are named.
struct Wording<'a> {
    witness: rvcheck_spec::Witness,
    reporter: &'a StallReporter<'a>,
}

impl Wording<'_> {
    fn scene(&self) -> Scene<'_> {
        let StallReporter { context, moment } = *self.reporter;
        Scene::of(context.sources, moment, &self.witness)
    }

    fn place(&self, site: SiteId, label: &str) -> Option<CodeLocation> {
        let scene = self.scene();
        scene.compiled_site(site).map(|at| self.reporter.context.sources.place(at, label))
    }

    fn task(&self, task: TaskId) -> String {
        self.scene().task(task)
    }

    fn object(&self, wanted: For) -> String {
        let sort = match wanted {
            For::Lock(..) => Sort::Lock,
            For::Room(_) | For::Message(_) => Sort::Chan,
            For::Permits(..) => Sort::Sem,
            For::Signal(_) => Sort::Signal,
            For::End(task) => return self.task(task),
            For::Unpark | For::Waker => return String::new(),
        };
        wanted.object().map_or_else(String::new, |id| self.scene().name(Value::Object(sort, id.0)))
    }

    /// What is waited for, in words.
    fn wanted(&self, wanted: For) -> String {
        let object = self.object(wanted);
        match wanted {
            For::Lock(..) | For::Signal(_) => object,
            For::Room(_) => format!("room in {object}"),
            For::Message(_) => format!("a message from {object}"),
            For::Permits(_, 1) => format!("a permit of {object}"),
            For::Permits(_, count) => format!("{count} permits of {object}"),
            For::End(_) => format!("the end of {object}"),
            For::Unpark => "its thread to be unparked".to_owned(),
            For::Waker => "somebody to wake it".to_owned(),
        }
    }

    /// What to do about it.
    fn advice(&self, explanation: &Explanation) -> &'static str {
        let is_called_back = |hold: Hold| {
            let asked = explanation.cycle.iter().find(|it| it.pending.task == hold.task)?;
            let (held, asked) = (self.place(hold.site, "")?, self.place(asked.pending.site, "")?);
            Some(callback::runs_between(&held, &asked, self.reporter.context.sources))
        };
        let mut locks = explanation.cycle.iter().filter(|it| matches!(it.pending.wanted, For::Lock(..)));
        if locks.any(|it| it.hold.and_then(is_called_back) == Some(true)) {
            return callback::ADVICE;
        }
        advice(explanation.cause)
    }

    fn waits_at(&self, pending: &Pending) -> Option<CodeLocation> {
        let label = format!("{} waits here for {}", self.task(pending.task), self.wanted(pending.wanted));
        self.place(pending.site, &label)
    }

    fn had_at(&self, wanted: For, hold: Hold) -> Option<CodeLocation> {
        let label = match wanted {
            For::Permits(..) => {
                format!("{} acquired permits of {} here", self.task(hold.task), self.object(wanted))
            }
            _ => format!("{} acquired {} here", self.task(hold.task), self.object(wanted)),
        };
        self.place(hold.site, &label)
    }

    fn queued_at(&self, queued: &Pending) -> Option<CodeLocation> {
        self.place(queued.site, "this request is next in the queue, and no task polls it")
    }

    fn signalled_at(&self, (task, site): (TaskId, SiteId)) -> Option<CodeLocation> {
        self.place(site, &format!("{} signalled here, when no task waited", self.task(task)))
    }

    /// Who could have moved those who were left behind, and where all of them come from.
    fn of_left(&self, left: &Abandoned) -> Vec<CodeLocation> {
        let used = |(task, site): &(TaskId, SiteId)| {
            self.place(*site, &format!("{} was at the other end here last, and is gone", self.task(*task)))
        };
        let spawned = |(task, site): &(TaskId, SiteId)| {
            self.place(*site, &format!("{} was spawned here", self.task(*task)))
        };
        left.others.iter().filter_map(used).chain(left.spawned.iter().filter_map(spawned)).collect()
    }

    fn stands_at(&self, task: TaskId, standing: &Standing) -> Option<CodeLocation> {
        let (site, what) = match standing {
            Standing::Timer(site) => (site, "waits here, with a timer"),
            Standing::Outside { at, .. } => (at, "waits here for something unmonitored"),
            Standing::Runs(site) => (site, "was last seen here"),
            Standing::Waits { .. } | Standing::Unbegun => return None,
        };
        self.place(*site, &format!("{} {what}", self.task(task)))
    }

    /// `… waits for …, which … has`, for each step of a cycle.
    fn chain(&self, explanation: &Explanation) -> String {
        let alone = explanation.cycle.len() == 1;
        let step = |it: &crate::waits::WaitEdge| {
            let (task, wanted) = (self.task(it.pending.task), self.wanted(it.pending.wanted));
            let by = if alone { "it".to_owned() } else { self.task(it.by) };
            let itself = if alone { " itself" } else { "" };
            match (it.pending.wanted, it.hold) {
                (For::End(_), _) if it.pending.is_own_future() => format!("{task} waits for its own future"),
                (For::End(of), _) if of == it.pending.task => format!("{task} waits for its own end"),
                (For::End(_), _) => format!("{task} waits for {wanted}"),
                (For::Permits(..), _) => {
                    format!("{task} waits for {wanted}, of which {by}{itself} holds some")
                }
                (_, Some(_)) => format!("{task} waits for {wanted}, which {by} holds{itself}"),
                (For::Lock(..), None) => format!("{task} waits for {wanted} behind {by}"),
                (For::Room(_), _) => format!("{task} waits for {wanted}, which only {by}{itself} could make"),
                (For::Message(_), _) => {
                    format!("{task} waits for {wanted}, which only {by}{itself} could send")
                }
                _ => format!("{task} waits for {wanted}, which {by}{itself} would give"),
            }
        };
        explanation.cycle.iter().map(step).collect::<Vec<_>>().join("; ")
    }

    fn message(&self, told: Told<'_>) -> String {
        let Told { explanation, stuck, left, .. } = told;
        let first = explanation.pending().first().copied();
        let Some(first) = first else { return self.outside(explanation) };
        let (task, wanted) = (self.task(first.task), self.wanted(first.wanted));
        let message = match explanation.cause {
            _ if !explanation.cycle.is_empty() => self.chain(explanation),
            Cause::Futurelock => format!(
                "{task} waits for {wanted}, while its own request for {} is next in the queue and is not polled",
                explanation.queued.map_or_else(String::new, |it| self.object(it.wanted))
            ),
            Cause::LostWakeup if first.wanted == For::Waker => {
                format!("{task} waits for a future that has not kept its waker, so nobody can wake it")
            }
            Cause::LostWakeup if first.wanted == For::Unpark => {
                format!("{task} is parked, and nobody is left who could unpark it")
            }
            Cause::LostWakeup if explanation.reached_one => format!(
                "{task} waits for {wanted}, which was signalled to one of those who waited, and not again"
            ),
            Cause::LostWakeup => {
                format!(
                    "{task} waits for {wanted}, which was signalled before the task waited, and not again"
                )
            }
            Cause::Permits if self.has_as_many(first) => format!(
                "{task} waits for {wanted}, and whoever took the others has ended without giving them back"
            ),
            Cause::Permits => format!("{task} waits for {wanted}, more than it has"),
            Cause::Channels => match first.wanted {
                For::Room(_) if left.is_some() => {
                    format!("{task} waits for {wanted}, and nobody is left who could receive")
                }
                _ if left.is_some() => {
                    format!("{task} waits for {wanted}, and nobody is left who could send one")
                }
                For::Room(_) => {
                    format!("{task} waits for {wanted}, and every task that could receive also waits")
                }
                _ => format!(
                    "{task} waits for {wanted}, and every task that could send one also waits, or ended without closing it"
                ),
            },
            Cause::Abandoned => {
                format!("{task} waits for {wanted}, and nobody is left who could end the wait")
            }
            _ => format!("nothing makes progress, and {task} waits for {wanted}"),
        };
        let starved = match explanation.starved.len() {
            0 => String::new(),
            1 => "; a spawned task cannot run because the thread is blocked".to_owned(),
            count => format!("; {count} spawned tasks cannot run because the thread is blocked"),
        };
        let doubt = match (explanation.in_doubt, stuck.has_timer()) {
            (false, _) => "",
            (true, true) => "; a timer may still end the wait",
            (true, false) => "; something unmonitored may still end the wait",
        };
        message + &starved + doubt
    }

    /// Whether the semaphore has as many permits as that, free or taken.
    fn has_as_many(&self, pending: Pending) -> bool {
        let For::Permits(id, count) = pending.wanted else { return false };
        let world = self.reporter.moment.world;
        world.object(id).or_else(|| world.buried(id)).is_some_and(|it| it.capacity >= count)
    }

    /// What is said where nothing that is monitored is waited for.
    fn outside(&self, explanation: &Explanation) -> String {
        let Some((task, standing)) = &explanation.outside else { return String::new() };
        let what = match standing {
            Standing::Timer(_) => "waits with a timer",
            Standing::Runs(_) => "does nothing monitored",
            _ => "waits for something unmonitored",
        };
        format!("nothing makes progress, and {} {what}", self.task(*task))
    }

    fn events(&self, explanation: &Explanation) -> Witness {
        let scene = self.scene();
        let shown = |event: &rvcheck_event::event::Event| WitnessEvent {
            event: scene.event(event),
            task: scene.task(event.task),
            object: match event.argument(1) {
                value @ Value::Object(..) => Some(scene.name(value)),
                _ => None,
            },
            arguments: Vec::new(),
            time: event.time,
            site: scene.position(event.site),
        };
        let held = explanation.cycle.iter().filter_map(|it| match it.pending.wanted {
            For::Lock(lock, ..) => Some(lock),
            _ => None,
        });
        let of_locks = explanation.cause == Cause::LockOrder;
        Witness {
            state: explanation.cause.property().to_owned(),
            events: self.witness.iter().map(shown).collect(),
            locks: if of_locks { scene.created_at(held) } else { Vec::new() },
            ..Witness::default()
        }
    }
}

/// Waits and holds as the events that they were.
mod event {
    use crate::waits::{For, Hold, Pending};
    use rvcheck_event::event::Event;
    use rvcheck_event::id::{SiteId, TaskId, ThreadId, UnitId};
    use rvcheck_event::kind::{EventKind, What};

    fn event(kind: EventKind, task: TaskId, site: SiteId, unit: UnitId) -> Event {
        Event {
            kind,
            flags: 0,
            thread: ThreadId(0),
            task,
            unit,
            site,
            object: 0,
            number: 0,
            time: 0,
            ns: 0,
            cpu: 0,
        }
    }

    pub(super) fn waited(pending: &Pending, unit: UnitId) -> Event {
        let (kind, object, flags, number) = match pending.wanted {
            For::Lock(id, mode) => (EventKind::Request, id.0, mode as u8, 0),
            For::Room(id) => (EventKind::SendWait, id.0, 0, 0),
            For::Message(id) => (EventKind::RecvWait, id.0, 0, 0),
            For::Permits(id, count) => (EventKind::PermitWait, id.0, 0, count),
            For::Signal(id) => (EventKind::SignalWait, id.0, 0, 0),
            For::End(task) => (EventKind::JoinWait, task.0, 0, 0),
            For::Unpark => (EventKind::Block, 0, What::Park as u8, 0),
            For::Waker => (EventKind::Await, 0, 0, 0),
        };
        let of = event(kind, pending.task, pending.site, unit);
        Event { flags, object, number: number.into(), time: pending.time, ..of }
    }

    pub(super) fn taken(wanted: For, hold: &Hold, unit: UnitId) -> Option<Event> {
        let (kind, object, flags, number) = match wanted {
            For::Lock(id, _) => (EventKind::Acquire, id.0, hold.mode as u8, 0),
            For::Permits(id, _) => (EventKind::Permit, id.0, 0, hold.count),
            _ => return None,
        };
        let of = event(kind, hold.task, hold.site, unit);
        Some(Event { flags, object, number: number.into(), ..of })
    }
}
