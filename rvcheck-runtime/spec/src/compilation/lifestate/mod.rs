//! `logic = "lifestate"`: rules become machines over the messages that they speak of.
//!
//! A rule becomes the smallest machine that says of each message whether the history which ends with it is one of the rule's. Its letters
//! are the sets of the rule's own messages that one message can match. Two rules of which one permits what the other one prohibits
//! become a machine together, which accepts the histories in which they contradict each other; mostly there are none.

mod conflict;
mod derivative;
mod letters;
mod machine;
mod messages;
mod read;
mod regex;

use crate::compilation::heading::{Heading, heading};
use crate::compilation::lifestate::conflict::{Written, conflicts};
use crate::compilation::lifestate::derivative::Arena;
use crate::compilation::lifestate::machine::{MOST_STATES, TooLarge, histories};
use crate::compilation::lifestate::regex::build;
use crate::compilation::placeholders;
use crate::compilation::term::constant;
use crate::language::lifestate::{Argument, Message, Rule as Tree, Sign};
use crate::language::problem::{Part, Problem, Span};
use crate::language::source::PropertySource;
use crate::model::automaton::Constant;
use crate::model::crossing::function;
use crate::model::lifestate::{Head, Lifestate, Pattern, Rule, Wanted};
use crate::model::vocabulary::Vocabulary;

/// How many variables a rule may have.
const MOST_VARIABLES: usize = 8;

/// Compiles a lifestate. There is one exactly where there are no problems.
pub(super) fn compile(
    source: &PropertySource,
    vocabulary: &Vocabulary,
    problems: &mut Vec<Problem>,
) -> Option<Lifestate> {
    let heading = heading(source, vocabulary, problems);
    if source.rules.is_empty() {
        let help = "list rules such as `\"_*; ci close(f) |- ci read(f)\"`";
        problems.push(Problem::new(Part::Property, Span::default(), "there are no `rules`").help(help));
    }
    let trees = read::read(source, problems);
    let mut vocabulary = vocabulary.clone();
    messages::declare(&trees, &mut vocabulary, problems);
    let functions = read::functions(&trees, &vocabulary, problems);
    read::check_sorts(&trees, &functions, problems);
    read::check_pairs(&trees, problems);
    if !problems.is_empty() {
        return None;
    }
    let names = Names::of(&trees, &vocabulary);
    let mut rules = Vec::new();
    for (place, tree) in &trees {
        rules.extend(rule(source, *place, tree, &names, problems));
    }
    let parameters = parameters(&trees);
    if let Some(message) = &source.message {
        let known: Vec<&str> = parameters.iter().map(String::as_str).collect();
        placeholders(message, &known, "a variable of a prohibited message", Part::Message, problems);
    }
    if !problems.is_empty() {
        return None;
    }
    let pattern = |rule: &Rule, message: &Message| names.pattern(&rule.variables, message);
    let written: Vec<Written<'_>> =
        rules.iter().zip(&trees).map(|(rule, (_, tree))| Written { rule, regex: &tree.regex }).collect();
    let conflicts = match conflicts(&written, &pattern) {
        Ok(conflicts) => conflicts,
        Err((left, right)) => {
            let (place, tree) = &trees[right];
            let text = format!(
                "whether this contradicts rule {} takes more than {MOST_STATES} states",
                trees[left].0 + 1
            );
            problems.push(Problem::new(Part::LifestateRule(*place), tree.regex.span, text).help(SMALLER));
            return None;
        }
    };
    let Heading { id, title, level, scope, message, presentation } = heading;
    let Names { heads, constants } = names;
    Some(Lifestate {
        id,
        title,
        level,
        scope,
        message,
        presentation,
        heads,
        constants,
        rules,
        conflicts,
        parameters,
    })
}

/// What to do about a rule that is too large.
const SMALLER: &str = "divide the rule into several smaller ones";

/// The variables of what is prohibited.
fn parameters(trees: &[(usize, Tree)]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (_, tree) in trees.iter().filter(|(_, it)| it.sign == Sign::Prohibits && !it.message.kind.is_back()) {
        for (argument, _) in tree.message.result.iter().chain(&tree.message.arguments) {
            if let Argument::Variable(name) = argument
                && !found.contains(name)
            {
                found.push(name.clone());
            }
        }
    }
    found
}

fn rule(
    source: &PropertySource,
    place: usize,
    tree: &Tree,
    names: &Names,
    problems: &mut Vec<Problem>,
) -> Option<Rule> {
    let part = Part::LifestateRule(place);
    let mut variables: Vec<String> = Vec::new();
    let mut of_histories = 0;
    let messages = tree.messages();
    for (at, message) in messages.iter().enumerate() {
        if at + 1 == messages.len() {
            of_histories = variables.len();
        }
        for (argument, _) in message.result.iter().chain(&message.arguments) {
            if let Argument::Variable(name) = argument
                && !variables.contains(name)
            {
                variables.push(name.clone());
            }
        }
    }
    if variables.len() > MOST_VARIABLES {
        let text = format!("a rule can have {MOST_VARIABLES} variables, not {}", variables.len());
        let span = read::place_of(tree, &variables[MOST_VARIABLES]);
        problems.push(Problem::new(part, span, text).help(SMALLER));
        return None;
    }
    let mut arena = Arena::new();
    let mut atoms = Vec::new();
    let id = build(&mut arena, &tree.regex, &mut atoms, &mut |message| names.pattern(&variables, message));
    let histories = match histories(&mut arena, id, atoms, of_histories) {
        Ok(histories) => histories,
        Err(too_large) => {
            let text = match too_large {
                TooLarge::States => {
                    format!("the histories of this regex take more than {MOST_STATES} states")
                }
                TooLarge::Letters => "this regex has too many messages of one function".to_owned(),
            };
            problems.push(Problem::new(part, tree.regex.span, text).help(SMALLER));
            return None;
        }
    };
    let message = names.pattern(&variables, &tree.message);
    let in_message = message.variables();
    for (variable, name) in variables.iter().enumerate().take(of_histories) {
        let speaks_of = |pattern: &Pattern| pattern.values.contains(&Wanted::Variable(variable));
        let is_free = |mask: u64| {
            histories.atoms.iter().enumerate().all(|(at, it)| mask >> at & 1 == 0 || !speaks_of(it))
        };
        if !in_message.contains(&variable) && histories.machine.accepts_any_by(is_free) {
            let text = format!("nothing binds `{name}` in some histories of this rule");
            let help = "name it in the message behind the operator, or write `_` for it";
            problems.push(Problem::new(part, read::place_of(tree, name), text).help(help));
        }
    }
    let text = source.rules.get(place).cloned().unwrap_or_default();
    // Rules are written one below the other, in columns.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Rule { text, sign: tree.sign, message, variables, histories })
}

/// What names and values in rules stand for.
struct Names {
    heads: Vec<Head>,
    constants: Vec<Constant>,
}

impl Names {
    fn of(trees: &[(usize, Tree)], vocabulary: &Vocabulary) -> Names {
        let mut names = Names { heads: Vec::new(), constants: Vec::new() };
        for (place, message) in
            trees.iter().flat_map(|(at, it)| it.messages().into_iter().map(move |it| (*at, it)))
        {
            let (kind, path) = (message.kind, &message.path.text);
            if !names.heads.iter().any(|it| it.kind == kind && it.path == *path) {
                let is_declared = vocabulary.declared().iter().any(|it| it.name == *path);
                let is_built_in = !is_declared && function(path).is_some();
                names.heads.push(Head {
                    kind,
                    path: path.clone(),
                    values: message.arguments.len() + usize::from(kind.is_return()),
                    event: format!("{} {path}", kind.name()),
                    named: (place, message.path.span),
                    is_declared,
                    is_built_in,
                });
            }
            for (argument, _) in message.result.iter().chain(&message.arguments) {
                if let Argument::Literal(literal) = argument {
                    let (constant, _) = constant(literal);
                    if !names.constants.contains(&constant) {
                        names.constants.push(constant);
                    }
                }
            }
        }
        names
    }

    fn pattern(&self, variables: &[String], message: &Message) -> Pattern {
        let wanted = |argument: &Argument| match argument {
            Argument::Any => Wanted::Any,
            Argument::Variable(name) => {
                Wanted::Variable(variables.iter().position(|it| it == name).unwrap_or(0))
            }
            Argument::Literal(literal) => {
                let (constant, _) = constant(literal);
                Wanted::Constant(self.constants.iter().position(|it| *it == constant).unwrap_or(0))
            }
        };
        let result =
            message.kind.is_return().then(|| message.result.as_ref().map_or(Wanted::Any, |it| wanted(&it.0)));
        let values = result.into_iter().chain(message.arguments.iter().map(|it| wanted(&it.0))).collect();
        let is_it = |it: &Head| it.kind == message.kind && it.path == message.path.text;
        Pattern { head: self.heads.iter().position(is_it).unwrap_or(0), values }
    }
}
