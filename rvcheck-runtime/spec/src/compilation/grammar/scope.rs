//! What names mean in an alternative: the parameters of its message, and the attributes of the nonterminal whose rule it is in.

use rvcheck_event::kind::Sort;

use crate::compilation::grammar::attributes::Attributes;
use crate::compilation::grammar::messages::size_of;
use crate::compilation::grammar::read::{Production, Read, Rule};
use crate::compilation::term::Names;
use crate::language::problem::{Part, Problem, Span, did_you_mean};
use crate::language::syntax::tree::{Form, Name, Term};
use crate::model::automaton::{Expr, Source};
use crate::model::vocabulary::Vocabulary;

/// What a message is sent to, beside its parameters.
pub(super) const CALLEE: &str = "callee";

/// See the module.
pub(super) struct Scope<'a> {
    pub(super) rule: &'a Rule<'a>,
    pub(super) production: &'a Production<'a>,
    pub(super) rules: &'a [Rule<'a>],
    pub(super) read: &'a Read<'a>,
    pub(super) attributes: &'a Attributes,
    pub(super) vocabulary: &'a Vocabulary,
}

impl Scope<'_> {
    fn terminal(&self) -> &str {
        self.read.view[self.production.terminal].name
    }

    /// Where a message of the alternative has an argument of this name.
    fn argument(&self, name: &str) -> Option<Source> {
        let event = self.read.view[self.production.terminal].message.event();
        let declared = self.vocabulary.declared().iter().find(|it| it.name == event)?;
        declared.params.iter().position(|(it, _)| it == name).map(Source::UserArgument)
    }

    fn param(&self, name: &Name, problems: &mut Vec<Problem>) -> Option<(Expr, Sort)> {
        if name.text == CALLEE {
            return Some((Expr::Read(Source::Callee), Sort::Any));
        }
        let params = &self.read.view[self.production.terminal].message.params;
        let known = params.iter().flatten().map(|it| it.text.as_str());
        if !known.clone().any(|it| it == name.text) {
            let message = format!("`{}` has no parameter `{}`", self.terminal(), name.text);
            let help = did_you_mean(&name.text, known.chain([CALLEE])).unwrap_or_else(|| {
                "give it a name in the view; `callee` is what the message is sent to".to_owned()
            });
            problems.push(Problem::new(self.part(), name.span, message).help(help));
            return None;
        }
        Some((Expr::Read(self.argument(&name.text)?), Sort::Any))
    }

    fn own(&self, name: &Name, problems: &mut Vec<Problem>) -> Option<(Expr, Sort)> {
        let rule = self.rules.iter().position(|it| it.name == self.rule.name)?;
        let known = &self.attributes.of[rule];
        let Some(register) = known.iter().position(|(it, _)| *it == name.text) else {
            let message = format!("no alternative sets `{}.{}`", self.rule.name, name.text);
            let help =
                did_you_mean(&name.text, known.iter().map(|(it, _)| it.as_str())).unwrap_or_else(|| {
                    format!("set it wherever an alternative goes on with `{}`", self.rule.name)
                });
            problems.push(Problem::new(self.part(), name.span, message).help(help));
            return None;
        };
        Some((Expr::Register(register), known[register].1))
    }
}

impl Names for Scope<'_> {
    fn part(&self) -> Part {
        Part::Rule(self.rule.place)
    }

    fn variable(&self, name: &str, span: Span, problems: &mut Vec<Problem>) -> Option<(Expr, Sort)> {
        let message = format!("`{name}` stands for nothing here");
        let of_message = self.param(&Name { text: name.to_owned(), span }, &mut Vec::new()).is_some();
        let owner = if of_message { self.terminal() } else { self.rule.name };
        let help = format!("write `{owner}.{name}`, or `\"{name}\"` for a text");
        problems.push(Problem::new(self.part(), span, message).help(help));
        None
    }

    fn attribute(&self, owner: &Name, attribute: &Name, problems: &mut Vec<Problem>) -> Option<(Expr, Sort)> {
        if owner.text == self.terminal() {
            return self.param(attribute, problems);
        }
        if owner.text == self.rule.name {
            return self.own(attribute, problems);
        }
        let (terminal, rule) = (self.terminal(), self.rule.name);
        let is_known = self.read.view.iter().any(|it| it.name == owner.text)
            || self.rules.iter().any(|it| it.name == owner.text);
        let message = if is_known {
            format!("`{}` is not known here: this alternative is about `{terminal}` and `{rule}`", owner.text)
        } else {
            format!("unknown terminal or nonterminal `{}`", owner.text)
        };
        let help = if is_known {
            Some(format!("hand the value on in an attribute of `{rule}`"))
        } else {
            did_you_mean(&owner.text, [terminal, rule])
        };
        problems.push(Problem::new(self.part(), owner.span, message).help_maybe(help));
        None
    }

    fn recorded_size(&self, term: &Term) -> Option<Source> {
        match &term.form {
            Form::Attribute(owner, param) if owner.text == self.terminal() => {
                self.argument(&size_of(&param.text))
            }
            _ => None,
        }
    }
}
