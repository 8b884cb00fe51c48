//! `logic = "grammar"`: a view and an attribute grammar become an automaton.
//!
//! Its states are the nonterminals, the end of a word, and for each of these the state that a violation leads to. Its registers are the
//! attributes of the nonterminal that it is in. An alternative is a transition; where a nonterminal has none for a message, that message
//! leads to the bad state.

mod attributes;
mod build;
mod check;
mod instances;
mod messages;
mod read;
mod scope;

pub(crate) use attributes::attributes_in;
pub use messages::source_of;

use crate::compilation::heading::heading;
use crate::language::problem::Problem;
use crate::language::source::PropertySource;
use crate::model::automaton::Automaton;
use crate::model::vocabulary::Vocabulary;

/// How many transitions the automaton can have. No grammar that a person writes comes near it.
const MOST_TRANSITIONS: usize = 1 << 18;

/// Compiles a grammar. There is an automaton exactly where there are no problems.
pub(super) fn compile(
    source: &PropertySource,
    vocabulary: &Vocabulary,
    problems: &mut Vec<Problem>,
) -> Option<Automaton> {
    let read = read::read(source, problems);
    let mut vocabulary = vocabulary.clone();
    messages::declare(&read, &mut vocabulary, problems);
    let heading = heading(source, &vocabulary, problems);
    let instances = instances::read(source, &read, problems);
    let rules = read::resolve(source, &read, problems);
    if !problems.is_empty() {
        return None;
    }
    let attributes = attributes::of(&rules, &read, &vocabulary, problems);
    check::reachable(&rules, &read, problems);
    if !problems.is_empty() {
        return None;
    }
    let automaton =
        build::automaton(source, heading, &instances, (&read, &rules, &attributes), &vocabulary, problems);
    problems.is_empty().then_some(automaton)
}
