//! What formulas mean, section 4.2 of the language line by line. It is slow; it is what everything else has to agree with.

use rvcheck_event::value::Value;

use rvcheck_spec::evaluation::tables::view::View;
use rvcheck_spec::language::formula::tree::{Binary, Interval, Quantifier, Unary};
use rvcheck_spec::model::formula::{Node, Quantified, Steps};
use rvcheck_spec::model::ltl::Ltl;

/// Whether a trace satisfies a property.
pub fn satisfies(ltl: &Ltl, view: &View<'_>) -> bool {
    let mut binding = vec![Value::Absent; ltl.variables.len()];
    match ltl.steps {
        Steps::Trace => holds_at_start(&ltl.formula, view, &mut binding),
        Steps::Slice => holds_in_slices(&ltl.formula, view, &mut binding),
    }
}

/// For each binding of the leading quantifiers, whether the rest holds in its slice.
fn holds_in_slices(node: &Node, view: &View<'_>, binding: &mut Vec<Value>) -> bool {
    match node {
        Node::Quantified(it) => {
            quantified(it, view, binding, &mut |binding| holds_in_slices(&it.body, view, binding))
        }
        rest => holds_at_start(rest, &view.slice(rest, binding), binding),
    }
}

fn holds_at_start(node: &Node, view: &View<'_>, binding: &mut Vec<Value>) -> bool {
    if view.is_empty() { holds_on_nothing(node, view, binding) } else { holds(node, view, 0, binding) }
}

/// Whether the formula holds on the empty trace.
fn holds_on_nothing(node: &Node, view: &View<'_>, binding: &mut Vec<Value>) -> bool {
    match node {
        Node::Constant(truth) => *truth,
        Node::Event(_) | Node::Fluent(..) | Node::Condition(_) => false,
        Node::Unary(operator, _, inner) => match operator {
            Unary::Not => !holds_on_nothing(inner, view, binding),
            Unary::Next | Unary::Previous | Unary::Eventually | Unary::Once => false,
            Unary::WeakNext | Unary::Globally | Unary::Historically => true,
        },
        Node::Binary(operator, _, left, right) => match operator {
            Binary::Until | Binary::Since => false,
            Binary::WeakUntil | Binary::Release => true,
            connective => {
                let left = holds_on_nothing(left, view, binding);
                connected(*connective, left, holds_on_nothing(right, view, binding))
            }
        },
        Node::Quantified(it) => {
            quantified(it, view, binding, &mut |binding| holds_on_nothing(&it.body, view, binding))
        }
    }
}

/// Whether the formula holds at a position under a binding of its variables.
pub fn holds(node: &Node, view: &View<'_>, i: usize, binding: &mut Vec<Value>) -> bool {
    let n = view.len();
    match node {
        Node::Constant(truth) => *truth,
        Node::Event(pattern) => view.matches(pattern, i, binding),
        Node::Condition(condition) => view.holds(condition, binding),
        Node::Fluent(fluent, arguments, condition) => {
            let agrees = |values: &[Value]| {
                arguments
                    .iter()
                    .zip(values)
                    .all(|(it, value)| it.as_ref().is_none_or(|it| view.is_wanted(*value, it, binding)))
            };
            condition.as_ref().is_none_or(|it| view.holds(it, binding))
                && (0..=i).filter(|j| view.positions[*j].allows(fluent.only)).any(|j| {
                    fluent.from.iter().filter_map(|from| view.bound(from, j, fluent.params.len())).any(
                        |values| {
                            agrees(&values)
                                && !(j + 1..=i)
                                    .any(|k| fluent.to.iter().any(|to| view.matches(to, k, &values)))
                        },
                    )
                })
        }
        Node::Unary(operator, interval, inner) => {
            let near = |i: usize, j: usize| interval.is_none_or(|it| it.contains(view.distance(i, j)));
            match operator {
                Unary::Not => !holds(inner, view, i, binding),
                Unary::Next => i + 1 < n && holds(inner, view, i + 1, binding),
                Unary::WeakNext => i + 1 == n || holds(inner, view, i + 1, binding),
                Unary::Previous => i > 0 && holds(inner, view, i - 1, binding),
                Unary::Eventually => (i..n).any(|j| near(i, j) && holds(inner, view, j, binding)),
                Unary::Globally => !(i..n).any(|j| near(i, j) && !holds(inner, view, j, binding)),
                Unary::Once => (0..=i).any(|j| near(i, j) && holds(inner, view, j, binding)),
                Unary::Historically => !(0..=i).any(|j| near(i, j) && !holds(inner, view, j, binding)),
            }
        }
        Node::Binary(operator, interval, left, right) => match operator {
            Binary::Until => until(view, i, *interval, &mut |k| holds_both(view, k, (left, right), binding)),
            Binary::WeakUntil => {
                until(view, i, *interval, &mut |k| holds_both(view, k, (left, right), binding))
                    || !(i..n).any(|j| {
                        interval.is_none_or(|it| it.contains(view.distance(i, j)))
                            && !holds(left, view, j, binding)
                    })
            }
            Binary::Release => !until(view, i, *interval, &mut |k| {
                let (left, right) = holds_both(view, k, (left, right), binding);
                (!left, !right)
            }),
            Binary::Since => (0..=i).any(|j| {
                interval.is_none_or(|it| it.contains(view.distance(i, j)))
                    && holds(right, view, j, binding)
                    && (j + 1..=i).all(|k| holds(left, view, k, binding))
            }),
            connective => {
                let left = holds(left, view, i, binding);
                connected(*connective, left, holds(right, view, i, binding))
            }
        },
        Node::Quantified(it) => {
            quantified(it, view, binding, &mut |binding| holds(&it.body, view, i, binding))
        }
    }
}

fn holds_both(
    view: &View<'_>,
    k: usize,
    (left, right): (&Node, &Node),
    binding: &mut Vec<Value>,
) -> (bool, bool) {
    (holds(left, view, k, binding), holds(right, view, k, binding))
}

/// Some position j ≥ i within the interval has the second, and all from i up to it have the first.
fn until(
    view: &View<'_>,
    i: usize,
    interval: Option<Interval>,
    both: &mut dyn FnMut(usize) -> (bool, bool),
) -> bool {
    (i..view.len()).any(|j| {
        interval.is_none_or(|it| it.contains(view.distance(i, j))) && both(j).1 && (i..j).all(|k| both(k).0)
    })
}

/// What a connective makes of two truth values.
fn connected(connective: Binary, left: bool, right: bool) -> bool {
    match connective {
        Binary::Iff => left == right,
        Binary::Implies => !left || right,
        Binary::Or => left || right,
        // The temporal ones are no connectives and do not come here.
        _ => left && right,
    }
}

fn quantified(
    it: &Quantified,
    view: &View<'_>,
    binding: &mut Vec<Value>,
    body: &mut dyn FnMut(&mut Vec<Value>) -> bool,
) -> bool {
    fn go(
        it: &Quantified,
        depth: usize,
        view: &View<'_>,
        binding: &mut Vec<Value>,
        body: &mut dyn FnMut(&mut Vec<Value>) -> bool,
    ) -> bool {
        let Some((variable, sort)) = it.variables.get(depth) else {
            let counts = it.restriction.as_ref().is_none_or(|restriction| view.holds(restriction, binding));
            return if counts { body(binding) } else { it.quantifier == Quantifier::Forall };
        };
        let mut decided = it.quantifier == Quantifier::Forall;
        for value in view.values(*sort) {
            binding[*variable] = *value;
            let truth = go(it, depth + 1, view, binding, body);
            decided = if it.quantifier == Quantifier::Forall { decided && truth } else { decided || truth };
        }
        binding[*variable] = Value::Absent;
        decided
    }
    go(it, 0, view, binding, body)
}
