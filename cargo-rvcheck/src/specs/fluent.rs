//! The `[fluent.NAME]` tables of a property file.

use super::fields::{Fields, Text};
use super::problem::SpecProblem;
use super::property::span_in;
use rvcheck_spec::Part;
use rvcheck_spec::ltl::{FluentSource, Fluents};
use std::ops::Range;
use toml::de::DeTable;

/// Adds the fluent that this table declares. What is wrong with it is added to the problems.
pub(super) fn declare(
    file: &str,
    text: &str,
    name: &Text,
    (table, span): (&DeTable<'_>, Range<usize>),
    fluents: &mut Fluents,
    problems: &mut Vec<SpecProblem>,
) {
    let before = problems.len();
    let mut fields = Fields::new(file, table, span.clone(), problems);
    let params = fields.texts("params");
    let (from, to) = (fields.required("from"), fields.required("to"));
    fields.finish(&[]);
    let (Some(from), Some(to), true) = (from, to, problems.len() == before) else { return };
    let source = FluentSource {
        name: name.value.clone(),
        params: params.iter().map(|it| it.value.clone()).collect(),
        from: from.value.clone(),
        to: to.value.clone(),
    };
    problems.extend(fluents.declare(&source).into_iter().map(|problem| {
        let part = match problem.part {
            Part::FluentParam(index) => params.get(index),
            Part::FluentFrom => Some(&from),
            Part::FluentTo => Some(&to),
            _ => None,
        };
        let span = part.map_or_else(|| name.span.clone(), |part| span_in(part, problem.span, text));
        SpecProblem { file: file.to_owned(), span, message: problem.message, help: problem.help }
    }));
}
