//! Rules as text. Rules that differ only in the names of variables and in blanks and brackets have the same canonical text.

use std::fmt::Write as _;

use crate::language::lifestate::tree::{Argument, Message, Regex, RegexForm, Rule};

impl Rule {
    /// The rule without its sign, with variables called by the order in which they occur.
    pub fn canonical(&self) -> String {
        let mut printer = Printer { out: String::new(), variables: Vec::new() };
        printer.regex(&self.regex);
        printer.out.push('~');
        printer.message(&self.message);
        printer.out
    }
}

struct Printer<'a> {
    out: String,
    variables: Vec<&'a str>,
}

impl<'a> Printer<'a> {
    fn regex(&mut self, regex: &'a Regex) {
        match &regex.form {
            RegexForm::Empty => self.out.push_str("true"),
            RegexForm::Any => self.out.push('_'),
            RegexForm::Message(message) => self.message(message),
            RegexForm::Sequence(left, right) => self.binary(left, ';', right),
            RegexForm::Or(left, right) => self.binary(left, '|', right),
            RegexForm::And(left, right) => self.binary(left, '&', right),
            RegexForm::Not(inner) => self.unary('!', inner),
            RegexForm::Star(inner) => self.unary('*', inner),
            RegexForm::Plus(inner) => self.unary('+', inner),
            RegexForm::Optional(inner) => self.unary('?', inner),
        }
    }

    /// Brackets to the right do not matter.
    fn binary(&mut self, left: &'a Regex, sign: char, right: &'a Regex) {
        self.out.push('(');
        let mut operands = Vec::new();
        operands_of(left, sign, &mut operands);
        operands_of(right, sign, &mut operands);
        for (place, operand) in operands.into_iter().enumerate() {
            if place > 0 {
                self.out.push(sign);
            }
            self.regex(operand);
        }
        self.out.push(')');
    }

    fn unary(&mut self, sign: char, inner: &'a Regex) {
        self.out.push(sign);
        self.out.push('(');
        self.regex(inner);
        self.out.push(')');
    }

    fn message(&mut self, message: &'a Message) {
        let _ = write!(self.out, "{} {}(", message.kind.name(), message.path.text);
        if message.kind.is_return() {
            let result = message.result.as_ref().map_or("_".to_owned(), |(it, _)| self.argument(it));
            let _ = write!(self.out, "{result}=");
        }
        for (argument, _) in &message.arguments {
            let text = self.argument(argument);
            let _ = write!(self.out, "{text},");
        }
        self.out.push(')');
    }

    fn argument(&mut self, argument: &'a Argument) -> String {
        match argument {
            Argument::Any => "_".to_owned(),
            Argument::Literal(literal) => format!("{literal:?}"),
            Argument::Variable(name) => {
                let place = self.variables.iter().position(|it| it == name).unwrap_or_else(|| {
                    self.variables.push(name);
                    self.variables.len() - 1
                });
                format!("#{place}")
            }
        }
    }
}

fn operands_of<'a>(regex: &'a Regex, sign: char, out: &mut Vec<&'a Regex>) {
    match (&regex.form, sign) {
        (RegexForm::Sequence(left, right), ';')
        | (RegexForm::Or(left, right), '|')
        | (RegexForm::And(left, right), '&') => {
            operands_of(left, sign, out);
            operands_of(right, sign, out);
        }
        _ => out.push(regex),
    }
}
