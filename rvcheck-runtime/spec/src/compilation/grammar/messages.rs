//! The messages of a view as events with names: what has to be recorded of them.

use rvcheck_event::declared::Declared;
use rvcheck_event::kind::Sort;
use rvcheck_event::world::MAX_ARGUMENTS;

use crate::compilation::grammar::read::{self, Entry, Read};
use crate::language::problem::{Part, Problem};
use crate::language::source::{EventSource, PropertySource};
use crate::language::syntax::tree::{Form, Term};
use crate::model::vocabulary::{Clash, Vocabulary};

impl Vocabulary {
    /// Adds the messages of the view of a grammar. What is wrong with them is said where the property is compiled.
    ///
    /// All grammars of a file have to be added before one of them is compiled or a trace is read, because several may ask for the same
    /// message.
    pub fn declare_messages(&mut self, source: &PropertySource) {
        let problems = &mut Vec::new();
        declare(&read::read(source, problems), self, problems);
    }

    /// Adds a message as [`Vocabulary::messages`] has it. False if it is not one.
    pub fn declare_message(&mut self, source: &EventSource) -> bool {
        let param = |text: &String| {
            let (name, sort) = text.split_once(": ")?;
            Some((name.to_owned(), Sort::of_name(sort)?))
        };
        let Some(params) = source.params.iter().map(param).collect() else { return false };
        let declared = Declared { name: source.name.clone(), params };
        let is_message = self.event(&source.name).is_none() && source.name.contains(' ');
        if is_message {
            self.add_event(declared);
        }
        is_message
    }
}

/// A declared message as [`Vocabulary::declare_message`] takes it.
pub fn source_of(message: &Declared) -> EventSource {
    let params = message.params.iter().map(|(name, sort)| format!("{name}: {}", sort.name()));
    EventSource { name: message.name.clone(), params: params.collect() }
}

/// What stands for the size of a parameter that is no text.
pub(super) fn size_of(param: &str) -> String {
    format!("{param}.len")
}

/// Declares all messages.
pub(super) fn declare(read: &Read<'_>, vocabulary: &mut Vocabulary, problems: &mut Vec<Problem>) {
    for entry in &read.view {
        let part = Part::ViewMessage(entry.place);
        let message = &entry.message;
        let before = problems.len();
        for (at, name) in message.params.iter().enumerate().filter_map(|(at, it)| Some((at, it.as_ref()?))) {
            let taken = message.params[..at].iter().flatten().any(|it| it.text == name.text);
            if taken || name.text == "callee" || name.text.strip_prefix('_').is_some_and(is_number) {
                let text = format!("`{}` cannot be the name of a parameter here", name.text);
                let help = "each has another name, and `callee` is what the message is sent to";
                problems.push(Problem::new(part, name.span, text).help(help));
            }
        }
        let sizes = sizes(read, entry);
        if message.params.len() + sizes.len() > MAX_ARGUMENTS {
            let text = format!("a message can have {MAX_ARGUMENTS} parameters, sizes included");
            problems.push(Problem::new(part, message.list, text));
        }
        if problems.len() > before {
            continue;
        }
        let params: Vec<Option<&str>> =
            message.params.iter().map(|it| it.as_ref().map(|it| it.text.as_str())).collect();
        match vocabulary.add_message(&message.event(), &params, &sizes) {
            Ok(()) => {}
            Err(Clash::Count(count)) => {
                let has = |count: usize| match count {
                    0 => "no parameter".to_owned(),
                    1 => "1 parameter".to_owned(),
                    count => format!("{count} parameters"),
                };
                let text = format!(
                    "`{}` has {} here and {} in another view of this file",
                    message.event(),
                    has(params.len()),
                    has(count)
                );
                let help = "name all parameters in each view; use `_` for one that is not needed";
                problems.push(Problem::new(part, message.list, text).help(help));
            }
            Err(Clash::Name(place, name)) => {
                let span = message.params[place].as_ref().map_or(message.list, |it| it.span);
                let text = format!(
                    "this parameter of `{}` is called `{name}` in another view of this file",
                    message.event()
                );
                problems.push(Problem::new(part, span, text).help(format!("call it `{name}` here, too")));
            }
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit())
}

/// The sizes that the rules ask for, of parameters of this message.
fn sizes(read: &Read<'_>, entry: &Entry<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for alternative in read.rules.iter().flat_map(|it| &it.alternatives) {
        let terms = alternative.assertion.iter().chain(alternative.settings.iter().map(|it| &it.term));
        terms.for_each(|it| find(it, entry, &mut found));
    }
    found
}

fn find(term: &Term, entry: &Entry<'_>, found: &mut Vec<String>) {
    match &term.form {
        Form::Literal(_) | Form::Variable(_) | Form::Attribute(..) => {}
        Form::Size(inner) => match &inner.form {
            Form::Attribute(owner, param) if owner.text == entry.name => {
                let is_one = entry.message.params.iter().flatten().any(|it| it.text == param.text);
                let size = size_of(&param.text);
                if is_one && !found.contains(&size) {
                    found.push(size);
                }
            }
            _ => find(inner, entry, found),
        },
        Form::Not(inner) => find(inner, entry, found),
        Form::Binary(_, left, right) => {
            find(left, entry, found);
            find(right, entry, found);
        }
    }
}
