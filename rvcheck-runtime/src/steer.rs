//! Holding tasks back where a schedule says so, until what was predicted can come about.
//!
//! The tool asks for this when it runs a test again. Whoever comes to a place of the schedule is held back there until the others
//! are where the schedule wants them; or for some time, after which it goes on regardless.
//!
//! Such a run has tickets, so that all of this happens off the path of other runs: a record that is written with a ticket is shown to
//! [`recorded`], and whoever asks for something comes by [`hold_back`], or by [`keeps_back`] where it is polled.

use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Context;
use std::time::{Duration, Instant};

use rvcheck_event::kind::EventKind;
use rvcheck_event::record::Record;
use rvcheck_event::schedule::{self, At, Schedule, Spot};

use crate::memory::{List, Table};
use crate::{Head, Loc, at_work, site, thread, tickets};

static GATE: OnceLock<Gate> = OnceLock::new();

/// How often somebody goes on regardless before nobody is held back any more.
const PATIENCE: u32 = 12;
/// How long a task that is held back keeps its thread between two polls.
const PAUSE: Duration = Duration::from_millis(1);
/// What is recorded before it is done is done after so long.
const GRACE: Duration = Duration::from_millis(5);

struct Gate {
    wait: Duration,
    holds: Vec<Hold>,
    state: Mutex<State>,
    changed: Condvar,
}

/// Where somebody is held back, in sites.
struct Hold {
    place: Place,
    until: Until,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
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

#[derive(Default)]
struct State {
    is_open: bool,
    /// What was acquired at a place that matters: site, object, and who has it.
    has: List<(u32, u32, u32)>,
    /// Who waits at a place that matters: site and task.
    waits: List<(u32, u32)>,
    /// What was done at a place that matters: site, who did it last, and when.
    done: List<(u32, u32, u64)>,
    /// How often anything has changed.
    now: u64,
    /// Where tasks were spawned, if that matters; 0 once they have begun.
    spawned: Table<(u32, u32)>,
    /// The tasks that are polled again and again.
    kept: List<Kept>,
    given_up: u32,
}

/// A task that is held back without its thread.
#[derive(Clone, Copy)]
struct Kept {
    task: u32,
    place: Place,
    since: Instant,
    /// What the time of the state was then.
    came: u64,
}

/// Somebody who may have to be held back.
struct Comer {
    task: u32,
    place: Place,
    /// What is asked for; 0 at the beginning of a task.
    object: u32,
}

/// Reads the schedule in this file. An error in words if that fails.
pub(crate) fn load(path: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let schedule = Schedule::read(&text)?;
    let site = |spot: &Spot| site::of_place(&spot.file, spot.line, spot.column).id;
    let hold = |hold: &schedule::Hold| Hold {
        place: match &hold.at {
            At::Asking { at, having } => {
                Place::Asking { at: site(at), having: having.as_ref().map_or(0, site) }
            }
            At::Start { spawned } => Place::Start { spawned: site(spawned) },
        },
        until: match &hold.until {
            schedule::Until::Held(spot) => Until::Held(site(spot)),
            schedule::Until::Waiting(spot) => Until::Waiting(site(spot)),
            schedule::Until::Done(spot) => Until::Done(site(spot)),
        },
    };
    let holds = schedule.holds.iter().map(hold).collect();
    let wait = Duration::from_millis(schedule.wait.into());
    let _ = GATE.set(Gate { wait, holds, state: Mutex::default(), changed: Condvar::new() });
    Ok(())
}

/// The gate, unless it is open for good.
fn gate() -> Option<(&'static Gate, MutexGuard<'static, State>)> {
    let gate = GATE.get()?;
    let state = gate.state.lock().unwrap_or_else(PoisonError::into_inner);
    (!state.is_open).then_some((gate, state))
}

impl Gate {
    fn matters(&self, site: u32) -> bool {
        self.holds.iter().any(|it| {
            let place = match it.place {
                Place::Asking { having, .. } => having,
                Place::Start { spawned } => spawned,
            };
            place == site || it.until.site() == site
        })
    }

    /// Those who hold this one back. What is asked of `state` is what the task has, which does not change while it is held back.
    fn holds<'g>(&'g self, state: &State, comer: &Comer) -> impl Iterator<Item = &'g Hold> {
        let has = |site: u32| site == 0 || state.has.iter().any(|it| (it.0, it.2) == (site, comer.task));
        let is_its = move |it: &&Hold| match (it.place, comer.place) {
            (Place::Asking { at, having }, Place::Asking { at: here, .. }) => at == here && has(having),
            (place, here) => place == here,
        };
        self.holds.iter().filter(is_its)
    }

    /// Whether nobody holds this one back any more, who came at this time.
    fn lets_go(&self, state: &State, comer: &Comer, came: u64) -> bool {
        self.holds(state, comer).any(|it| state.lets_go(it, comer, came))
    }

    /// Somebody has waited too long.
    fn give_up(&self, state: &mut State) {
        state.given_up += 1;
        if state.given_up >= PATIENCE {
            state.is_open = true;
            self.changed.notify_all();
        }
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
    /// Whether the others are where this one wants them, who came at this time.
    fn lets_go(&self, hold: &Hold, comer: &Comer, came: u64) -> bool {
        match hold.until {
            Until::Held(site) => self.has.iter().any(|(at, object, by)| {
                *at == site && *by != comer.task && (comer.object == 0 || *object == comer.object)
            }),
            Until::Waiting(site) => self.waits.iter().any(|(at, by)| *at == site && *by != comer.task),
            Until::Done(site) => {
                self.done.iter().any(|(at, by, when)| *at == site && *by != comer.task && *when > came)
            }
        }
    }

    /// Where a task was spawned.
    fn spawned_at(&mut self, task: u32) -> Option<&mut u32> {
        self.spawned.find(task.into(), |it| it.0 == task).map(|(_, site)| site)
    }

    /// Notes what somebody has recorded at a place that matters.
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
            K::Spawn => self.spawned.insert(object.into(), (object, site)),
            _ => {}
        }
        match self.done.iter_mut().find(|it| it.0 == site) {
            Some(done) => (done.1, done.2) = (task, self.now),
            None => self.done.push((site, task, self.now)),
        }
    }
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
    let Some(kind) = EventKind::of_code(record.code).filter(|it| has_site(*it)) else { return };
    let Some((gate, mut state)) = gate() else { return };
    if record.site != 0 && gate.matters(record.site) {
        state.note(kind, record, task);
        gate.changed.notify_all();
    }
}

/// The acting task is about to ask for this, and waits with its thread if it is to be held back. To be called before the real call.
#[inline(always)]
pub fn hold_back(head: &Head, location: Loc) {
    if tickets::wanted() {
        hold_thread(head, location);
    }
}

#[cold]
#[inline(never)]
fn hold_thread(head: &Head, location: Loc) {
    let Some(comer) = Comer::asking(head, location) else { return };
    let Some(_at_work) = at_work::enter() else { return };
    let Some((gate, state)) = gate() else { return };
    if gate.holds(&state, &comer).next().is_none() {
        return;
    }
    let came = state.now;
    let stays = |state: &mut State| !state.is_open && !gate.lets_go(state, &comer, came);
    let (mut state, timeout) =
        gate.changed.wait_timeout_while(state, gate.wait, stays).unwrap_or_else(PoisonError::into_inner);
    if timeout.timed_out() {
        return gate.give_up(&mut state);
    }
    drop(state);
    std::thread::sleep(GRACE);
}

/// Whether the acting task, which is about to ask for this, is to be polled again instead. It wakes itself.
#[inline]
pub(crate) fn keeps_back(head: &Head, location: Loc, context: &Context<'_>) -> bool {
    tickets::wanted() && keeps_asking_back(head, location, context)
}

#[cold]
#[inline(never)]
fn keeps_asking_back(head: &Head, location: Loc, context: &Context<'_>) -> bool {
    Comer::asking(head, location).is_some_and(|comer| keep_back(&comer, context))
}

/// Whether this task, which is polled for the first time, is to be polled again instead. It wakes itself.
#[cold]
#[inline(never)]
pub(crate) fn keeps_start_back(task: u32, context: &Context<'_>) -> bool {
    let with_state = |act: &dyn Fn(&mut State) -> Option<u32>| {
        let _at_work = at_work::enter()?;
        gate().and_then(|(_, mut state)| act(&mut state))
    };
    let spawned = with_state(&|state| state.spawned_at(task).copied().filter(|site| *site != 0));
    let Some(spawned) = spawned else { return false };
    let is_kept = keep_back(&Comer { task, place: Place::Start { spawned }, object: 0 }, context);
    if !is_kept {
        with_state(&|state| {
            if let Some(site) = state.spawned_at(task) {
                *site = 0;
            }
            None
        });
    }
    is_kept
}

fn keep_back(comer: &Comer, context: &Context<'_>) -> bool {
    {
        let Some(_at_work) = at_work::enter() else { return false };
        let Some((gate, mut state)) = gate() else { return false };
        if gate.holds(&state, comer).next().is_none() {
            return false;
        }
        let is_its = |it: &&Kept| it.task == comer.task && it.place == comer.place;
        let Kept { since, came, .. } = match state.kept.iter().find(is_its) {
            Some(kept) => *kept,
            None => {
                let kept =
                    Kept { task: comer.task, place: comer.place, since: Instant::now(), came: state.now };
                state.kept.push(kept);
                kept
            }
        };
        let is_let_go = gate.lets_go(&state, comer, came);
        let is_late = since.elapsed() > gate.wait;
        if is_let_go || is_late {
            state.kept.retain(|it| it.task != comer.task);
            if is_late && !is_let_go {
                gate.give_up(&mut state);
            }
            drop(state);
            if is_let_go {
                std::thread::sleep(GRACE);
            }
            return false;
        }
    }
    // Others may need this thread.
    std::thread::sleep(PAUSE);
    context.waker().wake_by_ref();
    true
}

impl Comer {
    /// `None` if the thread does not work for the program.
    fn asking(head: &Head, location: Loc) -> Option<Comer> {
        let task = thread::with(|state| {
            state.register(thread::Origin::Foreign);
            (!state.is_busy()).then(|| state.acting())
        })?;
        let place = Place::Asking { at: site::of(location).id, having: 0 };
        Some(Comer { task, place, object: head.id() })
    }
}
