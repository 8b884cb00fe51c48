//! What rvcheck reports beside the violations of properties.

/// The id of findings about comments that allow nothing.
pub const SUPPRESSION: &str = "suppression";
/// The id of findings about entries of the baseline that are no longer needed.
pub const BASELINE: &str = "baseline";
/// The id of the finding that too much is unmonitored.
pub const UNMONITORED: &str = "unmonitored";

/// What is reported under an id that is no property.
#[derive(Clone, Copy, Debug)]
pub struct Reserved {
    /// The id.
    pub id: &'static str,
    /// What it means, and what to do about it.
    pub text: &'static str,
    /// Its section of the documentation, below `docs/`.
    pub page: &'static str,
}

/// All of them.
pub const RESERVED: [Reserved; 3] = [
    Reserved {
        id: BASELINE,
        text: "An entry of the baseline has no finding any more. `cargo rvcheck baseline` removes it.",
        page: "gate.md#a-baseline",
    },
    Reserved {
        id: SUPPRESSION,
        text: "A comment that begins with `rvcheck:` allows nothing: it cannot be read, gives no reason, names no property, or nothing \
               needs it. Correct it, or remove it.",
        page: "gate.md#suppressing-a-finding",
    },
    Reserved {
        id: UNMONITORED,
        text: "More of the sites could not be monitored than `--max-unmonitored` allows. The list of what is unmonitored has the reasons.",
        page: "gate.md#what-is-unmonitored",
    },
];
