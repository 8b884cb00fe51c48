//! `group` and `per`: of what each has its own instance of a grammar.

use rvcheck_event::kind::Sort;

use crate::compilation::emission::kept;
use crate::compilation::grammar::read::Read;
use crate::language::problem::{Part, Problem, Span, did_you_mean};
use crate::language::source::PropertySource;
use crate::model::automaton::{MAX_PARAMS, Param, Source};

/// What instances are told apart by.
pub(super) enum Instances<'a> {
    /// There is one for each unit.
    Unit,
    /// There is one for each group of this name.
    Group(&'a str),
    /// There is one for each value of these parameters.
    Per(Vec<&'a str>),
}

impl Instances<'_> {
    /// The parameters of the automaton.
    pub(super) fn params(&self) -> Vec<Param> {
        match self {
            Instances::Unit => Vec::new(),
            Instances::Group(_) => vec![Param { name: "group".to_owned(), sort: Sort::Str }],
            Instances::Per(names) => {
                names.iter().map(|it| Param { name: (*it).to_owned(), sort: Sort::Any }).collect()
            }
        }
    }

    /// The name of the group.
    pub(super) fn group(&self) -> Option<&str> {
        match self {
            Instances::Group(name) => Some(name),
            Instances::Unit | Instances::Per(_) => None,
        }
    }

    /// Where a message has what its instance is told by. `place` gives the places of its parameters.
    pub(super) fn sources(&self, place: impl Fn(&str) -> usize) -> Vec<(usize, Source)> {
        match self {
            Instances::Unit => Vec::new(),
            Instances::Group(name) => vec![(0, Source::GroupOf(kept(name)))],
            Instances::Per(names) => {
                names.iter().map(|it| Source::UserArgument(place(it))).enumerate().collect()
            }
        }
    }
}

/// Reads both keys.
pub(super) fn read<'a>(
    source: &'a PropertySource,
    read: &Read<'_>,
    problems: &mut Vec<Problem>,
) -> Instances<'a> {
    if let Some(group) = &source.group {
        let is_name = group.bytes().all(|it| it == b'_' || it == b'-' || it.is_ascii_alphanumeric());
        if group.is_empty() || !is_name {
            let message = format!("`{group}` cannot be the name of a group");
            let help = "groups have names of letters, digits, `-` and `_`";
            problems.push(Problem::new(Part::Group, Span::all(group), message).help(help));
        }
        if !source.per.is_empty() {
            let message =
                "a grammar has one instance for each group or for each value of parameters, not both";
            let help = "leave `group` or `per` out";
            problems.push(Problem::new(Part::Per(0), Span::all(&source.per[0]), message).help(help));
        }
        return Instances::Group(group);
    }
    if source.per.is_empty() {
        return Instances::Unit;
    }
    if let Some(extra) = source.per.get(MAX_PARAMS) {
        let message = format!("`per` can name {MAX_PARAMS} parameters, not {}", source.per.len());
        problems.push(Problem::new(Part::Per(MAX_PARAMS), Span::all(extra), message));
    }
    for (index, name) in source.per.iter().enumerate() {
        let (part, span) = (Part::Per(index), Span::all(name));
        if source.per[..index].contains(name) {
            problems.push(Problem::new(part, span, format!("`{name}` is named twice")));
        }
        for entry in &read.view {
            let mut params = entry.message.params.iter().flatten().map(|it| it.text.as_str());
            if params.clone().all(|it| it != name) {
                let message = format!("`{name}` is no parameter of `{}`", entry.message.event());
                let help = did_you_mean(name, params.by_ref()).unwrap_or_else(|| {
                    "every message of the view has to say which instance it belongs to".to_owned()
                });
                problems.push(Problem::new(part, span, message).help(help));
                break;
            }
        }
    }
    Instances::Per(source.per.iter().map(String::as_str).collect())
}
