//! Atoms and conditions as they are written in formulas, for people who look at a machine.

use rvcheck_event::kind::EventKind;

use crate::language::problem::Span;
use crate::language::syntax::tree::{self, Argument, Form, Literal, Matcher, Name, Term};
use crate::model::automaton::{Constant, Expr, Source};
use crate::model::fluent::Only;
use crate::model::ltl::Ltl;
use crate::model::machine::{Atom, Machine};
use crate::model::pattern::{Pattern, Wanted};

impl Machine {
    /// An atom of the machine of this formula.
    pub fn atom_text(&self, atom: usize, ltl: &Ltl) -> String {
        match &self.atoms[atom] {
            Atom::Event(pattern, only) => {
                let condition = pattern.condition.as_ref().map(|it| format!(" if ({})", term(it, ltl)));
                let only = match only {
                    Only::Anywhere => "",
                    Only::AsyncTasks => " in an async task",
                    Only::EnteredThreads => " on a thread that entered a runtime",
                };
                format!("{}{}{only}", self.event(pattern, ltl), condition.unwrap_or_default())
            }
            Atom::Live(fluent, arguments) => {
                let arguments = arguments.iter().map(|it| positional(matcher(it.as_ref(), ltl))).collect();
                tree::Pattern { event: name(&fluent.name), arguments }.to_string()
            }
        }
    }

    /// A condition of the machine of this formula.
    pub fn condition_text(&self, condition: usize, ltl: &Ltl) -> String {
        format!("[{}]", term(&self.conditions[condition], ltl))
    }

    fn event(&self, pattern: &Pattern, ltl: &Ltl) -> tree::Pattern {
        let means = |it: &&Wanted| {
            matches!(it, Wanted::Constant(_)) || matches!(it, Wanted::Variable(it) if self.binds(*it))
        };
        let find = |source: Source| {
            pattern.arguments.iter().find(|(it, _)| *it == source).map(|(_, it)| it).filter(means)
        };
        let own = match find(Source::UserName) {
            Some(Wanted::Constant(Constant::Text(own))) if pattern.kind == EventKind::User => Some(&**own),
            _ => None,
        };
        let signature = pattern.kind.signature();
        let sources: Vec<Source> = match own {
            Some(own) => {
                let declared = ltl.declared.iter().find(|it| it.name == own);
                (0..declared.map_or(0, |it| it.params.len())).map(Source::UserArgument).collect()
            }
            None => signature
                .params
                .iter()
                .enumerate()
                .map(|(at, (_, sort))| Source::of_argument(at, *sort))
                .collect(),
        };
        let mut arguments: Vec<Argument> =
            sources.into_iter().map(|source| positional(matcher(find(source), ltl))).collect();
        arguments.extend(pattern.arguments.iter().filter_map(|(source, wanted)| match source {
            Source::Attribute(attribute) => {
                Some(Argument { attribute: Some(name(attribute)), ..positional(matcher(Some(wanted), ltl)) })
            }
            _ => None,
        }));
        tree::Pattern { event: name(own.unwrap_or(signature.name)), arguments }
    }
}

fn matcher(wanted: Option<&Wanted>, ltl: &Ltl) -> Matcher {
    match wanted {
        None => Matcher::Any,
        Some(Wanted::Variable(variable)) => Matcher::Variable(ltl.variables[*variable].name.clone()),
        Some(Wanted::Constant(constant)) => Matcher::Literal(literal(constant)),
    }
}

fn term(expr: &Expr, ltl: &Ltl) -> Term {
    let form = match expr {
        Expr::Constant(constant) => Form::Literal(literal(constant)),
        Expr::Param(variable) => Form::Variable(ltl.variables[*variable].name.clone()),
        Expr::Not(inner) => Form::Not(Box::new(term(inner, ltl))),
        Expr::Binary(operator, left, right) => {
            Form::Binary(*operator, Box::new(term(left, ltl)), Box::new(term(right, ltl)))
        }
        // Formulas have neither registers nor variables of transitions, and nothing that only grammars have.
        Expr::Register(index) | Expr::Local(index) => Form::Variable(index.to_string()),
        Expr::Read(_) | Expr::Symbol(_) | Expr::Size(..) => Form::Variable("_".to_owned()),
    };
    Term { form, span: Span::default() }
}

/// Variants are texts; those that could be variants are written so.
fn literal(constant: &Constant) -> Literal {
    match constant {
        Constant::Int(number) => Literal::Int(*number),
        Constant::Bool(truth) => Literal::Bool(*truth),
        Constant::Text(text) => {
            let mut letters = text.chars();
            let begins = letters.next().is_some_and(|it| it.is_ascii_alphabetic());
            let is_name = begins && letters.all(|it| it.is_ascii_alphanumeric() || it == '_');
            if is_name { Literal::Variant(text.to_string()) } else { Literal::Text(text.to_string()) }
        }
    }
}

fn name(text: &str) -> Name {
    Name { text: text.to_owned(), span: Span::default() }
}

fn positional(matcher: Matcher) -> Argument {
    Argument { attribute: None, matcher, span: Span::default() }
}
