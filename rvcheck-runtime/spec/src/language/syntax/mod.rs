//! The text of transitions and parameters: words, trees, and the parser between them.
//!
//! Parsing never fails. It returns what could be read and the problems with the rest.

pub mod lexer;
pub mod parser;
mod print;
pub mod tree;

pub use parser::{parse_literal, parse_param, parse_transition};

/// Whether a name can be that of a variable.
pub(crate) fn is_variable(name: &str) -> bool {
    name != "_"
        && name.starts_with(|c: char| c == '_' || c.is_ascii_lowercase())
        && name.bytes().all(|it| it == b'_' || it.is_ascii_alphanumeric())
        && !["true", "false", "emit"].contains(&name)
}
