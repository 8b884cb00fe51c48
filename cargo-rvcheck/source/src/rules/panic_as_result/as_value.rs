//! Panics that become ordinary values when a task is joined, or when they are caught.

use super::{Certainty, Hit};
use crate::body::FunctionId;
use crate::facts::Facts;
use crate::facts::disposition::{At, Disposition, Loss, Of, Taken, Whose, panics_on_input};
use crate::program::code_ref::{CodeRef, call_ref};

/// Finds such panics.
pub(super) fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let taken = facts.dispositions.taken(facts.program).iter();
    taken.filter_map(|it| as_value(facts, it)).collect()
}

fn as_value(facts: &Facts<'_>, taken: &Taken) -> Option<Hit> {
    let program = facts.program;
    let (_, disposition) = taken
        .errors
        .iter()
        .find(|(it, disposition)| it.whose == Whose::Panic && is_value(taken.of, disposition))?;
    let caught = (taken.place(program), "the panic is caught here".to_owned());
    // What may have been ended on purpose, a run can tell from what panicked.
    let in_doubt = is_ended(facts, taken);
    let (spawned, panic) = match run(facts, taken) {
        Some((spawned, panic)) => (spawned, Some(panic)),
        // Whether it panics, a run can show.
        None if taken.of == Of::Task && is_replaced(disposition) && !in_doubt => (None, None),
        None => return None,
    };
    let panics = panic.map(|it| (call_ref(program, it.0, it.1), "it panics here".to_owned()));
    // What is caught where it arises is reported at its place, as a run reports it; what is joined, at the join.
    let by_panic = |it: &CodeRef| taken.of == Of::Caught && !matches!(it, CodeRef::Item(_));
    let (primary, other) = match panics {
        Some(panics) if by_panic(&panics.0) => (panics, Some(caught)),
        panics => (caught, panics),
    };
    let related = other
        .into_iter()
        .chain(spawned.map(|it| (call_ref(program, it.0, it.1), "spawned here".to_owned())))
        .chain(
            disposition
                .losses
                .iter()
                .map(|(it, _)| (call_ref(program, it.0, it.1), "the panic is swallowed here".to_owned())),
        );
    Some(Hit {
        certainty: if panic.is_some() && !in_doubt { Certainty::Doubt } else { Certainty::Unseen },
        message: "some input makes this panic, and the program treats the panic as an ordinary result"
            .to_owned(),
        related: related.filter(|(it, _)| !matches!(it, CodeRef::Item(_)) && *it != primary.0).collect(),
        primary,
        advice: "return an error or an `Option` if the failure is expected; resume or report a panic"
            .to_owned(),
    })
}

/// Whether nobody looks at the panic, but the program goes by it.
fn is_value(of: Of, disposition: &Disposition) -> bool {
    let goes_on = match of {
        Of::Task => !disposition.is_lost() || is_replaced(disposition),
        Of::Caught => true,
        _ => false,
    };
    goes_on && !disposition.is_read() && !disposition.is_aborted()
}

/// Whether another value takes the place of the panic, or what panicked is left out of what goes on.
fn is_replaced(disposition: &Disposition) -> bool {
    disposition.losses.iter().any(|(_, it)| matches!(it, Loss::Replaced | Loss::LeftOut))
}

/// Whether a task that is joined there is ended on purpose.
fn is_ended(facts: &Facts<'_>, taken: &Taken) -> bool {
    let mut tasks = facts.dispositions.tasks(facts.program).iter();
    tasks.any(|it| it.panic.joined.contains(&taken.at) && it.panic.is_aborted())
}

/// Where what is joined or caught was started, and where it panics for some input.
fn run(facts: &Facts<'_>, taken: &Taken) -> Option<(Option<At>, At)> {
    let program = facts.program;
    let panics = |body: FunctionId| panics_on_input(program, facts.dispositions.index(program), body);
    if taken.of == Of::Caught {
        return Some((None, panics(taken.body?)?));
    }
    let tasks = facts.dispositions.tasks(program).iter().filter(|it| it.panic.joined.contains(&taken.at));
    let mut found = None;
    for task in tasks {
        found = found.or_else(|| Some((Some(task.at), panics(task.body?)?)));
    }
    found
}
