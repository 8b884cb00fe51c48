//! The errors that a value of a type can have in it, and the paths to them.

use super::path::Step;
use crate::ty::Ty;

use crate::ended::{Said, said_by};
use crate::program::library::{mentions, mentions_handle};
use rvcheck_primitives::{Ending, Failure, Holds, Is, Owner, holds, is_path_of, owners_named};

/// How much is lost with an error of some type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Weight {
    /// It may only say that somebody has ended it, or says no more than that it happened.
    Little,
    /// It says what failed.
    Much,
}

/// Whose failure an error is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Whose {
    /// The task or thread panicked.
    Panic,
    /// What was done returned an error.
    Own,
}

/// An error that a value can have in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Inner {
    /// The steps from the value to it.
    pub(crate) steps: Vec<Step>,
    /// Whose failure it is.
    pub(crate) whose: Whose,
    /// How much is lost with it.
    pub(crate) weight: Weight,
    /// It is what a joined task returned.
    pub(crate) of_task: bool,
    /// The type of the `Result`.
    pub(crate) result: Ty,
}

/// Whether an error type is what joining a task or thread gives for its panic.
fn is_panic(error: Ty) -> bool {
    let of_runtime = ["tokio", "real", "rvtokio"].iter().any(|it| error.head().starts_with(it))
        || !error.head().contains("::");
    is_path_of(error.bare_name(), |it| it == Is::Error(Failure::Panicked)) && of_runtime
        || error.names("Any") && error.bare_name() == "Box"
}

/// Whether there is no value of a type.
pub(super) fn is_never(ty: Ty) -> bool {
    matches!(ty.bare_name(), "Infallible" | "!")
}

/// How much such an error says; `None` if there is none, or nothing is lost with it.
pub(crate) fn weight(error: Ty) -> Option<Weight> {
    if is_never(error) {
        return None;
    }
    match said_by(error) {
        Some(Said::Ended) => None,
        Some(Said::Gone | Said::CancelledOrPanicked) => Some(Weight::Little),
        None if error.is_unit() || is_of_channel(error) => Some(Weight::Little),
        None => Some(Weight::Much),
    }
}

/// Whether an error says of a channel, lock or signal that its other end is gone, that it is full, or that a time was over.
pub(super) fn is_of_channel(error: Ty) -> bool {
    let of_library =
        |it: &&'static Owner| matches!(it.is, Is::Error(failure) if failure != Failure::Panicked);
    error.bare_name() == "PoisonError" || owners_named(error.bare_name()).iter().any(of_library)
}

/// The errors that a value of that type can have in it.
pub(crate) fn errors_in(ty: Ty) -> Vec<Inner> {
    let mut found = Vec::new();
    collect(ty, &mut Vec::new(), false, &mut found, 0);
    // One task that is given up for something else, as a limit of time, is given up on purpose; of several that race, each may fail.
    let is_left = |it: &Inner| it.steps.contains(&Step::Output);
    let left = found.iter().filter(|it| is_left(it)).count();
    let many = found.iter().any(|it| is_left(it) && it.steps.contains(&Step::Element));
    if left < 2 && !many {
        found.retain(|it| !is_left(it));
    }
    found
}

/// The error that a task returns, of whose handle that is the type: in a pointer, too.
pub(crate) fn errors_of_handle(ty: Ty) -> Option<Inner> {
    let is_handle = mentions_handle(ty.without_arguments());
    match ty.bare_name() {
        "Pin" | "Box" | "Awaited" => errors_of_handle(ty.argument(0)?),
        _ if is_handle => errors_in(ty.argument(0)?).into_iter().find(|it| it.steps == [Step::Err]),
        _ => None,
    }
}

fn collect(ty: Ty, steps: &mut Vec<Step>, of_task: bool, found: &mut Vec<Inner>, depth: usize) {
    if depth > 8 || !ty.names("Result") {
        return;
    }
    let all = ty.arguments();
    if ty.is_tuple() {
        for (number, ty) in (0..).zip(all) {
            within(Step::Field(number), *ty, (steps, of_task, depth), found);
        }
        return;
    }
    let Some(first) = all.first() else { return };
    match ty.bare_name() {
        _ if ty.is_sequence() => within(Step::Element, *first, (steps, of_task, depth), found),
        "Poll" => within(Step::Ready, *first, (steps, of_task, depth), found),
        "Option" => within(Step::Some, *first, (steps, of_task, depth), found),
        name if matches!(holds(name), Some(Holds::Sequence | Holds::Items)) => {
            within(Step::Element, *first, (steps, of_task, depth), found);
        }
        "Out" | "Out3" => {
            for (number, ty) in all.iter().enumerate() {
                steps.extend([Step::Variant(format!("_{number}").into()), Step::Field(0)]);
                collect(*ty, steps, of_task, found, depth + 1);
                steps.truncate(steps.len() - 2);
            }
        }
        "Either" => {
            for (name, ty) in ["Left", "Right"].into_iter().zip(all) {
                steps.extend([Step::Variant(name.into()), Step::Field(0)]);
                collect(*ty, steps, of_task, found, depth + 1);
                steps.truncate(steps.len() - 2);
            }
        }
        // What the task gives that is still to be joined.
        _ if mentions(ty.without_arguments(), |it| it == Is::Handle(Ending::Detaches)) => {
            steps.extend([Step::Output, Step::Ok]);
            collect(*first, steps, true, found, depth + 1);
            steps.truncate(steps.len() - 2);
        }
        "Result" => {
            let Some(&error) = all.get(1) else { return };
            let panics = is_panic(error);
            within(Step::Ok, *first, (steps, of_task || panics, depth), found);
            let whose = if panics { Whose::Panic } else { Whose::Own };
            let weight = if panics { Some(Weight::Much) } else { weight(error) };
            if let Some(weight) = weight {
                let steps = steps.iter().cloned().chain([Step::Err]).collect();
                found.push(Inner { steps, whose, weight, of_task, result: ty });
            }
        }
        _ => {}
    }
}

fn within(
    step: Step,
    ty: Ty,
    (steps, of_task, depth): (&mut Vec<Step>, bool, usize),
    found: &mut Vec<Inner>,
) {
    steps.push(step);
    collect(ty, steps, of_task, found, depth + 1);
    steps.pop();
}
