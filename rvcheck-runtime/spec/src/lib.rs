//! The property language of rvcheck: automata and temporal logic, and the monitor engine.
//!
//! A property comes in as strings ([`PropertySource`], in [`language`]). [`compile()`] turns it into a [`Property`] ([`model`]) or into
//! problems that point into those strings ([`compilation`]). A [`Monitor`] takes any number of properties over the events of a trace
//! ([`evaluation`]): it steps automata, and formulas as the automata that they become. What patterns, guards and actions mean is
//! said once ([`semantics`]).
//!
//! The crate `rvcheck-oracles` gives the same verdicts slowly and obviously, and tests hold the two against each other.
//!
//! Nothing here does input or output, and nothing panics on any property or trace.

pub mod compilation;
pub mod derivation;
pub mod evaluation;
pub mod examine;
pub mod graph;
pub mod language;
pub mod live;
pub mod message;
pub mod model;
pub mod semantics;
pub mod verdict;

pub use compilation::{BUILT_IN, compile, compile_automaton};
pub use evaluation::engine::Monitor;
pub use evaluation::limits::Limits;
pub use language::problem::{Part, Problem, Span};
pub use language::source::{EventSource, FluentSource, PropertySource};
pub use live::{Live, compile_live};
pub use model::automaton::{Automaton, Level, Role, Scope};
pub use model::built_in::BuiltIn;
pub use model::grammar::{Grammar, Message};
pub use model::lifestate::Lifestate;
pub use model::ltl::Ltl;
pub use model::property::{Offence, Property};
pub use model::vocabulary::Vocabulary;
pub use semantics::facts::Facts;
pub use verdict::{
    Doubt, DoubtKind, Fault, Outlook, UnitEnd, UnitVerdict, Verdict, Verdicts, Violation, Witness,
};

/// All source files of this crate.
#[cfg(feature = "sources")]
pub mod sources {
    include!(concat!(env!("OUT_DIR"), "/sources.rs"));
}
