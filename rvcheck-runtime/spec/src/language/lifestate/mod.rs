//! Lifestate rules as they are written: which histories permit or prohibit a message.

mod parser;
mod print;
mod tree;

pub use parser::parse_rule;
pub use tree::{Argument, Kind, Message, Regex, RegexForm, Rule, Sign};
