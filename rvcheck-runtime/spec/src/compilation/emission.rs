//! `emit e(…)`: the event and its arguments against its declaration.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use rvcheck_event::kind::Sort;

use crate::compilation::argument::plural;
use crate::compilation::scope::Scope;
use crate::compilation::term::{fits, mismatch, resolve};
use crate::language::problem::{Problem, did_you_mean};
use crate::language::syntax::tree::{Form, Name, Term};
use crate::model::automaton::{Argument, Constant, Emission, Expr};
use crate::model::vocabulary::Named;

/// An event that a transition emits.
pub(super) fn emission(
    scope: &Scope<'_>,
    event: &Name,
    terms: &[Term],
    problems: &mut Vec<Problem>,
) -> Option<Emission> {
    let name = &event.text;
    let declared = match scope.vocabulary.event(name) {
        Some(found @ Named::Declared(_)) => found,
        found => {
            let message = match found {
                Some(_) => format!("`{name}` is built in and cannot be emitted"),
                None => format!("unknown event `{name}`"),
            };
            let known = scope.vocabulary.declared().iter().map(|it| it.name.as_str());
            let help = did_you_mean(name, known)
                .unwrap_or_else(|| "only an event that the file declares can be emitted".to_owned());
            problems.push(Problem::new(scope.part, event.span, message).help(help));
            return None;
        }
    };
    let mut arguments = Vec::new();
    for (index, term) in terms.iter().enumerate() {
        let (expr, sort) = argument(scope, term, problems)?;
        let Some((_, (param, wanted))) = declared.param(index) else {
            let message = format!("`{name}` has {} arguments", plural(declared.count()));
            problems.push(Problem::new(scope.part, term.span, message));
            return None;
        };
        if !fits(sort, wanted) {
            problems.push(mismatch(scope.part, term.span, sort, param, wanted));
        }
        arguments.push(match expr {
            Expr::Constant(Constant::Text(text)) => Argument::Text(kept(&text)),
            expr => Argument::Term(expr),
        });
    }
    Some(Emission { event: name.clone(), arguments })
}

/// What stands for an argument, with its sort. Here alone a parameter need not be bound by the pattern: an instance that does
/// not know it emits the event without it.
fn argument(scope: &Scope<'_>, term: &Term, problems: &mut Vec<Problem>) -> Option<(Expr, Sort)> {
    if let Form::Variable(name) = &term.form
        && let Some(index) = scope.automaton.params.iter().position(|it| it.name == *name)
    {
        return Some((Expr::Param(index), scope.automaton.params[index].sort));
    }
    resolve(scope, term, problems)
}

/// The text for as long as the program runs, because values are copied and borrow from nothing. There is one copy of each.
pub(crate) fn kept(text: &str) -> &'static str {
    static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    match texts.get(text) {
        Some(known) => known,
        None => {
            let new: &'static str = Box::leak(text.into());
            texts.insert(new);
            new
        }
    }
}
