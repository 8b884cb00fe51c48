//! Formulas that a program brings along while it runs, section 4.3 of the language.
//!
//! They can use what the property files declare. Whatever else they name is the program's own: `event name(…)` is an event, and
//! any other `name(…)` a proposition.

use crate::language::formula::parser::parse_formula;
use crate::language::formula::tree::{Form, Formula};
use crate::language::problem::{Part, Problem, Span};
use crate::language::source::{EventSource, FluentSource, PropertySource};
use crate::model::property::Property;
use crate::model::vocabulary::Vocabulary;

/// A formula of a program's, and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Live {
    /// What is checked; there is something exactly where there are no problems.
    pub property: Option<Property>,
    /// What is wrong. Problems that are not in [`Part::Formula`] are about the whole.
    pub problems: Vec<Problem>,
    /// What no file declares, in the order of the formula.
    pub undeclared: Vec<Undeclared>,
}

/// Something that no file declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undeclared {
    /// Its name.
    pub name: String,
    /// It is an event, not a proposition.
    pub is_event: bool,
    /// How many arguments it has, at most.
    arguments: usize,
    /// Where it is named first.
    pub span: Span,
}

/// Compiles a formula that is to be checked under this name.
pub fn compile_live(name: &str, formula: &str, vocabulary: &Vocabulary) -> Live {
    let (tree, problems) = parse_formula(formula, Part::Formula);
    if !problems.is_empty() {
        return Live { property: None, problems, undeclared: Vec::new() };
    }
    let mut undeclared = Vec::new();
    find(&tree, vocabulary, &mut undeclared);
    let mut vocabulary = vocabulary.clone();
    let mut problems = Vec::new();
    for it in &undeclared {
        let found = it.declare(&mut vocabulary);
        problems.extend(found.into_iter().map(|problem| Problem {
            part: Part::Formula,
            span: it.span,
            ..problem
        }));
    }
    if !problems.is_empty() {
        return Live { property: None, problems, undeclared };
    }
    let source = PropertySource {
        id: name.to_owned(),
        logic: "ltl".to_owned(),
        formula: Some(formula.to_owned()),
        ..PropertySource::default()
    };
    let (property, problems) = crate::compile(&source, &vocabulary);
    let property = property.map(|it| with_message(it, formula));
    Live { property, problems, undeclared }
}

/// The same property; a violation says what the formula is, and for which objects it is false.
fn with_message(property: Property, formula: &str) -> Property {
    let parameters: Vec<String> =
        property.parameters().iter().map(|it| format!("`{it}` is {{{it}}}")).collect();
    match property {
        Property::Ltl(mut ltl) => {
            let formula = formula.split_whitespace().collect::<Vec<_>>().join(" ");
            let whose = if parameters.is_empty() { "" } else { ", where " };
            ltl.message =
                format!("`{}` does not hold: `{formula}`{whose}{}", ltl.id, parameters.join(" and "));
            Property::Ltl(ltl)
        }
        other @ (Property::Automaton(_) | Property::Lifestate(_) | Property::BuiltIn(_)) => other,
    }
}

impl Undeclared {
    fn declare(&self, vocabulary: &mut Vocabulary) -> Vec<Problem> {
        let params = (1..=self.arguments).map(|it| format!("a{it}")).collect();
        let name = self.name.clone();
        if self.is_event {
            vocabulary.declare_event(&EventSource { name, params })
        } else {
            vocabulary.declare_fluent(&FluentSource { name, params, from: None, to: None })
        }
    }
}

/// Adds what the vocabulary does not have.
fn find(formula: &Formula, vocabulary: &Vocabulary, found: &mut Vec<Undeclared>) {
    match &formula.form {
        Form::Missing | Form::Constant(_) | Form::Condition(_) => {}
        Form::Unary(_, _, inner) | Form::Quantified { body: inner, .. } => find(inner, vocabulary, found),
        Form::Binary(_, _, left, right) => {
            find(left, vocabulary, found);
            find(right, vocabulary, found);
        }
        Form::Atom(atom) => {
            let (name, is_event) = (&atom.pattern.event, atom.is_event);
            let is_fluent = vocabulary.fluents().find(&name.text).is_some();
            if vocabulary.event(&name.text).is_some() || (is_fluent && !is_event) {
                return;
            }
            let arguments = atom.pattern.arguments.iter().filter(|it| it.attribute.is_none()).count();
            match found.iter_mut().find(|it| it.name == name.text && it.is_event == is_event) {
                Some(known) => known.arguments = known.arguments.max(arguments),
                None => {
                    let (name, span) = (name.text.clone(), name.span);
                    found.push(Undeclared { name, is_event, arguments, span });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared() -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        let grant = EventSource { name: "grant".into(), params: vec!["t: task".into(), "n: int".into()] };
        assert!(vocabulary.declare_event(&grant).is_empty());
        vocabulary
    }

    #[test]
    fn what_nobody_declares_is_the_programs_own() {
        let live =
            compile_live("p", "forall t: task . G (grant(t, _) -> !busy(t) W event tick())", &declared());
        assert_eq!(live.problems, []);
        let names: Vec<_> = live.undeclared.iter().map(|it| (it.name.as_str(), it.is_event)).collect();
        assert_eq!(names, [("busy", false), ("tick", true)]);
        assert_eq!(live.property.as_ref().map(Property::id), Some("p"));
    }

    #[test]
    fn a_violation_says_what_does_not_hold_and_for_whom() {
        let live = compile_live("p", "forall t: task .\n  G !busy(t)", &declared());
        let Some(Property::Ltl(ltl)) = live.property else { panic!("{:?}", live.problems) };
        assert_eq!(ltl.message, "`p` does not hold: `forall t: task . G !busy(t)`, where `t` is {t}");
    }

    #[test]
    fn mistakes_point_into_the_formula() {
        let cases = [
            ("G (busy(", 8, 8),
            ("G grant(_, _, _)", 14, 15),
            ("G (busy() && event busy())", 19, 23),
            ("forall t: tsk . G busy(t)", 10, 13),
            ("G busy(t)", 7, 8),
        ];
        for (formula, start, end) in cases {
            let live = compile_live("p", formula, &declared());
            assert_eq!(live.property, None, "{formula}");
            let places: Vec<_> = live.problems.iter().map(|it| (it.part, it.span)).collect();
            assert!(
                places.contains(&(Part::Formula, Span::new(start, end))),
                "{formula}: {:?}",
                live.problems
            );
        }
    }

    #[test]
    fn an_event_of_another_file_is_not_taken_for_a_proposition() {
        let live = compile_live("p", "F event grant(_, 3)", &declared());
        assert_eq!((live.undeclared.len(), live.problems), (0, Vec::new()));
    }
}
