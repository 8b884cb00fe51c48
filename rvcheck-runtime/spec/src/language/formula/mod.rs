//! The syntax of quantified linear temporal logic over finite traces, section 4 of the language.

pub mod parser;
mod print;
pub mod tree;

pub use parser::parse_formula;
