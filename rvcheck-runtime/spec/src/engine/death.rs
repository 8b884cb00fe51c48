//! When an instance can be forgotten: an object that it is about is dead, and nothing that can still happen breaks the
//! property for it.

use rvcheck_event::kind::{EventKind, Sort};

use crate::automaton::{Automaton, Role, Source, Transition};
use crate::compile::reachable;
use crate::engine::lettered::Lettered;
use crate::ltl::tree::Quantifier;

/// By parameter and state: whether the instance can be forgotten when the object of that parameter is dead. In a state
/// that is bad, that is only so if the violation was reported.
///
/// An instance that was forgotten may come up again, if some event does speak of the dead object. Then it begins in the
/// state of what is known without that object. So nothing bad may be reachable from there either.
pub(super) fn forgettable(automaton: &Automaton) -> Vec<Vec<bool>> {
    (0..automaton.params.len())
        .map(|param| {
            let without =
                reachable(automaton, [automaton.initial], |it| source_of(automaton, it, param).is_none());
            let fresh: Vec<usize> = (0..automaton.states.len()).filter(|state| without[*state]).collect();
            let safe = |from: &[usize]| {
                let later = reachable(automaton, from.iter().copied(), |it| possible(automaton, it, param));
                let bad = |role| matches!(role, Role::Bad | Role::EndBad);
                // What is emitted may break the property that takes it.
                if automaton
                    .transitions
                    .iter()
                    .any(|it| it.emits() && later[it.from] && possible(automaton, it, param))
                {
                    return false;
                }
                !automaton.states.iter().zip(later).any(|(state, reached)| reached && bad(state.role))
            };
            let fresh_is_safe = safe(&fresh);
            let broken = |state: usize| automaton.states[state].role == Role::Bad;
            (0..automaton.states.len())
                .map(|state| fresh_is_safe && (broken(state) || safe(&[state])))
                .collect()
        })
        .collect()
}

fn source_of(automaton: &Automaton, transition: &Transition, param: usize) -> Option<Source> {
    let shape = automaton.shape(transition)?;
    shape.sources.iter().find(|(it, _)| *it == param).map(|(_, source)| *source)
}

/// Whether the transition can be taken after the object of the parameter died.
fn possible(automaton: &Automaton, transition: &Transition, param: usize) -> bool {
    let Some(source) = source_of(automaton, transition, param) else { return true };
    outlives(automaton.params[param].sort, transition.kind, source)
}

/// The same for a formula. What is forgotten counts no more, so all of it has to hold for good: that is known only where all
/// quantifiers are `forall`. And a binding that an event can still touch would be counted again.
pub(super) fn forgettable_letters(table: &Lettered) -> Vec<Vec<bool>> {
    let params = table.params.0.len();
    if !table.is_plainly(Quantifier::Forall) {
        return vec![Vec::new(); params];
    }
    (0..params)
        .map(|param| {
            let sort = table.params.0[param].1;
            if table.speaks_of(param, |kind, source| outlives(sort, kind, source)) {
                return Vec::new();
            }
            // Events that say nothing of the object are all that can come, and all that came where it was not known yet.
            let doomed = table.doomed(param);
            (0..doomed.len()).map(|state| !doomed[0] && (table.is_bad(state) || !doomed[state])).collect()
        })
        .collect()
}

/// Whether an event can speak of a dead object in this place. A task is dead when it ended and nobody has its handle;
/// it can still be told to abort. The ends of a channel are dropped by several threads, in no certain order.
fn outlives(sort: Sort, kind: EventKind, source: Source) -> bool {
    use EventKind as K;
    if kind == K::User {
        // A program may say anything of an object, whenever it likes.
        return true;
    }
    match sort {
        Sort::Task => kind == K::Abort && source != Source::Actor,
        Sort::Lock | Sort::Sem | Sort::Signal => false,
        Sort::Chan => matches!(kind, K::SenderDrop | K::ReceiverDrop | K::Undelivered | K::Closed),
        _ => true,
    }
}
