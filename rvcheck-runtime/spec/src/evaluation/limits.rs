//! Where evaluation gives up, and how much it keeps.

/// Where a monitor gives up rather than take all memory or time. Each is for one property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many instances can be alive at a time.
    pub instances: usize,
    /// How many steps relating bindings to each other may take. Events that bind all parameters take none.
    pub work: u64,
    /// How many violations are kept; more are only counted.
    pub violations: usize,
    /// How many events are kept for formulas.
    pub events: usize,
}

impl Limits {
    /// Enough for every program that is not built to break a monitor, in about 1 GiB and a minute at worst.
    pub const DEFAULT: Limits =
        Limits { instances: 1 << 20, work: 1 << 33, violations: 10_000, events: 1 << 21 };
}

/// How many of the first events of a violation are kept, and how many of the last.
pub const KEPT: u32 = 16;
