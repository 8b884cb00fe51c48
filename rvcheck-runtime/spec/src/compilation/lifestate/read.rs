//! The rules of a lifestate as trees, and the functions that they speak of.

use rvcheck_event::kind::Sort;

use crate::compilation::term::{constant, fits, mismatch};
use crate::language::lifestate::{Argument, Kind, Message, Rule, Sign, parse_rule};
use crate::language::problem::{Part, Problem, Span};
use crate::language::source::PropertySource;
use crate::model::crossing::function;
use crate::model::vocabulary::Vocabulary;

/// The rules that can be read, with their places.
pub(super) fn read(source: &PropertySource, problems: &mut Vec<Problem>) -> Vec<(usize, Rule)> {
    let mut rules = Vec::new();
    for (place, text) in source.rules.iter().enumerate() {
        let (rule, mut found) = parse_rule(text, Part::LifestateRule(place));
        problems.append(&mut found);
        rules.extend(rule.map(|it| (place, it)));
    }
    rules
}

/// A function that rules speak of.
pub(super) struct Function {
    pub(super) path: String,
    /// The sorts of its parameters; `None` where the first use says only how many there are.
    sorts: Vec<Sort>,
    /// Where the number of parameters comes from.
    from: From,
}

enum From {
    Declaration,
    Rule(usize),
}

/// The functions. What does not fit together is among the problems.
pub(super) fn functions(
    rules: &[(usize, Rule)],
    vocabulary: &Vocabulary,
    problems: &mut Vec<Problem>,
) -> Vec<Function> {
    let mut functions: Vec<Function> = Vec::new();
    for (place, rule) in rules {
        for message in rule.messages() {
            let path = &message.path.text;
            let known = functions.iter().position(|it| it.path == *path).unwrap_or_else(|| {
                let declared = vocabulary.declared().iter().find(|it| it.name == *path);
                let sorts = declared.map(|it| it.params.iter().map(|(_, sort)| *sort).collect());
                let built_in = function(path).map(|it| it.0.iter().map(|(_, sort)| *sort).collect());
                let sorts: Option<Vec<Sort>> = sorts.or(built_in);
                let from = if sorts.is_some() { From::Declaration } else { From::Rule(*place) };
                let any = || vec![Sort::Any; message.arguments.len()];
                functions.push(Function { path: path.clone(), sorts: sorts.unwrap_or_else(any), from });
                functions.len() - 1
            });
            let is_declared = || vocabulary.declared().iter().any(|it| it.name == *path);
            if let Some((_, kinds)) = function(path)
                && !kinds.contains(&message.kind)
                && !is_declared()
            {
                problems.push(other_kind(*place, message, &kinds));
            } else if functions[known].sorts.len() != message.arguments.len() {
                problems.push(other_number(*place, message, &functions[known]));
            }
        }
    }
    functions
}

/// A built-in function that goes the other way.
fn other_kind(place: usize, message: &Message, kinds: &[Kind]) -> Problem {
    let path = &message.path.text;
    let written: Vec<String> = kinds.iter().map(|it| format!("`{} {path}`", it.name())).collect();
    let text = format!("`{path}` is built in, and is never `{}`", message.kind.name());
    Problem::new(Part::LifestateRule(place), message.path.span, text)
        .help(format!("write {}", written.join(" or ")))
}

fn other_number(place: usize, message: &Message, function: &Function) -> Problem {
    let has = |count: usize| match count {
        0 => "no parameter".to_owned(),
        1 => "1 parameter".to_owned(),
        count => format!("{count} parameters"),
    };
    let there = match function.from {
        From::Declaration => "in its declaration".to_owned(),
        From::Rule(it) if it == place => "elsewhere in this rule".to_owned(),
        From::Rule(it) => format!("in rule {}", it + 1),
    };
    let text = format!(
        "`{}` has {} here and {} {there}",
        message.path.text,
        has(message.arguments.len()),
        has(function.sorts.len())
    );
    let help = "name all parameters; `_` is one that does not matter";
    Problem::new(Part::LifestateRule(place), message.list, text).help(help)
}

/// Complains of values and variables whose sorts do not fit.
pub(super) fn check_sorts(rules: &[(usize, Rule)], functions: &[Function], problems: &mut Vec<Problem>) {
    for (place, rule) in rules {
        let part = Part::LifestateRule(*place);
        let mut variables: Vec<(&str, Sort)> = Vec::new();
        for message in rule.messages() {
            let Some(function) = functions.iter().find(|it| it.path == message.path.text) else { continue };
            for ((argument, span), wanted) in message.arguments.iter().zip(&function.sorts) {
                match argument {
                    Argument::Any => {}
                    Argument::Literal(literal) => {
                        let (_, found) = constant(literal);
                        if !fits(found, *wanted) {
                            problems.push(mismatch(part, *span, found, &message.path.text, *wanted));
                        }
                    }
                    Argument::Variable(name) => match variables.iter_mut().find(|it| it.0 == name) {
                        None => variables.push((name, *wanted)),
                        Some((_, known)) if fits(*known, *wanted) => {
                            if *known == Sort::Any {
                                *known = *wanted;
                            }
                        }
                        Some((_, known)) => {
                            let message = format!(
                                "`{name}` is of sort `{}` elsewhere in this rule, and of sort `{}` here",
                                known.name(),
                                wanted.name()
                            );
                            problems.push(Problem::new(part, *span, message));
                        }
                    },
                }
            }
        }
    }
}

/// Complains of rules that say the same, or the opposite of each other.
pub(super) fn check_pairs(rules: &[(usize, Rule)], problems: &mut Vec<Problem>) {
    let canonical: Vec<String> = rules.iter().map(|(_, it)| it.canonical()).collect();
    for (at, (place, rule)) in rules.iter().enumerate() {
        let Some(first) = canonical[..at].iter().position(|it| *it == canonical[at]) else { continue };
        let (first_place, first) = (rules[first].0 + 1, &rules[first].1);
        let (text, help) = if first.sign == rule.sign {
            (format!("this is rule {first_place} again"), "leave it out")
        } else {
            let does = |sign| if sign == Sign::Permits { "permits" } else { "prohibits" };
            let text = format!(
                "this {} what rule {first_place} {} after the same histories",
                does(rule.sign),
                does(first.sign)
            );
            (text, "leave one of them out, or change its regex")
        };
        let span = rule.regex.span.to(rule.message.span);
        problems.push(Problem::new(Part::LifestateRule(*place), span, text).help(help));
    }
}

/// The bytes of the first place in a rule where a variable stands.
pub(super) fn place_of(rule: &Rule, variable: &str) -> Span {
    let mut all = rule.messages().into_iter().flat_map(|it| it.result.iter().chain(&it.arguments));
    let found = all.find(|(it, _)| matches!(it, Argument::Variable(name) if name == variable));
    found.map_or(rule.regex.span, |it| it.1)
}
