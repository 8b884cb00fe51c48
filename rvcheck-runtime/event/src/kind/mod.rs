//! The kinds of events with their parameters and attributes: the built-in vocabulary of the property language.
//!
//! This table is the one place that names them. Shims record by [`EventKind`], specs name them by [`Signature::name`].

mod object;
mod sort;
mod variants;

pub use object::ObjectKind;
pub use sort::Sort;
pub use variants::{LockKind, Mode, Outcome, TaskKind, TestOutcome, Timer, What};

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
    Spawn = 1 spawn(t: Task, u: Task) [kind: Str, name: Str, output: Str];
    /// The task runs for the first time.
    Start = 2 start(t: Task) [kind: Str, name: Str];
    /// The task begins to run on a thread.
    Poll = 3 poll(t: Task) [on: Thread];
    /// The task gives its thread back, unfinished. `ns` is how long it ran, `cpu` how much of that on a core, where known; `timer`
    /// when it has polled a timer that is running.
    Suspend = 4 suspend(t: Task) [ns: Int, cpu: Int, timer: Bool];
    /// The task returned. `ns` and `cpu` are those of its last poll.
    Finish = 5 finish(t: Task) [outcome: Str, ns: Int, cpu: Int];
    /// The task panicked; `caught` when the panic went no further than a `catch_unwind` inside it, `dropped` when the task was being
    /// dropped unfinished.
    Panic = 6 panic(t: Task) [caught: Bool, dropped: Bool];
    /// The task was dropped unfinished. `ns` and `cpu` are those of dropping it.
    Cancel = 7 cancel(t: Task) [ns: Int, cpu: Int];
    /// Task `t` took the result of `u`.
    Join = 8 join(t: Task, u: Task) [];
    /// Task `t` dropped the handle of `u` without reading its result; `by_owner` when a set or scope did, which waits for `u` or cancels it.
    Detach = 9 detach(t: Task, u: Task) [by_owner: Bool];
    /// Task `t` asked for `u` to be cancelled.
    Abort = 10 abort(t: Task, u: Task) [];
    /// Task `t` was told that `u` has ended, and did not take its result.
    Ended = 11 ended(t: Task, u: Task) [];
    /// Task `t` has to wait for the end of `u`.
    JoinWait = 12 join_wait(t: Task, u: Task) [];
    /// Task `t` spawned `u` into the set of tasks with this number: 1 is the first `JoinSet` of the process into which something was spawned.
    SetSpawn = 13 set_spawn(t: Task, u: Task, n: Int) [];
    /// Task `t` dropped the last clone of the waker of `u`, and nobody has woken `u` with one since it was polled last.
    WakerDrop = 14 waker_drop(t: Task, u: Task) [];
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
    /// The task closes the channel, without dropping an end of it: nobody can send any more, and what is in it can be received.
    ChanClose = 43 chan_close(t: Task, c: Chan) [capacity: Int, class: Str];
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
    /// The task changes an atomic. Of several times with nothing else in between only the first is recorded.
    AtomicStore = 61 atomic_store(t: Task, o: Signal) [class: Str];
    /// The task sees what another one has made of an atomic. Of several times only the first is recorded.
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
}
