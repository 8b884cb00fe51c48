//! What a property file declares: its `[events]` and its `[fluent.NAME]` tables.

use super::fields::{Fields, Text};
use super::problem::SpecProblem;
use super::property::span_in;
use rvcheck_spec::{EventSource, FluentSource, Part, Problem, Vocabulary};
use std::ops::Range;
use toml::de::DeTable;

/// The names that the properties of a file can use, and what declares them.
#[derive(Debug)]
pub(super) struct Declared {
    /// What the properties are compiled with.
    pub(super) vocabulary: Vocabulary,
    /// The events.
    pub(super) events: Vec<EventSource>,
    /// The fluents.
    pub(super) fluents: Vec<FluentSource>,
    /// Those of the events that are functions of the program.
    pub(super) observed: Vec<EventSource>,
}

impl Declared {
    /// Nothing but what is built in, in the file of this number.
    pub(super) fn of_file(number: u32) -> Declared {
        Declared {
            vocabulary: Vocabulary::of_file(number),
            events: Vec::new(),
            fluents: Vec::new(),
            observed: Vec::new(),
        }
    }
}

/// Adds the event that this entry declares. What is wrong with it is added to the problems.
pub(super) fn event(
    file: &str,
    text: &str,
    name: &Text,
    params: &[Text],
    declared: &mut Declared,
    problems: &mut Vec<SpecProblem>,
) {
    let source = EventSource { name: name.value.clone(), params: values(params) };
    problems.extend(declared.vocabulary.declare_event(&source).into_iter().map(|problem| {
        let part = match problem.part {
            Part::EventParam(index) => params.get(index),
            _ => None,
        };
        placed(problem, part, name, (file, text))
    }));
    declared.events.push(source);
}

/// Adds the fluent that this table declares. What is wrong with it is added to the problems.
pub(super) fn fluent(
    file: &str,
    text: &str,
    name: &Text,
    (table, span): (&DeTable<'_>, Range<usize>),
    declared: &mut Declared,
    problems: &mut Vec<SpecProblem>,
) {
    let before = problems.len();
    let mut fields = Fields::new(file, table, span, problems);
    let params = fields.texts("params");
    // With parameters alone it is a proposition, which the program itself sets and clears.
    let (from, to) =
        if table.contains_key("params") && !table.contains_key("from") && !table.contains_key("to") {
            (fields.text("from"), fields.text("to"))
        } else {
            (fields.required("from"), fields.required("to"))
        };
    fields.finish();
    if problems.len() > before {
        return;
    }
    let source = FluentSource {
        name: name.value.clone(),
        params: values(&params),
        from: from.as_ref().map(|it| it.value.clone()),
        to: to.as_ref().map(|it| it.value.clone()),
    };
    problems.extend(declared.vocabulary.declare_fluent(&source).into_iter().map(|problem| {
        let part = match problem.part {
            Part::FluentParam(index) => params.get(index),
            Part::FluentFrom => from.as_ref(),
            Part::FluentTo => to.as_ref(),
            _ => None,
        };
        placed(problem, part, name, (file, text))
    }));
    declared.fluents.push(source);
}

fn values(texts: &[Text]) -> Vec<String> {
    texts.iter().map(|it| it.value.clone()).collect()
}

/// The problem at its place in the file: in the string that it is about, or at the name of what is declared.
fn placed(problem: Problem, part: Option<&Text>, name: &Text, (file, text): (&str, &str)) -> SpecProblem {
    let span = part.map_or_else(|| name.span.clone(), |part| span_in(part, problem.span, text));
    SpecProblem { file: file.to_owned(), span, message: problem.message, help: problem.help }
}
