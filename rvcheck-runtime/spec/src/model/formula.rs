//! Formulas of linear temporal logic, with all names resolved.

use rvcheck_event::kind::Sort;

use crate::language::formula::tree::{Binary, Interval, Quantifier, Unary};
use crate::model::automaton::Expr;
use crate::model::fluent::Fluent;
use crate::model::pattern::{Pattern, Wanted};

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
    /// The variables, as places in [`crate::model::ltl::Ltl::variables`], with their sorts.
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
