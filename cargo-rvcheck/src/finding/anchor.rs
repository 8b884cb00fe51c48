//! What tells a finding from others when lines move.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a finding is, without line numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Anchor {
    /// The path of the innermost item around the primary place inside its file, such as `Ledger::transfer`.
    #[serde(default)]
    pub item: String,
    /// The line of code there, each stretch of white space as one blank.
    #[serde(default)]
    pub code: String,
}
