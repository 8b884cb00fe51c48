//! The text of transitions and parameters: words, trees, and the parser between them.
//!
//! Parsing never fails. It returns what could be read and the problems with the rest.

pub mod lexer;
pub mod parser;
mod print;
pub mod tree;

pub use parser::{parse_literal, parse_param, parse_transition};
