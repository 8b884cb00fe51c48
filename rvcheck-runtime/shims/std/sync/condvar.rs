//! `Condvar`. Waiting gives the mutex back and takes it again, and both are recorded.

use real::panic::Location;
use real::sync as std;
use real::time::{Duration, Instant};

use recorder::control::Waited;
use recorder::lock::{self, Held};
use recorder::{signal, wait, Blocking, EventKind, Head, Loc, Mode, ObjectKind, What};

use super::{wrapped, LockResult, Mutex, MutexGuard, PoisonError, WaitTimeoutResult};

/// A condition variable that records its waits and notifications.
pub struct Condvar {
    head: Head,
    real: std::Condvar,
}

recorder::identified!([] Condvar, it => it.head.value());

impl Condvar {
    /// A condition variable that nobody waits for.
    #[track_caller]
    #[inline]
    #[must_use]
    pub const fn new() -> Condvar {
        Condvar { head: Head::new(ObjectKind::StdCondvar, Location::caller()), real: std::Condvar::new() }
    }

    /// Waits for a notification, or for nothing at all.
    #[track_caller]
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        let MutexGuard { held, real, mutex } = guard;
        let location = Location::caller();
        recorder::delay(&self.head, location);
        let mut turns = Turns::new(&self.head, mutex, location);
        turns.give(held);
        let (result, signalled) = turns.wait(real, |real| self.real.wait(real));
        let held = turns.take(signalled);
        wrapped(result, |real| MutexGuard { held, real, mutex })
    }

    /// Waits until the condition is false.
    #[track_caller]
    pub fn wait_while<'a, T, F>(
        &self,
        guard: MutexGuard<'a, T>,
        mut condition: F,
    ) -> LockResult<MutexGuard<'a, T>>
    where
        F: FnMut(&mut T) -> bool,
    {
        if recorder::control::on() {
            return self.wait_again(guard, condition);
        }
        let MutexGuard { held, real, mutex } = guard;
        let mut turns = Turns::new(&self.head, mutex, Location::caller());
        turns.keep(held);
        let result = self.real.wait_while(real, |value| turns.check(true, || condition(value)));
        let held = turns.take(true);
        wrapped(result, |real| MutexGuard { held, real, mutex })
    }

    /// As [`Condvar::wait_while`], by waits one after the other.
    #[track_caller]
    fn wait_again<'a, T>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: impl FnMut(&mut T) -> bool,
    ) -> LockResult<MutexGuard<'a, T>> {
        let mut is_poisoned = false;
        while condition(&mut guard) {
            guard = self.wait(guard).unwrap_or_else(|poisoned| {
                is_poisoned = true;
                poisoned.into_inner()
            });
        }
        if is_poisoned {
            Err(PoisonError::new(guard))
        } else {
            Ok(guard)
        }
    }

    /// As [`Condvar::wait_timeout_while`], by waits one after the other.
    #[track_caller]
    fn wait_again_until<'a, T>(
        &self,
        mut guard: MutexGuard<'a, T>,
        deadline: Option<Instant>,
        mut condition: impl FnMut(&mut T) -> bool,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let mut is_poisoned = false;
        let mut timed_out = false;
        loop {
            let waits_on = condition(&mut guard);
            if !waits_on || timed_out {
                let taken = (guard, timeout(waits_on));
                return if is_poisoned { Err(PoisonError::new(taken)) } else { Ok(taken) };
            }
            let MutexGuard { held, real, mutex } = guard;
            let mut turns = Turns::new(&self.head, mutex, Location::caller());
            turns.timed = true;
            turns.give(held);
            let (next, result) = turns.wait_until(real, deadline).unwrap_or_else(|poisoned| {
                is_poisoned = true;
                poisoned.into_inner()
            });
            timed_out = result.timed_out();
            guard = next;
        }
    }

    /// Waits for a notification for at most `ms` milliseconds; the answer is false when they have passed.
    #[track_caller]
    #[deprecated(since = "1.6.0", note = "replaced by `std::sync::Condvar::wait_timeout`")]
    pub fn wait_timeout_ms<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        ms: u32,
    ) -> LockResult<(MutexGuard<'a, T>, bool)> {
        wrapped(
            self.wait_timeout(guard, Duration::from_millis(u64::from(ms))),
            |(guard, timeout): (_, WaitTimeoutResult)| (guard, !timeout.timed_out()),
        )
    }

    /// Waits for a notification for at most that long.
    #[track_caller]
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        dur: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let MutexGuard { held, real, mutex } = guard;
        let mut turns = Turns::new(&self.head, mutex, Location::caller());
        turns.timed = true;
        turns.give(held);
        if recorder::control::on() {
            return turns.wait_until(real, Instant::now().checked_add(dur));
        }
        turns.timed_out_or_not(self.real.wait_timeout(real, dur))
    }

    /// Waits until the condition is false, for at most that long.
    #[track_caller]
    pub fn wait_timeout_while<'a, T, F>(
        &self,
        guard: MutexGuard<'a, T>,
        dur: Duration,
        mut condition: F,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)>
    where
        F: FnMut(&mut T) -> bool,
    {
        let began = Instant::now();
        if recorder::control::on() {
            return self.wait_again_until(guard, began.checked_add(dur), condition);
        }
        let MutexGuard { held, real, mutex } = guard;
        let mut turns = Turns::new(&self.head, mutex, Location::caller());
        turns.timed = true;
        turns.keep(held);
        // The last check comes after the time is over, and its answer starts no wait; one is recorded nevertheless.
        let result = self
            .real
            .wait_timeout_while(real, dur, |value| turns.check(began.elapsed() < dur, || condition(value)));
        turns.timed_out_or_not(result)
    }

    /// Wakes one waiter up.
    #[track_caller]
    pub fn notify_one(&self) {
        signal::one(&self.head, Location::caller());
        self.real.notify_one();
    }

    /// Wakes all waiters up.
    #[track_caller]
    pub fn notify_all(&self) {
        signal::all(&self.head, Location::caller());
        self.real.notify_all();
    }
}

recorder::forwards! {
    [] Condvar: Default = Condvar::new();
    [] Condvar: Debug;
}

/// One call's turns of holding the mutex and of waiting for the signal.
struct Turns<'c, 'a, T> {
    signal: &'c Head,
    mutex: &'a Mutex<T>,
    location: Loc,
    /// It waits for some time at most.
    timed: bool,
    state: State,
}

enum State {
    Holding(Held),
    Waiting(Blocking),
}

impl<'c, 'a, T> Turns<'c, 'a, T> {
    fn new(signal: &'c Head, mutex: &'a Mutex<T>, location: Loc) -> Turns<'c, 'a, T> {
        Turns { signal, mutex, location, timed: false, state: State::Holding(Held::none()) }
    }

    fn keep(&mut self, held: Held) {
        self.state = State::Holding(held);
    }

    /// The mutex is about to be given back in order to wait.
    fn give(&mut self, held: Held) {
        drop(held);
        wait::begin(EventKind::SignalWait, self.signal, 0, self.location);
        self.state = State::Waiting(recorder::block_at_most(What::Lock, self.timed, self.location));
    }

    /// Waits for the signal in the real call, or, where the run is controlled, until somebody gives it; and whether it was given, as far as
    /// anybody knows.
    fn wait(
        &self,
        real: std::MutexGuard<'a, T>,
        wait: impl FnOnce(std::MutexGuard<'a, T>) -> LockResult<std::MutexGuard<'a, T>>,
    ) -> (LockResult<std::MutexGuard<'a, T>>, bool) {
        if !recorder::control::on() {
            return (wait(real), true);
        }
        // Nobody else goes on between the two.
        drop(real);
        let waited = recorder::control::wait_for_signal(self.signal, self.location, None, true);
        (self.mutex.awaited(self.location), waited != Some(Waited::Spurious))
    }

    /// Waits for the signal until then, in a controlled run.
    fn wait_until(
        &mut self,
        real: std::MutexGuard<'a, T>,
        deadline: Option<Instant>,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        drop(real);
        let waited = recorder::control::wait_for_signal(self.signal, self.location, deadline, true);
        let timeout = timeout(waited == Some(Waited::Late));
        let result = match self.mutex.awaited(self.location) {
            Ok(real) => Ok((real, timeout)),
            Err(poisoned) => Err(PoisonError::new((poisoned.into_inner(), timeout))),
        };
        self.taken(result, waited == Some(Waited::Changed))
    }

    /// The mutex is held; if it was given back, then because the wait is over.
    fn take(&mut self, signalled: bool) -> Held {
        match core::mem::replace(&mut self.state, State::Holding(Held::none())) {
            State::Holding(held) => held,
            State::Waiting(blocking) => {
                drop(blocking);
                if signalled {
                    signal::got(self.signal, self.location);
                } else {
                    wait::given_up(EventKind::SignalWait, self.signal, self.location);
                }
                lock::acquired(&self.mutex.head, Mode::Write, false, self.location)
            }
        }
    }

    /// Asks whether to wait on. Should that panic, the mutex is released on the way.
    fn check(&mut self, signalled: bool, condition: impl FnOnce() -> bool) -> bool {
        let held = self.take(signalled);
        let waits_on = condition();
        if waits_on {
            self.give(held)
        } else {
            self.keep(held)
        }
        waits_on
    }

    /// What a real wait has come to. Its time is over, or there was a signal.
    fn timed_out_or_not(
        &mut self,
        result: LockResult<(std::MutexGuard<'a, T>, WaitTimeoutResult)>,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let is_late = |it: &(std::MutexGuard<'a, T>, WaitTimeoutResult)| it.1.timed_out();
        let timed_out = match &result {
            Ok(it) => is_late(it),
            Err(poisoned) => is_late(poisoned.get_ref()),
        };
        self.taken(result, !timed_out)
    }

    fn taken(
        &mut self,
        result: LockResult<(std::MutexGuard<'a, T>, WaitTimeoutResult)>,
        signalled: bool,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let (real, timeout, poisoned) = match result {
            Ok((real, timeout)) => (real, timeout, false),
            Err(error) => {
                let (real, timeout) = error.into_inner();
                (real, timeout, true)
            }
        };
        let held = self.take(signalled);
        let taken = (MutexGuard { held, real, mutex: self.mutex }, timeout);
        if poisoned {
            Err(PoisonError::new(taken))
        } else {
            Ok(taken)
        }
    }
}

/// The result of a wait whose time was over, or not. Only the real type makes one, of a wait that is over at once.
fn timeout(timed_out: bool) -> WaitTimeoutResult {
    let (mutex, signal) = (std::Mutex::new(()), std::Condvar::new());
    let guard = mutex.lock().unwrap_or_else(PoisonError::into_inner);
    let (_guard, result) = signal
        .wait_timeout_while(guard, Duration::ZERO, |()| timed_out)
        .unwrap_or_else(PoisonError::into_inner);
    result
}
