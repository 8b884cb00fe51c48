//! `[[group]]`: named groups of tasks, such as those of an actor.

use super::fields::Fields;
use super::observe::pattern;
use super::problem::SpecProblem;
use rvcheck_source::observe::pattern::PathPattern;
use std::ops::Range;
use toml::de::DeTable;

/// An entry of which nothing is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupEntry {
    /// The name. Its instances are called `NAME:1` and so on.
    pub name: String,
    /// The functions whose spawns begin an instance.
    pub spawn: PathPattern,
    /// The file.
    pub file: String,
    /// The bytes of the pattern in it, quotes included.
    pub at: Range<usize>,
}

/// Reads an entry. What is wrong with it is added to the problems.
pub(super) fn group(
    (file, text): (&str, &str),
    (table, span): (&DeTable<'_>, Range<usize>),
    problems: &mut Vec<SpecProblem>,
) -> Option<GroupEntry> {
    let before = problems.len();
    let mut fields = Fields::new(file, table, span, problems);
    let name = fields.required("name");
    let spawn = fields.required("spawn");
    if let Some(name) = &name
        && (name.value.is_empty() || !name.value.chars().all(|it| it.is_alphanumeric() || "_-".contains(it)))
    {
        let help = "use letters, digits, `_` and `-`".to_owned();
        fields.problem(name.span.clone(), format!("`{}` cannot name a group", name.value), Some(help));
    }
    fields.finish();
    let spawn = spawn.and_then(|it| Some((pattern((file, text), &it, problems)?, it.span)));
    if problems.len() > before {
        return None;
    }
    let (spawn, at) = spawn?;
    Some(GroupEntry { name: name?.value, spawn, file: file.to_owned(), at })
}
