//! What has to hold of rvcheck's readers and of what it shows, for any input, as functions that take bytes and panic where it does not.
//!
//! [`TARGETS`] lists them with inputs to begin with. The test `budget` gives each a fixed number of mutated inputs; the
//! targets of cargo-fuzz in `fuzz/` at the root of the repository call the same functions.

#![expect(clippy::missing_panics_doc, reason = "a panic is how a target says that something does not hold")]

mod corpus;
pub mod mutate;
mod output;
mod places;
mod property;
mod spec_file;
mod syntax;
mod trace;

pub use output::output;
pub use property::property;
pub use spec_file::spec_file;
pub use syntax::{event, formula, literal, param, transition};
pub use trace::{lines, rows, trace};

/// A reader, what is known of its inputs, and what has to hold for any of them.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name, which is also that of the target of cargo-fuzz.
    pub name: &'static str,
    /// Panics if something that has to hold does not.
    pub check: fn(&[u8]),
    /// Inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words that mean something to the reader, with blanks between them; none where it reads no text.
    pub words: &'static str,
    /// An input that takes about so much longer than others gets so many times fewer runs.
    pub weight: u32,
}

/// All readers.
pub const TARGETS: [Target; 11] = [
    Target {
        name: "formula",
        check: formula,
        seeds: corpus::formulas,
        words: corpus::FORMULA_WORDS,
        weight: 1,
    },
    Target { name: "event", check: event, seeds: corpus::formulas, words: corpus::FORMULA_WORDS, weight: 1 },
    Target {
        name: "transition",
        check: transition,
        seeds: corpus::transitions,
        words: corpus::TRANSITION_WORDS,
        weight: 1,
    },
    Target { name: "param", check: param, seeds: corpus::params, words: corpus::TRANSITION_WORDS, weight: 1 },
    Target {
        name: "literal",
        check: literal,
        seeds: corpus::literals,
        words: corpus::TRANSITION_WORDS,
        weight: 1,
    },
    Target {
        name: "property",
        check: property,
        seeds: corpus::properties,
        words: corpus::PROPERTY_WORDS,
        weight: 8,
    },
    Target {
        name: "spec_file",
        check: spec_file,
        seeds: corpus::files,
        words: corpus::FILE_WORDS,
        weight: 8,
    },
    Target { name: "trace", check: trace, seeds: corpus::traces, words: "", weight: 16 },
    Target { name: "lines", check: lines, seeds: corpus::lines, words: corpus::LINE_WORDS, weight: 4 },
    Target { name: "rows", check: rows, seeds: corpus::rows, words: corpus::ROW_WORDS, weight: 2 },
    Target { name: "output", check: output, seeds: corpus::texts, words: corpus::TEXT_WORDS, weight: 16 },
];

/// The input as a text; what is not UTF-8 becomes a replacement character.
fn text(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}
