//! Grammars as they are written: the messages of a view, and the alternatives of nonterminals.

mod parser;
mod tree;

pub(crate) use parser::{RESERVED, START};
pub use parser::{parse_message, parse_rule};
pub use tree::{Alternative, Message, Setting, Side};
