//! A property in linear temporal logic, with all names resolved.

use std::sync::Arc;

use rvcheck_event::declared::Declared;
use rvcheck_event::kind::{EventKind, Sort};

use crate::automaton::{Constant, Expr, Level, Presentation, Scope, Source};
use crate::ltl::fluent::Fluent;
use crate::ltl::machine::{Machine, Unsteppable};
use crate::ltl::tree::{Binary, Interval, Quantifier, Unary};

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

/// What the positions of a trace are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Steps {
    /// All events.
    Trace,
    /// For each binding of the leading quantifiers, the events that the formula speaks of.
    Slice,
}

impl Steps {
    /// Both with their names in specifications.
    pub const ALL: [(Steps, &'static str); 2] = [(Steps::Trace, "trace"), (Steps::Slice, "slice")];
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The sort.
    pub sort: Sort,
}

/// What an argument has to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The value of a variable.
    Variable(usize),
    /// This value.
    Constant(Constant),
}

/// A pattern of events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// The kind of event.
    pub kind: EventKind,
    /// Where values come from and what they have to be.
    pub arguments: Vec<(Source, Wanted)>,
    /// What has to hold besides.
    pub condition: Option<Expr>,
}

/// A formula. [`Expr::Param`] stands for a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// `true` or `false`.
    Constant(bool),
    /// The present event matches.
    Event(Pattern),
    /// The fluent holds for these values, `None` standing for any.
    Fluent(Fluent, Vec<Option<Wanted>>, Option<Expr>),
    /// The condition holds.
    Condition(Expr),
    /// An operator and what it is applied to.
    Unary(Unary, Option<Interval>, Box<Node>),
    /// Two formulas and the operator between them.
    Binary(Binary, Option<Interval>, Box<Node>, Box<Node>),
    /// The body holds for all, or for some, values of the variables that meet the restriction.
    Quantified(Quantified),
}

/// A quantifier with its variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quantified {
    /// Which one.
    pub quantifier: Quantifier,
    /// The variables, as places in [`Ltl::variables`], with their sorts.
    pub variables: Vec<(usize, Sort)>,
    /// Which values count.
    pub restriction: Option<Expr>,
    /// What is said of them.
    pub body: Box<Node>,
}

impl Node {
    /// The quantifiers that the formula begins with, and what stands behind them.
    pub fn prefix(&self) -> (Vec<&Quantified>, &Node) {
        let (mut prefix, mut node) = (Vec::new(), self);
        while let Node::Quantified(quantified) = node {
            prefix.push(quantified);
            node = &quantified.body;
        }
        (prefix, node)
    }

    /// The formulas that this one is made of.
    pub fn parts(&self) -> Vec<&Node> {
        match self {
            Node::Constant(_) | Node::Event(_) | Node::Fluent(..) | Node::Condition(_) => Vec::new(),
            Node::Unary(_, _, inner) => vec![inner],
            Node::Binary(_, _, left, right) => vec![left, right],
            Node::Quantified(quantified) => vec![&quantified.body],
        }
    }

    /// Whether its truth can depend on values of variables otherwise than by which events match.
    pub fn has_conditions(&self) -> bool {
        let mut found = false;
        self.visit(&mut |node| {
            found |= match node {
                Node::Condition(_) => true,
                Node::Quantified(it) => it.restriction.is_some(),
                _ => false,
            };
        });
        found
    }

    /// Calls `visit` with this formula and all that it is made of.
    pub fn visit<'a>(&'a self, visit: &mut impl FnMut(&'a Node)) {
        visit(self);
        for part in self.parts() {
            part.visit(visit);
        }
    }
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
