//! Mistakes that show in the automaton as a whole.

use crate::language::problem::{Part, Problem, Span};
use crate::language::syntax::tree;
use crate::model::automaton::{Automaton, Role, Transition};

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
            open.extend(leaving.flat_map(Transition::targets));
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
