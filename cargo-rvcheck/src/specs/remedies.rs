//! Remedies: which one a property names, and whether it fits the property.

use super::fields::{Fields, Text};
use super::stopping::{Reaction, obstacle};
use super::{Property as Declared, find};
use crate::error::{Expected, Result};
use rvcheck_enforcement::Action;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::remedy::Remedy;
use rvcheck_spec::Property;
use rvcheck_spec::language::problem::did_you_mean;
use std::ops::Range;

/// A remedy that the language has and this version does not.
const LATER: &str = "delay";

fn names() -> impl Iterator<Item = &'static str> + Clone {
    Remedy::ALL.into_iter().map(Remedy::name)
}

/// The remedies, for a hint.
fn known() -> String {
    format!("there are {}", names().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", "))
}

/// The remedy of that name, or what is wrong with the name and what to do about it.
fn of_name(name: &str) -> std::result::Result<Remedy, (String, String)> {
    let wrong = |what: String| (what, did_you_mean(name, names()).unwrap_or_else(known));
    match Remedy::of_name(name) {
        Some(remedy) => Ok(remedy),
        None if name == LATER => {
            Err((format!("the remedy `{name}` is not supported by this version"), known()))
        }
        None => Err(wrong(format!("unknown remedy `{name}`"))),
    }
}

/// Reads the remedy of a property whose `on_violation` stands at `wish`.
pub(super) fn read(
    fields: &mut Fields<'_, '_>,
    remedy: Option<Text>,
    wish: Range<usize>,
) -> Option<Reaction> {
    let Some(Text { value, span }) = remedy else {
        let help = format!("add `remedy = \"…\"`; {}", known());
        fields.problem(wish, "`on_violation = \"enforce\"` does not say by which remedy", Some(help));
        return None;
    };
    match of_name(&value) {
        Ok(remedy) => Some(Reaction { action: Action::Enforce(remedy), at: span }),
        Err((message, help)) => {
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
                "a property that speaks of what a task does to its thread",
                "such events are `block`, `unblock`, `suspend` and `poll`",
            )
        }
        Remedy::Handle if !speaks_of(&[EventKind::Finish, EventKind::Panic]) => {
            wants("a property that speaks of how a task ends", "such events are `finish` and `panic`")
        }
        Remedy::Gate if count(Sort::Lock) != 2 => wants(
            "a property with two variables of sort lock",
            "it keeps the places apart where the two locks are taken, each inside the other",
        ),
        Remedy::Gate if !speaks_of(&[EventKind::Acquire]) => {
            wants("a property that speaks of `acquire`", "that tells where the two locks are taken")
        }
        Remedy::Refuse if !events.iter().any(|it| can_refuse(*it)) => wants(
            "a property that speaks of an event at which a program can be stopped",
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

/// A property that is to be enforced, and how: `PROPERTY=REMEDY`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    property: String,
    remedy: Remedy,
}

impl std::str::FromStr for Wish {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Wish, String> {
        let (property, remedy) = text.split_once('=').ok_or("this is `PROPERTY=REMEDY`")?;
        let remedy = of_name(remedy).map_err(|(message, help)| format!("{message}; {help}"))?;
        Ok(Wish { property: property.to_owned(), remedy })
    }
}

/// Has these properties enforced, whatever their files say.
pub fn enforce(properties: &mut [Declared], wishes: &[Wish]) -> Result<()> {
    for Wish { property: id, remedy } in wishes {
        find(id, properties)?;
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
