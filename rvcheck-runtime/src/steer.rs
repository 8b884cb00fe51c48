//! Holding tasks back where a schedule says so, until what was predicted can come about.
//!
//! The tool asks for this when it runs a test again. All participants of the schedule are held back at their places; when
//! the last of them has come, all go on, and nobody is held back any more. Whoever has waited too long goes on alone.
//!
//! Such a run has tickets, so that all of this happens off the path of other runs: a record that is written with a ticket is shown to
//! [`recorded`], and the hook ends with [`point`].

use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Context;
use std::time::{Duration, Instant};

use rvcheck_event::kind::EventKind;
use rvcheck_event::record::Record;
use rvcheck_event::schedule::{Hold, Schedule, Spot};

use crate::{Loc, site, thread, tickets};

static GATE: OnceLock<Gate> = OnceLock::new();

/// How often somebody goes on alone before nobody is held back any more.
const PATIENCE: u32 = 40;
/// How long a task that is held back keeps its thread between two polls.
const PAUSE: Duration = Duration::from_millis(1);

struct Gate {
    wait: Duration,
    places: Vec<Place>,
    state: Mutex<State>,
    opened: Condvar,
}

/// The places of a participant, as sites.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Before { at: u32, having: u32 },
    After(u32),
}

#[derive(Default)]
struct State {
    is_open: bool,
    /// Who has come, for each participant, and since when.
    came: Vec<Option<(u32, Instant)>>,
    /// What was acquired at a place that matters: site, lock, and who has it.
    has: Vec<(u32, u32, u32)>,
    given_up: u32,
}

/// Reads the schedule in this file. An error in words if that fails.
pub(crate) fn load(path: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let schedule = Schedule::read(&text)?;
    let site = |spot: &Spot| site::of_place(&spot.file, spot.line, spot.column).id;
    let place = |hold: &Hold| match hold {
        Hold::Before { at, having } => Place::Before { at: site(at), having: site(having) },
        Hold::After(at) => Place::After(site(at)),
    };
    let places: Vec<Place> = schedule.holds.iter().map(place).collect();
    let state = State { came: vec![None; places.len()], ..State::default() };
    let wait = Duration::from_millis(schedule.wait.into());
    let _ = GATE.set(Gate { wait, places, state: Mutex::new(state), opened: Condvar::new() });
    Ok(())
}

/// The gate, unless it is open for good.
fn gate() -> Option<(&'static Gate, MutexGuard<'static, State>)> {
    let gate = GATE.get()?;
    let state = gate.state.lock().unwrap_or_else(PoisonError::into_inner);
    (!state.is_open).then_some((gate, state))
}

impl Gate {
    /// Task `task` has come to a place of the schedule. Its number among the participants; `None` if it is no participant, or all
    /// have come now.
    fn come(&self, state: &mut State, task: u32, is_place: impl Fn(Place) -> bool) -> Option<usize> {
        let mine = |it: &Option<(u32, Instant)>| it.is_some_and(|(by, _)| by == task);
        let at = match state.came.iter().position(mine) {
            Some(at) => Some(at).filter(|at| is_place(self.places[*at]))?,
            None => {
                (0..self.places.len()).find(|at| state.came[*at].is_none() && is_place(self.places[*at]))?
            }
        };
        state.came[at].get_or_insert((task, Instant::now()));
        if state.came.iter().all(Option::is_some) {
            state.is_open = true;
            self.opened.notify_all();
            return None;
        }
        Some(at)
    }

    /// Nobody else has come in time.
    fn give_up(&self, state: &mut State, at: usize) {
        state.came[at] = None;
        state.given_up += 1;
        if state.given_up >= PATIENCE {
            state.is_open = true;
            self.opened.notify_all();
        }
    }
}

/// The acting task has recorded this, in a run with tickets.
pub(crate) fn recorded(record: Record, task: u32) {
    let is_acquisition = record.code == EventKind::Acquire as u8;
    if !is_acquisition && record.code != EventKind::Release as u8 {
        return;
    }
    let Some((gate, mut state)) = gate() else { return };
    if !is_acquisition {
        state.has.retain(|it| (it.0, it.1) != (record.site, record.object));
        return;
    }
    let matters = |it: &Place| matches!(it, Place::Before { having, .. } if *having == record.site);
    if gate.places.iter().any(matters) {
        state.has.push((record.site, record.object, task));
    }
    if gate.places.contains(&Place::After(record.site)) {
        thread::with(|it| it.acquired_at.set(record.site));
    }
}

/// The end of a hook in a run with tickets: if a lock was acquired where the schedule says so, the thread waits.
pub(crate) fn point() {
    let site = thread::with(|it| it.acquired_at.replace(0));
    if site != 0 {
        hold_thread(site);
    }
}

fn hold_thread(site: u32) {
    let task = thread::with(thread::State::acting);
    let Some((gate, mut state)) = gate() else { return };
    let Some(at) = gate.come(&mut state, task, |it| it == Place::After(site)) else { return };
    let closed = |state: &mut State| !state.is_open;
    let (mut state, timeout) =
        gate.opened.wait_timeout_while(state, gate.wait, closed).unwrap_or_else(PoisonError::into_inner);
    if timeout.timed_out() {
        gate.give_up(&mut state, at);
    }
}

/// Whether the acting task, which is about to ask for a lock here, is to be polled again instead. It wakes itself.
#[inline]
pub(crate) fn keeps_back(location: Loc, context: &Context<'_>) -> bool {
    tickets::wanted() && keeps_task_back(location, context)
}

#[cold]
fn keeps_task_back(location: Loc, context: &Context<'_>) -> bool {
    let task = thread::with(thread::State::acting);
    let here = site::of(location).id;
    {
        let Some((gate, mut state)) = gate() else { return false };
        let has: Vec<u32> = state.has.iter().filter(|it| it.2 == task).map(|it| it.0).collect();
        let is_place = |it| matches!(it, Place::Before { at, having } if at == here && has.contains(&having));
        let Some(at) = gate.come(&mut state, task, is_place) else { return false };
        if state.came[at].is_some_and(|(_, since)| since.elapsed() > gate.wait) {
            gate.give_up(&mut state, at);
            return false;
        }
    }
    // Others may need this thread.
    std::thread::sleep(PAUSE);
    context.waker().wake_by_ref();
    true
}
