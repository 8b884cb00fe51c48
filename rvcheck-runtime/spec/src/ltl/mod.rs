//! Quantified linear temporal logic over finite traces, section 4 of the language.
//!
//! [`parse_formula`] makes a [`tree::Formula`] of a text, [`crate::compile()`] resolves its names to an [`Ltl`], and a
//! [`Recording`](record::Recording) keeps what such properties have to know of a trace until its units can be judged.
//! [`meaning`] says literally when a formula holds; [`table`] computes the same for all positions at once.

pub(crate) mod compile;
mod explain;
pub mod fluent;
pub(crate) mod judge;
pub mod machine;
pub mod meaning;
pub mod node;
pub mod parser;
mod print;
pub mod record;
pub mod table;
pub mod tree;
pub mod view;

pub use fluent::{FluentSource, Fluents};
pub use node::Ltl;
pub use parser::parse_formula;
