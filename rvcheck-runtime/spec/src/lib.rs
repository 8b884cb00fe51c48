//! The property language of rvcheck: automata, the monitor engine and its oracle.
//!
//! A property comes in as strings ([`property::PropertySource`]), [`compile`](compile::compile) turns it into an
//! [`automaton::Automaton`] or into problems that point into those strings, and an [`engine::Monitor`] steps any number of
//! automata over the events of a trace. [`mod@reference`] gives the same verdicts slowly and obviously; tests hold the two
//! against each other.
//!
//! Nothing here does input or output, and nothing panics on any property or trace.

pub mod automaton;
pub mod compile;
pub mod engine;
pub mod evaluate;
pub mod facts;
pub mod problem;
pub mod property;
pub mod reference;
pub mod syntax;
pub mod verdict;

pub use automaton::{Automaton, Level, Role, Scope};
pub use compile::compile;
pub use engine::{Limits, Monitor};
pub use facts::Facts;
pub use problem::{Part, Problem, Span};
pub use property::PropertySource;
pub use verdict::{Fault, UnitEnd, UnitVerdict, Verdict, Verdicts, Violation, Witness};
