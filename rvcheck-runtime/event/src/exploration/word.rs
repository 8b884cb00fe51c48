//! The words of the formats: enums that are written as one word each.

use std::fmt;

/// Declares an enum whose variants are written as words.
macro_rules! spelled {
    ($(#[$of:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$of])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// All there are.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// As it is written.
            pub const fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }

            /// Reads the word.
            pub fn read(word: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|it| it.word() == word)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

spelled! {
    /// How a run ended.
    End {
        /// The thread of the test ended, whatever came of it.
        Done = "done",
        /// Nobody can go on, no deadline is left, and nobody is outside.
        Hang = "hang",
        /// For very many points nothing was done but to look or to wait once more.
        Livelock = "livelock",
        /// There were more points than the plan allows.
        Lost = "lost",
    }
}

spelled! {
    /// What a participant is.
    Kind {
        /// The thread of the test.
        Test = "test",
        /// Another thread.
        Thread = "thread",
        /// An async task.
        Task = "task",
        /// A task of a `LocalSet` or the like, which goes on inside another participant.
        Local = "local",
        /// A blocking task.
        Blocking = "blocking",
        /// Somebody of whom nobody knows who spawned it.
        Root = "root",
    }
}

spelled! {
    /// What a participant is about to do at a point.
    Operation {
        /// It begins.
        Start = "start",
        /// It takes a lock.
        Lock = "lock",
        /// It takes a lock, or does without it.
        Try = "try",
        /// It sends.
        Send = "send",
        /// It receives.
        Receive = "receive",
        /// It waits for a signal.
        Wait = "wait",
        /// It gives a signal.
        Notify = "notify",
        /// It takes a permit.
        Permit = "permit",
        /// It changes or reads an atomic.
        Atomic = "atomic",
        /// It calls a function of the program that is observed, or returns from one.
        Call = "call",
        /// It is polled again.
        Poll = "poll",
        /// It cannot go on.
        Blocked = "blocked",
        /// It lets others go on.
        Yield = "yield",
        /// It ends.
        End = "end",
    }
}

spelled! {
    /// What was outside of control.
    Cause {
        /// A socket.
        Net = "net",
        /// A file.
        Fs = "fs",
        /// Another process.
        Process = "process",
        /// A thread of which nothing is known.
        Foreign = "foreign",
    }
}

spelled! {
    /// What may happen without a reason in the program.
    SpuriousKind {
        /// A wait ends without a signal: see `std::sync::Condvar::wait`.
        Wakeup = "wakeup",
        /// An exchange fails although the value is the expected one: see `compare_exchange_weak` of the atomics.
        Failure = "failure",
        /// A task is polled that nobody has woken: see `Future::poll`.
        Poll = "poll",
    }
}
