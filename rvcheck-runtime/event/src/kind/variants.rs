//! The attributes that are one of a few words.

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

pub(super) use variants;

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
