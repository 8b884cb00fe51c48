//! Compiled properties: what compilation makes, and evaluation runs. Everything in them is consistent.

pub mod automaton;
pub mod built_in;
pub mod crossing;
pub mod fluent;
pub mod formula;
pub mod grammar;
pub mod lifestate;
pub mod ltl;
pub mod machine;
pub mod pattern;
pub mod property;
pub mod vocabulary;
