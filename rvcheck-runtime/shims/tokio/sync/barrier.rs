//! `Barrier`.

use std::future::Future;
use std::panic::Location;

use real::sync::BarrierWaitResult;
use rt::{signal, EndingHead, EventKind, ObjectKind};

use crate::waiting::waiting;

/// A barrier that records who arrives and who goes on.
///
/// Each arrival is a signal to all the others, because nobody goes on before everybody has arrived.
pub struct Barrier {
    head: EndingHead,
    real: real::sync::Barrier,
}

rt::identified!([] Barrier, it => it.head.value());

impl Barrier {
    /// A barrier for `n` tasks.
    #[track_caller]
    pub fn new(n: usize) -> Barrier {
        Barrier {
            head: EndingHead::new(ObjectKind::TokioBarrier, Location::caller()),
            real: real::sync::Barrier::new(n),
        }
    }

    /// Waits until all have arrived.
    #[track_caller]
    pub fn wait(&self) -> impl Future<Output = BarrierWaitResult> + '_ {
        let location = Location::caller();
        async move {
            signal::all(&self.head, location);
            waiting(self.real.wait(), EventKind::SignalWait, &self.head, 0, location, |result| {
                signal::got(&self.head, location);
                result
            })
            .await
        }
    }
}

rt::forwards! {
    [] Barrier: Debug;
}

rt::exchanged! {
    Barrier => real::sync::Barrier;
}
