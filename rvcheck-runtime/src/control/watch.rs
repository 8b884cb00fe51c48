//! The thread that watches a controlled run: whether whoever has the turn does anything with it, and whether anybody can still go on.
//!
//! It looks by real time. The constants are patient, since who is only slow must not be taken for outside.

use core::time::Duration;
use std::sync::{Condvar, Mutex, PoisonError};
use std::task::Waker;

use super::parker::{Apart, Parker};
use super::participant::Participant;
use super::state::{Control, Turn, with};
use super::{clock, ending};
use crate::asleep;

/// How often it looks.
const LOOK: Duration = Duration::from_millis(1);
/// After so many looks at which nothing had happened, it is quiet.
const QUIET: u32 = 5;
/// After so many, wakers that are not recorded have been called.
const COME: u32 = 3;
/// After so many, nobody comes back without being waited for, and nobody can go on.
const STILL: u32 = 10;
/// After so many, whoever goes on and sleeps does not sleep because the machine is busy.
const ASLEEP: u32 = 15;
/// After so many, whoever was chosen has no thread.
const MISSING: u32 = 300;

/// Wakers of executors that are to be called, each by the next one who is not in the middle of a poll.
static WAKERS: Mutex<Vec<Waker>> = Mutex::new(Vec::new());
static CALLED: Condvar = Condvar::new();

/// Begins to watch.
pub(super) fn begin() {
    let watching = std::thread::Builder::new().name("rvcheck".to_owned()).spawn(|| {
        clock::see_real_time();
        let _apart = Apart::begin();
        watch();
    });
    // Without it, what leaves control is not noticed; a limit ends the process then.
    drop(watching);
}

/// Calls a waker on this thread.
pub(super) fn wake(waker: Waker) {
    WAKERS.lock().unwrap_or_else(PoisonError::into_inner).push(waker);
    CALLED.notify_one();
}

fn watch() {
    let mut before = 0;
    let mut looks = 0;
    loop {
        let mut wakers = WAKERS.lock().unwrap_or_else(PoisonError::into_inner);
        if wakers.is_empty() {
            wakers = CALLED.wait_timeout(wakers, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        let called = core::mem::take(&mut *wakers);
        drop(wakers);
        let is_called = !called.is_empty();
        called.into_iter().for_each(Waker::wake);
        if is_called {
            continue;
        }
        let Some(now) = with(|it| it.now) else { return };
        looks = if now == before { looks + 1 } else { 0 };
        before = now;
        if let Some(handover) = with(|it| look(it, looks)) {
            handover.carry_out(false);
        }
    }
}

/// Looks at a run in which nothing has happened for so many looks.
fn look(control: &mut Control, looks: u32) -> super::handover::Handover {
    match control.turn {
        Turn::Nobody if looks >= QUIET || looks > 0 && control.awaited.is_none() => {
            let is_still = looks >= STILL;
            // What is waited for outside, and tends to come at once, has come by now; whoever is in the middle of something may take longer.
            let is_quiet = looks >= COME || !control.all.is_anybody_outside();
            let handover = control.settle(is_still || is_quiet && !control.all.is_anybody_beyond());
            let is_over = is_still && control.turn == Turn::Nobody && !control.all.everybody().is_empty();
            if is_over && !control.all.is_anybody_outside() {
                ending::hang(control);
            }
            handover
        }
        Turn::Given(it) if looks >= MISSING => control.misses(it),
        Turn::Running(it) if looks >= max_looks(&control.all[it]) && sleeps(&control.all[it]) => {
            let cause = asleep::cause(control.all[it].system_thread);
            control.leaves(it, cause)
        }
        _ => super::handover::Handover::nothing(),
    }
}

/// After so many looks this one is taken for asleep, if it sleeps.
fn max_looks(it: &Participant) -> u32 {
    if it.is_in_real_join { MISSING } else { ASLEEP }
}

/// Whether the thread of one that goes on sleeps in the system, and not because it was not told so far.
fn sleeps(it: &Participant) -> bool {
    let thread = it.system_thread;
    if thread == 0 || it.called.is_some_and(Parker::is_waited_at) {
        return false;
    }
    asleep::is_asleep(thread)
}
