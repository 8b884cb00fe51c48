//! Positions in the program as it was built.

use std::fmt;

/// A position in the program as it was built: what `Location` says. Where sources were rewritten, that is not the original one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CompiledPosition {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl CompiledPosition {
    /// Reads `file:line:column`.
    pub fn read(text: &str) -> Option<CompiledPosition> {
        let mut parts = text.trim().rsplitn(3, ':');
        let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some(CompiledPosition { file: parts.next().filter(|it| !it.is_empty())?.to_owned(), line, column })
    }
}

impl fmt::Display for CompiledPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
