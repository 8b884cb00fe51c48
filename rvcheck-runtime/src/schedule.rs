//! The schedule of this run: which tasks are delayed where, and what of it has come about.
//!
//! A run with a schedule has tickets, so that all of this happens off the path of other runs: a record that is written with a ticket
//! is shown to [`recorded`]. See [`crate::steer`] for the delays themselves.

mod standing;

use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rvcheck_event::kind::EventKind;
use rvcheck_event::position::ProgramPoint;
use rvcheck_event::record::Record;
use rvcheck_event::schedule::{self, Schedule};

use crate::memory::{List, Table};
use crate::{asleep, site, thread};
use standing::Standings;

static GATE: OnceLock<Gate> = OnceLock::new();

/// How many times as long as one delay at most all those take that come to nothing. After that no task is delayed any more.
const MAX_VAIN_DELAYS: u32 = 12;
/// As what share of a delay one counts that ended early, since nobody else could go on.
const EARLY: u32 = 4;
/// How long nothing is recorded before nobody seems to go on; and how much longer for each task that is polled meanwhile.
const QUIET: Duration = Duration::from_millis(5);
const POLLED: Duration = Duration::from_millis(2);

/// What delays tasks.
pub(crate) struct Gate {
    /// How long at most.
    pub(crate) wait: Duration,
    delays: Vec<Delay>,
    state: Mutex<State>,
    /// Something has happened that may end a delay.
    pub(crate) changed: Condvar,
}

/// Where a task is delayed, in sites.
pub(crate) struct Delay {
    before: Before,
    /// Where the task was spawned; 0 where that does not matter.
    by: u32,
    until: Until,
    /// The first of the times that the task comes there at which it is delayed.
    from: u32,
    /// How often it has to have been done.
    times: u32,
    /// Where the other task was spawned, likewise.
    until_by: u32,
}

/// What a task is about to do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    /// `having` is 0 where it does not matter.
    Asking {
        at: u32,
        having: u32,
    },
    Start {
        spawned: u32,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Held(u32),
    Waiting(u32),
    Done(u32),
}

/// What has happened at the places that matter.
#[derive(Default)]
pub(crate) struct State {
    /// No task is delayed any more.
    pub(crate) is_open: bool,
    /// What was acquired at a place that matters: site, object, and who has it.
    has: List<(u32, u32, u32)>,
    /// Who waits at a place that matters: site and task.
    waits: List<(u32, u32)>,
    /// What was done at a place that matters: site, by whom, when the last time, and how often.
    done: List<(u32, u32, u64, u32)>,
    /// How often anything has changed.
    pub(crate) now: u64,
    /// Where tasks were spawned, if that matters; 0 once they have begun.
    spawned: Table<(u32, u32)>,
    /// The tasks that were spawned at a place that matters: task and site.
    origins: List<(u32, u32)>,
    /// The tasks that are delayed, the one that came first in front.
    pub(crate) kept: List<Kept>,
    /// How often each task came to each delay that is not for its first times.
    arrivals: List<(u32, u32, u32)>,
    standings: Standings,
    /// When somebody who is not delayed recorded something last, or was let go.
    moved: Option<Instant>,
    /// How long the delays took that came to nothing.
    in_vain: Duration,
}

/// A task that is delayed.
#[derive(Clone, Copy)]
pub(crate) struct Kept {
    pub(crate) task: u32,
    pub(crate) before: Before,
    pub(crate) since: Instant,
    /// What the time of the state was then.
    pub(crate) came: u64,
}

/// A task that may have to be delayed.
pub(crate) struct Comer {
    pub(crate) task: u32,
    pub(crate) before: Before,
    /// What is asked for; 0 at the beginning of a task.
    pub(crate) object: u32,
}

/// Reads the schedule in this file. An error in words if that fails.
pub(crate) fn load(path: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let schedule = Schedule::read(&text)?;
    let site = |at: &ProgramPoint| site::of_position(&at.file, at.position.line, at.position.column).id;
    let delay = |delay: &schedule::Delay| Delay {
        before: match &delay.before {
            schedule::Before::Asking { at, having } => {
                Before::Asking { at: site(at), having: having.as_ref().map_or(0, site) }
            }
            schedule::Before::Start { spawned } => Before::Start { spawned: site(spawned) },
        },
        until: match &delay.until {
            schedule::Until::Held(at) => Until::Held(site(at)),
            schedule::Until::Waiting(at) => Until::Waiting(site(at)),
            schedule::Until::Done(at) => Until::Done(site(at)),
        },
        by: delay.by.as_ref().map_or(0, site),
        from: delay.from,
        times: delay.times,
        until_by: delay.until_by.as_ref().map_or(0, site),
    };
    let delays = schedule.delays.iter().map(delay).collect();
    let wait = Duration::from_millis(schedule.wait.into());
    let _ = GATE.set(Gate { wait, delays, state: Mutex::default(), changed: Condvar::new() });
    Ok(())
}

/// The gate, unless it is open for good.
pub(crate) fn gate() -> Option<(&'static Gate, MutexGuard<'static, State>)> {
    let gate = GATE.get()?;
    let state = gate.state.lock().unwrap_or_else(PoisonError::into_inner);
    (!state.is_open).then_some((gate, state))
}

impl Gate {
    fn matters(&self, site: u32) -> bool {
        self.delays.iter().any(|it| {
            let before = match it.before {
                Before::Asking { having, .. } => having,
                Before::Start { spawned } => spawned,
            };
            [before, it.by, it.until.site(), it.until_by].contains(&site)
        })
    }

    /// What delays this task. What is asked of `state` is what the task has, and how often it came, which does not change while it
    /// is delayed.
    pub(crate) fn delays<'g>(&'g self, state: &State, comer: &Comer) -> impl Iterator<Item = &'g Delay> {
        let is_due = |(index, it): &(usize, &Delay)| {
            it.is_for(state, comer) && (it.from <= 1 || state.arrivals_of(comer.task, *index) >= it.from)
        };
        self.delays.iter().enumerate().filter(is_due).map(|(_, it)| it)
    }

    /// A task that was not delayed yet has come to where it may have to be.
    pub(crate) fn arrives(&self, state: &mut State, comer: &Comer) {
        for (index, delay) in self.delays.iter().enumerate() {
            if delay.from > 1 && delay.is_for(state, comer) {
                state.arrives(comer.task, index);
            }
        }
    }

    /// Whether nothing delays this task any more, which came at this time.
    pub(crate) fn lets_go(&self, state: &State, comer: &Comer, came: u64) -> bool {
        self.delays(state, comer).any(|it| state.lets_go(it, comer, came))
    }

    /// A task was delayed for so long, in vain.
    pub(crate) fn give_up(&self, state: &mut State, delayed: Duration) {
        state.moved = Some(Instant::now());
        state.in_vain += delayed.max(self.wait / EARLY);
        if state.in_vain >= self.wait * MAX_VAIN_DELAYS {
            state.is_open = true;
            self.changed.notify_all();
        }
    }
}

/// A task of a controlled run has come to where it may have to be delayed. If it has to be, the time of the state.
pub(crate) fn comes(comer: &Comer) -> Option<u64> {
    let (gate, mut state) = gate()?;
    gate.arrives(&mut state, comer);
    let is_delayed = gate.delays(&state, comer).next().is_some();
    is_delayed.then_some(state.now)
}

/// Whether a task that has come at this time is still delayed.
pub(crate) fn is_delayed(comer: &Comer, since: u64) -> bool {
    gate().is_some_and(|(gate, state)| !gate.lets_go(&state, comer, since))
}

impl Delay {
    /// Whether such a task is delayed here, at some time.
    fn is_for(&self, state: &State, comer: &Comer) -> bool {
        let has = |site: u32| site == 0 || state.has.iter().any(|it| (it.0, it.2) == (site, comer.task));
        let is_its = match (self.before, comer.before) {
            (Before::Asking { at, having }, Before::Asking { at: here, .. }) => at == here && has(having),
            (before, here) => before == here,
        };
        is_its && state.is_by(comer.task, self.by)
    }
}

impl Until {
    fn site(self) -> u32 {
        match self {
            Until::Held(site) | Until::Waiting(site) | Until::Done(site) => site,
        }
    }
}

impl State {
    /// From now on this task is delayed.
    pub(crate) fn keep(&mut self, comer: &Comer) -> Kept {
        let kept = Kept { task: comer.task, before: comer.before, since: Instant::now(), came: self.now };
        self.kept.push(kept);
        kept
    }

    /// Whether this task, which is delayed, is the one to go on now because nobody else can: all others wait for each other, or are
    /// delayed and came later.
    pub(crate) fn is_stuck_with(&mut self, task: u32) -> bool {
        if self.kept.first().is_none_or(|it| it.task != task) {
            return false;
        }
        let quiet = QUIET + POLLED * self.kept.len() as u32;
        if self.moved.is_none_or(|it| it.elapsed() < quiet) {
            return false;
        }
        let State { kept, standings, .. } = self;
        let delayed = kept.iter().filter(|it| standings.goes(it.task)).count();
        let own = thread::with(|it| it.system_id.get());
        standings.going() == delayed && asleep::all_sleep_but(|it| it == own).unwrap_or(true)
    }

    /// Whether the others are where this delay wants them. The task came at this time.
    fn lets_go(&self, delay: &Delay, comer: &Comer, came: u64) -> bool {
        let is_other = |task: u32| task != comer.task && self.is_by(task, delay.until_by);
        match delay.until {
            Until::Held(site) => self.has.iter().any(|(at, object, by)| {
                *at == site && is_other(*by) && (comer.object == 0 || *object == comer.object)
            }),
            Until::Waiting(site) => self.waits.iter().any(|(at, by)| *at == site && is_other(*by)),
            Until::Done(site) => self.done.iter().any(|(at, by, when, times)| {
                *at == site && is_other(*by) && *when > came && *times >= delay.times
            }),
        }
    }

    /// Whether this task was spawned there, if that matters.
    fn is_by(&self, task: u32, site: u32) -> bool {
        site == 0 || self.origins.contains(&(task, site))
    }

    /// How often a task came to the delay of this number.
    fn arrivals_of(&self, task: u32, index: usize) -> u32 {
        let its = self.arrivals.iter().find(|it| (it.0, it.1) == (task, index as u32));
        its.map_or(0, |it| it.2)
    }

    fn arrives(&mut self, task: u32, index: usize) {
        match self.arrivals.iter_mut().find(|it| (it.0, it.1) == (task, index as u32)) {
            Some(its) => its.2 += 1,
            None => self.arrivals.push((task, index as u32, 1)),
        }
    }

    /// Where a task was spawned.
    pub(crate) fn spawned_at(&mut self, task: u32) -> Option<&mut u32> {
        self.spawned.find(task.into(), |it| it.0 == task).map(|(_, site)| site)
    }

    /// Notes what a task has recorded at a place that matters.
    fn note(&mut self, kind: EventKind, record: Record, task: u32) {
        use EventKind as K;
        let Record { site, object, .. } = record;
        self.now += 1;
        let is_wait = matches!(
            kind,
            K::Request | K::SendWait | K::RecvWait | K::PermitWait | K::SignalWait | K::JoinWait
        );
        if is_wait {
            self.waits.push((site, task));
            return;
        }
        self.waits.retain(|it| *it != (site, task));
        match kind {
            K::Acquire | K::Permit => self.has.push((site, object, task)),
            K::Release | K::PermitRelease | K::PermitForget => {
                let its = |it: &(u32, u32, u32)| (it.0, it.1) == (site, object);
                let own = self.has.iter().position(|it| its(it) && it.2 == task);
                if let Some(at) = own.or_else(|| self.has.iter().position(its)) {
                    self.has.swap_remove(at);
                }
            }
            K::Spawn => {
                self.spawned.insert(object.into(), (object, site));
                self.origins.push((object, site));
            }
            _ => {}
        }
        let now = self.now;
        match self.done.iter_mut().find(|it| (it.0, it.1) == (site, task)) {
            Some(done) => (done.2, done.3) = (now, done.3 + u32::from(counts(kind))),
            None => self.done.push((site, task, now, 1)),
        }
    }
}

/// Whether something is done once more by such a record: what is taken is given back at the same site.
const fn counts(kind: EventKind) -> bool {
    !matches!(kind, EventKind::Release | EventKind::PermitRelease | EventKind::PermitForget)
}

/// Whether a record of this kind is one of something done at its site. Those of a task's life tell the time instead.
const fn has_site(kind: EventKind) -> bool {
    use EventKind as K;
    !matches!(
        kind,
        K::Start
            | K::Poll
            | K::Suspend
            | K::Finish
            | K::Cancel
            | K::Panic
            | K::Await
            | K::Resume
            | K::AwaitCancel
    )
}

/// The acting task has recorded this, in a run with tickets.
pub(crate) fn recorded(record: Record, task: u32) {
    let Some(kind) = EventKind::of_code(record.code) else { return };
    let Some((gate, mut state)) = gate() else { return };
    let subject = standing::subject(kind, record, task);
    if !state.kept.iter().any(|it| it.task == subject) {
        state.standings.note(kind, record, task);
        state.moved = Some(Instant::now());
    }
    if has_site(kind) && record.site != 0 && gate.matters(record.site) {
        state.note(kind, record, task);
        gate.changed.notify_all();
    }
}
