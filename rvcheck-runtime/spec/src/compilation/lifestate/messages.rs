//! The messages of rules as events with names: what traces can say of them.

use rvcheck_event::declared::{Declared, RESULT};
use rvcheck_event::kind::Sort;
use rvcheck_event::world::MAX_ARGUMENTS;

use crate::compilation::lifestate::read::read;
use crate::language::lifestate::{Argument, Kind, Message, Rule};
use crate::language::problem::{Part, Problem};
use crate::language::source::PropertySource;
use crate::model::crossing::function;
use crate::model::vocabulary::{Vocabulary, unnamed};

impl Vocabulary {
    /// Adds the messages of the functions that the rules of a lifestate speak of. What is wrong with them is said where the property is
    /// compiled.
    ///
    /// A parameter is called as the first rule calls it that has a variable there.
    pub fn declare_lifestate(&mut self, source: &PropertySource) {
        declare(&read(source, &mut Vec::new()), self, &mut Vec::new());
    }
}

/// Declares all messages.
pub(super) fn declare(rules: &[(usize, Rule)], vocabulary: &mut Vocabulary, problems: &mut Vec<Problem>) {
    let all: Vec<(usize, &Message)> = rules
        .iter()
        .flat_map(|(place, it)| it.messages().into_iter().map(|message| (*place, message)))
        .collect();
    for (place, message) in &all {
        // Its events are there.
        let is_declared = vocabulary.declared().iter().any(|it| it.name == message.path.text);
        if !is_declared && function(&message.path.text).is_some() {
            continue;
        }
        if message.arguments.len() + 1 > MAX_ARGUMENTS {
            let text = format!("a message can have {} parameters", MAX_ARGUMENTS - 1);
            problems.push(Problem::new(Part::LifestateRule(*place), message.list, text));
            continue;
        }
        let is_call = matches!(message.kind, Kind::Callin | Kind::CallinReturn);
        for (kind, _) in Kind::ALL {
            if matches!(kind, Kind::Callin | Kind::CallinReturn) == is_call {
                add(vocabulary, kind.name(), kind.is_return(), message, &all);
            }
        }
        if is_call {
            add(vocabulary, Kind::REFUSED, false, message, &all);
            add(vocabulary, Kind::REFUSED_RETURN, true, message, &all);
        }
    }
}

fn add(
    vocabulary: &mut Vocabulary,
    kind: &str,
    is_return: bool,
    message: &Message,
    all: &[(usize, &Message)],
) {
    let name = format!("{kind} {}", message.path.text);
    if vocabulary.event(&name).is_some() {
        return;
    }
    // An observed function says itself what its parameters are.
    let observed = vocabulary.declared().iter().find(|it| it.name == message.path.text);
    let of_function: Vec<(String, Sort)> = match observed {
        Some(it) => it.params.clone(),
        None => names(message, all).into_iter().map(|it| (it, Sort::Any)).collect(),
    };
    let result = is_return.then(|| (RESULT.to_owned(), Sort::Any));
    vocabulary.add_event(Declared { name, params: result.into_iter().chain(of_function).collect() });
}

/// The names of the parameters of a function.
fn names(message: &Message, all: &[(usize, &Message)]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for place in 0..message.arguments.len() {
        let same = all.iter().map(|it| it.1).filter(|it| it.path.text == message.path.text);
        let mut variables = same.filter_map(|it| match it.arguments.get(place) {
            Some((Argument::Variable(name), _)) => Some(name),
            _ => None,
        });
        let name = variables.find(|it| *it != RESULT && !names.contains(it) && !it.starts_with('_'));
        names.push(name.cloned().unwrap_or_else(|| unnamed(place)));
    }
    names
}
