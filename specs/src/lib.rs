//! The property library of rvcheck as data.
//!
//! A property is two files below `lib/`: `<id>.toml` says what it means, `<id>.md` explains it to users. A line in
//! [`LIBRARY`] makes it known; everything else derives from there. Tests hold the three together.

/// A property of the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The id.
    pub id: &'static str,
    /// The specification file, one property in it.
    pub toml: &'static str,
    /// What it means to users, as Markdown.
    pub docs: &'static str,
}

macro_rules! library {
    ($($id:literal,)*) => {
        /// The properties, by id.
        pub const LIBRARY: &[Entry] = &[$(Entry {
            id: $id,
            toml: include_str!(concat!("../lib/", $id, ".toml")),
            docs: include_str!(concat!("../lib/", $id, ".md")),
        },)*];
    };
}

library! {
    "affinity",
    "blocking-in-async",
    "cancel-unresponsive",
    "cancel-unsafe",
    "channel-deadlock",
    "double-lock",
    "futurelock",
    "guard-across-await",
    "lock-order",
    "lost-error",
    "lost-wakeup",
    "order-dependence",
    "panic-as-result",
    "partial-deadlock",
    "protocol",
    "semaphore",
    "stall",
    "task-leak",
}

/// The property of that id.
pub fn find(id: &str) -> Option<&'static Entry> {
    LIBRARY.iter().find(|entry| entry.id == id)
}
