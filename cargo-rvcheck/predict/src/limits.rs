//! How much is tried before a search gives up.

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many waits are followed in search of cycles.
    pub waits: u64,
    /// How many cycles are looked into.
    pub cycles: u64,
    /// How many steps are visited for that.
    pub steps: u64,
    /// Of the predictions at the same places only the first is wanted.
    pub distinct: bool,
    /// What is passed over because nothing comes of it.
    pub filters: Filters,
}

/// What is passed over because nothing comes of it: without one of these as much is found, only later. For tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Filters {
    /// Tasks that hold a lock which excludes the other are not in one cycle, and no task is in one twice.
    pub compatible: bool,
    /// A request that is made without a lock counts only where somebody may wait for its task, or behind it.
    pub involved: bool,
    /// Requests of a task for one thing with the same locks held are looked into as one.
    pub patterns: bool,
    /// Cycles of three and more are sought only among requests that reach each other.
    pub connected: bool,
}

impl Filters {
    /// All of them.
    pub const ALL: Filters = Filters { compatible: true, involved: true, patterns: true, connected: true };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { waits: 5_000_000, cycles: 20_000, steps: 50_000_000, distinct: true, filters: Filters::ALL }
    }
}
