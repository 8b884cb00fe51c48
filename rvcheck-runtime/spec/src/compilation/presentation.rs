//! The keys that say how violations are shown.

use crate::compilation::named;
use crate::language::problem::{Part, Problem, Span, did_you_mean};
use crate::language::source::PropertySource;
use crate::model::automaton::{Automaton, Level, Presentation, Role};
use crate::model::vocabulary::Vocabulary;

/// What concerns the property as a whole.
pub(super) fn presentation(
    source: &PropertySource,
    vocabulary: &Vocabulary,
    problems: &mut Vec<Problem>,
) -> Presentation {
    let mut check = |name: &str, part: Part| {
        vocabulary.find_event(name, part, Span::all(name), problems);
    };
    for (index, name) in source.primary.iter().enumerate() {
        check(name, Part::Primary(index));
    }
    for (index, name) in source.related.iter().enumerate() {
        check(name, Part::Related(index));
    }
    for (index, (name, _)) in source.labels.iter().enumerate() {
        check(name, Part::Label(index));
    }
    Presentation {
        primary: source.primary.clone(),
        related: source.related.clone(),
        labels: source.labels.clone(),
        next: source.next.clone(),
    }
}

/// What concerns single states, and the parameters that messages speak of.
pub(super) fn per_state(source: &PropertySource, automaton: &mut Automaton, problems: &mut Vec<Problem>) {
    for (index, (state, level)) in source.levels.iter().enumerate() {
        let level = named(&Level::ALL, level, "level", Part::LevelValue(index), problems);
        if let (Some(state), Some(level)) =
            (violating(automaton, state, Part::LevelState(index), problems), level)
        {
            automaton.states[state].level = level;
        }
    }
    let names: Vec<String> = automaton.params.iter().map(|param| param.name.clone()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let what = "a parameter of this property";
    if let Some(message) = &source.message {
        placeholders(message, &names, what, Part::Message, problems);
    }
    for (index, (state, message)) in source.messages.iter().enumerate() {
        placeholders(message, &names, what, Part::MessageText(index), problems);
        if let Some(state) = violating(automaton, state, Part::MessageState(index), problems) {
            automaton.states[state].message.clone_from(message);
        }
    }
}

/// The place of a state that can violate the property.
fn violating(automaton: &Automaton, name: &str, part: Part, problems: &mut Vec<Problem>) -> Option<usize> {
    let bad = |role: Role| matches!(role, Role::Bad | Role::EndBad);
    let found = automaton.states.iter().position(|state| state.name == name && bad(state.role));
    if found.is_none() {
        let known = automaton.states.iter().filter(|state| bad(state.role)).map(|state| state.name.as_str());
        let help = did_you_mean(name, known);
        let message = format!("`{name}` is not a state in `bad` or `end_bad`");
        problems.push(Problem::new(part, Span::all(name), message).help_maybe(help));
    }
    found
}

/// Every `{name}` of a message has to be one of `names`, each of which is `what`.
pub(crate) fn placeholders(
    message: &str,
    names: &[&str],
    what: &str,
    part: Part,
    problems: &mut Vec<Problem>,
) {
    let mut at = 0;
    while let Some(open) = message[at..].find('{').map(|found| at + found) {
        let Some(close) = message[open..].find('}').map(|found| open + found) else {
            problems.push(Problem::new(part, Span::new(open, message.len()), "`{` is not closed"));
            return;
        };
        let name = &message[open + 1..close];
        if !names.contains(&name) {
            let help = did_you_mean(name, names.iter().copied());
            let text = format!("`{name}` is not {what}");
            problems.push(Problem::new(part, Span::new(open + 1, close), text).help_maybe(help));
        }
        at = close + 1;
    }
}
