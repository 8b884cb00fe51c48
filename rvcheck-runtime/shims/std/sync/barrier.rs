//! `Barrier`.

use real::panic::Location;
use real::sync as std;

use recorder::{signal, wait, EventKind, Head, ObjectKind, What};

use super::BarrierWaitResult;

/// A barrier that records who arrives and who goes on.
///
/// Each arrival is a signal to all the others, because nobody goes on before everybody has arrived.
pub struct Barrier {
    head: Head,
    real: std::Barrier,
}

recorder::identified!([] Barrier, it => it.head.value());

impl Barrier {
    /// A barrier for `n` threads.
    #[track_caller]
    #[inline]
    #[must_use]
    pub const fn new(n: usize) -> Barrier {
        Barrier { head: Head::new(ObjectKind::StdBarrier, Location::caller()), real: std::Barrier::new(n) }
    }

    /// Waits until all have arrived.
    #[track_caller]
    pub fn wait(&self) -> BarrierWaitResult {
        let location = Location::caller();
        signal::all(&self.head, location);
        wait::begin(EventKind::SignalWait, &self.head, 0, location);
        let blocking = recorder::block(What::Lock, location);
        let result = self.real.wait();
        drop(blocking);
        signal::got(&self.head, location);
        result
    }
}

recorder::forwards! {
    [] Barrier: Debug;
}
