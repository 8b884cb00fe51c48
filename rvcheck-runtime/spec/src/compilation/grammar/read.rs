//! The entries of a view and of a grammar, and what their names stand for.

use crate::compilation::grammar::MOST_TRANSITIONS;
use crate::language::grammar::{Alternative, Message, RESERVED, START, parse_message, parse_rule};
use crate::language::problem::{Part, Problem, Span, did_you_mean};
use crate::language::source::PropertySource;
use crate::language::syntax::tree::{Name, Term};

/// An entry of a view.
pub(super) struct Entry<'a> {
    /// The place in the source.
    pub(super) place: usize,
    pub(super) name: &'a str,
    pub(super) message: Message,
}

/// An entry of a grammar.
pub(super) struct Written<'a> {
    /// The place in the source.
    pub(super) place: usize,
    pub(super) name: &'a str,
    pub(super) alternatives: Vec<Alternative>,
}

/// What could be read of a property.
pub(super) struct Read<'a> {
    pub(super) view: Vec<Entry<'a>>,
    pub(super) rules: Vec<Written<'a>>,
    /// The place of the entry `start` in the source, and what it says.
    start: Option<(usize, &'a str)>,
}

/// A rule with its names resolved.
pub(super) struct Rule<'a> {
    /// The place in the source.
    pub(super) place: usize,
    pub(super) name: &'a str,
    /// A word may end here.
    pub(super) may_end: bool,
    pub(super) productions: Vec<Production<'a>>,
}

/// An alternative that begins with a terminal.
pub(super) struct Production<'a> {
    pub(super) terminal: usize,
    pub(super) assertion: Option<&'a Term>,
    /// The place among the resolved rules; `None` where the word ends.
    pub(super) nonterminal: Option<usize>,
    /// Attributes of the nonterminal, and what they are.
    pub(super) settings: Vec<(&'a Name, &'a Term)>,
    pub(super) span: Span,
}

/// Reads the tables.
pub(super) fn read<'a>(source: &'a PropertySource, problems: &mut Vec<Problem>) -> Read<'a> {
    let mut read = Read { view: Vec::new(), rules: Vec::new(), start: None };
    for (place, (name, text)) in source.view.iter().enumerate() {
        check_name(name, "a terminal", Part::ViewTerminal(place), problems);
        let part = Part::ViewMessage(place);
        let (message, mut found) = parse_message(text, part);
        problems.append(&mut found);
        let Some(message) = message else { continue };
        if let Some(first) = read.view.iter().find(|it| it.message.event() == message.event()) {
            let text = format!("`{}` is the terminal `{}` already", message.event(), first.name);
            let help = "a message can be only one terminal of a view";
            problems.push(Problem::new(part, message.path.span, text).help(help));
        }
        read.view.push(Entry { place, name, message });
    }
    for (place, (name, text)) in source.grammar.iter().enumerate() {
        if name == START {
            read.start = Some((place, text));
            continue;
        }
        let part = Part::RuleName(place);
        check_name(name, "a nonterminal", part, problems);
        if source.view.iter().any(|(it, _)| it == name) {
            let help = "give it another name";
            problems.push(
                Problem::new(part, Span::all(name), format!("`{name}` is a terminal already")).help(help),
            );
        }
        let (alternatives, mut found) = parse_rule(text, Part::Rule(place));
        problems.append(&mut found);
        if let Some(alternatives) = alternatives {
            read.rules.push(Written { place, name, alternatives });
        }
    }
    read
}

fn check_name(name: &str, what: &str, part: Part, problems: &mut Vec<Problem>) {
    let begins = name.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic());
    if RESERVED.contains(&name) {
        let help = "give it another name";
        problems.push(
            Problem::new(part, Span::all(name), format!("`{name}` is a word of the language")).help(help),
        );
    } else if !begins || !name.bytes().all(|it| it == b'_' || it.is_ascii_alphanumeric()) {
        let help = "begin with a letter; go on with letters, digits and `_`";
        problems.push(
            Problem::new(part, Span::all(name), format!("`{name}` cannot be the name of {what}")).help(help),
        );
    }
}

/// The rules with their names resolved, the first one in front. What is wrong is among the problems; then some may be missing.
pub(super) fn resolve<'a>(
    source: &'a PropertySource,
    read: &'a Read<'a>,
    problems: &mut Vec<Problem>,
) -> Vec<Rule<'a>> {
    for (key, missing, help) in [
        ("view", source.view.is_empty(), "name the messages: `st = \"send Coordinator::start(w)\"`"),
        ("grammar", source.grammar.is_empty(), "write the rules of the nonterminals: `S = \"ε | st T\"`"),
    ] {
        if missing {
            let message = format!("the table `{key}` is missing");
            problems.push(Problem::new(Part::Property, Span::default(), message).help(help));
        }
    }
    if source.view.is_empty() || source.grammar.is_empty() {
        return Vec::new();
    }
    if (source.grammar.len() + 1) * source.view.len() > MOST_TRANSITIONS {
        problems.push(Problem::new(Part::Property, Span::default(), "this grammar is too large"));
        return Vec::new();
    }
    let Some((place, start)) = read.start else {
        let problem =
            Problem::new(Part::Property, Span::default(), "the key `start` is missing in `grammar`");
        problems.push(problem.help("name the nonterminal that begins: `start = \"S\"`"));
        return Vec::new();
    };
    // A rule that could not be read is known all the same.
    let known = || source.grammar.iter().map(|(it, _)| it.as_str()).filter(|it| *it != START);
    if !known().any(|it| it == start) {
        let message = format!("unknown nonterminal `{start}`");
        let help =
            did_you_mean(start, known()).unwrap_or_else(|| "`start` names one of the rules".to_owned());
        problems.push(Problem::new(Part::Rule(place), Span::all(start), message).help(help));
    }
    let mut order: Vec<&Written<'_>> = read.rules.iter().collect();
    order.sort_by_key(|it| it.name != start);
    let names: Vec<&str> = order.iter().map(|it| it.name).collect();
    let resolver = Resolver { source, read, names: &names };
    order.iter().map(|it| resolver.rule(it, problems)).collect()
}

struct Resolver<'a, 'n> {
    source: &'a PropertySource,
    read: &'a Read<'a>,
    /// The names of the rules, in their order.
    names: &'n [&'a str],
}

impl<'a> Resolver<'a, '_> {
    fn rule(&self, written: &'a Written<'a>, problems: &mut Vec<Problem>) -> Rule<'a> {
        let part = Part::Rule(written.place);
        let mut rule =
            Rule { place: written.place, name: written.name, may_end: false, productions: Vec::new() };
        let text =
            |it: &Alternative| self.source.grammar[written.place].1[it.span.start..it.span.end].to_owned();
        for (at, alternative) in written.alternatives.iter().enumerate() {
            let name = |it: &Alternative| it.terminal.as_ref().map(|it| it.text.clone());
            let before = written.alternatives[..at].iter().find(|it| name(it) == name(alternative));
            if let Some(first) = before {
                let message = format!(
                    "two alternatives of `{}` begin with `{}`: `{}` and `{}`",
                    written.name,
                    name(alternative).as_deref().unwrap_or("ε"),
                    text(first),
                    text(alternative)
                );
                let span = alternative.terminal.as_ref().map_or(alternative.span, |it| it.span);
                let help = "alternatives of a nonterminal begin with different terminals, so that each message decides";
                problems.push(Problem::new(part, span, message).help(help));
            }
            match &alternative.terminal {
                None => rule.may_end = true,
                Some(terminal) => {
                    rule.productions.extend(self.production(part, terminal, alternative, problems));
                }
            }
        }
        rule
    }

    fn production(
        &self,
        part: Part,
        terminal: &Name,
        alternative: &'a Alternative,
        problems: &mut Vec<Problem>,
    ) -> Option<Production<'a>> {
        let found = self.read.view.iter().position(|it| it.name == terminal.text);
        if found.is_none() && self.source.view.iter().all(|(it, _)| *it != terminal.text) {
            problems.push(self.unknown_terminal(part, terminal));
        }
        let nonterminal = match &alternative.nonterminal {
            None => Some(None),
            Some(name) => {
                let found = self.names.iter().position(|it| *it == name.text);
                if found.is_none()
                    && self.source.grammar.iter().all(|(it, _)| *it != name.text || it == START)
                {
                    problems.push(self.unknown_nonterminal(part, name));
                }
                found.map(Some)
            }
        };
        let mut settings: Vec<(&Name, &Term)> = Vec::new();
        for setting in &alternative.settings {
            let next = alternative.nonterminal.as_ref().map_or("", |it| it.text.as_str());
            if setting.nonterminal.text != next {
                let message = format!(
                    "this alternative goes on with `{next}`, not with `{}`",
                    setting.nonterminal.text
                );
                let help = format!("set attributes of `{next}` here");
                problems.push(Problem::new(part, setting.nonterminal.span, message).help(help));
            } else if settings.iter().any(|(it, _)| it.text == setting.attribute.text) {
                let message = format!("`{next}.{}` is set twice", setting.attribute.text);
                problems.push(Problem::new(part, setting.target(), message));
            } else {
                settings.push((&setting.attribute, &setting.term));
            }
        }
        Some(Production {
            terminal: found?,
            assertion: alternative.assertion.as_ref(),
            nonterminal: nonterminal?,
            settings,
            span: alternative.span,
        })
    }

    fn unknown_terminal(&self, part: Part, name: &Name) -> Problem {
        if self.names.contains(&name.text.as_str()) {
            let message =
                format!("`{}` is a nonterminal, and an alternative begins with a terminal", name.text);
            return Problem::new(part, name.span, message).help("name a message of the view in front of it");
        }
        let known = self.source.view.iter().map(|(it, _)| it.as_str());
        let help = did_you_mean(&name.text, known).unwrap_or_else(|| "declare it in `view`".to_owned());
        Problem::new(part, name.span, format!("unknown terminal `{}`", name.text)).help(help)
    }

    fn unknown_nonterminal(&self, part: Part, name: &Name) -> Problem {
        if self.source.view.iter().any(|(it, _)| *it == name.text) {
            let message = format!("`{}` is a terminal, and an alternative has only one", name.text);
            let help = "go on with a nonterminal, and give what follows a rule of its own";
            return Problem::new(part, name.span, message).help(help);
        }
        let known = self.source.grammar.iter().map(|(it, _)| it.as_str()).filter(|it| *it != START);
        let help =
            did_you_mean(&name.text, known).unwrap_or_else(|| "write a rule for it in `grammar`".to_owned());
        Problem::new(part, name.span, format!("unknown nonterminal `{}`", name.text)).help(help)
    }
}
