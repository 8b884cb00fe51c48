//! The ids under which rvcheck reports what is no property.

/// The id of findings about comments that allow nothing.
pub const SUPPRESSION: &str = "suppression";
/// The id of findings about entries of the baseline that are no longer needed.
pub const BASELINE: &str = "baseline";
/// The id of the finding that too much is unmonitored.
pub const UNMONITORED: &str = "unmonitored";

/// All of them.
pub const RESERVED: [&str; 3] = [BASELINE, SUPPRESSION, UNMONITORED];
