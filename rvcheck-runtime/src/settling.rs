//! The pause between the end of a test's body and its end: what it has spawned may be in the middle of ending.
//!
//! What is left goes on for a short grace at most, until each of it has ended or waits. Who waits for a timer, for input or for a lock does not
//! prolong it, and where nothing is left there is nothing to wait for. Whoever looks at the trace afterwards then sees who waits for ever.
//!
//! A thread that was woken records so only when it gets a core. Until then the system says that it does not sleep.

use core::panic::Location;
use core::sync::atomic::{AtomicU32, Ordering};
use core::time::Duration;
use std::time::Instant;

use crate::rest::{Pause, Rest};
use crate::{asleep, control, switch, test_threads, thread};

/// At so many looks in a row nothing has gone on.
const QUIET: u32 = 4;
/// So often in a row, after as many looks each, all other threads sleep although one should go on: it waits for something of which no hook
/// knows, such as a connection.
const ASLEEP: u32 = 4;
/// How long a look waits for other threads.
const LOOK: Duration = Duration::from_micros(250);
/// For what part of the grace threads that do not sleep prolong it although nothing is recorded of them: other tests may have started them.
const WOKEN: u32 = 4;
/// How many times as long what is left goes on under control, where that costs nothing.
const LONGER: u32 = 25;
/// How long [`settle`] takes at most, in ms.
static GRACE: AtomicU32 = AtomicU32::new(200);

/// Takes at most that long from now on.
pub(crate) fn set_grace(milliseconds: u32) {
    GRACE.store(milliseconds, Ordering::Relaxed);
}

/// Looks again and again whether what a unit has left behind still goes on.
#[derive(Debug)]
pub struct Settling {
    rest: &'static Rest,
    until: Instant,
    /// How long threads that do not sleep prolong it.
    woken: Duration,
    before: u64,
    quiet: u32,
    /// How often in a row all others slept although one should go on.
    asleep: u32,
    /// Since when nothing goes on but threads that do not sleep.
    unrecorded_since: Option<Instant>,
    _pause: Pause,
}

/// A pause by the clock of a controlled run.
#[derive(Debug)]
pub struct Controlled {
    /// How long it is.
    pub grace: Duration,
    _pause: Pause,
}

impl Settling {
    /// Of what the unit that acts on this thread has left behind; `None` where that is nothing.
    pub fn begin() -> Option<Settling> {
        // Whoever controls a run knows without waiting.
        if !switch::on() || control::on() {
            return None;
        }
        let rest = thread::rest();
        let grace = Duration::from_millis(GRACE.load(Ordering::Relaxed).into());
        if rest.is_empty() || grace.is_zero() {
            return None;
        }
        let before = rest.steps();
        let (until, woken) = (Instant::now() + grace, grace / WOKEN);
        Some(Settling {
            rest,
            until,
            woken,
            before,
            quiet: 0,
            asleep: 0,
            unrecorded_since: None,
            _pause: rest.pause(),
        })
    }

    /// Whether nothing goes on any more, or the grace is over. To be asked after others could go on.
    pub fn is_over(&mut self) -> bool {
        let own = thread::with(|it| it.system_id.get());
        let others_sleep =
            |with_tests: bool| asleep::all_sleep_but(|it| it == own || !with_tests && test_threads::has(it));
        self.is_over_at(Instant::now(), others_sleep)
    }

    /// `others_sleep` says whether all other threads sleep, those that run tests among them where that is asked for.
    fn is_over_at(&mut self, now: Instant, others_sleep: impl FnOnce(bool) -> Option<bool>) -> bool {
        let steps = self.rest.steps();
        if steps != self.before {
            (self.quiet, self.asleep, self.unrecorded_since) = (0, 0, None);
        }
        self.before = steps;
        if self.rest.is_empty() || now >= self.until {
            return true;
        }
        self.quiet += 1;
        if self.quiet < QUIET {
            return false;
        }
        self.quiet = 0;
        if self.rest.is_busy() {
            self.unrecorded_since = None;
            // One that should go on may wait for a lock without a hook, such as that of the standard output, which the thread of a test has.
            self.asleep = if others_sleep(true) == Some(true) { self.asleep + 1 } else { 0 };
            return self.asleep == ASLEEP;
        }
        let since = *self.unrecorded_since.get_or_insert(now);
        now >= since + self.woken || others_sleep(false).unwrap_or(true)
    }

    /// Lets other threads go on for a moment.
    pub fn pause(&self) {
        std::thread::sleep(LOOK);
    }

    /// One of them goes on now.
    pub fn is_busy(&self) -> bool {
        self.rest.is_busy()
    }
}

/// How long what the unit that acts on this thread has left behind may go on by the clock of a controlled run, which jumps ahead only where
/// nobody else goes on; `None` where nothing is left. Who waits for a timer then gets to its end, too.
pub fn controlled() -> Option<Controlled> {
    let grace = Duration::from_millis(GRACE.load(Ordering::Relaxed).into()) * LONGER;
    let is_any = control::on() && !grace.is_zero() && !thread::rest().is_empty();
    is_any.then(|| Controlled { grace, _pause: thread::rest().pause() })
}

/// Waits until what the unit has left behind on other threads does not go on.
#[track_caller]
pub(crate) fn settle() {
    if let Some(it) = controlled() {
        control::linger(it.grace, Location::caller());
    }
    if let Some(settling) = Settling::begin() {
        wait(settling);
    }
}

/// The same, where something is left.
pub fn wait(mut settling: Settling) {
    settling.pause();
    while !settling.is_over() {
        settling.pause();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_or_sleeps_is_quiet_and_who_was_not_begun_was_woken_or_goes_on_is_not() {
        let rest: &'static Rest = Rest::of_test();
        let begin = Instant::now();
        let (until, awake) = (begin + Duration::from_secs(60), Duration::from_millis(50));
        let settling = || {
            let before = rest.steps();
            Settling {
                rest,
                until,
                woken: awake,
                before,
                quiet: 0,
                asleep: 0,
                unrecorded_since: None,
                _pause: rest.pause(),
            }
        };
        let looks = |mut it: Settling| (0..QUIET).any(|_| it.is_over_at(begin, |_| Some(true)));
        assert!(rest.is_empty());
        rest.spawned();
        assert!(!looks(settling()));
        let mut unhooked = settling();
        assert!(!(0..60 * QUIET).any(|_| unhooked.is_over_at(begin, |_| None)));
        assert!((0..ASLEEP * QUIET).any(|_| unhooked.is_over_at(begin, |_| Some(true))));
        rest.waits();
        assert!(looks(settling()));

        let mut woken = settling();
        assert!(!(0..3 * QUIET).any(|_| woken.is_over_at(begin, |_| Some(false))));
        assert!((0..QUIET).any(|_| woken.is_over_at(begin + awake, |_| Some(false))));

        let mut disturbed = settling();
        rest.goes_on();
        rest.waits();
        assert!(!disturbed.is_over_at(begin, |_| Some(true)));
        rest.goes_on();
        rest.ended();
        assert!(rest.is_empty());
    }
}
