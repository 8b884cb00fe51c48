//! `Condvar`, since 0.5. Waiting gives the mutex back and takes it again, and both are recorded.

use std::fmt;
use std::panic::Location;

use real::{RawCondvar, RawCondvarTimed, RawMutex, RawMutexTimed, WaitTimeoutResult};
use rt::control::Partner;
use rt::{control, signal, wait, EventKind, Head, Loc, ObjectKind, What};

use crate::acquire::{until, Until};
use crate::mutex::{lend, wait_in_turn};
use crate::MutexGuard;

/// A condition variable made of a raw one, that records its waits and notifications.
pub struct Condvar<C> {
    head: Head,
    raw: C,
    mutex: Partner,
}

rt::identified!([C] Condvar<C>, it => it.head.value());

impl<C: RawCondvar> Condvar<C> {
    /// A condition variable that nobody waits for.
    #[track_caller]
    #[inline]
    pub const fn new() -> Condvar<C> {
        Condvar {
            head: Head::new(ObjectKind::LockApiCondvar, Location::caller()),
            raw: C::INIT,
            mutex: Partner::new(),
        }
    }

    /// The raw condition variable. What is done to it is not recorded.
    #[inline]
    pub fn raw(&self) -> &C {
        &self.raw
    }

    /// Wakes one waiter up. The answer is whether there was one, if the raw one knows.
    #[track_caller]
    #[inline]
    pub fn notify_one(&self) -> bool {
        let waiting = control::waiters(&self.head);
        signal::one(&self.head, Location::caller());
        let woken = self.raw.notify_one();
        waiting.map_or(woken, |it| it > 0 || woken)
    }

    /// Wakes all waiters up. The answer is how many there were, if the raw one knows.
    #[track_caller]
    #[inline]
    pub fn notify_all(&self) -> usize {
        let waiting = control::waiters(&self.head);
        signal::all(&self.head, Location::caller());
        let woken = self.raw.notify_all();
        waiting.map_or(woken, |it| it + woken)
    }

    /// Waits for a notification.
    #[track_caller]
    #[inline]
    pub fn wait<T: ?Sized>(&self, mutex_guard: &mut MutexGuard<'_, C::RawMutex, T>) {
        let until = until(|| Some(None));
        self.wait_with(mutex_guard, false, Location::caller(), until, |mutex, state| {
            // SAFETY: the mutex is held with this state.
            unsafe { self.raw.wait(mutex, state) };
            true
        });
    }

    /// Waits until the condition is false.
    #[track_caller]
    #[inline]
    pub fn wait_while<T, F>(&self, mutex_guard: &mut MutexGuard<'_, C::RawMutex, T>, mut condition: F)
    where
        T: ?Sized,
        F: FnMut(&mut T) -> bool,
    {
        while condition(mutex_guard) {
            self.wait(mutex_guard);
        }
    }

    /// `wait` says whether there was a signal. So does this.
    fn wait_with<T: ?Sized>(
        &self,
        guard: &mut MutexGuard<'_, C::RawMutex, T>,
        timed: bool,
        location: Loc,
        until: Until,
        wait: impl FnOnce(&C::RawMutex, &mut <C::RawMutex as RawMutex>::Guard) -> bool,
    ) -> bool {
        if !timed {
            rt::delay(&self.head, location);
        }
        lend(guard, location, |head, mutex, state| {
            wait::begin(EventKind::SignalWait, &self.head, 0, location);
            let blocking = rt::block_at_most(What::Lock, timed, location);
            // SAFETY: the guard exists, and the raw lock is given back only by what takes it again.
            let mutex = unsafe { mutex.raw() };
            let signalled = match until.known() {
                // SAFETY: the mutex is held with this state.
                Some(deadline) => unsafe {
                    self.mutex.takes(&self.head, mutex);
                    wait_in_turn(head, mutex, state, &self.head, deadline, location)
                },
                None => {
                    let _left = control::outside(location);
                    wait(mutex, state)
                }
            };
            drop(blocking);
            if signalled {
                signal::got(&self.head, location);
            } else {
                wait::given_up(EventKind::SignalWait, &self.head, location);
            }
            signalled
        })
    }
}

impl<R: RawMutexTimed, C: RawCondvarTimed<RawMutex = R>> Condvar<C> {
    /// Waits for a notification until then at most.
    #[track_caller]
    #[inline]
    pub fn wait_until<T: ?Sized>(
        &self,
        mutex_guard: &mut MutexGuard<'_, C::RawMutex, T>,
        timeout: <C::RawMutex as RawMutexTimed>::Instant,
    ) -> WaitTimeoutResult {
        self.until(mutex_guard, &timeout, Location::caller())
    }

    /// Waits for a notification for at most that long.
    #[track_caller]
    #[inline]
    pub fn wait_for<T: ?Sized>(
        &self,
        mutex_guard: &mut MutexGuard<'_, C::RawMutex, T>,
        timeout: <C::RawMutex as RawMutexTimed>::Duration,
    ) -> WaitTimeoutResult {
        let until = until(|| control::after(&timeout));
        let signalled = self.wait_with(mutex_guard, true, Location::caller(), until, |mutex, state| {
            // SAFETY: the mutex is held with this state.
            unsafe { !self.raw.wait_for(mutex, state, &timeout) }
        });
        result(!signalled)
    }

    /// Waits until the condition is false, until then at most.
    #[track_caller]
    #[inline]
    pub fn wait_while_until<T, F>(
        &self,
        mutex_guard: &mut MutexGuard<'_, C::RawMutex, T>,
        mut condition: F,
        timeout: <C::RawMutex as RawMutexTimed>::Instant,
    ) -> WaitTimeoutResult
    where
        T: ?Sized,
        F: FnMut(&mut T) -> bool,
    {
        let mut last = result(false);
        while condition(mutex_guard) {
            if last.timed_out() {
                return last;
            }
            last = self.until(mutex_guard, &timeout, Location::caller());
        }
        result(false)
    }

    /// Waits until the condition is false, for at most that long.
    #[track_caller]
    #[inline]
    pub fn wait_while_for<T: ?Sized, F>(
        &self,
        mutex_guard: &mut MutexGuard<'_, C::RawMutex, T>,
        condition: F,
        timeout: <C::RawMutex as RawMutexTimed>::Duration,
    ) -> WaitTimeoutResult
    where
        F: FnMut(&mut T) -> bool,
    {
        // A time that no clock shows is none.
        match C::checked_duration_to_instant(&timeout) {
            Some(deadline) => self.wait_while_until(mutex_guard, condition, deadline),
            None => {
                self.wait_while(mutex_guard, condition);
                result(false)
            }
        }
    }

    fn until<T: ?Sized>(
        &self,
        guard: &mut MutexGuard<'_, R, T>,
        timeout: &R::Instant,
        location: Loc,
    ) -> WaitTimeoutResult {
        let until = until(|| control::instant_of(timeout).map(Some));
        let signalled = self.wait_with(guard, true, location, until, |mutex, state| {
            // SAFETY: the mutex is held with this state.
            unsafe { !self.raw.wait_until(mutex, state, timeout) }
        });
        result(!signalled)
    }
}

rt::forwards! {
    [C: RawCondvar] Condvar<C>: Default = Condvar::new();
}

impl<C> fmt::Debug for Condvar<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Condvar { .. }")
    }
}

/// Only the real crate can make a result: it does so of what a raw condition variable answers.
fn result(over: bool) -> WaitTimeoutResult {
    fn of<C: RawCondvarTimed<RawMutex = Free>>() -> WaitTimeoutResult {
        real::Condvar::<C>::new().wait_until(&mut real::Mutex::<Free, ()>::new(()).lock(), ())
    }
    if over {
        of::<Answers<true>>()
    } else {
        of::<Answers<false>>()
    }
}

/// A lock that is always free.
struct Free;

// SAFETY: what it locks is nothing, and seen by nobody else.
unsafe impl RawMutex for Free {
    const INIT: Free = Free;

    type Guard = ();

    fn lock(&self) {}

    fn try_lock(&self) -> Option<()> {
        Some(())
    }

    unsafe fn unlock(&self, (): ()) {}

    fn is_locked(&self) -> bool {
        false
    }
}

// SAFETY: as above.
unsafe impl RawMutexTimed for Free {
    type Duration = ();
    type Instant = ();

    fn try_lock_for(&self, (): ()) -> Option<()> {
        Some(())
    }

    fn try_lock_until(&self, (): ()) -> Option<()> {
        Some(())
    }
}

/// A condition variable that does not wait, and answers always the same: whether the time is over.
struct Answers<const OVER: bool>;

// SAFETY: the lock is held all the time.
unsafe impl<const OVER: bool> RawCondvar for Answers<OVER> {
    const INIT: Answers<OVER> = Answers;

    type RawMutex = Free;

    unsafe fn wait(&self, _: &Free, (): &mut ()) {}

    fn notify_one(&self) -> bool {
        false
    }

    fn notify_all(&self) -> usize {
        0
    }
}

// SAFETY: as above.
unsafe impl<const OVER: bool> RawCondvarTimed for Answers<OVER> {
    fn checked_duration_to_instant((): &()) -> Option<()> {
        Some(())
    }

    unsafe fn wait_until(&self, _: &Free, (): &mut (), (): &()) -> bool {
        OVER
    }
}
