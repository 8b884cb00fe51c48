//! Waits of async code for a blocking lock whose holder blocked meanwhile.
//!
//! How long such a wait lasts is not in the hands of the critical section alone: the thread in it may be preempted. But a holder that is
//! seen to sleep, or to wait for something else than a lock, keeps the lock as long as that takes, and the thread of whoever wants the lock
//! with it. Reads and writes of files and sockets do not count: whether one of them was slow or preempted is not to be seen.

use super::context::{FindingContext, Moment};
use super::process::Checked;
use super::scene::Scene;
use crate::finding::{CodeLocation, Draft, Finding, Level, NextStep, Pictures, Proof, Touched, finding};
use crate::report::{UnitVerdict, Verdict};
use crate::request::ThresholdArgs;
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, TaskId, UnitId};
use rvcheck_event::kind::{EventKind, LockKind, ObjectKind, Sort, TaskKind, What};
use rvcheck_event::observer::Observer;
use rvcheck_event::record::flag;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_spec::Witness;
use std::collections::{BTreeMap, HashSet};

/// The property.
const BLOCKING: &str = "blocking-in-async";
/// How long both have to be blocked at once, in ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldLimits {
    /// For a warning.
    pub warned: u64,
    /// For an error.
    pub long: u64,
}

impl HeldLimits {
    /// Those that are asked for.
    pub const fn of(thresholds: &ThresholdArgs) -> HeldLimits {
        HeldLimits { warned: thresholds.held_wait.nanos(), long: thresholds.long_held_wait.nanos() }
    }
}

impl Default for HeldLimits {
    fn default() -> HeldLimits {
        HeldLimits::of(&ThresholdArgs::DEFAULT)
    }
}

/// How many places are remembered.
const MOST: usize = 1 << 12;

/// Somebody waits for a lock.
#[derive(Clone, Copy, Debug)]
struct Wait {
    task: u32,
    site: SiteId,
    /// Since when its thread is blocked.
    since: Option<u64>,
    /// The longest time for which the holder was blocked at once.
    worst: Option<Worst>,
}

#[derive(Clone, Copy, Debug)]
struct Worst {
    ns: u64,
    what: What,
    /// Where the holder was blocked, and where it had taken the lock.
    site: SiteId,
    taken: SiteId,
}

/// Where it happened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    unit: UnitId,
    wanted: SiteId,
    blocked: SiteId,
    taken: SiteId,
}

/// One wait in such a place.
#[derive(Clone, Copy, Debug)]
struct Contention {
    task: TaskId,
    lock: ObjectId,
    what: What,
    spawned: SiteId,
    is_long: bool,
    times: u64,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Contended {
    limits: HeldLimits,
    /// The blocking locks that each task has, and where it took them.
    held: BTreeMap<u32, Vec<(u32, SiteId)>>,
    waits: BTreeMap<u32, Vec<Wait>>,
    /// Those that wait on a condition variable.
    for_signals: HashSet<u32>,
    /// The tasks that were polled.
    polled: HashSet<u32>,
    found: BTreeMap<Place, Contention>,
}

impl Observer for Contended {
    fn observe(&mut self, event: &Event, world: &World) {
        use EventKind as K;
        let task = event.task.0;
        match event.kind {
            K::Poll if self.polled.len() < MOST => _ = self.polled.insert(task),
            K::Request if is_blocking(event, world) => {
                let wait = Wait { task, site: event.site, since: None, worst: None };
                self.waits.entry(event.object).or_default().push(wait);
            }
            K::Withdraw => _ = self.over(event),
            K::Acquire => {
                if let Some(wait) = self.over(event) {
                    self.contention(wait, event, world);
                }
                if is_blocking(event, world) {
                    self.held.entry(task).or_default().push((event.object, event.site));
                }
            }
            K::Release => self.release(event),
            K::Block if what(event) == What::Lock => {
                let own = self.waits.values_mut().flatten().find(|it| it.task == task && it.since.is_none());
                if let Some(wait) = own {
                    wait.since = Some(event.time);
                }
            }
            K::SignalWait if is_condition(event, world) && self.for_signals.len() < MOST => {
                self.for_signals.insert(task);
            }
            K::Unblock => self.unblock(event),
            K::Signalled | K::SignalCancel => _ = self.for_signals.remove(&task),
            K::Finish | K::Cancel | K::Panic if self.held.get(&task).is_some_and(Vec::is_empty) => {
                self.held.remove(&task);
            }
            _ => {}
        }
    }
}

fn is_blocking(event: &Event, world: &World) -> bool {
    let kind = world.object(ObjectId(event.object)).map(|it| it.kind);
    kind.and_then(ObjectKind::lock_kind) == Some(LockKind::Blocking)
}

fn is_condition(event: &Event, world: &World) -> bool {
    let kind = world.object(ObjectId(event.object)).map(|it| it.kind);
    kind.is_some_and(ObjectKind::is_condvar)
}

fn what(event: &Event) -> What {
    What::of_bits(event.flags & flag::ENUM).unwrap_or(What::Lock)
}

impl Contended {
    /// Before the first event.
    pub(super) fn of(limits: HeldLimits) -> Contended {
        Contended { limits, ..Contended::default() }
    }

    /// A wait is over.
    fn over(&mut self, event: &Event) -> Option<Wait> {
        let waits = self.waits.get_mut(&event.object)?;
        let at = waits.iter().position(|it| it.task == event.task.0)?;
        let wait = waits.swap_remove(at);
        if waits.is_empty() {
            self.waits.remove(&event.object);
        }
        Some(wait)
    }

    /// A guard may be dropped by somebody else.
    fn release(&mut self, event: &Event) {
        let lock = event.object;
        let of = |held: &Vec<(u32, SiteId)>| held.iter().rposition(|it| it.0 == lock);
        if let Some(own) = self.held.get_mut(&event.task.0)
            && let Some(at) = of(own)
        {
            own.remove(at);
            return;
        }
        if let Some((held, at)) = self.held.values_mut().find_map(|it| of(it).map(|at| (it, at))) {
            held.remove(at);
        }
    }

    /// The thread of one that may have locks was blocked.
    fn unblock(&mut self, event: &Event) {
        let what = what(event);
        let counts = matches!(
            what,
            What::Sleep | What::Process | What::Recv | What::Join | What::BlockOn | What::Park
        ) || what == What::Lock && self.for_signals.contains(&event.task.0);
        let Some(held) = self.held.get(&event.task.0).filter(|_| counts && !self.waits.is_empty()) else {
            return;
        };
        for (lock, taken) in held {
            for wait in self.waits.get_mut(lock).into_iter().flatten() {
                let Some(since) = wait.since.filter(|_| wait.task != event.task.0) else { continue };
                let begun = since.max(event.time.saturating_sub(event.ns));
                let ns = event.time.saturating_sub(begun);
                if wait.worst.is_none_or(|it| it.ns < ns) {
                    wait.worst = Some(Worst { ns, what, site: event.site, taken: *taken });
                }
            }
        }
    }

    /// A wait has ended with the lock.
    fn contention(&mut self, wait: Wait, event: &Event, world: &World) {
        let Some(worst) = wait.worst.filter(|it| it.ns >= self.limits.warned) else { return };
        let known = world.task(event.task);
        let is_async = match known.map(|it| it.kind) {
            Some(TaskKind::Async | TaskKind::Local) => true,
            // The future that a test or `block_on` drives is async code, too; the thread that does so is not.
            Some(TaskKind::Test | TaskKind::Root) => self.polled.contains(&event.task.0),
            _ => false,
        };
        let place = Place { unit: event.unit, wanted: wait.site, blocked: worst.site, taken: worst.taken };
        if !is_async || (self.found.len() >= MOST && !self.found.contains_key(&place)) {
            return;
        }
        let found = self.found.entry(place).or_insert(Contention {
            task: event.task,
            lock: ObjectId(event.object),
            what: worst.what,
            spawned: known.map_or(SiteId::NONE, |it| it.spawned_at),
            is_long: false,
            times: 0,
        });
        found.times += 1;
        found.is_long |= worst.ns >= self.limits.long;
    }

    /// Adds what was found, if that is asked for.
    pub(super) fn report(self, context: &FindingContext<'_>, moment: Moment<'_>, checked: &mut Checked) {
        let Some(row) = context.properties.iter().position(|it| it.id() == BLOCKING) else { return };
        for (place, contention) in &self.found {
            let Some(found) = finding_of(*place, contention, context, moment) else { continue };
            let row = &mut checked.properties[row];
            row.find(&found);
            if found.level > Level::Note {
                row.add(UnitVerdict {
                    test: found.test.clone(),
                    verdict: Verdict::Violated,
                    bindings: 1,
                    exercised: 1,
                    witness: Vec::new(),
                });
            }
            checked.findings.push(found);
        }
    }
}

fn finding_of(
    place: Place,
    contention: &Contention,
    context: &FindingContext<'_>,
    moment: Moment<'_>,
) -> Option<Finding> {
    let names = moment.world.names();
    let witness = Witness::default();
    let scene = Scene::of(context.sources, moment, &witness);
    let at = |site: SiteId, label: &str| context.known_place(site, label, names);
    let meanwhile = match contention.what {
        What::Sleep => "slept",
        What::Process => "waited for a child process",
        What::Recv => "waited for a message or for room",
        What::Join => "waited for another task or thread to end",
        What::Lock => "waited for a signal",
        _ => "waited for something else",
    };
    let (task, lock) =
        (scene.task(contention.task), scene.name(Value::object(Sort::Lock, contention.lock.0)));
    let wanted = at(place.wanted, &format!("{task} blocks its thread here"))?;
    let held = at(place.taken, "locked here")?;
    let blocked = at(place.blocked, &format!("the holder {meanwhile} here"))?;
    // A test may well keep a lock busy.
    let is_of_test = [&held, &blocked].iter().any(|it| it.in_test);
    let level = match (is_of_test, contention.is_long) {
        (true, _) => Level::Note,
        (false, true) => Level::Error,
        (false, false) => Level::Warning,
    };
    let draft = Draft {
        property: BLOCKING.to_owned(),
        level,
        proof: Proof::Observed,
        message: format!("{task} blocked its thread on {lock} while its holder {meanwhile}"),
        test: context.unit_name(place.unit, names),
        witness: crate::finding::Witness::default(),
        next: NextStep {
            advice: "release the lock before blocking, or copy out what is needed under it".to_owned(),
            command: context.again(place.unit, names),
        },
    };
    let related: Vec<CodeLocation> =
        [held, blocked].into_iter().chain(at(contention.spawned, "task spawned here")).collect();
    let pictures = Pictures::of(Touched {
        tasks: vec![(contention.task, task)],
        objects: vec![(contention.lock, lock)],
        ..Touched::default()
    });
    let found = finding(draft, &[wanted], &related)?;
    Some(Finding { occurrences: contention.times, pictures, ..found })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rvcheck_event::kind::Mode;
    use rvcheck_event::stream::EventStream;
    use rvcheck_event::trace::write::TraceBuilder;
    use rvcheck_event::trace::{merge, read};

    /// What a trace shows.
    fn seen_in(trace: &TraceBuilder) -> Contended {
        let bytes = trace.build();
        let trace = read::read(&bytes).expect("it is a trace");
        let mut contended = Contended::default();
        merge::events(&trace).feed(&mut contended);
        contended
    }

    /// A task of this kind waits for a lock for 30 ms, of which its holder is blocked like that for so many. Whether that is found, and
    /// whether it is long.
    fn waited(kind: TaskKind, what: What, ms: u64) -> Option<bool> {
        let mut trace = TraceBuilder::new();
        let test = trace.test("it");
        let site = |trace: &mut TraceBuilder, line| trace.site("src/lib.rs", line, 5);
        let [born, spawn, takes, sleeps, wants] = [1, 2, 3, 4, 5].map(|line| site(&mut trace, line));
        let lock = trace.object(test, ObjectKind::StdMutex, born, 0);
        let holder = trace.spawn(test, TaskKind::Thread, spawn, "()");
        let waiter = trace.spawn(test, kind, spawn, "()");
        let (first, second) = (trace.thread(""), trace.thread(""));
        trace.poll(first, holder);
        trace.poll(second, waiter);
        trace.lock(first, EventKind::Acquire, lock, Mode::Write, takes);
        trace.pass(1_000_000);
        trace.lock(second, EventKind::Request, lock, Mode::Write, wants);
        trace.block(second, EventKind::Block, What::Lock, wants);
        trace.pass(1_000_000);
        trace.block(first, EventKind::Block, what, sleeps);
        trace.pass(ms * 1_000_000);
        trace.block(first, EventKind::Unblock, what, sleeps);
        trace.pass(30_000_000_u64.saturating_sub(ms * 1_000_000));
        trace.lock(first, EventKind::Release, lock, Mode::Write, takes);
        trace.pass(1_000);
        trace.block(second, EventKind::Unblock, What::Lock, wants);
        trace.lock(second, EventKind::Acquire, lock, Mode::Write, wants);
        seen_in(&trace).found.values().next().map(|it| it.is_long)
    }

    /// Whether a wait of 30 ms counts for a lock whose holder waits for a signal meanwhile, of this kind.
    fn waited_for_signal(kind: ObjectKind) -> bool {
        let mut trace = TraceBuilder::new();
        let test = trace.test("it");
        let [born, spawn, takes, waits, wants] =
            [1, 2, 3, 4, 5].map(|line| trace.site("src/lib.rs", line, 5));
        let lock = trace.object(test, ObjectKind::StdMutex, born, 0);
        let signal = trace.object(test, kind, born, 0);
        let holder = trace.spawn(test, TaskKind::Thread, spawn, "()");
        let waiter = trace.spawn(test, TaskKind::Async, spawn, "()");
        let (first, second) = (trace.thread(""), trace.thread(""));
        trace.poll(first, holder);
        trace.poll(second, waiter);
        trace.lock(first, EventKind::Acquire, lock, Mode::Write, takes);
        trace.event(first, EventKind::SignalWait, signal, 0, waits);
        trace.block(first, EventKind::Block, What::Lock, waits);
        trace.pass(1_000_000);
        trace.lock(second, EventKind::Request, lock, Mode::Write, wants);
        trace.block(second, EventKind::Block, What::Lock, wants);
        trace.pass(30_000_000);
        trace.block(first, EventKind::Unblock, What::Lock, waits);
        trace.event(first, EventKind::Signalled, signal, 0, waits);
        trace.lock(first, EventKind::Release, lock, Mode::Write, takes);
        trace.pass(1_000);
        trace.block(second, EventKind::Unblock, What::Lock, wants);
        trace.lock(second, EventKind::Acquire, lock, Mode::Write, wants);
        !seen_in(&trace).found.is_empty()
    }

    #[test]
    fn a_holder_that_waits_on_a_condition_variable_is_blocked() {
        assert!(waited_for_signal(ObjectKind::StdCondvar));
        assert!(waited_for_signal(ObjectKind::ParkingLotCondvar));
        // What blocks its thread while a future waits for a notification is something else.
        assert!(!waited_for_signal(ObjectKind::TokioNotify));
    }

    #[test]
    fn a_wait_counts_as_far_as_its_holder_is_blocked() {
        let cases = [
            (TaskKind::Async, What::Sleep, 10, Some(false)),
            (TaskKind::Local, What::Recv, 10, Some(false)),
            (TaskKind::Async, What::Join, 120, Some(true)),
            // It may have been preempted for the rest of the time, or for all of it.
            (TaskKind::Async, What::Sleep, 1, None),
            (TaskKind::Async, What::Fs, 10, None),
            (TaskKind::Async, What::Lock, 10, None),
            // A thread may wait.
            (TaskKind::Thread, What::Sleep, 10, None),
            (TaskKind::Blocking, What::Sleep, 10, None),
        ];
        for (kind, what, ms, expected) in cases {
            assert_eq!(waited(kind, what, ms), expected, "{kind:?} {what:?} {ms}");
        }
    }
}
