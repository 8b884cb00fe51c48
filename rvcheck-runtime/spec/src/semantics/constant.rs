//! What a condition or value comes to whatever happens.

use rvcheck_event::event::Event;
use rvcheck_event::id::StringId;
use rvcheck_event::value::Value;

use crate::language::syntax::tree::Operator;
use crate::model::automaton::{Constant, Expr};
use crate::semantics::evaluate::{Given, Operand, known};
use crate::semantics::facts::Facts;

/// The number or truth value that a condition or value comes to whatever happens, if it does.
pub(crate) fn constant_of(expr: &Expr) -> Option<Constant> {
    if !is_closed(expr) {
        // One side of a connective may decide alone.
        return match expr {
            Expr::Binary(operator @ (Operator::And | Operator::Or), left, right) => {
                let decisive = Constant::Bool(*operator == Operator::Or);
                [left, right]
                    .into_iter()
                    .any(|it| **it == Expr::Constant(decisive.clone()))
                    .then_some(decisive)
            }
            _ => None,
        };
    }
    match known(expr, &Given::NOTHING, &Nothing) {
        Operand::Int(number) => Some(Constant::Int(number)),
        Operand::Bool(truth) => Some(Constant::Bool(truth)),
        _ => None,
    }
}

/// Whether a term speaks of constants alone.
fn is_closed(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Symbol(_) => true,
        Expr::Param(_) | Expr::Register(_) | Expr::Local(_) | Expr::Read(_) => false,
        Expr::Not(inner) => is_closed(inner),
        Expr::Size(inner, recorded) => recorded.is_none() && is_closed(inner),
        Expr::Binary(_, left, right) => is_closed(left) && is_closed(right),
    }
}

/// No event.
struct Nothing;

impl Facts for Nothing {
    fn attribute(&self, _: &Event, _: &'static str) -> Option<Value> {
        None
    }

    fn arguments(&self, _: &Event) -> &[Value] {
        &[]
    }

    fn callee(&self) -> Value {
        Value::Absent
    }

    fn text(&self, _: StringId) -> Option<&str> {
        None
    }
}
