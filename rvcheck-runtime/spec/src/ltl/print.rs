//! Formulas to text, with no more parentheses than needed. Reading the text gives the same formula.

use std::fmt::{self, Display, Formatter, Write};

use crate::ltl::tree::{Atom, Form, Formula, Interval, UNITS};
use crate::syntax::tree::{self, Literal, Matcher, Operator, Term};

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
        Form::Condition(term) => {
            f.write_char('[')?;
            self::term(f, term, 0)?;
            f.write_char(']')
        }
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
                f.write_str(" where ")?;
                term(f, restriction, 0)?;
            }
            f.write_str(" . ")?;
            formula(f, body, 0)
        }
    }
}

fn atom(f: &mut Formatter<'_>, atom: &Atom) -> fmt::Result {
    let prefix = if atom.is_event { "event " } else { "" };
    write!(f, "{prefix}{}(", atom.pattern.event.text)?;
    for (index, argument) in atom.pattern.arguments.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        if let Some(attribute) = &argument.attribute {
            write!(f, "{} = ", attribute.text)?;
        }
        match &argument.matcher {
            Matcher::Any => f.write_char('_')?,
            Matcher::Variable(name) => f.write_str(name)?,
            Matcher::Literal(it) => literal(f, it)?,
        }
    }
    f.write_char(')')?;
    if let Some(condition) = &atom.condition {
        f.write_str(" if (")?;
        term(f, condition, 0)?;
        f.write_char(')')?;
    }
    Ok(())
}

/// Writes a term where only operators that bind at least as tightly as `level` need no parentheses.
fn term(f: &mut Formatter<'_>, it: &Term, level: u8) -> fmt::Result {
    match &it.form {
        tree::Form::Literal(it) => literal(f, it),
        tree::Form::Variable(name) => f.write_str(name),
        tree::Form::Not(inner) => {
            f.write_char('!')?;
            term(f, inner, UNARY)
        }
        tree::Form::Binary(operator, left, right) => {
            let own = tightness(*operator);
            if own < level {
                f.write_char('(')?;
            }
            // Comparisons do not chain; everything else groups to the left.
            term(f, left, if own == 3 { own + 1 } else { own })?;
            write!(f, " {} ", operator.sign())?;
            term(f, right, own + 1)?;
            if own < level { f.write_char(')') } else { Ok(()) }
        }
    }
}

fn tightness(operator: Operator) -> u8 {
    Operator::ALL.iter().find(|(it, ..)| *it == operator).map_or(0, |(.., level)| *level)
}

fn literal(f: &mut Formatter<'_>, literal: &Literal) -> fmt::Result {
    match literal {
        Literal::Int(number) => write!(f, "{number}"),
        Literal::Bool(truth) => write!(f, "{truth}"),
        Literal::Variant(name) => write!(f, "::{name}"),
        Literal::Text(text) => {
            f.write_char('"')?;
            for c in text.chars() {
                match c {
                    '"' | '\\' => write!(f, "\\{c}")?,
                    '\n' => f.write_str("\\n")?,
                    '\t' => f.write_str("\\t")?,
                    '\r' => f.write_str("\\r")?,
                    c if c.is_control() && u32::from(c) <= 0xFFFF => write!(f, "\\u{:04x}", u32::from(c))?,
                    c => f.write_char(c)?,
                }
            }
            f.write_char('"')
        }
    }
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
