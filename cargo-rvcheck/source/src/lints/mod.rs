//! Lints: defects that the compiler's own view of the code shows without running it.
//!
//! Each lint is one file and one line in [`LINTS`]. It sees a [`Program`] and nothing else, and is silent where it does not know.

mod guard_across_await;

use crate::flow::Program;
use crate::marker::Number;

/// A lint.
#[derive(Clone, Copy, Debug)]
pub struct Lint {
    /// The id of the property that it finds violated.
    pub property: &'static str,
    /// Finds the violations.
    pub check: fn(&Program) -> Vec<Hit>,
}

/// All lints, in the order of their properties.
pub const LINTS: [Lint; 1] =
    [Lint { property: guard_across_await::PROPERTY, check: guard_across_await::check }];

/// How sure a hit is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Certainty {
    /// In doubt: a note.
    Doubt,
    /// Wrong on some path, or a pattern that is usually wrong: a warning.
    Usually,
    /// Wrong whenever it runs: an error.
    Definite,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// The site or await of that number.
    Site(Number),
    /// A position in the text that was compiled, as the compiler gives it: of a closure, an async block or an `impl`.
    Position {
        /// The file, as the compiler names it.
        file: String,
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
    },
    /// The function with that path in its file, such as `Ledger::transfer`.
    Item(String),
}

/// A violation that was found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Hit {
    /// The id of the property.
    pub property: &'static str,
    /// How sure it is.
    pub certainty: Certainty,
    /// What is wrong, in one sentence.
    pub message: String,
    /// The place that a person would change, and what it has to do with it.
    pub primary: (Mark, String),
    /// The other places that the message speaks of, each with what it has to do with it.
    pub related: Vec<(Mark, String)>,
    /// What to do, in one or two sentences.
    pub advice: String,
}

/// What all lints find in a program: each hit once, in the order of their places.
pub fn check(program: &Program) -> Vec<Hit> {
    let mut hits: Vec<Hit> = LINTS.iter().flat_map(|lint| (lint.check)(program)).collect();
    hits.sort_by(|a, b| (&a.primary, a.property, &a.related).cmp(&(&b.primary, b.property, &b.related)));
    hits.dedup_by(|a, b| a.property == b.property && a.primary.0 == b.primary.0 && a.related == b.related);
    hits
}
