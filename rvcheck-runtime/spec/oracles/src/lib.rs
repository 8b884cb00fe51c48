//! Oracles: what the verdicts of `rvcheck-spec` are tested against. They are slow and obvious, and only tests depend on them.
//!
//! [`automata`] evaluates an automaton, [`formulas`] a formula, and [`grammars`] a grammar, over a whole trace. [`deac`] builds the automata networks of a
//! paper.

pub mod automata;
pub mod deac;
pub mod formulas;
pub mod grammars;
pub mod lifestates;
