//! Conditions and values: names are resolved and sorts are checked.

use rvcheck_event::kind::Sort;

use crate::language::problem::{Part, Problem, Span};
use crate::language::syntax::tree::{Form, Literal, Name, Operator, Term};
use crate::model::automaton::{Constant, Expr, Source};

/// What the variables of a term stand for.
pub(crate) trait Names {
    /// The string that the term is in.
    fn part(&self) -> Part;

    /// What a variable stands for, and its sort; a problem where there is none of that name.
    fn variable(&self, name: &str, span: Span, problems: &mut Vec<Problem>) -> Option<(Expr, Sort)>;

    /// What an attribute of a terminal or nonterminal stands for, and its sort; a problem where there is none.
    fn attribute(&self, owner: &Name, attribute: &Name, problems: &mut Vec<Problem>) -> Option<(Expr, Sort)> {
        let span = owner.span.to(attribute.span);
        problems.push(Problem::new(self.part(), span, "only grammars have attributes"));
        None
    }

    /// Where the size of a term is recorded that is no text.
    fn recorded_size(&self, _term: &Term) -> Option<Source> {
        None
    }
}

/// A term with its names resolved, and its sort.
pub(crate) fn resolve<N: Names>(scope: &N, term: &Term, problems: &mut Vec<Problem>) -> Option<(Expr, Sort)> {
    match &term.form {
        Form::Literal(literal) => {
            let (constant, sort) = constant(literal);
            Some((Expr::Constant(constant), sort))
        }
        Form::Variable(name) => scope.variable(name, term.span, problems),
        Form::Attribute(owner, attribute) => scope.attribute(owner, attribute, problems),
        Form::Size(inner) => {
            let (expr, sort) = resolve(scope, inner, problems)?;
            demand(scope.part(), inner, sort, Sort::Str, problems);
            Some((Expr::Size(Box::new(expr), scope.recorded_size(inner)), Sort::Int))
        }
        Form::Not(inner) => {
            let (expr, sort) = resolve(scope, inner, problems)?;
            demand(scope.part(), inner, sort, Sort::Bool, problems);
            Some((Expr::Not(Box::new(expr)), Sort::Bool))
        }
        Form::Binary(operator, left, right) => {
            let (left_expr, left_sort) = resolve(scope, left, problems)?;
            let (right_expr, right_sort) = resolve(scope, right, problems)?;
            let sort = match operator {
                Operator::Or | Operator::And => {
                    demand(scope.part(), left, left_sort, Sort::Bool, problems);
                    demand(scope.part(), right, right_sort, Sort::Bool, problems);
                    Sort::Bool
                }
                Operator::Plus | Operator::Minus | Operator::Times => {
                    demand(scope.part(), left, left_sort, Sort::Int, problems);
                    demand(scope.part(), right, right_sort, Sort::Int, problems);
                    Sort::Int
                }
                comparison => {
                    let ordered = |sort: Sort| matches!(sort, Sort::Int | Sort::Str | Sort::Any);
                    let is_literal = |term: &Term| matches!(term.form, Form::Literal(_));
                    let fits = fits(left_sort, right_sort)
                        || (is_literal(left) && literal_fits(left_sort, right_sort))
                        || (is_literal(right) && literal_fits(right_sort, left_sort));
                    let message = if !fits {
                        Some(format!(
                            "`{}` cannot be compared with `{}`",
                            left_sort.name(),
                            right_sort.name()
                        ))
                    } else if !matches!(comparison, Operator::Equal | Operator::Unequal)
                        && (!ordered(left_sort) || !ordered(right_sort))
                    {
                        Some(format!("values of sort `{}` have no order", left_sort.name()))
                    } else {
                        None
                    };
                    problems.extend(message.map(|it| Problem::new(scope.part(), term.span, it)));
                    Sort::Bool
                }
            };
            Some((Expr::Binary(*operator, Box::new(left_expr), Box::new(right_expr)), sort))
        }
    }
}

/// Complains if a term is not of the sort that is wanted.
pub(crate) fn demand(part: Part, term: &Term, found: Sort, wanted: Sort, problems: &mut Vec<Problem>) {
    if !fits(found, wanted) {
        let message = format!("expected a value of sort `{}`, found `{}`", wanted.name(), found.name());
        problems.push(Problem::new(part, term.span, message));
    }
}

/// Whether a literal of this sort can be at a place of that one. An instance of a group is written as a text.
pub(crate) fn literal_fits(literal: Sort, place: Sort) -> bool {
    fits(literal, place) || (literal == Sort::Str && place == Sort::Group)
}

/// Whether values of these sorts can be equal.
pub(crate) fn fits(left: Sort, right: Sort) -> bool {
    left == right || left == Sort::Any || right == Sort::Any
}

/// The problem that something of sort `found` stands for `name`, which is of sort `wanted`.
pub(crate) fn mismatch(part: Part, span: Span, found: Sort, name: &str, wanted: Sort) -> Problem {
    let message = format!("`{name}` is of sort `{}`, this of sort `{}`", wanted.name(), found.name());
    Problem::new(part, span, message)
}

/// A literal and its sort.
pub(crate) fn constant(literal: &Literal) -> (Constant, Sort) {
    match literal {
        Literal::Int(number) => (Constant::Int(*number), Sort::Int),
        Literal::Bool(truth) => (Constant::Bool(*truth), Sort::Bool),
        Literal::Text(text) | Literal::Variant(text) => (Constant::Text(text.as_str().into()), Sort::Str),
    }
}
