//! Two variables of a formula that may be the same object, though the formula does not look as if that were meant.
//!
//! Whether it matters, the formula itself decides: one variable takes the place of the other one, and what is left is compiled. Where that
//! is violated by no trace (of `exists`: satisfied by none), the formula keeps the two apart. So does one that compares them, or that has
//! both in one event.

use crate::specs::{Property, SpecProblem};
use rvcheck_event::kind::Sort;
use rvcheck_spec::language::formula::parse_formula;
use rvcheck_spec::language::formula::tree::{Binder, Form, Formula, Quantifier};
use rvcheck_spec::language::syntax::tree::Matcher;
use rvcheck_spec::{Part, Property as Compiled, PropertySource, Vocabulary, compile};
use std::ops::Range;

/// A warning for each second variable of a formula that may be the same as an earlier one. `text` is that of the file.
pub(super) fn warnings(property: &Property, vocabulary: &Vocabulary, text: &str) -> Vec<SpecProblem> {
    let Some(formula) = property.declared.formula.as_deref() else { return Vec::new() };
    let (tree, problems) = parse_formula(formula, Part::Formula);
    if !problems.is_empty() || !matches!(property.compiled, Compiled::Ltl(_)) {
        return Vec::new();
    }
    let Some((quantifier, bound)) = leading(&tree) else { return Vec::new() };
    let mut found = Vec::new();
    for (at, Bound { binder: second, without }) in bound.iter().enumerate() {
        let first = bound[..at].iter().map(|it| it.binder).find(|first| {
            first.sort.text == second.sort.text
                && !are_kept_apart(formula, &tree, (&first.name.text, &second.name.text))
                && matters(
                    &property.declared,
                    vocabulary,
                    with_one(formula, &first.name.text, &second.name.text, without),
                    quantifier,
                )
        });
        let Some(first) = first else { continue };
        let (a, b, sort) = (&first.name.text, &second.name.text, &second.sort.text);
        let what = match Sort::of_name(sort) {
            Some(Sort::Int | Sort::Str | Sort::Bool) | None => "value",
            Some(_) => sort.as_str(),
        };
        found.push(SpecProblem {
            file: property.file.clone(),
            span: property.place(Part::Formula, second.name.span, text),
            message: format!("`{a}` and `{b}` may be the same {what}, and nothing keeps them apart"),
            help: Some(format!("if two are meant, write `where {a} != {b}` before the dot")),
        });
    }
    found
}

/// A variable, and the bytes of the formula without which nothing binds it.
struct Bound<'a> {
    binder: &'a Binder,
    without: Range<usize>,
}

/// The quantifier that a formula begins with, and all variables that it and those like it right behind bind. One that has a quantifier
/// with a restriction for itself ends that: what is left without it is not known.
fn leading(tree: &Formula) -> Option<(Quantifier, Vec<Bound<'_>>)> {
    let Form::Quantified { quantifier: first, .. } = &tree.form else { return None };
    let (mut all, mut at) = (Vec::new(), tree);
    while let Form::Quantified { quantifier, binders, restriction, body } = &at.form {
        if quantifier != first || binders.len() == 1 && restriction.is_some() {
            break;
        }
        for (index, binder) in binders.iter().enumerate() {
            let without = match (index.checked_sub(1).and_then(|it| binders.get(it)), binders.get(index + 1))
            {
                (Some(before), _) => before.sort.span.end..binder.sort.span.end,
                (None, Some(next)) => binder.name.span.start..next.name.span.start,
                (None, None) => at.span.start..body.span.start,
            };
            all.push(Bound { binder, without });
        }
        at = body;
    }
    Some((*first, all))
}

/// Whether a formula compares both, or one event of it has both.
fn are_kept_apart(text: &str, tree: &Formula, (a, b): (&str, &str)) -> bool {
    let words = words(text);
    let compares = words.windows(2).any(|pair| {
        let ((first, second), between) =
            ((pair[0].1, pair[1].1), &text[pair[0].0 + pair[0].1.len()..pair[1].0]);
        let are_both = (first, second) == (a, b) || (first, second) == (b, a);
        are_both && matches!(between.trim(), "!=" | "==" | "=" | "<" | ">" | "<=" | ">=")
    });
    compares || has_both(tree, a, b)
}

/// Whether an event of a formula has both variables.
fn has_both(tree: &Formula, a: &str, b: &str) -> bool {
    match &tree.form {
        Form::Missing | Form::Constant(_) | Form::Condition(_) => false,
        Form::Atom(atom) => {
            let has = |name: &str| {
                let mut arguments = atom.pattern.arguments.iter();
                arguments.any(|it| matches!(&it.matcher, Matcher::Variable(it) if it == name))
            };
            has(a) && has(b)
        }
        Form::Unary(_, _, inner) | Form::Quantified { body: inner, .. } => has_both(inner, a, b),
        Form::Binary(_, _, left, right) => has_both(left, a, b) || has_both(right, a, b),
    }
}

/// Whether the formula in which both are one can be violated, or satisfied where it asks for one. What is not known counts as no.
fn matters(source: &PropertySource, vocabulary: &Vocabulary, of_one: String, quantifier: Quantifier) -> bool {
    // The message names both.
    let source = PropertySource { formula: Some(of_one), message: None, ..source.clone() };
    let (Some(Compiled::Ltl(one)), problems) = compile(&source, vocabulary) else { return false };
    let Ok(machine) = &one.machine else { return false };
    problems.is_empty() && machine.constant() != Some(quantifier == Quantifier::Forall)
}

/// The formula in which one variable stands wherever a second one stood, and the second one is not bound.
fn with_one(text: &str, first: &str, second: &str, without: &Range<usize>) -> String {
    let replaced = |text: &str| {
        let (mut result, mut done) = (String::with_capacity(text.len()), 0);
        for (at, word) in words(text) {
            let rest = text[at + word.len()..].trim_start();
            let is_attribute = rest.starts_with('=') && !rest.starts_with("==");
            if word != second || is_attribute || text[..at].ends_with("::") {
                continue;
            }
            result.push_str(&text[done..at]);
            result.push_str(first);
            done = at + word.len();
        }
        result.push_str(&text[done..]);
        result
    };
    let (before, after) = (&text[..without.start], &text[without.end..]);
    replaced(before) + &replaced(after)
}

/// The words of a formula outside strings, with their places.
fn words(text: &str) -> Vec<(usize, &str)> {
    let (mut found, mut begun, mut in_string) = (Vec::new(), None, false);
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        let of_word = !in_string && (letter.is_alphanumeric() || letter == '_');
        match (begun, of_word) {
            (None, true) => begun = Some(at),
            (Some(start), false) => {
                found.push((start, &text[start..at]));
                begun = None;
            }
            _ => {}
        }
        in_string ^= letter == '"';
    }
    found
}
