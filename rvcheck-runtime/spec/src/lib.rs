//! The property language of rvcheck: automata and temporal logic, the monitor engine and its oracles.
//!
//! A property comes in as strings ([`property::PropertySource`]), [`compile`](compile::compile) turns it into a
//! [`property::Property`] or into problems that point into those strings, and an [`engine::Monitor`] takes any number of
//! them over the events of a trace: it steps automata, and formulas ([`mod@ltl`]) as the automata that they become.
//! [`mod@reference`] and [`ltl::meaning`] give the same verdicts slowly and obviously, and [`deac`] does in another way; tests
//! hold them against each other.
//!
//! Nothing here does input or output, and nothing panics on any property or trace.

pub mod automaton;
mod built_in;
pub mod compile;
pub mod deac;
pub mod emission;
pub mod engine;
pub mod evaluate;
pub mod examine;
pub mod facts;
pub mod graph;
pub mod live;
pub mod ltl;
pub mod message;
pub mod problem;
pub mod property;
pub mod reference;
pub mod syntax;
pub mod verdict;
pub mod vocabulary;

pub use automaton::{Automaton, Level, Role, Scope};
pub use built_in::BuiltIn;
pub use compile::{BUILT_IN, compile, compile_automaton};
pub use engine::{Limits, Monitor};
pub use facts::Facts;
pub use live::{Live, compile_live};
pub use problem::{Part, Problem, Span};
pub use property::{Offence, Property, PropertySource};
pub use verdict::{Fault, Outlook, UnitEnd, UnitVerdict, Verdict, Verdicts, Violation, Witness};
pub use vocabulary::{EventSource, Vocabulary};

/// All source files of this crate.
#[cfg(feature = "sources")]
pub mod sources {
    include!(concat!(env!("OUT_DIR"), "/sources.rs"));
}
