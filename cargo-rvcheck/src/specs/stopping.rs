//! `on_violation`, `stop` and `remedy`: what happens where a property is violated.

use super::fields::{Fields, Text};
use super::remedies;
use rvcheck_enforcement::Action;
use rvcheck_event::kind::EventKind;
use rvcheck_spec::language::problem::did_you_mean;
use rvcheck_spec::{Property, PropertySource};
use std::ops::Range;

/// What happens where a property is violated, if it is not only reported.
#[derive(Clone, Debug)]
pub(super) struct Reaction {
    /// That.
    pub(super) action: Action,
    /// Where it says so.
    pub(super) at: Range<usize>,
}

/// What `on_violation` can be.
const WISHES: [&str; 3] = ["report", "stop", "enforce"];

/// Reads the keys.
pub(super) fn read(fields: &mut Fields<'_, '_>) -> Option<Reaction> {
    let (wish, how, remedy) = (fields.text("on_violation"), fields.text("stop"), fields.text("remedy"));
    let (name, at) = wish.map_or(("report".to_owned(), 0..0), |it| (it.value, it.span));
    let (stops, enforces) = (name == "stop", name == "enforce");
    if !WISHES.contains(&name.as_str()) {
        let help = did_you_mean(&name, WISHES);
        let help = help.unwrap_or_else(|| "it is `report`, `stop` or `enforce`".to_owned());
        fields.problem(at, format!("unknown `on_violation` `{name}`"), Some(help));
        return None;
    }
    let mut is_right = true;
    let unwanted = [
        (how.as_ref().filter(|_| !stops), "stop", "it says how `on_violation = \"stop\"` stops the program"),
        (remedy.as_ref().filter(|_| !enforces), "remedy", "it says what `on_violation = \"enforce\"` does"),
    ];
    for (text, key, help) in unwanted {
        let Some(text) = text else { continue };
        let wish = if key == "stop" { "stop" } else { "enforce" };
        let message = format!("`{key}` means nothing without `on_violation = \"{wish}\"`");
        fields.problem(text.span.clone(), message, Some(help.to_owned()));
        is_right = false;
    }
    if !is_right {
        return None;
    }
    if enforces {
        return remedies::read(fields, remedy, at);
    }
    if !stops {
        return None;
    }
    let Some(how) = how else { return Some(Reaction { action: Action::Panic, at }) };
    let Text { value, span } = how;
    let Some(action) = Action::stop_of_name(&value) else {
        fields.problem(
            span,
            format!("unknown `stop` `{value}`"),
            Some("it is `panic` or `abort`".to_owned()),
        );
        return None;
    };
    Some(Reaction { action, at: span })
}

/// Why this property cannot stop a program, or be enforced; `None` if it can.
pub(super) fn obstacle(property: &Property, source: &PropertySource) -> Option<&'static str> {
    if matches!(property, Property::BuiltIn(_)) {
        return Some("what violates it is found only when the program was stopped, so this cannot stop it");
    }
    let awaits = [EventKind::Await, EventKind::Resume, EventKind::AwaitCancel];
    let reads_calls = source.transitions.iter().chain(&source.formula).any(|it| it.contains("what"))
        && property.alphabet().iter().any(|it| awaits.contains(it));
    reads_calls.then_some("what is awaited is not known while the program runs, so this cannot stop it")
}
