//! Quantifiers below operators are moved in front of the formula wherever that changes no verdict.
//!
//! Each rule holds at every position and on the empty trace. If no object of the sort occurs, or none meets the restriction,
//! `forall` is true and `exists` is false. That is why `forall` does not leave `X`, `U` or `&&`: if there is no task, `false && forall
//! t: task . p(t)` is false, and with the quantifier in front it would be true. It does leave them where a leading quantifier has
//! found a task.

use std::collections::VecDeque;

use rvcheck_event::kind::Sort;

use crate::language::formula::tree::{Binary, Quantifier, Unary};
use crate::model::formula::{Node, Quantified};

/// A formula with quantifiers in front, outermost first, and what stands behind them.
pub(super) struct Hoisted {
    /// The bodies of these are `true`.
    pub(super) prefix: Vec<Quantified>,
    /// How many of them stood in front before.
    pub(super) written: usize,
    pub(super) body: Node,
}

/// The sorts of which there is an object wherever something is said behind quantifiers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Present(Vec<Sort>);

impl Present {
    /// Behind these quantifiers.
    fn behind(prefix: &[Quantified]) -> Present {
        Present(prefix.iter().flat_map(|it| &it.variables).map(|(_, sort)| *sort).collect())
    }

    /// Whether there is an object of the sort.
    pub(super) fn has(&self, sort: Sort) -> bool {
        self.0.iter().any(|it| *it == sort || sort == Sort::Any)
    }

    /// Whether some binding of the variables meets the restriction.
    fn has_binding(&self, it: &Quantified) -> bool {
        it.restriction.is_none() && it.variables.iter().all(|(_, sort)| self.has(*sort))
    }
}

impl Hoisted {
    /// What there is behind the quantifiers that were written in front.
    pub(super) fn present(&self) -> Present {
        Present::behind(&self.prefix[..self.written])
    }
}

/// The quantifiers that stand in front already.
pub(super) fn as_written(formula: &Node) -> Hoisted {
    let (written, body) = formula.prefix();
    let prefix: Vec<Quantified> = written.into_iter().map(without_body).collect();
    Hoisted { written: prefix.len(), prefix, body: body.clone() }
}

/// Moves quantifiers to the front.
pub(super) fn hoist(formula: &Node) -> Hoisted {
    let mut hoisted = as_written(formula);
    let (moved, body) = pull(&hoisted.body, &hoisted.present());
    hoisted.prefix.extend(moved);
    Hoisted { body, ..hoisted }
}

/// The quantifiers that can stand in front of a formula, outermost first, and the rest of it.
fn pull(node: &Node, present: &Present) -> (VecDeque<Quantified>, Node) {
    match node {
        Node::Quantified(it) => {
            let (mut prefix, body) = pull(&it.body, present);
            prefix.push_front(without_body(it));
            (prefix, body)
        }
        Node::Unary(operator, None, inner) => {
            let (mut inside, body) = pull(inner, present);
            let mut outside = VecDeque::new();
            while let Some(it) = leave(&mut inside, present, |it, some| out_of_unary(*operator, it, some)) {
                outside.push_back(it);
            }
            (outside, Node::Unary(*operator, None, Box::new(behind(inside, body))))
        }
        Node::Binary(operator, None, left, right) => {
            let ((mut of_left, left), (mut of_right, right)) = (pull(left, present), pull(right, present));
            let mut outside = VecDeque::new();
            while let Some(it) = leave(&mut of_left, present, |it, some| out_of_left(*operator, it, some))
                .or_else(|| leave(&mut of_right, present, |it, some| out_of_right(*operator, it, some)))
            {
                outside.push_back(it);
            }
            let (left, right) = (behind(of_left, left), behind(of_right, right));
            (outside, Node::Binary(*operator, None, Box::new(left), Box::new(right)))
        }
        _ => (VecDeque::new(), node.clone()),
    }
}

/// Takes the outermost quantifier if it may leave, and makes it what it is outside.
fn leave(
    inside: &mut VecDeque<Quantified>,
    present: &Present,
    outside: impl Fn(Quantifier, bool) -> Option<Quantifier>,
) -> Option<Quantified> {
    let it = inside.front()?;
    let quantifier = outside(it.quantifier, present.has_binding(it))?;
    inside.pop_front().map(|it| Quantified { quantifier, ..it })
}

/// The formula behind these quantifiers.
pub(super) fn behind(prefix: VecDeque<Quantified>, body: Node) -> Node {
    prefix
        .into_iter()
        .rev()
        .fold(body, |body, it| Node::Quantified(Quantified { body: Box::new(body), ..it }))
}

fn without_body(it: &Quantified) -> Quantified {
    Quantified {
        quantifier: it.quantifier,
        variables: it.variables.clone(),
        restriction: it.restriction.clone(),
        body: Box::new(Node::Constant(true)),
    }
}

/// What a quantifier right below an operator is in front of it; `None` if it has to stay. `some` says that its variables have
/// some binding.
pub(super) fn out_of_unary(operator: Unary, it: Quantifier, some: bool) -> Option<Quantifier> {
    let stays_itself = match operator {
        Unary::Not => return Some(opposite(it)),
        // With some binding, a step to a neighbour is a step for each.
        Unary::Next | Unary::WeakNext | Unary::Previous if some => it,
        Unary::Globally | Unary::Historically | Unary::WeakNext => Quantifier::Forall,
        Unary::Eventually | Unary::Once | Unary::Next | Unary::Previous => Quantifier::Exists,
    };
    (it == stays_itself).then_some(it)
}

/// The same for what stands left of an operator.
pub(super) fn out_of_left(operator: Binary, it: Quantifier, some: bool) -> Option<Quantifier> {
    let stays_itself = match operator {
        Binary::Implies => return (some || it == Quantifier::Exists).then_some(opposite(it)),
        Binary::Or | Binary::And if some => it,
        Binary::Until | Binary::Since if some => Quantifier::Forall,
        Binary::Release if some => Quantifier::Exists,
        Binary::Or | Binary::WeakUntil => Quantifier::Forall,
        Binary::And => Quantifier::Exists,
        Binary::Iff | Binary::Until | Binary::Release | Binary::Since => return None,
    };
    (it == stays_itself).then_some(it)
}

/// The same for what stands right of an operator.
pub(super) fn out_of_right(operator: Binary, it: Quantifier, some: bool) -> Option<Quantifier> {
    let stays_itself = match operator {
        Binary::Implies | Binary::Or | Binary::And if some => it,
        Binary::WeakUntil if some => Quantifier::Exists,
        Binary::Implies | Binary::Or | Binary::Release => Quantifier::Forall,
        Binary::And | Binary::Until | Binary::Since => Quantifier::Exists,
        Binary::Iff | Binary::WeakUntil => return None,
    };
    (it == stays_itself).then_some(it)
}

fn opposite(it: Quantifier) -> Quantifier {
    match it {
        Quantifier::Forall => Quantifier::Exists,
        Quantifier::Exists => Quantifier::Forall,
    }
}
