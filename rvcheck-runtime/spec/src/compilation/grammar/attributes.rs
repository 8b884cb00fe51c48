//! The attributes of nonterminals: which ones they have, their sorts, and that each is set wherever it is used.

use rvcheck_event::kind::Sort;

use crate::compilation::grammar::read::{Production, Read, Rule};
use crate::compilation::grammar::scope::Scope;
use crate::compilation::term::{demand, resolve};
use crate::language::problem::{Part, Problem};
use crate::language::syntax::tree::{Form, Literal, Name, Operator, Term};
use crate::model::vocabulary::Vocabulary;

/// See the module.
pub(super) struct Attributes {
    /// By rule: the attributes with their sorts, in the order of the registers that hold them.
    pub(super) of: Vec<Vec<(String, Sort)>>,
    /// By rule: the nonterminal.
    names: Vec<String>,
}

/// The attributes of all rules; what is wrong with them is among the problems.
pub(super) fn of(
    rules: &[Rule<'_>],
    read: &Read<'_>,
    vocabulary: &Vocabulary,
    problems: &mut Vec<Problem>,
) -> Attributes {
    let names = rules.iter().map(|it| it.name.to_owned()).collect();
    let mut attributes = Attributes { of: vec![Vec::new(); rules.len()], names };
    let productions = || rules.iter().flat_map(|rule| rule.productions.iter().map(move |it| (rule, it)));
    for (_, production) in productions() {
        let Some(next) = production.nonterminal else { continue };
        for (name, _) in &production.settings {
            if attributes.of[next].iter().all(|(it, _)| *it != name.text) {
                attributes.of[next].push((name.text.clone(), Sort::Any));
            }
        }
    }
    sorts(rules, &mut attributes, problems);
    for (rule, production) in productions() {
        let scope = Scope { rule, production, rules, read, attributes: &attributes, vocabulary };
        if let Some(term) = production.assertion
            && let Some((_, sort)) = resolve(&scope, term, problems)
        {
            demand(Part::Rule(rule.place), term, sort, Sort::Bool, problems);
        }
        for (_, term) in &production.settings {
            resolve(&scope, term, problems);
        }
    }
    if problems.is_empty() {
        missing(rules, problems);
    }
    attributes
}

/// Finds the sorts: an attribute is of the sort of all that it is set to.
fn sorts(rules: &[Rule<'_>], attributes: &mut Attributes, problems: &mut Vec<Problem>) {
    let mut found: Vec<Vec<Option<Sort>>> = attributes.of.iter().map(|it| vec![None; it.len()]).collect();
    let settings: Vec<Setting<'_>> = settings(rules, attributes);
    // An attribute that is set to another one takes one more round to learn its sort.
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for it in &settings {
            let Some(sort) = sort_of(it.term, it.rule, attributes, &found) else { continue };
            let joined = match found[it.next][it.place] {
                None => sort,
                Some(known) if known == sort => known,
                Some(Sort::Any) => Sort::Any,
                Some(_) if sort == Sort::Any => Sort::Any,
                // That is a mistake, unless something else turns up.
                Some(known) => known,
            };
            changed |= found[it.next][it.place] != Some(joined);
            found[it.next][it.place] = Some(joined);
        }
    }
    for it in &settings {
        let (known, sort) = (found[it.next][it.place], sort_of(it.term, it.rule, attributes, &found));
        if let (Some(known), Some(sort)) = (known, sort)
            && known != sort
            && ![known, sort].contains(&Sort::Any)
        {
            let attribute = format!("{}.{}", rules[it.next].name, it.name.text);
            let (sort, known) = (sort.name(), known.name());
            let message = format!("`{attribute}` is of sort `{sort}` here and of sort `{known}` elsewhere");
            problems.push(Problem::new(Part::Rule(rules[it.rule].place), it.name.span, message));
        }
    }
    for (attributes, sorts) in attributes.of.iter_mut().zip(found) {
        for ((_, sort), found) in attributes.iter_mut().zip(sorts) {
            *sort = found.unwrap_or(Sort::Any);
        }
    }
}

/// An attribute is set.
struct Setting<'a> {
    /// The rule in which that happens.
    rule: usize,
    /// The rule whose attribute it is, and the place of the attribute there.
    next: usize,
    place: usize,
    name: &'a Name,
    term: &'a Term,
}

fn settings<'a>(rules: &'a [Rule<'a>], attributes: &Attributes) -> Vec<Setting<'a>> {
    let mut found = Vec::new();
    for (rule, it) in rules.iter().enumerate() {
        for production in &it.productions {
            let Some(next) = production.nonterminal else { continue };
            for (name, term) in &production.settings {
                let place = attributes.of[next].iter().position(|(it, _)| *it == name.text);
                found.extend(place.map(|place| Setting { rule, next, place, name, term }));
            }
        }
    }
    found
}

/// The sort of a term, as far as it is known yet.
fn sort_of(term: &Term, rule: usize, attributes: &Attributes, found: &[Vec<Option<Sort>>]) -> Option<Sort> {
    match &term.form {
        Form::Literal(Literal::Int(_))
        | Form::Size(_)
        | Form::Binary(Operator::Plus | Operator::Minus | Operator::Times, ..) => Some(Sort::Int),
        Form::Literal(Literal::Bool(_)) | Form::Not(_) | Form::Binary(..) => Some(Sort::Bool),
        Form::Literal(Literal::Text(_) | Literal::Variant(_)) => Some(Sort::Str),
        Form::Attribute(owner, attribute) if owner.text == attributes.names[rule] => {
            let place = attributes.of[rule].iter().position(|(it, _)| *it == attribute.text)?;
            found[rule][place]
        }
        Form::Attribute(..) | Form::Variable(_) => Some(Sort::Any),
    }
}

/// Complains of attributes that are used in a rule, and that some way there does not set.
fn missing(rules: &[Rule<'_>], problems: &mut Vec<Problem>) {
    for (index, rule) in rules.iter().enumerate() {
        let mut used: Vec<&Name> = Vec::new();
        for production in &rule.productions {
            let terms = production.assertion.into_iter().chain(production.settings.iter().map(|(_, it)| *it));
            terms.for_each(|it| attributes_in(it, rule.name, &mut used));
        }
        let mut reported: Vec<&str> = Vec::new();
        for name in used {
            let text = name.text.as_str();
            if reported.contains(&text) {
                continue;
            }
            let unset = rules.iter().find_map(|from| {
                let leads = |it: &&Production<'_>| {
                    it.nonterminal == Some(index) && it.settings.iter().all(|(it, _)| it.text != text)
                };
                from.productions.iter().find(leads).map(|_| from.name)
            });
            let where_from = match unset {
                Some(from) => format!("in the rule of `{from}`"),
                // Nothing comes before the first nonterminal.
                None if index == 0 => "where a trace begins".to_owned(),
                None => continue,
            };
            reported.push(text);
            let message = format!("`{}.{text}` is not set {where_from}", rule.name);
            let help = if unset.is_some() {
                format!("set it wherever an alternative goes on with `{}`", rule.name)
            } else {
                format!("begin with a nonterminal that sets it when it goes on with `{}`", rule.name)
            };
            problems.push(Problem::new(Part::Rule(rule.place), name.span, message).help(help));
        }
    }
}

/// The attributes of this nonterminal in a term.
pub(crate) fn attributes_in<'a>(term: &'a Term, owner: &str, found: &mut Vec<&'a Name>) {
    match &term.form {
        Form::Attribute(it, attribute) if it.text == owner => found.push(attribute),
        Form::Literal(_) | Form::Variable(_) | Form::Attribute(..) => {}
        Form::Not(inner) | Form::Size(inner) => attributes_in(inner, owner, found),
        Form::Binary(_, left, right) => {
            attributes_in(left, owner, found);
            attributes_in(right, owner, found);
        }
    }
}
