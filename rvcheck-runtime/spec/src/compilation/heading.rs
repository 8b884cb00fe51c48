//! What properties of all logics have.

use crate::compilation::{named, presentation};
use crate::language::problem::{Part, Problem};
use crate::language::source::PropertySource;
use crate::model::automaton::{Level, Presentation, Scope};
use crate::model::vocabulary::Vocabulary;

/// The name of a property, how bad its violation is, and how that is shown.
pub(crate) struct Heading {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) level: Level,
    pub(crate) scope: Scope,
    pub(crate) message: String,
    pub(crate) presentation: Presentation,
}

/// The heading of a property, with defaults for what is missing or wrong.
pub(crate) fn heading(
    source: &PropertySource,
    vocabulary: &Vocabulary,
    problems: &mut Vec<Problem>,
) -> Heading {
    let level = source
        .level
        .as_deref()
        .and_then(|name| named(&Level::ALL, name, "level", Part::Level, problems))
        .unwrap_or(Level::Error);
    let scopes = [(Scope::Test, "test"), (Scope::Process, "process")];
    let scope = source
        .scope
        .as_deref()
        .and_then(|name| named(&scopes, name, "scope", Part::Scope, problems))
        .unwrap_or(Scope::Test);
    let title = source.title.clone().unwrap_or_else(|| source.id.clone());
    let message = source.message.clone().unwrap_or_else(|| title.clone());
    let presentation = presentation::presentation(source, vocabulary, problems);
    Heading { id: source.id.clone(), title, level, scope, message, presentation }
}
