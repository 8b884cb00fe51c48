//! What stands in the places of a pattern, against the signature of its event.

use rvcheck_event::attribute::COMMON;
use rvcheck_event::kind::{EventKind, LockKind, Mode, Outcome, Sort, TaskKind, TestOutcome, What};

use crate::compilation::term::{constant, literal_fits, mismatch};
use crate::language::problem::{Part, Problem, Span, did_you_mean};
use crate::language::syntax::tree::{Argument, Literal};
use crate::model::automaton::{Constant, Source};
use crate::model::vocabulary::Named;

/// Where the value of an argument comes from, with its name and sort. `index` is the place of the argument in its pattern.
pub(crate) fn slot<'a>(
    event: Named<'a>,
    index: usize,
    argument: &Argument,
    part: Part,
    problems: &mut Vec<Problem>,
) -> Option<(Source, (&'a str, Sort))> {
    match &argument.attribute {
        None => {
            let found = event.param(index);
            if found.is_none() {
                let message = format!("`{}` has {} arguments", event.name(), plural(event.count()));
                problems.push(Problem::new(part, argument.span, message));
            }
            found
        }
        Some(name) => {
            let mut known = event.attributes().iter().chain(&COMMON);
            let found = known.clone().find(|(it, _)| *it == name.text);
            if found.is_none() {
                let help = did_you_mean(&name.text, known.clone().map(|(it, _)| *it)).unwrap_or_else(|| {
                    let list: Vec<_> = known.by_ref().map(|(it, _)| format!("`{it}`")).collect();
                    format!("it has {}", list.join(", "))
                });
                let message = format!("`{}` has no attribute `{}`", event.name(), name.text);
                problems.push(Problem::new(part, name.span, message).help(help));
            }
            found.map(|attribute| (Source::Attribute(attribute.0), *attribute))
        }
    }
}

/// The value that a literal stands for at a place of that name and sort.
pub(crate) fn literal_at(
    kind: EventKind,
    (name, sort): (&str, Sort),
    literal: &Literal,
    span: Span,
    part: Part,
    problems: &mut Vec<Problem>,
) -> Constant {
    let (constant, found) = constant(literal);
    if !literal_fits(found, sort) {
        problems.push(mismatch(part, span, found, name, sort));
    } else if let (Constant::Text(text), Some(variants)) = (&constant, variants(kind, name))
        && !variants.iter().any(|it| **it == **text)
    {
        let list: Vec<_> = variants.iter().map(|it| format!("`::{it}`")).collect();
        let help = did_you_mean(text, variants.iter().copied())
            .unwrap_or_else(|| format!("it is one of {}", list.join(", ")));
        let message = format!("`{name}` is never `{text}`");
        problems.push(Problem::new(part, span, message).help(help));
    }
    constant
}

pub(super) fn plural(count: usize) -> String {
    if count == 0 { "no".to_owned() } else { format!("only {count}") }
}

/// What an attribute can be, where it is an enumeration.
fn variants(kind: EventKind, attribute: &str) -> Option<Vec<&'static str>> {
    use EventKind as K;
    Some(match (kind, attribute) {
        (K::Spawn | K::Start, "kind") => TaskKind::ALL.iter().map(|it| it.name()).collect(),
        (K::Request | K::Acquire | K::Release | K::Withdraw, "mode") => {
            Mode::ALL.iter().map(|it| it.name()).collect()
        }
        (K::Request | K::Acquire | K::Release | K::Withdraw, "kind") => {
            LockKind::ALL.iter().map(|it| it.name()).collect()
        }
        (K::Block | K::Unblock, "what") => What::ALL.iter().map(|it| it.name()).collect(),
        (K::Finish, "outcome") => Outcome::ALL.iter().map(|it| it.name()).collect(),
        (K::TestEnd, "outcome") => TestOutcome::ALL.iter().map(|it| it.name()).collect(),
        _ => return None,
    })
}
