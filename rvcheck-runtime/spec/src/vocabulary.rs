//! The names that the properties of one file can use: events and fluents, built in and declared.

use rvcheck_event::declared::Declared;
use rvcheck_event::kind::{EventKind, Param, Sort};
use rvcheck_event::world::MAX_ARGUMENTS;

use crate::automaton::{Constant, Source};
use crate::compile::is_variable;
use crate::ltl::fluent::{FluentSource, Fluents, resolved};
use crate::ltl::node::Variable;
use crate::problem::{Part, Problem, Span, did_you_mean};
use crate::syntax::parse_param;

/// Words of formulas that cannot name anything.
const RESERVED: [&str; 5] = ["forall", "exists", "where", "event", "if"];

/// An entry of `[events]` as it stands in a specification file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EventSource {
    /// The name.
    pub name: String,
    /// The parameters, such as `who: task`.
    pub params: Vec<String>,
}

/// See the module. The default is what is built in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Vocabulary {
    family: u32,
    events: Vec<Declared>,
    fluents: Fluents,
}

impl Vocabulary {
    /// What is built in, for the properties of the file of this number. Automata take what others of the same number emit.
    pub fn of_file(number: u32) -> Vocabulary {
        Vocabulary { family: number, ..Vocabulary::default() }
    }

    pub(crate) fn family(&self) -> u32 {
        self.family
    }

    /// The declared events, and those that set and clear declared propositions.
    pub fn declared(&self) -> &[Declared] {
        &self.events
    }

    /// The fluents.
    pub fn fluents(&self) -> &Fluents {
        &self.fluents
    }

    /// Adds an event. One of which something is wrong is not added.
    pub fn declare_event(&mut self, source: &EventSource) -> Vec<Problem> {
        let mut problems = Vec::new();
        self.check_name(&source.name, "an event", Part::EventName, &mut problems);
        let params = params(&source.params, Part::EventParam, &mut problems);
        check_count(&source.params, Part::EventParam, &mut problems);
        if problems.is_empty() {
            self.events.push(Declared { name: source.name.clone(), params: pairs(params) });
        }
        problems
    }

    /// Adds a fluent; a proposition, which the program itself sets and clears, where there is neither `from` nor `to`. One of which
    /// something is wrong is not added. It can use the events that were declared before.
    pub fn declare_fluent(&mut self, source: &FluentSource) -> Vec<Problem> {
        let mut problems = Vec::new();
        self.check_name(&source.name, "a fluent", Part::FluentName, &mut problems);
        let params = params(&source.params, Part::FluentParam, &mut problems);
        if source.from.is_none() && source.to.is_none() {
            check_count(&source.params, Part::FluentParam, &mut problems);
            if problems.is_empty() {
                let (set, clear) = (
                    Declared::set(&source.name, pairs(params.clone())),
                    Declared::clear(&source.name, pairs(params.clone())),
                );
                self.fluents.add_proposition(&source.name, params, &set, &clear);
                self.events.extend([set, clear]);
            }
            return problems;
        }
        let fluent = resolved(source, params, self, &mut problems);
        if problems.is_empty() {
            self.fluents.extend(fluent);
        }
        problems
    }

    /// Adds what another file declares. Of two of one name, the first stays.
    pub fn join(&mut self, other: &Vocabulary) {
        let (mut events, mut fluents) = (Vec::new(), Vec::new());
        for event in &other.events {
            if self.event(&event.name).is_none() && self.fluents.find(&event.name).is_none() {
                events.push(event.clone());
            }
        }
        for fluent in other.fluents.all() {
            if self.fluents.find(&fluent.name).is_none() && self.event(&fluent.name).is_none() {
                fluents.push(fluent.clone());
            }
        }
        self.events.extend(events);
        for fluent in fluents {
            self.fluents.extend(Some(fluent));
        }
    }

    /// The event of that name.
    pub(crate) fn event(&self, name: &str) -> Option<Named<'_>> {
        let declared = || self.events.iter().find(|it| it.name == name).map(Named::Declared);
        EventKind::of_name(name).map(Named::BuiltIn).or_else(declared)
    }

    /// The names of events that specifications can write.
    pub(crate) fn event_names(&self) -> impl Iterator<Item = &str> {
        let declared = self.events.iter().map(|it| it.name.as_str()).filter(|it| is_variable(it));
        EventKind::built_in().map(|it| it.signature().name).chain(declared)
    }

    /// The event of that name; a problem where there is none.
    pub(crate) fn find_event(
        &self,
        name: &str,
        part: Part,
        span: Span,
        problems: &mut Vec<Problem>,
    ) -> Option<Named<'_>> {
        let event = self.event(name);
        if event.is_none() {
            let help = did_you_mean(name, self.event_names());
            problems.push(Problem::new(part, span, format!("unknown event `{name}`")).help_maybe(help));
        }
        event
    }

    /// Complains of a name that `what` cannot have.
    fn check_name(&self, name: &str, what: &str, part: Part, problems: &mut Vec<Problem>) {
        if !is_variable(name) {
            let message = format!("`{name}` cannot name {what}");
            let help = "begin with a small letter; go on with letters, digits and `_`";
            problems.push(Problem::new(part, Span::all(name), message).help(help));
        } else if RESERVED.contains(&name) {
            let message = format!("`{name}` is a word of the language");
            problems.push(Problem::new(part, Span::all(name), message).help("give it another name"));
        } else if self.fluents.find(name).is_some() || self.event(name).is_some() {
            let message = format!("`{name}` is a fluent or an event already");
            problems.push(Problem::new(part, Span::all(name), message).help("give it another name"));
        }
    }
}

/// What the name of an event stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Named<'a> {
    BuiltIn(EventKind),
    Declared(&'a Declared),
}

impl<'a> Named<'a> {
    pub(crate) fn kind(self) -> EventKind {
        match self {
            Named::BuiltIn(kind) => kind,
            Named::Declared(_) => EventKind::User,
        }
    }

    pub(crate) fn name(self) -> &'a str {
        match self {
            Named::BuiltIn(kind) => kind.signature().name,
            Named::Declared(declared) => &declared.name,
        }
    }

    /// The parameter of that place, and where its value comes from.
    pub(crate) fn param(self, index: usize) -> Option<(Source, (&'a str, Sort))> {
        match self {
            Named::BuiltIn(kind) => {
                kind.signature().params.get(index).map(|it| (Source::of_argument(index, it.1), *it))
            }
            Named::Declared(declared) => {
                let (name, sort) = declared.params.get(index)?;
                Some((Source::UserArgument(index), (name, *sort)))
            }
        }
    }

    /// How many parameters it has.
    pub(crate) fn count(self) -> usize {
        match self {
            Named::BuiltIn(kind) => kind.signature().params.len(),
            Named::Declared(declared) => declared.params.len(),
        }
    }

    /// The attributes, without `time`.
    pub(crate) fn attributes(self) -> &'static [Param] {
        self.kind().signature().attrs
    }

    /// What tells it from other events of its kind.
    pub(crate) fn mark(self) -> Option<(Source, Constant)> {
        match self {
            Named::BuiltIn(_) => None,
            Named::Declared(it) => Some((Source::UserName, Constant::Text(it.name.as_str().into()))),
        }
    }
}

fn check_count(params: &[String], part: fn(usize) -> Part, problems: &mut Vec<Problem>) {
    if let Some(extra) = params.get(MAX_ARGUMENTS) {
        let message = format!("there can be {MAX_ARGUMENTS} parameters, not {}", params.len());
        problems.push(Problem::new(part(MAX_ARGUMENTS), Span::all(extra), message));
    }
}

fn pairs(params: Vec<Variable>) -> Vec<(String, Sort)> {
    params.into_iter().map(|it| (it.name, it.sort)).collect()
}

/// The parameters that these texts declare.
fn params(texts: &[String], part: fn(usize) -> Part, problems: &mut Vec<Problem>) -> Vec<Variable> {
    let mut params: Vec<Variable> = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let part = part(index);
        let (parsed, mut found) = parse_param(text, part);
        problems.append(&mut found);
        let Some(param) = parsed else { continue };
        let sort = param.sort.as_ref().map_or(Some(Sort::Any), |it| Sort::of_name(&it.text));
        if let (None, Some(sort)) = (sort, &param.sort) {
            let help = did_you_mean(&sort.text, Sort::ALL.iter().map(|(_, name)| *name));
            let message = format!("unknown sort `{}`", sort.text);
            problems.push(Problem::new(part, sort.span, message).help_maybe(help));
        }
        let name = param.name;
        if !is_variable(&name.text) || params.iter().any(|it| it.name == name.text) {
            let message = format!("`{}` cannot be the name of a parameter here", name.text);
            let problem = Problem::new(part, name.span, message);
            problems.push(problem.help("each begins with a small letter and is different from the others"));
        }
        params.push(Variable { name: name.text, sort: sort.unwrap_or(Sort::Any) });
    }
    params
}
