//! Quantifiers that cannot stand in front are moved inwards until each speaks of one atom, which can do without: `exists l: lock .
//! holds(t, l)` is `holds(t, _)`. The rules are those of [`crate::compilation::machine::hoist`] from right to left.

use rvcheck_event::kind::Sort;

use crate::compilation::machine::hoist::{Present, out_of_left, out_of_right, out_of_unary};
use crate::compilation::machine::lower::variables;
use crate::language::formula::tree::{Binary, Quantifier};
use crate::model::automaton::{Expr, Source};
use crate::model::formula::Node;
use crate::model::pattern::{Pattern, Wanted};

/// The formula without quantifiers, if that is possible. Variables of events that nothing binds any more stand for any known value.
pub(super) fn narrow(node: &Node, present: &Present) -> Option<Node> {
    Some(match node {
        Node::Quantified(it) => {
            let body = narrow(&it.body, present)?;
            if it.restriction.is_some() {
                return None;
            }
            let binders = it.variables.iter().rev();
            binders.copied().try_fold(body, |body, binder| push(it.quantifier, binder, &body, present))?
        }
        Node::Unary(operator, interval, inner) => {
            Node::Unary(*operator, *interval, Box::new(narrow(inner, present)?))
        }
        Node::Binary(operator, interval, left, right) => Node::Binary(
            *operator,
            *interval,
            Box::new(narrow(left, present)?),
            Box::new(narrow(right, present)?),
        ),
        _ => node.clone(),
    })
}

/// A variable with its sort.
type Binder = (usize, Sort);

/// The formula behind a quantifier, which has none itself, with the quantifier moved to its atoms.
fn push(quantifier: Quantifier, binder: Binder, node: &Node, present: &Present) -> Option<Node> {
    let some = present.has(binder.1);
    let inside = |outside: &dyn Fn(Quantifier) -> Option<Quantifier>| {
        [Quantifier::Forall, Quantifier::Exists].into_iter().find(|it| outside(*it) == Some(quantifier))
    };
    match node {
        Node::Unary(operator, None, inner) => {
            let inside = inside(&|it| out_of_unary(*operator, it, some))?;
            Some(Node::Unary(*operator, None, Box::new(push(inside, binder, inner, present)?)))
        }
        Node::Binary(operator, None, left, right) => {
            let (of_left, of_right) = match [left, right].map(|it| speaks_of(it, binder.0)) {
                [true, false] => (Some(inside(&|it| out_of_left(*operator, it, some))?), None),
                [false, true] => (None, Some(inside(&|it| out_of_right(*operator, it, some))?)),
                [true, true] => both(*operator, quantifier)?,
                // Whether it holds depends on whether there is an object at all.
                [false, false] => return None,
            };
            let pushed = |quantifier: Option<Quantifier>, node: &Node| match quantifier {
                Some(quantifier) => push(quantifier, binder, node, present),
                None => Some(node.clone()),
            };
            let (left, right) = (pushed(of_left, left)?, pushed(of_right, right)?);
            Some(Node::Binary(*operator, None, Box::new(left), Box::new(right)))
        }
        Node::Event(pattern) if quantifier == Quantifier::Exists => {
            let demanded = || pattern.arguments.iter().filter(|(_, it)| *it == Wanted::Variable(binder.0));
            let once =
                demanded().count() == 1 && demanded().all(|(source, _)| has_sort(pattern, *source, binder.1));
            let conditional = pattern.condition.as_ref().is_some_and(|it| variables(it).contains(&binder.0));
            (once && !conditional).then(|| node.clone())
        }
        Node::Fluent(fluent, arguments, condition) if quantifier == Quantifier::Exists => {
            let is_it = |it: &Option<Wanted>| *it == Some(Wanted::Variable(binder.0));
            let param = arguments.iter().position(is_it)?;
            let sorted = fluent.from.iter().all(|from| {
                let mut gives = from.arguments.iter().filter(|(_, it)| *it == Wanted::Variable(param));
                gives.all(|(source, _)| has_sort(from, *source, binder.1))
            });
            let again = arguments.iter().filter(|it| is_it(it)).count() > 1
                || condition.as_ref().is_some_and(|it| variables(it).contains(&binder.0));
            let mut arguments = arguments.clone();
            arguments[param] = None;
            (sorted && !again).then(|| Node::Fluent(fluent.clone(), arguments, condition.clone()))
        }
        _ => None,
    }
}

/// What a quantifier in front of an operator is in front of its left and its right, both of which have the variable.
fn both(operator: Binary, it: Quantifier) -> Option<(Option<Quantifier>, Option<Quantifier>)> {
    use Quantifier::{Exists, Forall};
    match (operator, it) {
        (Binary::Or, Exists) | (Binary::And, Forall) => Some((Some(it), Some(it))),
        (Binary::Implies, Exists) => Some((Some(Forall), Some(Exists))),
        _ => None,
    }
}

/// Whether a source gives only values of this sort, and values that count as occurring in the trace.
fn has_sort(pattern: &Pattern, source: Source, sort: Sort) -> bool {
    let found = match source {
        Source::Actor => Sort::Task,
        Source::Object(sort) => sort,
        Source::Number(_) => Sort::Int,
        Source::Attribute("time") | Source::UserName | Source::Callee | Source::GroupOf(_) => return false,
        Source::Attribute(name) => {
            let attributes = pattern.kind.signature().attrs;
            attributes.iter().find(|(it, _)| *it == name).map_or(Sort::Any, |(_, sort)| *sort)
        }
        // A program may give an argument of another sort than it declared.
        Source::UserArgument(_) => Sort::Any,
    };
    sort == Sort::Any || found == sort
}

fn speaks_of(node: &Node, variable: usize) -> bool {
    let in_condition = |it: &Expr| variables(it).contains(&variable);
    let is_it = |it: &Wanted| *it == Wanted::Variable(variable);
    let mut found = false;
    node.visit(&mut |node| {
        found |= match node {
            Node::Event(it) => {
                it.arguments.iter().any(|(_, it)| is_it(it))
                    || it.condition.as_ref().is_some_and(in_condition)
            }
            Node::Fluent(_, arguments, condition) => {
                arguments.iter().flatten().any(is_it) || condition.as_ref().is_some_and(in_condition)
            }
            Node::Condition(condition) => in_condition(condition),
            _ => false,
        };
    });
    found
}
