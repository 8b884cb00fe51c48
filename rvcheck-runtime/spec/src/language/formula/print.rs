//! Formulas to text, with no more parentheses than needed. Reading the text gives the same formula.

use std::fmt::{self, Display, Formatter, Write};

use crate::language::formula::tree::{Atom, Form, Formula, Interval, UNITS};

/// Tighter than every operator between formulas.
const UNARY: u8 = u8::MAX;

impl Display for Formula {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        formula(f, self, 0)
    }
}

/// Writes a formula where only operators that bind at least as tightly as `level` need no parentheses.
fn formula(f: &mut Formatter<'_>, it: &Formula, level: u8) -> fmt::Result {
    let own = match &it.form {
        Form::Binary(operator, ..) => operator.tightness(),
        // It would take what follows it into its body.
        Form::Quantified { .. } => 0,
        _ => UNARY,
    };
    if own < level {
        f.write_char('(')?;
        bare(f, it)?;
        return f.write_char(')');
    }
    bare(f, it)
}

fn bare(f: &mut Formatter<'_>, it: &Formula) -> fmt::Result {
    match &it.form {
        Form::Missing => f.write_char('…'),
        Form::Constant(truth) => write!(f, "{truth}"),
        Form::Atom(it) => atom(f, it),
        Form::Condition(term) => write!(f, "[{term}]"),
        Form::Unary(operator, interval, inner) => {
            f.write_str(operator.sign())?;
            self::interval(f, *interval)?;
            if operator.is_temporal() {
                f.write_char(' ')?;
            }
            formula(f, inner, UNARY)
        }
        Form::Binary(operator, interval, left, right) => {
            let level = operator.tightness();
            let (before, behind) =
                if operator.groups_to_the_right() { (level + 1, level) } else { (level, level + 1) };
            formula(f, left, before)?;
            write!(f, " {}", operator.sign())?;
            self::interval(f, *interval)?;
            f.write_char(' ')?;
            formula(f, right, behind)
        }
        Form::Quantified { quantifier, binders, restriction, body } => {
            f.write_str(quantifier.word())?;
            for (index, binder) in binders.iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                write!(f, "{comma} {}: {}", binder.name.text, binder.sort.text)?;
            }
            if let Some(restriction) = restriction {
                write!(f, " where {restriction}")?;
            }
            f.write_str(" . ")?;
            formula(f, body, 0)
        }
    }
}

fn atom(f: &mut Formatter<'_>, atom: &Atom) -> fmt::Result {
    write!(f, "{}{}", if atom.is_event { "event " } else { "" }, atom.pattern)?;
    atom.condition.as_ref().map_or(Ok(()), |condition| write!(f, " if ({condition})"))
}

fn interval(f: &mut Formatter<'_>, interval: Option<Interval>) -> fmt::Result {
    let Some(Interval { from, to }) = interval else { return Ok(()) };
    write!(f, "[{},", time(from))?;
    match to {
        Some(to) => write!(f, "{}]", time(to)),
        None => f.write_str("inf]"),
    }
}

/// A time in the longest unit of which it is a whole number.
fn time(ns: u64) -> String {
    let (unit, length) =
        UNITS.into_iter().find(|(_, length)| ns.is_multiple_of(*length)).unwrap_or(("ns", 1));
    format!("{}{unit}", ns / length)
}
