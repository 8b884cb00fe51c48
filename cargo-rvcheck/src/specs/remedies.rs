//! Remedies: which one a property names, and whether it fits the property.

use super::fields::{Fields, Text};
use super::stopping::{Reaction, obstacle};
use super::{Property as Declared, find};
use crate::error::{Expected, Result};
use crate::request::{UnknownRemedy, Wish, known_remedies, remedy_of_name};
use rvcheck_enforcement::Action;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::remedy::Remedy;
use rvcheck_spec::Property;
use std::ops::Range;

/// Reads the remedy of a property whose `on_violation` stands at `wish`.
pub(super) fn read(
    fields: &mut Fields<'_, '_>,
    remedy: Option<Text>,
    wish: Range<usize>,
) -> Option<Reaction> {
    let Some(Text { value, span }) = remedy else {
        let help = format!("add `remedy = \"…\"`; {}", known_remedies());
        fields.problem(wish, "`on_violation = \"enforce\"` does not say by which remedy", Some(help));
        return None;
    };
    match remedy_of_name(&value) {
        Ok(remedy) => Some(Reaction { action: Action::Enforce(remedy), at: span }),
        Err(UnknownRemedy { message, help }) => {
            fields.problem(span, message, Some(help));
            None
        }
    }
}

/// Why a remedy does not fit a property, and what would.
pub(super) fn misfit(action: Action, property: &Property) -> Option<(String, String)> {
    let remedy = action.remedy()?;
    let sorts = property.sorts();
    let count = |sort: Sort| sorts.iter().filter(|it| **it == sort).count();
    let events = property.alphabet();
    let speaks_of = |kinds: &[EventKind]| kinds.iter().any(|it| events.contains(it));
    let wants = |what: &str, help: &str| {
        Some((format!("the remedy `{}` needs {what}", remedy.name()), help.to_owned()))
    };
    let one_task = "it is applied where the task that the property is about was spawned: give the property one variable of sort task";
    match remedy {
        Remedy::Offload | Remedy::Handle if count(Sort::Task) != 1 => {
            wants("a property with one variable of sort task", one_task)
        }
        Remedy::Offload
            if !speaks_of(&[EventKind::Block, EventKind::Unblock, EventKind::Suspend, EventKind::Poll]) =>
        {
            wants(
                "a property about what a task does to its thread",
                "such events are `block`, `unblock`, `suspend` and `poll`",
            )
        }
        Remedy::Handle if !speaks_of(&[EventKind::Finish, EventKind::Panic]) => {
            wants("a property about how a task ends", "such events are `finish` and `panic`")
        }
        Remedy::Gate if count(Sort::Lock) != 2 => wants(
            "a property with two variables of sort lock",
            "it keeps the places apart where the two locks are taken, each inside the other",
        ),
        Remedy::Gate if !speaks_of(&[EventKind::Acquire]) => {
            wants("a property about `acquire`", "that tells where the two locks are taken")
        }
        Remedy::Refuse if !events.iter().any(|it| can_refuse(*it)) => wants(
            "a property about an event at which a program can be stopped",
            "docs/stopping.md lists them",
        ),
        _ => None,
    }
}

/// Whether the call that an event stands for can panic.
fn can_refuse(kind: EventKind) -> bool {
    !matches!(
        kind,
        EventKind::Release
            | EventKind::Withdraw
            | EventKind::Detach
            | EventKind::WakerDrop
            | EventKind::SenderDrop
            | EventKind::ReceiverDrop
            | EventKind::Undelivered
            | EventKind::Unblock
            | EventKind::AwaitCancel
            | EventKind::Suspend
            | EventKind::Finish
            | EventKind::Panic
            | EventKind::Cancel
            | EventKind::TestEnd
    )
}

/// Has these properties enforced, whatever their files say.
pub fn enforce(properties: &mut [Declared], wishes: &[Wish]) -> Result<()> {
    for (number, Wish { property: id, remedy }) in wishes.iter().enumerate() {
        find(id, properties)?;
        if let Some(other) = wishes[..number].iter().find(|it| it.property == *id && it.remedy != *remedy) {
            let (first, second) = (other.remedy.name(), remedy.name());
            let why = format!("it has one remedy, and not both `{first}` and `{second}`");
            return Err(Expected::Configuration(format!("`{id}` cannot be enforced: {why}")));
        }
        let action = Action::Enforce(*remedy);
        for property in properties.iter_mut().filter(|it| it.compiled.id() == id) {
            let fed = property.is_fed.then_some("it takes events that another property emits");
            let unfit = misfit(action, &property.compiled);
            let unfit = unfit.map(|(message, help)| format!("{message}\n{help}"));
            let obstacle = obstacle(&property.compiled, &property.declared).or(fed).map(str::to_owned);
            if let Some(why) = obstacle.or(unfit) {
                return Err(Expected::Configuration(format!("`{id}` cannot be enforced: {why}")));
            }
            property.stop = Some(action);
        }
    }
    Ok(())
}
