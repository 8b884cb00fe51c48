//! Mistakes that show in the automaton as a whole.

use crate::automaton::{Automaton, Check, Role, Source, Transition};
use crate::problem::{Part, Problem, Span};
use crate::syntax::tree;

/// The states that some sequence of transitions reaches, of those transitions that `usable` admits.
pub(crate) fn reachable(
    automaton: &Automaton,
    from: impl IntoIterator<Item = usize>,
    usable: impl Fn(&Transition) -> bool,
) -> Vec<bool> {
    let mut seen = vec![false; automaton.states.len()];
    let mut open: Vec<usize> = from.into_iter().collect();
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut seen[state], true) {
            let leaving = automaton.transitions.iter().filter(|it| it.from == state && usable(it));
            open.extend(leaving.map(|it| it.to));
        }
    }
    seen
}

/// Final states are never left, and every state can be entered.
pub(super) fn reachability(
    automaton: &Automaton,
    trees: &[Option<tree::Transition>],
    problems: &mut Vec<Problem>,
) {
    let seen = reachable(automaton, [automaton.initial], |_| true);
    let mut reported = vec![false; automaton.states.len()];
    for (index, transition) in automaton.transitions.iter().enumerate() {
        let state = &automaton.states[transition.from];
        let span = trees[index].as_ref().map_or(Span::default(), |it| it.from.span);
        if matches!(state.role, Role::Good | Role::Bad) {
            let message = format!("state `{}` is final; nothing can leave it", state.name);
            problems.push(Problem::new(Part::Transition(index), span, message));
        } else if !seen[transition.from] && !std::mem::replace(&mut reported[transition.from], true) {
            let message = format!("no sequence of transitions leads to state `{}`", state.name);
            problems.push(Problem::new(Part::Transition(index), span, message));
        }
    }
}

/// No two transitions are enabled together, as far as their patterns and the presence of guards tell.
pub(super) fn overlaps(
    automaton: &Automaton,
    trees: &[Option<tree::Transition>],
    problems: &mut Vec<Problem>,
) {
    for (index, second) in automaton.transitions.iter().enumerate() {
        let first = automaton.transitions[..index].iter().position(|first| overlap(automaton, first, second));
        if let Some(first) = first {
            let span =
                trees[index].as_ref().map_or(Span::default(), |it| it.from.span.to(it.pattern.event.span));
            let text = format!("this transition and transition {} can be enabled together", first + 1);
            problems.push(
                Problem::new(Part::Transition(index), span, text)
                    .help("let their guards, or a literal in their patterns, exclude each other"),
            );
        }
    }
}

/// Two guards may well exclude each other; that is seen when it happens.
fn overlap(automaton: &Automaton, first: &Transition, second: &Transition) -> bool {
    first.from == second.from
        && first.kind == second.kind
        && agree(automaton, first, second)
        && (first.guard.is_none() || second.guard.is_none() || first.guard == second.guard)
        && !excluded(first, second)
        // A pattern that asks for the value of a register excludes others while the register has another value.
        && !first.checks.iter().chain(&second.checks).any(|it| matches!(it, Check::Register(..) | Check::Same(..)))
}

/// Whether the patterns name the same parameters where they both name some: `finish(t)` and `finish(u)` do not, and
/// neither do `spawn(t, _)` and `spawn(_, t)`.
fn agree(automaton: &Automaton, first: &Transition, second: &Transition) -> bool {
    let (Some(left), Some(right)) = (automaton.shape(first), automaton.shape(second)) else { return false };
    let clash = |(param, source): &(usize, Source)| {
        right.sources.iter().any(|(other, place)| (other == param) != (place == source))
    };
    !left.sources.iter().any(clash)
}

/// Whether the patterns ask for different literals in the same place.
fn excluded(first: &Transition, second: &Transition) -> bool {
    literals(first)
        .any(|(source, wanted)| literals(second).any(|(it, other)| it == source && wanted != other))
}

fn literals(transition: &Transition) -> impl Iterator<Item = (Source, &crate::automaton::Constant)> {
    transition.checks.iter().filter_map(|check| match check {
        Check::Literal(source, constant) => Some((*source, constant)),
        _ => None,
    })
}
