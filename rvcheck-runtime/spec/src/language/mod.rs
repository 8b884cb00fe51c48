//! The language as it is written: texts of properties, what is wrong with them, and the trees that parsers make of them.

pub mod formula;
pub mod grammar;
pub mod lifestate;
pub mod problem;
pub mod source;
pub mod syntax;
