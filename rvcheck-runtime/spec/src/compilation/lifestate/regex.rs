//! A regex of a rule as one over numbered patterns.

use crate::compilation::lifestate::derivative::{Arena, Id};
use crate::language::lifestate::{Message, Regex, RegexForm};
use crate::model::lifestate::{Pattern, Wanted};

/// Builds it. `pattern` gives the pattern of a message.
pub(super) fn build(
    arena: &mut Arena,
    regex: &Regex,
    atoms: &mut Vec<Pattern>,
    pattern: &mut impl FnMut(&Message) -> Pattern,
) -> Id {
    match &regex.form {
        RegexForm::Empty => Arena::EMPTY,
        RegexForm::Any => arena.any(),
        RegexForm::Message(message) => {
            let pattern = pattern(message);
            let place = atoms.iter().position(|it| *it == pattern).unwrap_or_else(|| {
                atoms.push(pattern);
                atoms.len() - 1
            });
            // A regex with more patterns than bits is refused before any derivative is taken.
            arena.atom(place.min(63))
        }
        RegexForm::Sequence(left, right) => {
            let left = build(arena, left, atoms, pattern);
            let right = build(arena, right, atoms, pattern);
            arena.sequence(left, right)
        }
        RegexForm::Or(left, right) => {
            let left = build(arena, left, atoms, pattern);
            let right = build(arena, right, atoms, pattern);
            arena.or([left, right])
        }
        RegexForm::And(left, right) => {
            let left = build(arena, left, atoms, pattern);
            let right = build(arena, right, atoms, pattern);
            arena.and([left, right])
        }
        RegexForm::Not(inner) => {
            let inner = build(arena, inner, atoms, pattern);
            arena.not(inner)
        }
        RegexForm::Star(inner) => {
            let inner = build(arena, inner, atoms, pattern);
            arena.star(inner)
        }
        RegexForm::Plus(inner) => {
            let inner = build(arena, inner, atoms, pattern);
            let star = arena.star(inner);
            arena.sequence(inner, star)
        }
        RegexForm::Optional(inner) => {
            let inner = build(arena, inner, atoms, pattern);
            arena.or([Arena::EMPTY, inner])
        }
    }
}

/// The same pattern, with other things for its variables.
pub(super) fn substituted(pattern: &Pattern, to: &impl Fn(usize) -> Wanted) -> Pattern {
    let value = |it: &Wanted| if let Wanted::Variable(variable) = it { to(*variable) } else { *it };
    Pattern { head: pattern.head, values: pattern.values.iter().map(value).collect() }
}
