//! Where in a trace a formula is broken.

use rvcheck_event::value::Value;

use crate::evaluation::tables::table::{Exhausted, Tables, Truth, each_binding};
use crate::evaluation::tables::view::View;
use crate::language::formula::tree::{Binary, Quantifier, Unary};
use crate::model::formula::Node;

/// The position that shows that the formula is false at `at`: where what must always hold does not, or where that arose
/// which never came. It is `at` itself where no other position shows more.
pub(super) fn broken_at(
    node: &Node,
    view: &View<'_>,
    tables: &Tables<'_>,
    at: usize,
    binding: &mut Vec<Value>,
) -> Result<usize, Exhausted> {
    match node {
        Node::Unary(Unary::Globally, interval, inner) => {
            let table = tables.table(inner, binding)?;
            let near = |at: usize, j: usize| interval.is_none_or(|it| it.contains(view.distance(at, j)));
            match (at..view.len()).find(|j| table[*j] == Truth::False && near(at, *j)) {
                Some(j) => broken_at(inner, view, tables, j, binding),
                None => Ok(at),
            }
        }
        Node::Unary(Unary::Next | Unary::WeakNext, _, inner) if at + 1 < view.len() => {
            broken_at(inner, view, tables, at + 1, binding)
        }
        // What must never come has come.
        Node::Unary(Unary::Not, _, inner) => match &**inner {
            Node::Unary(Unary::Eventually, interval, never) => {
                let table = tables.table(never, binding)?;
                let near = |j: &usize| interval.is_none_or(|it| it.contains(view.distance(at, *j)));
                Ok((at..view.len()).filter(near).find(|j| table[*j] == Truth::True).unwrap_or(at))
            }
            _ => Ok(at),
        },
        Node::Binary(Binary::Implies, _, _, right) => broken_at(right, view, tables, at, binding),
        // Neither side holds: it is the later of the two that decided it.
        Node::Binary(Binary::Or, _, left, right) => {
            let left = broken_at(left, view, tables, at, binding)?;
            Ok(left.max(broken_at(right, view, tables, at, binding)?))
        }
        Node::Binary(Binary::WeakUntil, interval, kept, until) => {
            let (kept_there, until_there) = (tables.table(kept, binding)?, tables.table(until, binding)?);
            let near = |j: &usize| interval.is_none_or(|it| it.contains(view.distance(at, *j)));
            // Without an interval this is the first position that has neither; with one, the nearest to it.
            let neither = |j: &usize| kept_there[*j] == Truth::False && until_there[*j] == Truth::False;
            match (at..view.len()).filter(near).find(neither) {
                Some(j) => broken_at(kept, view, tables, j, binding),
                None => Ok(at),
            }
        }
        Node::Binary(Binary::And, _, left, right) => {
            let broken = if tables.table(left, binding)?[at] == Truth::False { left } else { right };
            broken_at(broken, view, tables, at, binding)
        }
        Node::Quantified(it) if it.quantifier == Quantifier::Forall => {
            let mut found = None;
            each_binding(view, it, binding, &mut |binding| {
                if found.is_none() && tables.table(&it.body, binding)?[at] == Truth::False {
                    found = Some(broken_at(&it.body, view, tables, at, binding)?);
                }
                Ok(())
            })?;
            Ok(found.unwrap_or(at))
        }
        // No value will do: it is the last of them to fail that decided it.
        Node::Quantified(it) => {
            let mut last = at;
            each_binding(view, it, binding, &mut |binding| {
                last = last.max(broken_at(&it.body, view, tables, at, binding)?);
                Ok(())
            })?;
            Ok(last)
        }
        _ => Ok(at),
    }
}
