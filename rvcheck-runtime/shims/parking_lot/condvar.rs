//! `Condvar` before 0.13, in which it is that of `lock_api`. Waiting gives the mutex back and takes it again, and both are recorded.

use std::panic::Location;
use std::time::{Duration, Instant};

use lock_api::__rv_shim::{lend_real, wait_for_signal};
use real::WaitTimeoutResult;
use rt::control::Partner;
use rt::{control, signal, wait, EventKind, Head, Loc, ObjectKind, What};

use crate::MutexGuard;

/// What the real condition variable takes.
type RealGuard<'a> = real::MutexGuard<'a, ()>;

/// A condition variable that records its waits and notifications.
pub struct Condvar {
    head: Head,
    real: real::Condvar,
    mutex: Partner,
}

impl Condvar {
    /// A condition variable that nobody waits for.
    #[track_caller]
    #[inline]
    pub const fn new() -> Condvar {
        Condvar {
            head: Head::new(ObjectKind::ParkingLotCondvar, Location::caller()),
            real: real::Condvar::new(),
            mutex: Partner::new(),
        }
    }

    /// Wakes one waiter up. The answer is whether there was one.
    #[track_caller]
    #[inline]
    pub fn notify_one(&self) -> bool {
        let waiting = control::waiters(&self.head);
        signal::one(&self.head, Location::caller());
        let woken = self.real.notify_one();
        waiting.map_or(woken, |it| it > 0 || woken)
    }

    /// Wakes all waiters up. The answer is how many there were.
    #[track_caller]
    #[inline]
    pub fn notify_all(&self) -> usize {
        let waiting = control::waiters(&self.head);
        signal::all(&self.head, Location::caller());
        let woken = self.real.notify_all();
        waiting.map_or(woken, |it| it + woken)
    }

    /// Waits for a notification.
    ///
    /// # Panics
    ///
    /// When another mutex is used with the condition variable at the same time.
    #[track_caller]
    #[inline]
    pub fn wait<T: ?Sized>(&self, mutex_guard: &mut MutexGuard<'_, T>) {
        let location = Location::caller();
        if control::on() {
            self.wait_in_turn(mutex_guard, false, location, None);
            return;
        }
        self.wait_with(mutex_guard, false, location, |guard| {
            self.real.wait(guard);
            true
        });
    }

    /// Waits for a notification until then at most.
    ///
    /// # Panics
    ///
    /// When another mutex is used with the condition variable at the same time.
    #[track_caller]
    #[inline]
    pub fn wait_until<T: ?Sized>(
        &self,
        mutex_guard: &mut MutexGuard<'_, T>,
        timeout: Instant,
    ) -> WaitTimeoutResult {
        let location = Location::caller();
        if control::on() {
            return result(!self.wait_in_turn(mutex_guard, true, location, Some(timeout)));
        }
        self.wait_in_time(mutex_guard, location, |guard| self.real.wait_until(guard, timeout))
    }

    /// Waits for a notification for at most that long.
    ///
    /// # Panics
    ///
    /// When another mutex is used with the condition variable at the same time.
    #[track_caller]
    #[inline]
    pub fn wait_for<T: ?Sized>(
        &self,
        mutex_guard: &mut MutexGuard<'_, T>,
        timeout: Duration,
    ) -> WaitTimeoutResult {
        let location = Location::caller();
        if control::on() {
            let deadline = Instant::now().checked_add(timeout);
            return result(!self.wait_in_turn(mutex_guard, true, location, deadline));
        }
        self.wait_in_time(mutex_guard, location, |guard| self.real.wait_for(guard, timeout))
    }

    /// Waits until the condition is false.
    ///
    /// # Panics
    ///
    /// When another mutex is used with the condition variable at the same time.
    #[cfg(rv_parking_lot_0_12_1)]
    #[track_caller]
    #[inline]
    pub fn wait_while<T, F>(&self, mutex_guard: &mut MutexGuard<'_, T>, mut condition: F)
    where
        T: ?Sized,
        F: FnMut(&mut T) -> bool,
    {
        while condition(mutex_guard) {
            self.wait(mutex_guard);
        }
    }

    /// Waits until the condition is false, until then at most.
    ///
    /// # Panics
    ///
    /// When another mutex is used with the condition variable at the same time.
    #[cfg(rv_parking_lot_0_12_1)]
    #[track_caller]
    #[inline]
    pub fn wait_while_until<T, F>(
        &self,
        mutex_guard: &mut MutexGuard<'_, T>,
        mut condition: F,
        timeout: Instant,
    ) -> WaitTimeoutResult
    where
        T: ?Sized,
        F: FnMut(&mut T) -> bool,
    {
        let mut result = None;
        while !result.is_some_and(WaitTimeoutResult::timed_out) && condition(mutex_guard) {
            result = Some(self.wait_until(mutex_guard, timeout));
        }
        result.unwrap_or_else(not_timed_out)
    }

    /// Waits until the condition is false, for at most that long.
    ///
    /// # Panics
    ///
    /// When another mutex is used with the condition variable at the same time.
    #[cfg(rv_parking_lot_0_12_1)]
    #[track_caller]
    #[inline]
    pub fn wait_while_for<T: ?Sized, F>(
        &self,
        mutex_guard: &mut MutexGuard<'_, T>,
        mut condition: F,
        timeout: Duration,
    ) -> WaitTimeoutResult
    where
        F: FnMut(&mut T) -> bool,
    {
        // A time that no clock shows is none.
        match Instant::now().checked_add(timeout) {
            Some(deadline) => self.wait_while_until(mutex_guard, condition, deadline),
            None => {
                self.wait_while(mutex_guard, &mut condition);
                not_timed_out()
            }
        }
    }

    fn wait_in_time<T: ?Sized>(
        &self,
        guard: &mut MutexGuard<'_, T>,
        location: Loc,
        wait: impl FnOnce(&mut RealGuard<'_>) -> WaitTimeoutResult,
    ) -> WaitTimeoutResult {
        let mut result = None;
        self.wait_with(guard, true, location, |guard| !result.insert(wait(guard)).timed_out());
        result.expect("the wait is over")
    }

    /// `wait` says whether there was a signal.
    fn wait_with<T: ?Sized>(
        &self,
        guard: &mut MutexGuard<'_, T>,
        timed: bool,
        location: Loc,
        wait: impl FnOnce(&mut RealGuard<'_>) -> bool,
    ) {
        if !timed {
            rt::delay(&self.head, location);
        }
        lend_real(guard, location, |guard| self.recording(timed, location, || wait(guard)));
    }

    /// Waits in a controlled run, where nobody does so in the real call. Whether there was a signal.
    fn wait_in_turn<T: ?Sized>(
        &self,
        guard: &mut MutexGuard<'_, T>,
        timed: bool,
        location: Loc,
        deadline: Option<Instant>,
    ) -> bool {
        if !timed {
            rt::delay(&self.head, location);
        }
        self.mutex.takes(&self.head, MutexGuard::mutex(guard));
        wait_for_signal(guard, &self.head, deadline, location, |wait| self.recording(timed, location, wait))
    }

    /// Records a wait, which says whether there was a signal.
    fn recording(&self, timed: bool, location: Loc, wait: impl FnOnce() -> bool) -> bool {
        wait::begin(EventKind::SignalWait, &self.head, 0, location);
        let blocking = rt::block_at_most(What::Lock, timed, location);
        let signalled = wait();
        drop(blocking);
        if signalled {
            signal::got(&self.head, location);
        } else {
            wait::given_up(EventKind::SignalWait, &self.head, location);
        }
        signalled
    }
}

rt::forwards! {
    [] Condvar: Default = Condvar::new();
    [] Condvar: Debug;
}

/// Only the real crate can make a result: it does so of a wait that is over when it begins, or for which there is a signal.
fn result(timed_out: bool) -> WaitTimeoutResult {
    if !timed_out {
        return not_timed_out();
    }
    let lock = real::Mutex::new(());
    let mut guard = lock.lock();
    real::Condvar::new().wait_until(&mut guard, Instant::now())
}

/// The same before there was a function that asks for a condition: somebody notifies until it has happened.
#[cfg(not(rv_parking_lot_0_12_1))]
fn not_timed_out() -> WaitTimeoutResult {
    use std::sync::OnceLock;
    static RESULT: OnceLock<WaitTimeoutResult> = OnceLock::new();
    *RESULT.get_or_init(|| {
        let (lock, signal) = (real::Mutex::new(()), real::Condvar::new());
        let mut guard = lock.lock();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !signal.notify_one() {
                    std::thread::yield_now();
                }
            });
            signal.wait_for(&mut guard, Duration::from_secs(3600))
        })
    })
}

/// As above, of a wait that is over before it begins.
#[cfg(rv_parking_lot_0_12_1)]
fn not_timed_out() -> WaitTimeoutResult {
    let lock = real::Mutex::new(());
    let mut guard = lock.lock();
    real::Condvar::new().wait_while_until(&mut guard, |()| false, Instant::now())
}

rt::exchanged! {
    Condvar => real::Condvar;
}
