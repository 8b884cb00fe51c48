//! When an instance can be forgotten: an object that it is about is dead, and nothing that can still happen breaks the
//! property for it.

use rvcheck_event::kind::{EventKind, Sort};

use crate::compilation::reachable;
use crate::evaluation::engine::lettered::Lettered;
use crate::language::formula::tree::Quantifier;
use crate::model::automaton::{Automaton, Role, Source, Transition};

/// Whether an instance in a state can be forgotten when an object that it is about is dead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Settled {
    /// Something can come of it.
    Never,
    /// It is bad for some of the bindings in the state, and only of those that were reported it is known that they are among them.
    OnceReported,
    /// Nothing can come of it.
    Always,
}

/// By parameter and state what becomes of an instance when the object of that parameter is dead.
///
/// An instance that was forgotten may come up again, if some event does speak of the dead object. Then it begins in the
/// state of what is known without that object. So nothing bad may be reachable from there either.
pub(super) fn forgettable(automaton: &Automaton) -> Vec<Vec<Settled>> {
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
            let settled = |state: usize| match fresh_is_safe {
                true if broken(state) => Settled::OnceReported,
                true if safe(&[state]) => Settled::Always,
                _ => Settled::Never,
            };
            (0..automaton.states.len()).map(settled).collect()
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
pub(super) fn forgettable_letters(table: &Lettered) -> Vec<Vec<Settled>> {
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
            // Conditions choose among the roles of a state, so that one which is bad for some bindings can be anything for others.
            let settled = |state: usize| match doomed[state] {
                _ if doomed[0] => Settled::Never,
                false => Settled::Always,
                true if table.is_bad(state) => Settled::OnceReported,
                true => Settled::Never,
            };
            (0..doomed.len()).map(settled).collect()
        })
        .collect()
}

/// Whether an event can speak of a dead object in this place. A task is dead when it ended and nobody has its handle;
/// it can still be told to abort, and be found to have ended. The ends of a channel are dropped by several threads, in no certain order.
pub(crate) fn outlives(sort: Sort, kind: EventKind, source: Source) -> bool {
    use EventKind as K;
    if kind == K::User {
        // A program may say anything of an object, whenever it likes.
        return true;
    }
    match sort {
        Sort::Task => matches!(kind, K::Abort | K::Ended) && source != Source::Actor,
        Sort::Lock | Sort::Sem | Sort::Signal => false,
        Sort::Chan => matches!(kind, K::SenderDrop | K::ReceiverDrop | K::Undelivered | K::Closed),
        _ => true,
    }
}
