//! `[[observe]]`: functions of the program that are events.

use super::declare::Declared;
use super::fields::{Fields, Text};
use super::problem::SpecProblem;
use super::property::Property;
use super::text::offset_in_file;
use rvcheck_source::observe::pattern::PathPattern;
use rvcheck_source::observe::{Argument, Crossing, Direction, Moment, Observation, RESULT, WITH_RECEIVER};
use rvcheck_spec::language::lifestate::Kind;
use rvcheck_spec::language::problem::did_you_mean;
use rvcheck_spec::model::grammar::Terminal;
use rvcheck_spec::model::lifestate::Recorded;
use rvcheck_spec::{EventSource, Lifestate, Part, Span};
use std::collections::BTreeSet;
use std::ops::Range;
use toml::de::DeTable;

/// An entry of which nothing is wrong, and where it says which functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObserveEntry {
    /// What is observed.
    pub observation: Observation,
    /// The file.
    pub file: String,
    /// The bytes of the pattern in it, quotes included.
    pub at: Range<usize>,
    /// How many parameters the functions have beside `self`, where it says so.
    pub parameters: Option<usize>,
    /// Another entry stands for the same functions, so that nothing is missing where this one finds none.
    pub is_companion: bool,
}

/// On which side of a call an event is.
const SIDES: [(&str, Moment); 2] = [("receive", Moment::Entry), ("send", Moment::Call)];

/// Reads an entry and declares its event. What is wrong with it is added to the problems.
pub(super) fn observe(
    (file, text): (&str, &str),
    (table, span): (&DeTable<'_>, Range<usize>),
    declared: &mut Declared,
    problems: &mut Vec<SpecProblem>,
) -> Option<ObserveEntry> {
    let before = problems.len();
    let mut fields = Fields::new(file, table, span, problems);
    let path = fields.required("fn");
    let side = fields.required("side");
    let name = fields.text("as");
    let arguments = fields.texts("args");
    let refusal = fields.text("refusal");
    fields.finish();
    let path = path.and_then(|it| Some((pattern((file, text), &it, problems)?, it)));
    let problem = |span: Range<usize>, message: String, help: Option<String>| SpecProblem {
        file: file.to_owned(),
        span,
        message,
        help,
    };
    let side = side.and_then(|it| {
        let found = SIDES.iter().find(|(name, _)| *name == it.value).map(|(_, moment)| *moment);
        if found.is_none() {
            let help = did_you_mean(&it.value, SIDES.iter().map(|it| it.0));
            let help = help.or_else(|| Some("it is `receive` or `send`".to_owned()));
            problems.push(problem(it.span, format!("unknown side `{}`", it.value), help));
        }
        found
    });
    let mut read = Vec::new();
    for written in &arguments {
        match Argument::read(&written.value) {
            Some(argument) => read.push(argument),
            None => {
                let message = format!("`{}` is no name with an expression of one line", written.value);
                problems.push(problem(written.span.clone(), message, None));
            }
        }
    }
    let (pattern, written) = path?;
    let (event, event_at) = match (name, pattern.name()) {
        (Some(name), _) => (name.value.clone(), name.span),
        (None, Some(name)) => (name.to_owned(), written.span.clone()),
        (None, None) => {
            let help = "say what the event is called: `as = \"NAME\"`".to_owned();
            problems.push(problem(written.span, "the event has no name".to_owned(), Some(help)));
            return None;
        }
    };
    // Without a side this is an entry with a problem, and its event is declared all the same.
    let side = side.unwrap_or(Moment::Entry);
    let (observation, params) = Observation::new(event, pattern, side, read, refusal.map(|it| it.value));
    let source = EventSource { name: observation.event.clone(), params };
    // Several functions can be one event.
    if !declared.observed.contains(&source) {
        let found = declared.vocabulary.declare_event(&source).into_iter();
        problems.extend(found.map(|it| problem(event_at.clone(), it.message, it.help)));
        declared.events.push(source.clone());
        declared.observed.push(source);
    }
    if problems.len() > before {
        return None;
    }
    Some(ObserveEntry {
        observation,
        file: file.to_owned(),
        at: written.span,
        parameters: None,
        is_companion: false,
    })
}

/// The pattern that is written there. What is wrong with it is added to the problems.
pub(super) fn pattern(
    (file, text): (&str, &str),
    written: &Text,
    problems: &mut Vec<SpecProblem>,
) -> Option<PathPattern> {
    let (at, message) = match PathPattern::parse(&written.value) {
        Ok(pattern) => return Some(pattern),
        Err(wrong) => wrong,
    };
    let start = offset_in_file(text.get(written.span.clone()).unwrap_or(""), written.span.start, at);
    let span = start..written.span.end.max(start);
    let help = "write the path of a function, such as `shop::Worker::accept`; `*` is any one segment";
    problems.push(SpecProblem { file: file.to_owned(), span, message, help: Some(help.to_owned()) });
    None
}

/// The messages of a grammar or a lifestate, which are observed without an entry of their own. `text` is that of the file, and
/// `functions` has the names of the events that are functions of the program.
pub(super) fn messages(property: &Property, text: &str, functions: &BTreeSet<&str>) -> Vec<ObserveEntry> {
    if let Some(lifestate) = property.compiled.lifestate() {
        return of_lifestate(lifestate, property, text, functions);
    }
    let terminals = property.compiled.grammar().into_iter().flat_map(|it| &it.terminals);
    let entry = |terminal: &Terminal| {
        let message = &terminal.message;
        let place = property.declared.view.iter().position(|(name, _)| *name == terminal.name)?;
        let (_, written) = property.declared.view.get(place)?;
        let at = property.place(Part::ViewMessage(place), Span::all(written), text);
        let moment = SIDES.iter().find(|(name, _)| *name == message.side.name())?.1;
        let path = PathPattern::parse(&message.path).ok()?;
        let count = message.params.iter().filter(|it| !it.ends_with(SIZE)).count();
        let arguments = message.params.iter().enumerate().map(|(place, name)| {
            let expression = match name.strip_suffix(SIZE) {
                Some(of) => {
                    let of = message.params.iter().position(|it| it == of).unwrap_or(place);
                    format!("${}.len()", of + 1)
                }
                None => format!("${}", place + 1),
            };
            Argument::new(name, expression)
        });
        let observation = Observation::plain(message.event(), path, moment, arguments.collect());
        let (file, parameters) = (property.file.clone(), Some(count));
        Some(ObserveEntry { observation, file, at, parameters, is_companion: false })
    };
    terminals.filter_map(entry).collect()
}

/// The messages of a lifestate. The object whose method a function is comes before its parameters. Where a rule names an event, the
/// arguments are those of the event.
fn of_lifestate(
    lifestate: &Lifestate,
    property: &Property,
    text: &str,
    functions: &BTreeSet<&str>,
) -> Vec<ObserveEntry> {
    let entry = |Recorded { head, is_refusal, asks_result, asks }: Recorded| {
        if head.is_declared && !functions.contains(head.path.as_str()) {
            return None;
        }
        let (rule, span) = head.named;
        let at = property.place(Part::LifestateRule(rule), span, text);
        let results = usize::from(head.kind.is_return());
        let result = Argument { is_asked: asks_result, ..Argument::new(RESULT, RESULT) };
        let argument = |(place, is_asked): (usize, bool)| {
            let argument = Argument::new(format!("_{place}"), format!("{WITH_RECEIVER}{place}"));
            Argument { is_asked, ..argument }
        };
        let own = if head.is_declared { 0 } else { asks.len() };
        let own = (1..).zip(asks).take(own).map(argument);
        let moment = match head.kind {
            _ if is_refusal => Moment::Refusal,
            Kind::Callback => Moment::Entry,
            Kind::Callin => Moment::Call,
            Kind::CallbackReturn | Kind::CallinReturn => Moment::Return,
        };
        let direction = match head.kind {
            Kind::Callback | Kind::CallbackReturn => Direction::Callback,
            Kind::Callin | Kind::CallinReturn => Direction::Callin,
        };
        let observation = Observation {
            event: head.event,
            path: PathPattern::parse(&head.path).ok()?,
            moment,
            arguments: std::iter::once(result).take(results).chain(own).collect(),
            crossing: Some(Crossing { direction, of_event: head.is_declared }),
        };
        let file = property.file.clone();
        Some(ObserveEntry { observation, file, at, parameters: None, is_companion: is_refusal })
    };
    lifestate.recorded().into_iter().filter_map(entry).collect()
}

/// What the name of a parameter ends in that stands for the size of another one.
const SIZE: &str = ".len";
