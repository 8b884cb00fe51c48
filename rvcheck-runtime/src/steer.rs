//! Steering: delaying tasks where the schedule says so, until what was predicted can come about.
//!
//! The tool asks for this when it runs a test again. A task that comes to a place of the schedule is delayed there until the others
//! are where the schedule wants them; or for some time, after which it goes on regardless. It does so earlier when nobody else can go on,
//! the one that came first before the others.
//!
//! A task asks by [`delay`] before it blocks its thread, and by [`delays`] where it is polled.

use std::sync::PoisonError;
use std::task::Context;
use std::time::Duration;

use crate::schedule::{self, Before, Comer, Kept, State};
use crate::{Head, Loc, at_work, control, remedy, site, stream, thread, tickets};

/// How long a task that is delayed keeps its thread between two polls.
const PAUSE: Duration = Duration::from_millis(1);
/// How often a task that waits with its thread looks whether anybody else can go on.
const LOOK: Duration = Duration::from_millis(5);
/// What is recorded before it is done is done after so long.
const GRACE: Duration = Duration::from_millis(5);

/// The acting task is about to ask for this, and waits with its thread if it is to be delayed. To be called before the real call.
#[inline(always)]
pub fn delay(head: &Head, location: Loc) {
    if tickets::wanted() {
        delay_asking_thread(head, location);
    }
}

#[cold]
#[inline(never)]
fn delay_asking_thread(head: &Head, location: Loc) {
    if control::on() {
        control::before(head, location);
    } else {
        remedy::arrives(head, location);
        delay_thread(head, location);
    }
}

/// The acting task is about to make an observed call here, or to return from one, and waits with its thread if it is to be delayed.
#[inline(always)]
pub(crate) fn delay_call(site: u32) {
    if tickets::wanted() {
        delay_call_thread(site);
    }
}

#[cold]
#[inline(never)]
fn delay_call_thread(site: u32) {
    if control::on() {
        control::before_call(site);
    } else if let Some(comer) = Comer::at(site, 0) {
        delay_comer(&comer);
    }
}

fn delay_thread(head: &Head, location: Loc) {
    if let Some(comer) = Comer::asking(head, location) {
        delay_comer(&comer);
    }
}

fn delay_comer(comer: &Comer) {
    let Some(_at_work) = at_work::enter() else { return };
    let Some((gate, mut state)) = schedule::gate() else { return };
    gate.arrives(&mut state, comer);
    if gate.delays(&state, comer).next().is_none() {
        return;
    }
    let Kept { since, came, .. } = state.keep(comer);
    let mut is_let_go = false;
    loop {
        let stays = |state: &mut State| !state.is_open && !gate.lets_go(state, comer, came);
        let (after, timeout) =
            gate.changed.wait_timeout_while(state, LOOK, stays).unwrap_or_else(PoisonError::into_inner);
        state = after;
        if !timeout.timed_out() {
            is_let_go = !state.is_open;
            break;
        }
        if since.elapsed() > gate.wait || state.is_stuck_with(comer.task) {
            gate.give_up(&mut state, since.elapsed());
            break;
        }
    }
    state.kept.retain(|it| it.task != comer.task);
    drop(state);
    if is_let_go {
        std::thread::sleep(GRACE);
    }
}

/// Whether the acting task, which is about to ask for this, is to be polled again instead. It wakes itself.
#[inline]
pub(crate) fn delays(head: &Head, location: Loc, context: &Context<'_>) -> bool {
    tickets::wanted() && delays_asking(head, location, context)
}

#[cold]
#[inline(never)]
fn delays_asking(head: &Head, location: Loc, context: &Context<'_>) -> bool {
    if control::on() {
        control::before(head, location);
        return false;
    }
    Comer::asking(head, location).is_some_and(|comer| delay_task(&comer, context))
}

/// Whether the acting task, which is about to await something here, is to be polled again instead. It wakes itself.
pub(crate) fn delays_await(location: Loc, context: &Context<'_>) -> bool {
    if control::on() {
        return false;
    }
    Comer::at(site::of(location).id, 0).is_some_and(|comer| delay_task(&comer, context))
}

/// Whether this task, which is polled for the first time, is to be polled again instead. It wakes itself.
#[cold]
#[inline(never)]
pub(crate) fn delays_start(task: u32, context: &Context<'_>) -> bool {
    if control::on() {
        return false;
    }
    let with_state = |act: &dyn Fn(&mut State) -> Option<u32>| {
        let _at_work = at_work::enter()?;
        schedule::gate().and_then(|(_, mut state)| act(&mut state))
    };
    let spawned = with_state(&|state| state.spawned_at(task).copied().filter(|site| *site != 0));
    let Some(spawned) = spawned else { return false };
    let is_kept = delay_task(&Comer { task, before: Before::Start { spawned }, object: 0 }, context);
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

fn delay_task(comer: &Comer, context: &Context<'_>) -> bool {
    {
        let Some(_at_work) = at_work::enter() else { return false };
        let Some((gate, mut state)) = schedule::gate() else { return false };
        let is_its = |it: &&Kept| it.task == comer.task && it.before == comer.before;
        let kept = state.kept.iter().find(is_its).copied();
        if kept.is_none() {
            gate.arrives(&mut state, comer);
        }
        if gate.delays(&state, comer).next().is_none() {
            return false;
        }
        let Kept { since, came, .. } = kept.unwrap_or_else(|| state.keep(comer));
        let is_let_go = gate.lets_go(&state, comer, came);
        if is_let_go || since.elapsed() > gate.wait || state.is_stuck_with(comer.task) {
            state.kept.retain(|it| it.task != comer.task);
            if !is_let_go {
                gate.give_up(&mut state, since.elapsed());
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
        Comer::at(site::of(location).id, head.id())
    }

    fn at(site: u32, object: u32) -> Option<Comer> {
        let task = thread::with(|state| {
            state.register(stream::Origin::Foreign);
            (!state.is_busy()).then(|| state.acting())
        })?;
        let before = Before::Asking { at: site, having: 0 };
        Some(Comer { task, before, object })
    }
}
