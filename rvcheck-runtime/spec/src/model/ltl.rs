//! A property in linear temporal logic.

use std::collections::BTreeSet;
use std::sync::Arc;

use rvcheck_event::declared::Declared;
use rvcheck_event::kind::EventKind;

use crate::language::formula::tree::Quantifier;
use crate::model::automaton::{Level, Presentation, Scope, Source};
use crate::model::formula::{Node, Steps};
use crate::model::machine::{Machine, Unsteppable};
use crate::model::pattern::{Pattern, Variable};

/// A compiled property. [`crate::compile()`] makes them and nothing else does, so everything in it is consistent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ltl {
    /// The id of the property.
    pub id: String,
    /// The title.
    pub title: String,
    /// The level of a violation.
    pub level: Level,
    /// What one verdict covers.
    pub scope: Scope,
    /// The message of a violation, with the variables of the first `forall`s in braces.
    pub message: String,
    /// What the positions are.
    pub steps: Steps,
    /// The variables, in the order in which they are bound.
    pub variables: Vec<Variable>,
    /// The formula.
    pub formula: Node,
    /// The events that its file declares. Others of the program's own are positions and nothing else.
    pub declared: Vec<Declared>,
    /// Its automaton, or why there is none.
    pub machine: Result<Arc<Machine>, Unsteppable>,
    /// How violations are shown.
    pub presentation: Presentation,
}

impl Ltl {
    /// The variables of the `forall`s that the formula begins with: what a violation has values for, in this order.
    pub fn parameters(&self) -> impl Iterator<Item = &Variable> {
        self.leading(Quantifier::Forall)
    }

    /// The variables of the `exists` that the formula begins with: what a witness has values for, in this order.
    pub fn witnesses(&self) -> impl Iterator<Item = &Variable> {
        self.leading(Quantifier::Exists)
    }

    fn leading(&self, quantifier: Quantifier) -> impl Iterator<Item = &Variable> {
        let (prefix, _) = self.formula.prefix();
        let leading = prefix.into_iter().take_while(move |it| it.quantifier == quantifier);
        leading.flat_map(|it| it.variables.iter().filter_map(|(index, _)| self.variables.get(*index)))
    }

    /// The kinds of events that the formula speaks of, in the order of their numbers.
    pub fn alphabet(&self) -> Vec<EventKind> {
        let mut kinds = Vec::new();
        self.formula.visit(&mut |node| match node {
            Node::Event(pattern) => kinds.push(pattern.kind),
            Node::Fluent(fluent, ..) => {
                kinds.extend(fluent.from.iter().chain(&fluent.to).map(|it| it.kind));
            }
            _ => {}
        });
        kinds.sort_by_key(|kind| *kind as u8);
        kinds.dedup();
        kinds
    }

    /// The names of the program's own events that the formula speaks of, those of its fluents included.
    pub(crate) fn own_events(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        self.formula.visit(&mut |node| match node {
            Node::Event(pattern) => names.extend(pattern.own_name()),
            Node::Fluent(fluent, ..) => {
                names.extend(fluent.from.iter().chain(&fluent.to).filter_map(Pattern::own_name));
            }
            _ => {}
        });
        names
    }

    /// Whether the formula has an interval, or asks for the time of an event.
    pub fn speaks_of_time(&self) -> bool {
        let asked = |pattern: &Pattern| pattern.arguments.iter().any(|(source, _)| source.is_time());
        let mut found = false;
        self.formula.visit(&mut |node| {
            found |= match node {
                Node::Unary(_, interval, _) | Node::Binary(_, interval, ..) => interval.is_some(),
                Node::Event(pattern) => asked(pattern),
                Node::Fluent(fluent, ..) => fluent.from.iter().chain(&fluent.to).any(asked),
                Node::Constant(_) | Node::Condition(_) | Node::Quantified(_) => false,
            };
        });
        found
    }

    /// The attributes that the formula reads, by kind of event.
    pub fn attributes(&self) -> Vec<(EventKind, &'static str)> {
        let mut found = Vec::new();
        let mut add = |pattern: &Pattern| {
            found.extend(pattern.arguments.iter().filter_map(|(source, _)| match source {
                Source::Attribute(name) if *name != "time" => Some((pattern.kind, *name)),
                _ => None,
            }));
        };
        self.formula.visit(&mut |node| match node {
            Node::Event(pattern) => add(pattern),
            Node::Fluent(fluent, ..) => fluent.from.iter().chain(&fluent.to).for_each(&mut add),
            _ => {}
        });
        found.sort_unstable();
        found.dedup();
        found
    }
}
