//! Which events and fluents the strings of a property, or of a fluent, name.

use std::collections::BTreeSet;

use crate::language::formula::parser::parse_formula;
use crate::language::formula::tree::{Form, Formula};
use crate::language::problem::Part;
use crate::language::source::{FluentSource, PropertySource};
use crate::language::syntax::parse_transition;
use crate::language::syntax::tree::{Action, Transition};

/// The names that a property uses, for what it says and for how its violations are shown.
pub fn in_property(source: &PropertySource) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if let Some(text) = &source.formula {
        in_formula(&parse_formula(text, Part::Formula).0, &mut names);
    }
    names.extend(emitted(source));
    names.extend(taken(source));
    names.extend(source.primary.iter().chain(&source.related).cloned());
    names.extend(source.labels.iter().map(|(event, _)| event.clone()));
    names
}

/// The events that the transitions of a property emit.
pub fn emitted(source: &PropertySource) -> Vec<String> {
    let actions = transitions(source).flat_map(|tree| tree.actions);
    let event = |action| match action {
        Action::Emit(event, _) => Some(event.text),
        Action::Assign(..) => None,
    };
    actions.filter_map(event).collect()
}

/// The events that the transitions of a property take.
pub fn taken(source: &PropertySource) -> Vec<String> {
    transitions(source).map(|tree| tree.pattern.event.text).collect()
}

fn transitions(source: &PropertySource) -> impl Iterator<Item = Transition> {
    let texts = source.transitions.iter().enumerate();
    texts.filter_map(|(index, text)| parse_transition(text, Part::Transition(index)).0)
}

/// The names that a fluent uses.
pub fn in_fluent(source: &FluentSource) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (text, part) in [(&source.from, Part::FluentFrom), (&source.to, Part::FluentTo)] {
        if let Some(text) = text {
            in_formula(&parse_formula(text, part).0, &mut names);
        }
    }
    names
}

fn in_formula(formula: &Formula, names: &mut BTreeSet<String>) {
    match &formula.form {
        Form::Missing | Form::Constant(_) | Form::Condition(_) => {}
        Form::Atom(atom) => _ = names.insert(atom.pattern.event.text.clone()),
        Form::Unary(_, _, inner) | Form::Quantified { body: inner, .. } => in_formula(inner, names),
        Form::Binary(_, _, left, right) => {
            in_formula(left, names);
            in_formula(right, names);
        }
    }
}
