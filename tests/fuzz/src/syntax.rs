//! The parsers of what stands in the strings of a property file.

use std::fmt::{Debug, Display};

use rvcheck_spec::language::formula::parser::{parse_event, parse_formula};
use rvcheck_spec::language::formula::tree::{Form, Formula};
use rvcheck_spec::language::syntax::{parse_literal, parse_param, parse_transition};
use rvcheck_spec::{Part, Problem};

use crate::places::{is_in, problems_are_in, shape};
use crate::text;

/// Reading a formula gives a tree with places in the text; where nothing is wrong with it, its print gives the same tree.
pub fn formula(input: &[u8]) {
    let text = text(input);
    let (tree, problems) = parse_formula(&text, Part::Formula);
    assert_eq!(
        (&tree, &problems),
        (&parse_formula(&text, Part::Formula).0, &parse_formula(&text, Part::Formula).1)
    );
    problems_are_in(&text, &problems);
    places(&text, &tree);
    let mut missing = false;
    visit(&tree, &mut |it| missing |= it.form == Form::Missing);
    assert!(!missing || !problems.is_empty(), "something is missing in {text:?} and nothing is said of it");
    if problems.is_empty() {
        let printed = tree.to_string();
        let (again, problems) = parse_formula(&printed, Part::Formula);
        assert_eq!(problems, [], "{text:?} was printed as {printed:?}");
        assert_eq!(shape(&again), shape(&tree), "{text:?} was printed as {printed:?}");
        assert_eq!(again.to_string(), printed);
    }
}

/// The parts of a formula lie in it.
fn places(text: &str, tree: &Formula) {
    is_in(text, tree.span, "a formula");
    for part in parts(tree) {
        let (outer, inner) = (tree.span, part.span);
        assert!(outer.start <= inner.start && inner.end <= outer.end, "{inner:?} of {outer:?} in {text:?}");
        places(text, part);
    }
}

fn visit<'a>(tree: &'a Formula, visitor: &mut impl FnMut(&'a Formula)) {
    visitor(tree);
    for part in parts(tree) {
        visit(part, visitor);
    }
}

fn parts(tree: &Formula) -> Vec<&Formula> {
    match &tree.form {
        Form::Missing | Form::Constant(_) | Form::Atom(_) | Form::Condition(_) => Vec::new(),
        Form::Unary(_, _, inner) | Form::Quantified { body: inner, .. } => vec![inner],
        Form::Binary(_, _, left, right) => vec![left, right],
    }
}

/// An event, as the ends of fluents are written.
pub fn event(input: &[u8]) {
    let text = text(input);
    let (read, problems) = parse_event(&text, Part::FluentFrom);
    problems_are_in(&text, &problems);
    assert!(read.is_some() || !problems.is_empty(), "{text:?}");
    if let (Some((pattern, condition)), []) = (read, &*problems) {
        let printed = match &condition {
            Some(condition) => format!("{pattern} if ({condition})"),
            None => pattern.to_string(),
        };
        let (again, problems) = parse_event(&printed, Part::FluentFrom);
        assert_eq!(problems, [], "{text:?} was printed as {printed:?}");
        assert_eq!(shape(&again), shape(&Some((pattern, condition))), "{text:?} was printed as {printed:?}");
    }
}

/// A transition of an automaton.
pub fn transition(input: &[u8]) {
    survives(&text(input), |text| parse_transition(text, Part::Transition(0)));
}

/// A parameter.
pub fn param(input: &[u8]) {
    survives(&text(input), |text| parse_param(text, Part::Param(0)));
}

/// A literal.
pub fn literal(input: &[u8]) {
    survives(&text(input), |text| parse_literal(text, Part::VarValue(0)));
}

/// There is a tree exactly where there are no problems, and printing it and reading that gives the same tree.
fn survives<T: Display + Debug>(text: &str, read: impl Fn(&str) -> (Option<T>, Vec<Problem>)) {
    let (tree, problems) = read(text);
    problems_are_in(text, &problems);
    assert_eq!(tree.is_some(), problems.is_empty(), "{text:?}");
    assert_eq!(problems, read(text).1);
    if let Some(tree) = tree {
        let printed = tree.to_string();
        let (again, problems) = read(&printed);
        assert_eq!(problems, [], "{text:?} was printed as {printed:?}");
        assert_eq!(shape(&again), shape(&Some(tree)), "{text:?} was printed as {printed:?}");
    }
}
