//! Identities. Each is a 32-bit number that is unique within one process; zero means “none” or “unknown”.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $name(pub u32);

        impl $name {
            /// No object, or one that is not known.
            pub const NONE: $name = $name(0);

            /// Whether this names anything at all.
            pub const fn is_some(self) -> bool {
                self.0 != 0
            }
        }
    )*};
}

ids! {
    /// An operating system thread that recorded something, in the order of first records.
    ThreadId;
    /// A task: an async task, a blocking task, or a plain thread (a task of kind [`crate::kind::TaskKind::Thread`]).
    TaskId;
    /// A lock, channel, semaphore or signal. One number space for all of them.
    ObjectId;
    /// A place in the program's source, as the compiler saw it.
    SiteId;
    /// What one verdict is about: a test. [`UnitId::PROCESS`] is everything outside tests.
    UnitId;
    /// An interned string, such as the name of a type.
    StringId;
}

impl UnitId {
    /// The unit of whatever belongs to no test: statics, shared pools, `main`.
    pub const PROCESS: UnitId = UnitId(0);
}
