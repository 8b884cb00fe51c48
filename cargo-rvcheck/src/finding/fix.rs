//! Edits of the source that mend what a finding is about.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A suggested change of the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Fix {
    /// What it does, as an order.
    pub message: String,
    /// Whether `cargo rvcheck fix` applies it.
    pub applicability: Applicability,
    /// The edits, in the order of their places. They do not overlap, and belong together.
    pub edits: Vec<TextEdit>,
}

/// How sure it is that a fix is what the author would want. The names are rustc's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Applicability {
    /// It can be applied without looking.
    MachineApplicable,
    /// It may change more than it should: somebody has to look.
    MaybeIncorrect,
}

impl Applicability {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Applicability::MachineApplicable => "machine-applicable",
            Applicability::MaybeIncorrect => "maybe-incorrect",
        }
    }
}

/// A stretch of source text and what is to stand there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct TextEdit {
    /// The file, relative to the workspace root.
    pub file: String,
    /// The first line that is replaced, from 1.
    pub line: u32,
    /// The first character in that line, from 1.
    pub column: u32,
    /// The last line, from 1.
    pub end_line: u32,
    /// The character after the last one, from 1.
    pub end_column: u32,
    /// What replaces it.
    pub replacement: String,
}
