//! The kinds of events with their parameters and attributes: the built-in vocabulary of the property language.
//!
//! This table is the one place that names them. Shims record by [`EventKind`], specs name them by [`Signature::name`].

/// The sorts of values that an event can speak about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// An async task, a blocking task or a thread.
    Task,
    /// The operating system thread that polls.
    Thread,
    /// A mutual exclusion or reader-writer lock.
    Lock,
    /// A channel of any kind.
    Chan,
    /// A semaphore.
    Sem,
    /// A condition variable, `Notify`, barrier or watch.
    Signal,
    /// A test.
    Test,
    /// A group of tasks.
    Group,
    /// A 64-bit integer.
    Int,
    /// A truth value.
    Bool,
    /// A string, or the variant name of an enumeration.
    Str,
    /// Any sort.
    Any,
}

impl Sort {
    /// All sorts with their names in specs.
    pub const ALL: [(Sort, &'static str); 12] = [
        (Sort::Task, "task"),
        (Sort::Thread, "thread"),
        (Sort::Lock, "lock"),
        (Sort::Chan, "chan"),
        (Sort::Sem, "sem"),
        (Sort::Signal, "signal"),
        (Sort::Test, "test"),
        (Sort::Group, "group"),
        (Sort::Int, "int"),
        (Sort::Bool, "bool"),
        (Sort::Str, "str"),
        (Sort::Any, "any"),
    ];

    /// The sort's name in specs and in JSON lines.
    pub fn name(self) -> &'static str {
        Sort::ALL.iter().find(|(sort, _)| *sort == self).map_or("any", |(_, name)| name)
    }

    /// The sort of that name.
    pub fn of_name(name: &str) -> Option<Sort> {
        Sort::ALL.iter().find(|(_, it)| *it == name).map(|(sort, _)| *sort)
    }
}

/// Declares an enumeration that is stored in a few bits of a record and written by its variant name in specs.
macro_rules! variants {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $bits:literal => $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $($(#[$vdoc])* $variant = $bits,)* }

        impl $name {
            /// Every variant.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The variant that these bits stand for.
            pub const fn of_bits(bits: u8) -> Option<$name> {
                match bits { $($bits => Some($name::$variant),)* _ => None }
            }

            /// The name in specs, without the leading `::`.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

variants! {
    /// What sort of task this is.
    TaskKind {
        /// A future that a runtime polls on any of its threads.
        Async = 0 => "async",
        /// A closure on a runtime's blocking pool.
        Blocking = 1 => "blocking",
        /// A future that stays on one thread.
        Local = 2 => "local",
        /// A plain thread.
        Thread = 3 => "thread",
        /// The thread, or the root future, of a test.
        Test = 4 => "test",
        /// The root future of a `block_on` outside tests.
        Root = 5 => "root",
    }
}

variants! {
    /// How a lock is held or wanted.
    Mode {
        /// Exclusively.
        Write = 0 => "write",
        /// Together with other readers.
        Read = 1 => "read",
        /// As the one reader that may become the writer.
        Upgrade = 2 => "upgrade",
    }
}

variants! {
    /// What waits for a lock.
    LockKind {
        /// The thread, and so everything that it would run.
        Blocking = 0 => "blocking",
        /// The task.
        Async = 1 => "async",
    }
}

variants! {
    /// What blocks a thread.
    What {
        /// `thread::sleep` and `park_timeout`.
        Sleep = 0 => "sleep",
        /// File input or output.
        Fs = 1 => "fs",
        /// Socket input or output.
        Net = 2 => "net",
        /// Waiting for a child process.
        Process = 3 => "process",
        /// Waiting for a blocking lock or a condition variable.
        Lock = 4 => "lock",
        /// A blocking receive or send.
        Recv = 5 => "recv",
        /// Joining a thread.
        Join = 6 => "join",
        /// Driving a future to its end.
        BlockOn = 7 => "block_on",
        /// Standard input or output.
        Io = 8 => "io",
        /// `thread::park`.
        Park = 9 => "park",
    }
}

variants! {
    /// A timer that keeps an await from going on.
    Timer {
        /// A sleep.
        Sleep = 1 => "sleep",
        /// A limit of time for another future.
        Timeout = 2 => "timeout",
        /// The next turn of an interval.
        Interval = 3 => "interval",
    }
}

variants! {
    /// How a task ended by itself.
    Outcome {
        /// The output is not a `Result`.
        Unknown = 0 => "unknown",
        /// The output is `Ok`.
        Ok = 1 => "ok",
        /// The output is `Err`.
        Err = 2 => "err",
    }
}

variants! {
    /// How a test ended.
    TestOutcome {
        /// It has not ended, as far as the trace tells.
        Unknown = 0 => "unknown",
        /// It passed.
        Ok = 1 => "ok",
        /// It failed by its result.
        Failed = 2 => "failed",
        /// It panicked.
        Panicked = 3 => "panicked",
        /// It was stopped because it took too long.
        Timeout = 4 => "timeout",
    }
}

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
        /// `parking_lot::Condvar`.
        ParkingLotCondvar = 52 => "parking_lot::Condvar",
        /// `tokio_util::sync::CancellationToken`.
        CancellationToken = 53 => "tokio_util::sync::CancellationToken",
        /// `tokio_util::task::TaskTracker`.
        TaskTracker = 54 => "tokio_util::task::TaskTracker",
        /// `async_lock::Barrier`.
        AsyncLockBarrier = 55 => "async_lock::Barrier",
        /// A type of `std::sync::atomic`.
        StdAtomic = 56 => "std::sync::atomic",
        /// `lock_api::Mutex` of a raw lock whose guards can be sent to another thread, for all that is known.
        LockApiSendMutex = 64 => "lock_api::Mutex with guards that may be Send",
        /// `lock_api::RwLock` of such a raw lock.
        LockApiSendRwLock = 65 => "lock_api::RwLock with guards that may be Send",
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

    /// Whether guards of such a lock may be sent to another thread. `None` as above.
    pub const fn sends_guards(self) -> Option<bool> {
        use ObjectKind as O;
        match (self, self.lock_kind()) {
            (_, None) => None,
            (O::LockApiSendMutex | O::LockApiSendRwLock, _) | (_, Some(LockKind::Async)) => Some(true),
            (_, Some(LockKind::Blocking)) => Some(false),
        }
    }
}

/// A parameter or attribute: its name and sort.
pub type Param = (&'static str, Sort);

/// How events of one kind are written in specs.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// The name, such as `send_wait`.
    pub name: &'static str,
    /// The positional parameters.
    pub params: &'static [Param],
    /// The attributes; `time`, which every event has, is not repeated here.
    pub attrs: &'static [Param],
    /// What such an event means, in Markdown.
    pub meaning: &'static str,
}

macro_rules! events {
    ($($(#[doc = $doc:literal])* $kind:ident = $code:literal $name:ident($($param:ident: $sort:ident),*) [$($attr:ident: $asort:ident),*];)*) => {
        /// What happened. The numbers are those of the trace format and never change their meaning.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum EventKind { $($(#[doc = $doc])* $kind = $code,)* }

        impl EventKind {
            /// Every kind, in the order of the property language's table.
            pub const ALL: &'static [EventKind] = &[$(EventKind::$kind,)*];

            /// The kind of that number.
            pub const fn of_code(code: u8) -> Option<EventKind> {
                match code { $($code => Some(EventKind::$kind),)* _ => None }
            }

            /// How events of this kind are written.
            pub const fn signature(self) -> &'static Signature {
                match self {
                    $(EventKind::$kind => &Signature {
                        name: stringify!($name),
                        params: &[$((stringify!($param), Sort::$sort)),*],
                        attrs: &[$((stringify!($attr), Sort::$asort)),*],
                        meaning: const { concat!($($doc),*).trim_ascii_start() },
                    },)*
                }
            }
        }
    };
}

events! {
    /// Task `t` created task `u`.
    Spawn = 1 spawn(t: Task, u: Task) [kind: Str, name: Str, group: Str, output: Str];
    /// The task runs for the first time.
    Start = 2 start(t: Task) [kind: Str, name: Str, group: Str];
    /// The task begins to run on a thread.
    Poll = 3 poll(t: Task) [on: Thread];
    /// The task gives its thread back, unfinished. `ns` is how long it ran, `cpu` how much of that on a core, where known; `timer`
    /// when it has polled a timer that is running.
    Suspend = 4 suspend(t: Task) [ns: Int, cpu: Int, timer: Bool];
    /// The task returned. `ns` and `cpu` are those of its last poll.
    Finish = 5 finish(t: Task) [outcome: Str, ns: Int, cpu: Int];
    /// The task panicked; `caught` when the panic went no further than a `catch_unwind` inside it.
    Panic = 6 panic(t: Task) [caught: Bool];
    /// The task was dropped unfinished. `ns` and `cpu` are those of dropping it.
    Cancel = 7 cancel(t: Task) [ns: Int, cpu: Int];
    /// Task `t` took the result of `u`.
    Join = 8 join(t: Task, u: Task) [];
    /// Task `t` dropped the handle of `u` without reading its result.
    Detach = 9 detach(t: Task, u: Task) [];
    /// Task `t` asked for `u` to be cancelled.
    Abort = 10 abort(t: Task, u: Task) [];
    /// Task `t` has to wait for the end of `u`.
    JoinWait = 12 join_wait(t: Task, u: Task) [];
    /// An await did suspend. `what` is the timer that it waits for, else what the source says.
    Await = 16 await(t: Task) [what: Str];
    /// That await goes on.
    Resume = 17 resume(t: Task) [what: Str];
    /// The future was dropped at that await.
    AwaitCancel = 18 await_cancel(t: Task) [what: Str];
    /// The task wants the lock and has to wait. `kind` tells what waits for such a lock; `send` whether its guards may be sent
    /// to another thread.
    Request = 24 request(t: Task, l: Lock) [mode: Str, try: Bool, class: Str, kind: Str, send: Bool];
    /// The task has the lock.
    Acquire = 25 acquire(t: Task, l: Lock) [mode: Str, try: Bool, class: Str, kind: Str, send: Bool];
    /// The task gives the lock back.
    Release = 26 release(t: Task, l: Lock) [mode: Str, try: Bool, class: Str, kind: Str, send: Bool];
    /// The task stopped waiting for the lock.
    Withdraw = 27 withdraw(t: Task, l: Lock) [mode: Str, try: Bool, class: Str, kind: Str, send: Bool];
    /// The task waits for room in the channel.
    SendWait = 32 send_wait(t: Task, c: Chan) [capacity: Int, class: Str];
    /// The task put message `n` into the channel.
    Send = 33 send(t: Task, c: Chan, n: Int) [capacity: Int, class: Str];
    /// The task waits for a message.
    RecvWait = 34 recv_wait(t: Task, c: Chan) [capacity: Int, class: Str];
    /// The task took message `n`.
    Recv = 35 recv(t: Task, c: Chan, n: Int) [capacity: Int, class: Str];
    /// The task found the channel closed.
    Closed = 36 closed(t: Task, c: Chan) [capacity: Int, class: Str];
    /// The task missed messages of a broadcast.
    Lagged = 37 lagged(t: Task, c: Chan) [capacity: Int, class: Str];
    /// A sender is gone.
    SenderDrop = 38 sender_drop(c: Chan) [capacity: Int, class: Str];
    /// A receiver is gone.
    ReceiverDrop = 39 receiver_drop(c: Chan) [capacity: Int, class: Str];
    /// Message `n` was never received.
    Undelivered = 40 undelivered(c: Chan, n: Int) [capacity: Int, class: Str];
    /// The task stopped waiting for room in the channel.
    SendCancel = 41 send_cancel(t: Task, c: Chan) [capacity: Int, class: Str];
    /// The task stopped waiting for a message.
    RecvCancel = 42 recv_cancel(t: Task, c: Chan) [capacity: Int, class: Str];
    /// The task waits for `n` permits. `capacity` is how many permits there are, free or taken.
    PermitWait = 48 permit_wait(t: Task, s: Sem, n: Int) [capacity: Int, class: Str];
    /// The task has `n` permits.
    Permit = 49 permit(t: Task, s: Sem, n: Int) [capacity: Int, class: Str];
    /// `n` permits are given back; `added` when they are new ones.
    PermitRelease = 50 permit_release(t: Task, s: Sem, n: Int) [capacity: Int, class: Str, added: Bool];
    /// `n` permits will never be given back.
    PermitForget = 51 permit_forget(t: Task, s: Sem, n: Int) [capacity: Int, class: Str];
    /// The task stopped waiting for permits.
    PermitCancel = 52 permit_cancel(t: Task, s: Sem) [capacity: Int, class: Str];
    /// The task waits for the signal.
    SignalWait = 56 signal_wait(t: Task, o: Signal) [class: Str];
    /// The task got the signal.
    Signalled = 57 signalled(t: Task, o: Signal) [class: Str];
    /// The task signals one waiter.
    NotifyOne = 58 notify_one(t: Task, o: Signal) [class: Str];
    /// The task signals all waiters.
    NotifyAll = 59 notify_all(t: Task, o: Signal) [class: Str];
    /// The task stopped waiting for the signal.
    SignalCancel = 60 signal_cancel(t: Task, o: Signal) [class: Str];
    /// The task changes an atomic. Of several times with nothing else in between only the first is told.
    AtomicStore = 61 atomic_store(t: Task, o: Signal) [class: Str];
    /// The task sees what another one has made of an atomic. Of several times only the first is told.
    AtomicLoad = 62 atomic_load(t: Task, o: Signal) [class: Str];
    /// The task's thread is about to block.
    Block = 64 block(t: Task) [what: Str];
    /// The task's thread goes on. `ns` is how long it was blocked.
    Unblock = 65 unblock(t: Task) [what: Str, ns: Int];
    /// A test begins.
    TestBegin = 72 test_begin(x: Test) [name: Str];
    /// A test is over.
    TestEnd = 73 test_end(x: Test) [name: Str, outcome: Str];
    /// An event of the program's own. `object` is the [`crate::id::StringId`] of its name; its arguments are those of the world
    /// right after it. Specs write its name, never `user`.
    User = 80 user() [];
}

impl EventKind {
    /// The kinds that specs can name.
    pub fn built_in() -> impl Iterator<Item = EventKind> {
        EventKind::ALL.iter().copied().filter(|kind| *kind != EventKind::User)
    }

    /// The built-in event of that name.
    pub fn of_name(name: &str) -> Option<EventKind> {
        EventKind::built_in().find(|kind| kind.signature().name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_kind_has_its_own_name_and_number() {
        let names: BTreeSet<_> = EventKind::ALL.iter().map(|it| it.signature().name).collect();
        assert_eq!(names.len(), EventKind::ALL.len());
        for kind in EventKind::ALL {
            assert_eq!(EventKind::of_code(*kind as u8), Some(*kind));
        }
        for kind in EventKind::built_in() {
            assert_eq!(EventKind::of_name(kind.signature().name), Some(kind));
        }
    }

    #[test]
    fn the_programs_own_events_have_no_name_in_the_table() {
        assert_eq!(EventKind::of_name("user"), None);
        assert_eq!(EventKind::built_in().count() + 1, EventKind::ALL.len());
    }

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
