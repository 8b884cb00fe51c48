//! The names that the properties of one file can use: events and fluents, built in and declared.

use rvcheck_event::declared::Declared;
use rvcheck_event::kind::{EventKind, Param, Sort};

use crate::language::problem::{Part, Problem, Span, did_you_mean};
use crate::language::syntax::is_variable;
use crate::model::automaton::{Constant, Source};
use crate::model::fluent::{Fluent, Fluents};

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

    /// Adds a declared event.
    pub(crate) fn add_event(&mut self, event: Declared) {
        self.events.push(event);
    }

    /// Adds a declared fluent.
    pub(crate) fn add_fluent(&mut self, fluent: Fluent) {
        self.fluents.add(fluent);
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
            self.fluents.add(fluent);
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
