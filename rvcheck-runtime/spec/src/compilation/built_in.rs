//! Properties of `logic = "built-in"`, which have a heading and nothing else.

use crate::compilation::heading::{Heading, heading};
use crate::language::problem::Problem;
use crate::language::source::PropertySource;
use crate::model::built_in::BuiltIn;
use crate::model::vocabulary::Vocabulary;

/// Compiles such a property. There is one exactly where there are no problems.
pub(crate) fn compile(
    source: &PropertySource,
    vocabulary: &Vocabulary,
    problems: &mut Vec<Problem>,
) -> Option<BuiltIn> {
    let Heading { id, title, level, scope, message, presentation } = heading(source, vocabulary, problems);
    let built_in = BuiltIn { id, title, level, scope, message, presentation };
    problems.is_empty().then_some(built_in)
}
