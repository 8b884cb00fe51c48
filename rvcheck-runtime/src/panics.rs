//! Panics: where they arise, and whether the program catches them.
//!
//! The recorder keeps a hook of its own in front of the program's, so the shim of `std::panic` sends `set_hook` and
//! `take_hook` here.

use std::panic::PanicHookInfo;
use std::sync::{Arc, PoisonError, RwLock, TryLockError};

use rvcheck_event::kind::EventKind;
use rvcheck_event::record::{Record, flag};

use crate::boundary::{Side, side};
use crate::thread::PanicOf;
use crate::{Loc, site, stream, switch, thread};

/// What std calls a panic hook.
pub type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send + 'static>;
type Shared = Arc<dyn Fn(&PanicHookInfo<'_>) + Sync + Send + 'static>;

/// The program's hook: its own, or the one that was there before `main`.
static PROGRAM: RwLock<Option<Shared>> = RwLock::new(None);
static ORIGINAL: RwLock<Option<Shared>> = RwLock::new(None);

/// Puts the recorder's hook in front. Called once, before `main`.
pub(crate) fn install() {
    let original: Shared = Arc::from(std::panic::take_hook());
    *ORIGINAL.write().unwrap_or_else(PoisonError::into_inner) = Some(original);
    std::panic::set_hook(Box::new(|info| {
        if switch::on() {
            note(info);
        }
        if let Some(hook) = hook_in(&PROGRAM).or_else(|| hook_in(&ORIGINAL)) {
            hook(info);
        }
    }));
}

/// Whose panic it is that begins at this place, and perhaps stops the program.
fn whose(file: &str, line: u32, stops: bool) -> PanicOf {
    match side(file, line) {
        _ if stops => PanicOf::Program,
        Side::Program => PanicOf::PlaceOfProgram,
        Side::Library | Side::Unknown => PanicOf::Anybody,
    }
}

/// Notes where the panic arises.
fn note(info: &PanicHookInfo<'_>) {
    thread::with(|it| it.unwinding.set(true));
    if let Some(place) = info.location() {
        thread::with(|it| {
            let stopped = it.panic_at.take();
            it.panic_of.set(whose(place.file(), place.line(), stopped != 0));
            let site = match stopped {
                0 => site::of_position(place.file(), place.line(), place.column()).id,
                // The place of the call that is stopped, and not that of the recorder.
                stopped => stopped,
            };
            it.panic_site.set(site);
            it.panic_ended_task.set(false);
        });
    }
}

/// The hook that is kept there.
fn hook_in(place: &RwLock<Option<Shared>>) -> Option<Shared> {
    if switch::on() {
        return place.read().unwrap_or_else(PoisonError::into_inner).clone();
    }
    // In a forked child the lock may be held by a thread that only its parent has.
    match place.try_read() {
        Ok(hook) => hook.clone(),
        Err(TryLockError::Poisoned(hook)) => hook.into_inner().clone(),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Replaces `std::panic::set_hook`.
///
/// # Panics
///
/// From a panicking thread, as the original does.
pub fn set_hook(hook: Hook) {
    if !switch::on() {
        return std::panic::set_hook(hook);
    }
    assert!(!std::thread::panicking(), "cannot modify the panic hook from a panicking thread");
    *PROGRAM.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::from(hook));
}

/// Replaces `std::panic::take_hook`.
///
/// # Panics
///
/// From a panicking thread, as the original does.
pub fn take_hook() -> Hook {
    if !switch::on() {
        return std::panic::take_hook();
    }
    assert!(!std::thread::panicking(), "cannot modify the panic hook from a panicking thread");
    let taken = PROGRAM.write().unwrap_or_else(PoisonError::into_inner).take();
    let hook = taken.or_else(|| hook_in(&ORIGINAL));
    Box::new(move |info| {
        if let Some(hook) = &hook {
            hook(info);
        }
    })
}

/// A `catch_unwind` in the program caught a panic here.
///
/// An executor catches the panics of its tasks, to hand them on. These have been recorded as the ends of the tasks.
pub fn caught(location: Loc) {
    if switch::on() {
        let site = site::of(location);
        let ended_a_task = thread::with(|it| {
            it.unwinding.set(false);
            it.panic_ended_task.take()
        });
        if site.own || !ended_a_task {
            record(flag::CAUGHT, None, site.id);
        }
    }
}

/// A panic leaves the task that it ends, in a poll or, where `dropped`, when the task is dropped unfinished.
pub(crate) fn ended(task: u32, dropped: bool) {
    let late = u8::from(thread::rest().is_paused_for()) * flag::LATE;
    record(late | if dropped { flag::DROPPED } else { 0 }, Some(task), 0);
    left_a_task();
}

/// A panic leaves a task.
pub(crate) fn left_a_task() {
    // The executor catches it, where the task is not the root of what a thread waits for.
    thread::with(|it| {
        it.unwinding.set(false);
        it.panic_ended_task.set(true);
    });
}

/// A wait of this thread is over, perhaps because a panic goes through it.
pub(crate) fn left_a_wait() {
    if std::thread::panicking() {
        thread::with(|it| it.unwinding.set(true));
    }
}

/// Records a panic of `task`, or of the acting task; `caught_at` is the site of the catch, if any.
fn record(flags: u8, task: Option<u32>, caught_at: u32) {
    thread::with(|state| {
        let task = task.unwrap_or_else(|| {
            // The runtimes' own threads catch panics by the real function, which is not seen.
            state.register(stream::Origin::Foreign);
            state.acting()
        });
        state.push(Record::event(EventKind::Panic, flags, state.panic_site.get(), task, caught_at));
    });
}
