//! What objects are: which type of which crate.

use super::Sort;
use super::variants::{LockKind, variants};

variants! {
    /// What an object is, more finely than its [`Sort`].
    ObjectKind {
        /// `std::sync::Mutex`.
        StdMutex = 0 => "std::sync::Mutex",
        /// `std::sync::RwLock`.
        StdRwLock = 1 => "std::sync::RwLock",
        /// `tokio::sync::Mutex`.
        TokioMutex = 2 => "tokio::sync::Mutex",
        /// `tokio::sync::RwLock`.
        TokioRwLock = 3 => "tokio::sync::RwLock",
        /// `std::sync::Once`, `OnceLock` and `LazyLock`.
        Once = 4 => "std::sync::Once",
        /// `tokio::sync::OnceCell` and `SetOnce`.
        TokioOnce = 5 => "tokio::sync::OnceCell",
        /// A lock of another crate.
        OtherLock = 6 => "lock",
        /// The read side of `tokio::sync::watch`, held by a `watch::Ref`.
        WatchRef = 7 => "tokio::sync::watch::Ref",
        /// `lock_api::Mutex`, and so `parking_lot::Mutex`.
        LockApiMutex = 8 => "lock_api::Mutex",
        /// `lock_api::RwLock`, and so `parking_lot::RwLock`.
        LockApiRwLock = 9 => "lock_api::RwLock",
        /// `lock_api::ReentrantMutex`, and so `parking_lot::ReentrantMutex`.
        LockApiReentrant = 10 => "lock_api::ReentrantMutex",
        /// `parking_lot::Once`.
        ParkingLotOnce = 11 => "parking_lot::Once",
        /// `async_lock::Mutex`.
        AsyncLockMutex = 12 => "async_lock::Mutex",
        /// `async_lock::RwLock`.
        AsyncLockRwLock = 13 => "async_lock::RwLock",
        /// `async_lock::OnceCell`.
        AsyncLockOnce = 14 => "async_lock::OnceCell",
        /// `futures::lock::Mutex`.
        FuturesMutex = 15 => "futures::lock::Mutex",
        /// `std::sync::mpsc`.
        StdMpsc = 16 => "std::sync::mpsc",
        /// `tokio::sync::mpsc`.
        TokioMpsc = 17 => "tokio::sync::mpsc",
        /// `tokio::sync::oneshot`.
        TokioOneshot = 18 => "tokio::sync::oneshot",
        /// `tokio::sync::broadcast`.
        TokioBroadcast = 19 => "tokio::sync::broadcast",
        /// `tokio::sync::watch`.
        TokioWatch = 20 => "tokio::sync::watch",
        /// A channel of another crate.
        OtherChannel = 21 => "channel",
        /// `crossbeam_channel`.
        CrossbeamChannel = 22 => "crossbeam_channel",
        /// `flume`.
        FlumeChannel = 23 => "flume",
        /// `async_channel`.
        AsyncChannel = 24 => "async_channel",
        /// `futures::channel::mpsc`.
        FuturesMpsc = 25 => "futures::channel::mpsc",
        /// `futures::channel::oneshot`.
        FuturesOneshot = 26 => "futures::channel::oneshot",
        /// `tokio::sync::Semaphore`.
        TokioSemaphore = 32 => "tokio::sync::Semaphore",
        /// `async_lock::Semaphore`.
        AsyncLockSemaphore = 33 => "async_lock::Semaphore",
        /// `tokio::sync::Notify`.
        TokioNotify = 48 => "tokio::sync::Notify",
        /// `std::sync::Condvar`.
        StdCondvar = 49 => "std::sync::Condvar",
        /// `std::sync::Barrier`.
        StdBarrier = 50 => "std::sync::Barrier",
        /// `tokio::sync::Barrier`.
        TokioBarrier = 51 => "tokio::sync::Barrier",
        /// `parking_lot::Condvar` before 0.13.
        ParkingLotCondvar = 52 => "parking_lot::Condvar",
        /// `tokio_util::sync::CancellationToken`.
        CancellationToken = 53 => "tokio_util::sync::CancellationToken",
        /// `tokio_util::task::TaskTracker`.
        TaskTracker = 54 => "tokio_util::task::TaskTracker",
        /// `async_lock::Barrier`.
        AsyncLockBarrier = 55 => "async_lock::Barrier",
        /// A type of `std::sync::atomic`.
        StdAtomic = 56 => "std::sync::atomic",
        /// `lock_api::Condvar`, and so `parking_lot::Condvar` since 0.13.
        LockApiCondvar = 57 => "lock_api::Condvar",
        /// `event_listener::Event`.
        EventListenerEvent = 58 => "event_listener::Event",
        /// `lock_api::Mutex` of a raw lock whose guards can be sent to another thread, for all that is known.
        LockApiSendMutex = 64 => "lock_api::Mutex with guards that may be Send",
        /// `lock_api::RwLock` of such a raw lock.
        LockApiSendRwLock = 65 => "lock_api::RwLock with guards that may be Send",
        /// `parking_lot::RecursiveRwLock`, whose readers go past writers that wait. Its guards may be Send, for all that is known.
        RecursiveRwLock = 66 => "parking_lot::RecursiveRwLock",
        /// `once_cell::sync::OnceCell` and `Lazy`.
        OnceCell = 67 => "once_cell::sync::OnceCell",
    }
}

impl ObjectKind {
    /// The sort that specs see.
    pub const fn sort(self) -> Sort {
        match self as u8 {
            0..16 | 64..80 => Sort::Lock,
            16..32 => Sort::Chan,
            32..48 => Sort::Sem,
            _ => Sort::Signal,
        }
    }

    /// What waits for such a lock. `None` for what is no lock, or one that nothing is known of.
    pub const fn lock_kind(self) -> Option<LockKind> {
        use ObjectKind as O;
        match self {
            O::StdMutex
            | O::StdRwLock
            | O::Once
            | O::WatchRef
            | O::LockApiMutex
            | O::LockApiRwLock
            | O::LockApiReentrant
            | O::LockApiSendMutex
            | O::LockApiSendRwLock
            | O::RecursiveRwLock
            | O::OnceCell
            | O::ParkingLotOnce => Some(LockKind::Blocking),
            O::TokioMutex
            | O::TokioRwLock
            | O::TokioOnce
            | O::AsyncLockMutex
            | O::AsyncLockRwLock
            | O::AsyncLockOnce
            | O::FuturesMutex => Some(LockKind::Async),
            _ => None,
        }
    }

    /// Whether it is held while a value is made that is made once.
    pub const fn is_made_once(self) -> bool {
        use ObjectKind as O;
        matches!(self, O::Once | O::TokioOnce | O::ParkingLotOnce | O::AsyncLockOnce | O::OnceCell)
    }

    /// Whether several wait at it until all have come.
    pub const fn is_barrier(self) -> bool {
        matches!(self, ObjectKind::StdBarrier | ObjectKind::TokioBarrier | ObjectKind::AsyncLockBarrier)
    }

    /// Whether it is a condition variable, which knows nothing of signals that come before a wait.
    pub const fn is_condvar(self) -> bool {
        use ObjectKind as O;
        matches!(self, O::StdCondvar | O::ParkingLotCondvar | O::LockApiCondvar)
    }

    /// Whether whoever waits for such a signal may want nothing but the next one, and not look at a condition.
    pub const fn stands_for_itself(self) -> bool {
        matches!(self, ObjectKind::TokioNotify | ObjectKind::EventListenerEvent)
    }

    /// Whether guards of such a lock may be sent to another thread. `None` as above.
    pub const fn sends_guards(self) -> Option<bool> {
        use ObjectKind as O;
        match (self, self.lock_kind()) {
            (_, None) => None,
            (O::LockApiSendMutex | O::LockApiSendRwLock | O::RecursiveRwLock, _)
            | (_, Some(LockKind::Async)) => Some(true),
            (_, Some(LockKind::Blocking)) => Some(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_have_the_sort_of_their_family() {
        assert_eq!(ObjectKind::StdMutex.sort(), Sort::Lock);
        assert_eq!(ObjectKind::LockApiSendMutex.sort(), Sort::Lock);
        assert_eq!(ObjectKind::TokioMpsc.sort(), Sort::Chan);
        assert_eq!(ObjectKind::TokioSemaphore.sort(), Sort::Sem);
        assert_eq!(ObjectKind::StdBarrier.sort(), Sort::Signal);
    }

    #[test]
    fn of_every_lock_with_a_name_it_is_known_what_waits_for_it() {
        for kind in ObjectKind::ALL {
            let named = kind.sort() == Sort::Lock && *kind != ObjectKind::OtherLock;
            assert_eq!(kind.lock_kind().is_some(), named, "{kind:?}");
            assert_eq!(kind.sends_guards().is_some(), named, "{kind:?}");
        }
        assert_eq!(ObjectKind::StdMutex.sends_guards(), Some(false));
        assert_eq!(ObjectKind::LockApiSendMutex.sends_guards(), Some(true));
    }
}
