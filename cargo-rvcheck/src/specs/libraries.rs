//! `library`: which code is a library's, and which is the program's own.

use super::fields::Text;
use super::observe::pattern;
use super::problem::SpecProblem;
use rvcheck_source::observe::pattern::PathPattern;
use std::ops::Range;

/// Code that a property file says to be a library's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryEntry {
    /// A crate, or a module of the workspace from its crate.
    pub path: PathPattern,
    /// The file.
    pub file: String,
    /// The bytes of the path in it, quotes included.
    pub at: Range<usize>,
}

/// Reads an entry. What is wrong with it is added to the problems.
pub(super) fn library(
    (file, text): (&str, &str),
    written: Text,
    problems: &mut Vec<SpecProblem>,
) -> Option<LibraryEntry> {
    // A package may be called otherwise than its crate.
    let as_crate = Text { value: written.value.replace('-', "_"), span: written.span.clone() };
    let path = pattern((file, text), &as_crate, problems)?;
    Some(LibraryEntry { path, file: file.to_owned(), at: written.span })
}
