//! What a finding says of those who wait forever.

use super::{StallInfo, StallReporter};
use crate::check::callback;
use crate::check::scene::Scene;
use crate::finding::{CodeLocation, Witness, WitnessEvent};
use crate::waits::{Abandoned, Cause, Explanation, For, Hold, Pending, Standing, WaitEdge};
use rvcheck_event::id::{SiteId, TaskId};
use rvcheck_event::value::Value;

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
            "provide what the task waits for, or end the wait when no other task can provide it"
        }
    }
}

/// The words of a finding, with the events by which objects are named.
pub(super) struct Wording<'a> {
    pub(super) witness: rvcheck_spec::Witness,
    pub(super) reporter: &'a StallReporter<'a>,
}

impl Wording<'_> {
    pub(super) fn scene(&self) -> Scene<'_> {
        let StallReporter { context, moment } = *self.reporter;
        Scene::of(context.sources, moment, &self.witness)
    }

    fn place(&self, site: SiteId, label: &str) -> Option<CodeLocation> {
        let scene = self.scene();
        scene.compiled_site(site).map(|at| self.reporter.context.sources.place(at, label))
    }

    pub(super) fn task(&self, task: TaskId) -> String {
        self.scene().task(task)
    }

    fn object(&self, wanted: For) -> String {
        match wanted {
            For::End(task) => self.task(task),
            _ => wanted.value().map_or_else(String::new, |it| self.scene().name(it)),
        }
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
            For::Waker => "a wake-up".to_owned(),
        }
    }

    /// What to do about it.
    pub(super) fn advice(&self, explanation: &Explanation) -> &'static str {
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

    pub(super) fn waits_at(&self, pending: &Pending) -> Option<CodeLocation> {
        let label = format!("{} waits here for {}", self.task(pending.task), self.wanted(pending.wanted));
        self.place(pending.site, &label)
    }

    pub(super) fn had_at(&self, wanted: For, hold: Hold) -> Option<CodeLocation> {
        let label = match wanted {
            For::Permits(..) => {
                format!("{} acquired permits of {} here", self.task(hold.task), self.object(wanted))
            }
            _ => format!("{} acquired {} here", self.task(hold.task), self.object(wanted)),
        };
        self.place(hold.site, &label)
    }

    pub(super) fn queued_at(&self, queued: &Pending) -> Option<CodeLocation> {
        self.place(queued.site, "this request is next in the queue, and no task polls it")
    }

    pub(super) fn signalled_at(&self, (task, site): (TaskId, SiteId)) -> Option<CodeLocation> {
        self.place(site, &format!("{} signalled here, when no task waited", self.task(task)))
    }

    /// Who could have moved those who were left behind, and where all of them come from.
    pub(super) fn of_left(&self, left: &Abandoned) -> Vec<CodeLocation> {
        let used = |(task, site): &(TaskId, SiteId)| {
            self.place(*site, &format!("{} used the other end here last, and is gone", self.task(*task)))
        };
        let spawned = |(task, site): &(TaskId, SiteId)| {
            self.place(*site, &format!("{} was spawned here", self.task(*task)))
        };
        left.others.iter().filter_map(used).chain(left.spawned.iter().filter_map(spawned)).collect()
    }

    pub(super) fn stands_at(&self, task: TaskId, standing: &Standing) -> Option<CodeLocation> {
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
        let step = |it: &WaitEdge| {
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

    pub(super) fn message(&self, stall: StallInfo<'_>) -> String {
        let StallInfo { explanation, stuck, left, .. } = stall;
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
                format!("{task} waits for a future, but its waker is gone, so nothing can wake it")
            }
            Cause::LostWakeup if first.wanted == For::Unpark => {
                format!("{task} is parked, and nothing is left that could unpark it")
            }
            Cause::LostWakeup if explanation.reached_one => {
                format!("{task} waits for {wanted}, which was signalled to one of the waiters, and not again")
            }
            Cause::LostWakeup => {
                format!(
                    "{task} waits for {wanted}, which was signalled before the task waited, and not again"
                )
            }
            Cause::Permits if self.has_as_many(first) => format!(
                "{task} waits for {wanted}, and the holders of the others have ended without giving them back"
            ),
            Cause::Permits => format!("{task} waits for {wanted}, more than it has"),
            Cause::Channels => match first.wanted {
                For::Room(_) if left.is_some() => {
                    format!("{task} waits for {wanted}, and nothing is left that could receive")
                }
                _ if left.is_some() => {
                    format!("{task} waits for {wanted}, and nothing is left that could send one")
                }
                For::Room(_) => {
                    format!("{task} waits for {wanted}, and every task that could receive also waits")
                }
                _ => format!(
                    "{task} waits for {wanted}, and every task that could send one also waits, or ended without closing it"
                ),
            },
            Cause::Abandoned => {
                format!("{task} waits for {wanted}, and nothing is left that could end the wait")
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

    pub(super) fn events(&self, explanation: &Explanation) -> Witness {
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
