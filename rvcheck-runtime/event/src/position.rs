//! Positions in files: as their authors wrote them, and as the compiler saw them.
//!
//! A marker that is inserted moves what stands behind it on its line. So the two are types of their own, and
//! `PositionMap::original` in `rvcheck-source` is the only way from one to the other.

use std::fmt;

/// A position in a file as its author wrote it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourcePosition {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
}

/// A position in a file as the compiler saw it: in the rewritten text, if the file was rewritten.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CompiledPosition {
    /// The line, from 1; 0 where it is not known.
    pub line: u32,
    /// The column, from 1; 0 where it is not known. A run-time `Location` counts width, the compiler's messages and MIR
    /// count characters.
    pub column: u32,
}

/// A point in the program as it was built: what a run-time `Location` says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProgramPoint {
    /// The file, as the compiler names it.
    pub file: String,
    /// Where in it.
    pub position: CompiledPosition,
}

impl SourcePosition {
    /// The position of this line and column.
    pub const fn new(line: u32, column: u32) -> SourcePosition {
        SourcePosition { line, column }
    }
}

impl CompiledPosition {
    /// The position of this line and column.
    pub const fn new(line: u32, column: u32) -> CompiledPosition {
        CompiledPosition { line, column }
    }

    /// Whether it is known.
    pub const fn is_known(self) -> bool {
        self.line > 0
    }
}

impl ProgramPoint {
    /// Reads `file:line:column`.
    pub fn read(text: &str) -> Option<ProgramPoint> {
        let mut parts = text.trim().rsplitn(3, ':');
        let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let file = parts.next().filter(|it| !it.is_empty())?.to_owned();
        Some(ProgramPoint { file, position: CompiledPosition::new(line, column) })
    }
}

impl fmt::Display for SourcePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl fmt::Display for CompiledPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl fmt::Display for ProgramPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.position)
    }
}
