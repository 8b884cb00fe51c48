//! `Barrier`.

use real::fmt;
use real::panic::Location;
use real::sync as std;

use recorder::{signal, wait, EventKind, Head, Loc, ObjectKind, What};

/// A barrier that records who arrives and who goes on.
///
/// Each arrival is a signal to all the others, because nobody goes on before everybody has arrived.
pub struct Barrier {
    head: Head,
    real: std::Barrier,
    /// How many are to arrive.
    count: usize,
    /// In a controlled run: how many have arrived, and how often all have.
    arrived: std::Mutex<(usize, usize)>,
}

recorder::identified!([] Barrier, it => it.head.value());

impl Barrier {
    /// A barrier for `n` threads.
    #[track_caller]
    #[inline]
    #[must_use]
    pub const fn new(n: usize) -> Barrier {
        Barrier {
            head: Head::new(ObjectKind::StdBarrier, Location::caller()),
            real: std::Barrier::new(n),
            count: n,
            arrived: std::Mutex::new((0, 0)),
        }
    }

    /// Waits until all have arrived.
    #[track_caller]
    pub fn wait(&self) -> BarrierWaitResult {
        let location = Location::caller();
        signal::all(&self.head, location);
        wait::begin(EventKind::SignalWait, &self.head, 0, location);
        let blocking = recorder::block(What::Lock, location);
        let is_leader = match recorder::control::on() {
            true => self.arrive(location),
            false => self.real.wait().is_leader(),
        };
        drop(blocking);
        signal::got(&self.head, location);
        BarrierWaitResult(is_leader)
    }

    /// Arrives in a controlled run, where nobody waits in the real call. Whether it was the last one.
    fn arrive(&self, location: Loc) -> bool {
        let arrived = || self.arrived.lock().unwrap_or_else(std::PoisonError::into_inner);
        let (is_last, generation) = {
            let mut arrived = arrived();
            arrived.0 += 1;
            let is_last = arrived.0 >= self.count;
            let generation = arrived.1;
            if is_last {
                *arrived = (0, generation.wrapping_add(1));
            }
            (is_last, generation)
        };
        if is_last {
            recorder::control::changed(&self.head);
        } else {
            recorder::control::retry(&self.head, location, || (arrived().1 != generation).then_some(()));
        }
        is_last
    }
}

/// Whether a thread was the one that is told apart from the others.
pub struct BarrierWaitResult(bool);

impl BarrierWaitResult {
    /// Whether it was.
    #[must_use]
    pub fn is_leader(&self) -> bool {
        self.0
    }
}

impl fmt::Debug for BarrierWaitResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BarrierWaitResult").field("is_leader", &self.0).finish()
    }
}

recorder::forwards! {
    [] Barrier: Debug;
}
