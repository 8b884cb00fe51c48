//! What the remedies of a process have done.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use rvcheck_event::remedy::Applied;

use super::{MOST, lessons};
use crate::output;

/// By number: what was done.
static DONE: [Done; MOST] = [const { Done::nothing() }; MOST];

/// What a remedy has done.
struct Done {
    times: AtomicU64,
    nanos: AtomicU64,
    given_up: AtomicU32,
}

impl Done {
    const fn nothing() -> Done {
        Done { times: AtomicU64::new(0), nanos: AtomicU64::new(0), given_up: AtomicU32::new(0) }
    }
}

/// What was learnt, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Number(pub(super) u16);

impl Number {
    /// The number in the trace.
    pub(crate) fn get(self) -> u32 {
        u32::from(self.0)
    }

    fn done(self) -> &'static Done {
        &DONE[usize::from(self.0) % MOST]
    }

    /// The remedy was applied once more, which kept the program for so many ns.
    pub(crate) fn applied(self, nanos: u64) {
        let done = self.done();
        done.nanos.fetch_add(nanos, Ordering::Relaxed);
        let times = done.times.fetch_add(1, Ordering::Relaxed) + 1;
        // The process may be ended at any time.
        if times.is_power_of_two()
            && let Some(_at_work) = crate::at_work::enter()
        {
            self.report();
        }
    }

    /// It took longer to let the program go on than when it was applied.
    pub(crate) fn kept(self, nanos: u64) {
        self.done().nanos.fetch_add(nanos, Ordering::Relaxed);
    }

    /// The remedy was given up once more. How often by now.
    pub(crate) fn given_up(self) -> u32 {
        self.done().given_up.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// How often the remedy was given up.
    pub(crate) fn times_given_up(self) -> u32 {
        self.done().given_up.load(Ordering::Relaxed)
    }

    /// Writes what was done so far. The caller is at work.
    pub(super) fn report(self) {
        let done = self.done();
        let applied = Applied {
            times: done.times.load(Ordering::Relaxed),
            nanos: done.nanos.load(Ordering::Relaxed),
            given_up: done.given_up.load(Ordering::Relaxed),
        };
        output::applied(self.get(), applied);
    }

    /// Its gate. The caller is at work.
    pub(crate) fn gate(self) -> u16 {
        lessons().get(usize::from(self.0)).map_or(self.0, |it| it.gate)
    }

    /// The id of the property. The caller is at work.
    pub(crate) fn property(self) -> &'static str {
        lessons().get(usize::from(self.0)).map_or("", |it| it.property)
    }
}
