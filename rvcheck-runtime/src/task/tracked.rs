//! A future that is a task of its own.

use core::any::type_name;
use core::future::Future;
use core::mem::ManuallyDrop;
use core::panic::AssertUnwindSafe;
use core::pin::Pin;
use core::ptr::NonNull;
use core::task::{Context, Poll};
use std::panic::catch_unwind;

use rvcheck_event::id::TaskId;
use rvcheck_event::kind::{EventKind, Outcome};
use rvcheck_event::record::{COARSE_SHIFT, Record, code, flag};

use crate::control::{self, Gate};
use crate::outcome::outcome_of;
use crate::rest::Rest;
use crate::stream::Origin;
use crate::waker::{Clones, Shared};
use crate::{clock, panics, remedy, steer, stop, stream, strings, thread, tickets, waker};

/// CPU time is sampled at most this often, in ms, and at the end of polls that took as long.
const SAMPLE: u64 = 10;

/// A future that records when it runs, suspends and ends.
#[derive(Debug)]
#[must_use = "futures do nothing unless they are polled"]
pub struct Tracked<F> {
    life: Life,
    future: ManuallyDrop<F>,
    /// It was dropped when it was done, in a controlled run.
    is_gone: bool,
}

/// Wraps the future of the task `id`.
pub fn tracked<F: Future>(id: TaskId, future: F) -> Tracked<F> {
    let rest = thread::rest();
    if id.is_some() {
        rest.spawned();
    }
    let clones = if id.is_some() { Clones::of(id.0) } else { None };
    Tracked {
        life: Life { id: id.0, order: 0, ended: !id.is_some(), rest, clones },
        future: ManuallyDrop::new(future),
        is_gone: false,
    }
}

impl<F: Future> Future for Tracked<F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: the future is only moved out by being dropped in place.
        let (life, future, is_gone) = unsafe {
            let this = self.get_unchecked_mut();
            (&mut this.life, Pin::new_unchecked(&mut *this.future), &mut this.is_gone)
        };
        if life.ended {
            return future.poll(context);
        }
        if tickets::wanted() && life.order == 0 && steer::delays_start(life.id, context) {
            return Poll::Pending;
        }
        if control::on() {
            return poll_in_turn(life, future, is_gone, context);
        }
        let running = Running::begin(life, type_name::<F>());
        stop::point();
        let polled = waker::disguised(context, |context| future.poll(context));
        match &polled {
            Poll::Pending => {
                running.suspend();
            }
            Poll::Ready(output) => running.finish(outcome_of(output)),
        }
        polled
    }
}

/// Polls the future of a task in a controlled run, if it is its turn.
#[cold]
#[inline(never)]
fn poll_in_turn<F: Future>(
    life: &mut Life,
    mut future: Pin<&mut F>,
    is_gone: &mut bool,
    context: &mut Context<'_>,
) -> Poll<F::Output> {
    let (polling, waker) = match control::before_poll(life.id, context) {
        Gate::Closed => return Poll::Pending,
        Gate::None => (None, context.waker().clone()),
        Gate::Open(polling, waker) => (Some(polling), waker),
    };
    let running = Running::begin(life, type_name::<F>());
    stop::point();
    let polled = waker::disguised(&mut Context::from_waker(&waker), |context| future.as_mut().poll(context));
    match &polled {
        Poll::Pending => {
            let is_unrecorded = running.suspend();
            if let Some(polling) = polling {
                polling.suspended(is_unrecorded);
            }
        }
        Poll::Ready(output) => {
            // What it releases, it releases in its turn. Tokio takes no notice of a panic there, either.
            *is_gone = true;
            let dropped = catch_unwind(AssertUnwindSafe(|| {
                // SAFETY: it stays in its place, and nobody uses it any more.
                unsafe { core::ptr::drop_in_place(future.get_unchecked_mut()) }
            }));
            drop(dropped);
            running.finish(outcome_of(output));
            if let Some(polling) = polling {
                polling.ended();
            }
        }
    }
    polled
}

impl<F> Drop for Tracked<F> {
    fn drop(&mut self) {
        if self.is_gone {
            return;
        }
        if self.life.ended {
            // SAFETY: dropped here and nowhere else.
            return unsafe { ManuallyDrop::drop(&mut self.future) };
        }
        let _in_turn = if control::on() { control::before_drop(self.life.id) } else { None };
        let mut running = Running::begin(&mut self.life, type_name::<F>());
        running.dropped = true;
        let _dropping = stop::dropping();
        // SAFETY: as above. What the future releases is the task's own doing.
        unsafe { ManuallyDrop::drop(&mut self.future) };
        running.cancel();
    }
}

/// What a task remembers between its polls.
#[derive(Debug)]
pub(super) struct Life {
    pub(super) id: u32,
    /// How many of its ordered events there were.
    pub(super) order: u32,
    pub(super) ended: bool,
    /// What its unit has left behind.
    pub(super) rest: &'static Rest,
    /// Who can wake it without a record; `None` for what is not polled.
    pub(super) clones: Option<Shared<Clones>>,
}

impl Life {
    fn push(&mut self, kind: EventKind, flags: u8, ticks: u64) {
        self.order += 1;
        let coarse = (ticks >> COARSE_SHIFT) as u32;
        stream::push(Record::event(kind, flags, coarse, self.id, self.order));
    }

    /// It is over: nobody asks who can wake it.
    fn release_clones(&self) {
        if let Some(clones) = &self.clones {
            clones.end();
        }
    }
}

/// A task runs on this thread. Unwinding out of it is the task's panic.
pub(super) struct Running<'a> {
    life: &'a mut Life,
    outer: u32,
    outer_rest: Option<&'static Rest>,
    outer_clones: Option<NonNull<()>>,
    /// What is known of timers in the poll around this one.
    outer_timer: bool,
    /// What is known there of waits that are not recorded, and of those of which no hook knows.
    outer_waits: [bool; 2],
    began: u64,
    /// The task is being dropped, not polled.
    dropped: bool,
}

impl<'a> Running<'a> {
    /// `runs` is the type of what the task runs.
    pub(super) fn begin(life: &'a mut Life, runs: &'static str) -> Running<'a> {
        let began = clock::ticks();
        if life.order > 0 {
            life.rest.goes_on();
        }
        let clones = life.clones.as_ref().map(|it| {
            it.begin();
            it.place().cast()
        });
        let (outer, outer_rest, outer_clones, outer_timer, outer_waits) = thread::with(|state| {
            state.register(Origin::Worker);
            let (sampled, _) = state.cpu_sample.get();
            if began.wrapping_sub(sampled) > clock::milliseconds(SAMPLE) {
                state.cpu_sample.set((began, clock::thread_cpu()));
            }
            note_time(state, began);
            (
                state.task.replace(life.id),
                state.rest.replace(Some(life.rest)),
                state.clones.replace(clones),
                state.timer.replace(false),
                [state.unrecorded.replace(false), state.foreign.replace(false)],
            )
        });
        if life.order == 0 {
            stream::push(Record::event(EventKind::Start, 0, 0, life.id, strings::lasting(runs)));
        }
        life.push(EventKind::Poll, 0, began);
        Running { life, outer, outer_rest, outer_clones, outer_timer, outer_waits, began, dropped: false }
    }

    /// Whether something may make it go on of which no hook knows.
    pub(super) fn suspend(self) -> bool {
        self.end(EventKind::Suspend, 0)
    }

    pub(super) fn finish(self, outcome: Outcome) {
        let id = self.life.id;
        self.end(EventKind::Finish, outcome as u8);
        remedy::was_abandoned(id);
        remedy::ended(id, remedy::End::of(outcome));
    }

    fn cancel(self) {
        let id = self.life.id;
        self.end(EventKind::Cancel, 0);
        remedy::was_abandoned(id);
        remedy::ended(id, remedy::End::Well);
    }

    /// The same.
    fn end(self, kind: EventKind, flags: u8) -> bool {
        let this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used again, and its destructor does not run.
        let life = unsafe { core::ptr::read(&raw const this.life) };
        let ticks = clock::ticks();
        note_cpu(this.began, ticks);
        let (timer, unrecorded, foreign) = thread::with(|state| {
            note_time(state, ticks);
            (
                state.timer.replace(this.outer_timer),
                state.unrecorded.replace(this.outer_waits[0]),
                state.foreign.replace(this.outer_waits[1]),
            )
        });
        life.ended = kind != EventKind::Suspend;
        let marks = if life.ended {
            life.release_clones();
            u8::from(life.rest.is_paused_for()) * flag::LATE
        } else {
            let is_kept = life.clones.as_ref().is_some_and(|it| it.suspend());
            (u8::from(timer) * flag::TIMER)
                | (u8::from(unrecorded) * flag::UNRECORDED)
                | (u8::from(is_kept) * flag::WAKER)
        };
        life.push(kind, flags | marks, ticks);
        if life.ended {
            life.rest.ended();
        } else {
            life.rest.waits();
        }
        thread::with(|state| {
            state.task.set(this.outer);
            state.rest.set(this.outer_rest);
            state.clones.set(this.outer_clones);
        });
        !life.ended && foreign
    }
}

/// Coarse times wrap, so a thread that told no full time for long does so before it tells a coarse one.
#[inline]
fn note_time(state: &thread::State, ticks: u64) {
    if ticks.wrapping_sub(state.last_ticks.get()) >> (COARSE_SHIFT + 30) != 0 {
        state.last_ticks.set(ticks);
        state.push(Record::wide(code::TIME, 0, 0, ticks));
    }
}

/// After a long poll, notes how much of it the thread spent on a core.
#[inline]
fn note_cpu(began: u64, ended: u64) {
    if ended.wrapping_sub(began) > clock::milliseconds(SAMPLE) {
        thread::with(|state| {
            let (_, before) = state.cpu_sample.get();
            let now = clock::thread_cpu();
            state.cpu_sample.set((ended, now));
            state.push(Record::wide(code::CPU, 0, 0, now.saturating_sub(before)));
        });
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.life.ended = true;
        self.life.release_clones();
        self.life.rest.ended();
        let is_gone = remedy::was_abandoned(self.life.id);
        if is_gone {
            self.life.push(EventKind::Cancel, 0, clock::ticks());
            panics::left_a_task();
        } else {
            panics::ended(self.life.id, self.dropped);
        }
        let is_well = self.dropped || is_gone;
        remedy::ended(self.life.id, if is_well { remedy::End::Well } else { remedy::End::Panicked });
        thread::with(|state| {
            state.task.set(self.outer);
            state.rest.set(self.outer_rest);
            state.clones.set(self.outer_clones);
            state.timer.set(self.outer_timer);
            state.unrecorded.set(self.outer_waits[0]);
            state.foreign.set(self.outer_waits[1]);
        });
    }
}
