//! Transitions, patterns and terms to text, with no more parentheses than needed. Reading the text gives the same tree.

use std::fmt::{self, Display, Formatter, Write};

use crate::language::syntax::tree::{
    Action, Form, Literal, Matcher, Operator, Param, Pattern, Term, Transition,
};

/// Tighter than every operator between terms.
const UNARY: u8 = u8::MAX;

impl Display for Transition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} -- {}", self.from.text, self.pattern)?;
        if let Some(guard) = &self.guard {
            write!(f, " [{guard}]")?;
        }
        for (index, action) in self.actions.iter().enumerate() {
            write!(f, "{} {action}", if index == 0 { " /" } else { ";" })?;
        }
        write!(f, " --> {}", self.to.text)
    }
}

impl Display for Action {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Action::Assign(register, term) => write!(f, "{} = {term}", register.text),
            Action::Emit(event, terms) => {
                write!(f, "emit {}(", event.text)?;
                list(f, terms)?;
                f.write_char(')')
            }
        }
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.event.text)?;
        for (index, argument) in self.arguments.iter().enumerate() {
            f.write_str(if index > 0 { ", " } else { "" })?;
            if let Some(attribute) = &argument.attribute {
                write!(f, "{} = ", attribute.text)?;
            }
            match &argument.matcher {
                Matcher::Any => f.write_char('_')?,
                Matcher::Variable(name) => f.write_str(name)?,
                Matcher::Literal(literal) => write!(f, "{literal}")?,
            }
        }
        f.write_char(')')
    }
}

impl Display for Param {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name.text)?;
        self.sort.as_ref().map_or(Ok(()), |sort| write!(f, ": {}", sort.text))
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        term(f, self, 0)
    }
}

/// Writes a term where only operators that bind at least as tightly as `level` need no parentheses.
fn term(f: &mut Formatter<'_>, it: &Term, level: u8) -> fmt::Result {
    match &it.form {
        Form::Literal(it) => write!(f, "{it}"),
        Form::Variable(name) => f.write_str(name),
        Form::Attribute(owner, attribute) => write!(f, "{}.{}", owner.text, attribute.text),
        Form::Size(inner) => {
            f.write_str("size(")?;
            term(f, inner, 0)?;
            f.write_char(')')
        }
        Form::Not(inner) => {
            f.write_char('!')?;
            term(f, inner, UNARY)
        }
        Form::Binary(operator, left, right) => {
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

fn list(f: &mut Formatter<'_>, terms: &[Term]) -> fmt::Result {
    for (index, term) in terms.iter().enumerate() {
        write!(f, "{}{term}", if index > 0 { ", " } else { "" })?;
    }
    Ok(())
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
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
                        c if c.is_control() && u32::from(c) <= 0xFFFF => {
                            write!(f, "\\u{:04x}", u32::from(c))?;
                        }
                        c => f.write_char(c)?,
                    }
                }
                f.write_char('"')
            }
        }
    }
}
