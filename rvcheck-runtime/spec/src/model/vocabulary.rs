//! The names that the properties of one file can use: events and fluents, built in and declared.

use rvcheck_event::declared::Declared;
use rvcheck_event::kind::{EventKind, Param, Sort};

use crate::language::grammar::Side;
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

    /// Adds a message, or what is said of it here to what is known of it: the names of parameters that have none, and the sizes that are
    /// recorded beside them.
    pub(crate) fn add_message(
        &mut self,
        event: &str,
        params: &[Option<&str>],
        sizes: &[String],
    ) -> Result<(), Clash> {
        let Some(known) = self.events.iter_mut().find(|it| it.name == event) else {
            let named = |(place, it): (usize, Option<&str>)| match it {
                Some(name) => (name.to_owned(), Sort::Any),
                None => (unnamed(place), Sort::Any),
            };
            let params = params.iter().copied().enumerate().map(named);
            let sizes = sizes.iter().map(|it| (it.clone(), Sort::Int));
            self.events.push(Declared { name: event.to_owned(), params: params.chain(sizes).collect() });
            return Ok(());
        };
        let count = known.params.iter().filter(|(name, _)| !is_size(name)).count();
        if count != params.len() {
            return Err(Clash::Count(count));
        }
        for (place, (name, (known, _))) in params.iter().zip(&mut known.params).enumerate() {
            match name {
                Some(name) if *known == unnamed(place) => (*name).clone_into(known),
                Some(name) if known != name => return Err(Clash::Name(place, known.clone())),
                _ => {}
            }
        }
        for size in sizes {
            if known.params.iter().all(|(name, _)| name != size) {
                known.params.push((size.clone(), Sort::Int));
            }
        }
        Ok(())
    }

    /// The messages among the declared events.
    pub fn messages(&self) -> impl Iterator<Item = &Declared> {
        self.events
            .iter()
            .filter(|it| Side::ALL.iter().any(|(_, side)| it.name.starts_with(&format!("{side} "))))
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

/// Two uses of a message do not agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Clash {
    /// It has so many parameters elsewhere.
    Count(usize),
    /// The parameter of this place is called so elsewhere.
    Name(usize, String),
}

/// What the parameter of a message is called that nobody has given a name.
pub(crate) fn unnamed(place: usize) -> String {
    format!("_{}", place + 1)
}

/// Whether what a message records is the size of a parameter.
pub(crate) fn is_size(name: &str) -> bool {
    name.contains('.')
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

    /// The name that tells it from other events of its kind.
    pub(crate) fn mark(self) -> Option<Box<str>> {
        match self {
            Named::BuiltIn(_) => None,
            Named::Declared(it) => Some(it.name.as_str().into()),
        }
    }

    /// The same as what a pattern demands.
    pub(crate) fn demand(self) -> Option<(Source, Constant)> {
        Some((Source::UserName, Constant::Text(self.mark()?)))
    }
}
