//! The fragment of the paper: negations of and conjunctions over `∀x · ψ`, where ψ has negation only before atoms, and next and
//! weak until as its temporal operators.

use rvcheck_event::kind::Sort;

use rvcheck_spec::language::formula::tree::{Binary, Quantifier, Unary};
use rvcheck_spec::model::automaton::Expr;
use rvcheck_spec::model::formula::{Node, Steps};
use rvcheck_spec::model::ltl::Ltl;

/// ψ. Atoms are places in [`Top::Forall::atoms`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Safe {
    /// `true` or `false`.
    Constant(bool),
    /// An atom or its negation.
    Literal(usize, bool),
    /// Both.
    And(Box<Safe>, Box<Safe>),
    /// One of them.
    Or(Box<Safe>, Box<Safe>),
    /// At the next position.
    Next(Box<Safe>),
    /// The first until the second, or for ever.
    WeakUntil(Box<Safe>, Box<Safe>),
}

/// π.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Top {
    /// `∀x · ψ`.
    Forall {
        /// The variables, as places in [`Ltl::variables`].
        variables: Vec<(usize, Sort)>,
        /// Which of their values count.
        restrictions: Vec<Expr>,
        /// The atoms of the formula.
        atoms: Vec<Node>,
        /// The formula.
        body: Safe,
    },
    /// Both.
    And(Box<Top>, Box<Top>),
    /// Not this.
    Not(Box<Top>),
}

/// A formula of the fragment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specification {
    /// The formula.
    pub top: Top,
    /// Some next position is asked for that a finite trace may not have: an `X`, or a `WX` below a negation. Its verdict at the
    /// end of a trace is the language's own.
    pub has_strong_next: bool,
}

/// The formula in the paper's form; `None` where it does not belong to the fragment.
pub fn specification(ltl: &Ltl) -> Option<Specification> {
    if ltl.steps != Steps::Trace {
        return None;
    }
    let mut has_strong_next = false;
    let top = top(&ltl.formula, &mut has_strong_next)?;
    Some(Specification { top, has_strong_next })
}

fn top(node: &Node, strong: &mut bool) -> Option<Top> {
    match node {
        Node::Quantified(it) => {
            let universal = it.quantifier == Quantifier::Forall;
            let (mut variables, mut restrictions, mut body) = (Vec::new(), Vec::new(), node);
            while let Node::Quantified(inner) = body
                && inner.quantifier == it.quantifier
            {
                variables.extend(&inner.variables);
                restrictions.extend(inner.restriction.clone());
                body = &inner.body;
            }
            let forall = forall(variables, restrictions, body, universal, strong)?;
            Some(if universal { forall } else { not(forall) })
        }
        _ if is_quantified(node) => match node {
            Node::Unary(Unary::Not, _, inner) => Some(not(top(inner, strong)?)),
            Node::Binary(operator, _, left, right) => {
                let mut both = || Some((top(left, strong)?, top(right, strong)?));
                match operator {
                    Binary::And => both().map(|(left, right)| and(left, right)),
                    Binary::Or => both().map(|(left, right)| not(and(not(left), not(right)))),
                    Binary::Implies => both().map(|(left, right)| not(and(left, not(right)))),
                    Binary::Iff => both().map(|(left, right)| {
                        let (one, other) = (and(left.clone(), not(right.clone())), and(not(left), right));
                        and(not(one), not(other))
                    }),
                    _ => None,
                }
            }
            _ => None,
        },
        _ => {
            // Where the formula itself is not of the fragment, its negation may be.
            let mut attempt = *strong;
            if let Some(found) = forall(Vec::new(), Vec::new(), node, true, &mut attempt) {
                *strong = attempt;
                return Some(found);
            }
            forall(Vec::new(), Vec::new(), node, false, strong).map(not)
        }
    }
}

fn is_quantified(node: &Node) -> bool {
    let mut found = false;
    node.visit(&mut |it| found |= matches!(it, Node::Quantified(_)));
    found
}

fn and(left: Top, right: Top) -> Top {
    Top::And(Box::new(left), Box::new(right))
}

fn not(inner: Top) -> Top {
    Top::Not(Box::new(inner))
}

fn forall(
    variables: Vec<(usize, Sort)>,
    restrictions: Vec<Expr>,
    body: &Node,
    positive: bool,
    strong: &mut bool,
) -> Option<Top> {
    let mut atoms = Vec::new();
    let body = safe(body, positive, &mut atoms, strong)?;
    Some(Top::Forall { variables, restrictions, atoms, body })
}

/// The formula, or its negation, with negation only before atoms.
fn safe(node: &Node, positive: bool, atoms: &mut Vec<Node>, strong: &mut bool) -> Option<Safe> {
    match node {
        Node::Constant(truth) => Some(Safe::Constant(*truth == positive)),
        Node::Event(_) | Node::Fluent(..) | Node::Condition(_) => {
            let known = atoms.iter().position(|it| it == node);
            let index = known.unwrap_or_else(|| {
                atoms.push(node.clone());
                atoms.len() - 1
            });
            Some(Safe::Literal(index, positive))
        }
        Node::Unary(operator, None, inner) => match (operator, positive) {
            (Unary::Not, _) => safe(inner, !positive, atoms, strong),
            (Unary::Next | Unary::WeakNext, _) => {
                *strong |= (*operator == Unary::Next) == positive;
                Some(Safe::Next(Box::new(safe(inner, positive, atoms, strong)?)))
            }
            (Unary::Globally, true) | (Unary::Eventually, false) => {
                let always = safe(inner, positive, atoms, strong)?;
                Some(Safe::WeakUntil(Box::new(always), Box::new(Safe::Constant(false))))
            }
            _ => None,
        },
        Node::Binary(operator, None, left, right) => {
            let mut part = |node: &Node, positive| safe(node, positive, atoms, strong).map(Box::new);
            match (operator, positive) {
                (Binary::And, true) | (Binary::Or, false) => {
                    Some(Safe::And(part(left, positive)?, part(right, positive)?))
                }
                (Binary::Or, true) | (Binary::And, false) => {
                    Some(Safe::Or(part(left, positive)?, part(right, positive)?))
                }
                (Binary::Implies, true) => Some(Safe::Or(part(left, false)?, part(right, true)?)),
                (Binary::Implies, false) => Some(Safe::And(part(left, true)?, part(right, false)?)),
                (Binary::Iff, _) => {
                    let one = Safe::And(part(left, true)?, part(right, positive)?);
                    let other = Safe::And(part(left, false)?, part(right, !positive)?);
                    Some(Safe::Or(Box::new(one), Box::new(other)))
                }
                (Binary::WeakUntil, true) => Some(Safe::WeakUntil(part(left, true)?, part(right, true)?)),
                // φ R ψ is ψ W (φ ∧ ψ).
                (Binary::Release, true) => {
                    let (left, right) = (part(left, true)?, part(right, true)?);
                    Some(Safe::WeakUntil(right.clone(), Box::new(Safe::And(left, right))))
                }
                // ¬(φ U ψ) is ¬ψ W (¬φ ∧ ¬ψ).
                (Binary::Until, false) => {
                    let (left, right) = (part(left, false)?, part(right, false)?);
                    Some(Safe::WeakUntil(right.clone(), Box::new(Safe::And(left, right))))
                }
                _ => None,
            }
        }
        _ => None,
    }
}
