//! `on_violation` and `stop`: what happens where a property is violated.

use super::fields::{Fields, Text};
use rvcheck_enforcement::Action;
use rvcheck_event::kind::EventKind;
use rvcheck_spec::language::problem::did_you_mean;
use rvcheck_spec::{Property, PropertySource};

/// Reads both keys: how the property stops the program, if it does, and where that stands.
pub(super) fn read(fields: &mut Fields<'_, '_>) -> Option<(Action, Text)> {
    let (wish, how) = (fields.text("on_violation"), fields.text("stop"));
    let stops = match wish.as_ref().map(|it| it.value.as_str()) {
        None | Some("report") => false,
        Some("stop") => true,
        Some("enforce") => {
            let span = wish.as_ref().map_or(0..0, |it| it.span.clone());
            fields.problem(span, "`enforce` is not supported by this version", None);
            return None;
        }
        Some(other) => {
            let help = did_you_mean(other, ["report", "stop"]);
            let help = help.unwrap_or_else(|| "it is `report` or `stop`".to_owned());
            let span = wish.as_ref().map_or(0..0, |it| it.span.clone());
            fields.problem(span, format!("unknown `on_violation` `{other}`"), Some(help));
            return None;
        }
    };
    let Some(how) = how else { return wish.filter(|_| stops).map(|it| (Action::Panic, it)) };
    if !stops {
        let help = "it says how `on_violation = \"stop\"` stops the program".to_owned();
        fields.problem(how.span, "`stop` means nothing without `on_violation = \"stop\"`", Some(help));
        return None;
    }
    let Some(action) = Action::of_name(&how.value) else {
        let message = format!("unknown `stop` `{}`", how.value);
        fields.problem(how.span, message, Some("it is `panic` or `abort`".to_owned()));
        return None;
    };
    Some((action, how))
}

/// Why this property cannot stop a program; `None` if it can.
pub(super) fn obstacle(property: &Property, source: &PropertySource) -> Option<&'static str> {
    if matches!(property, Property::BuiltIn(_)) {
        return Some("what violates it is found only when the program was stopped, so this cannot stop it");
    }
    let awaits = [EventKind::Await, EventKind::Resume, EventKind::AwaitCancel];
    let reads_calls = source.transitions.iter().chain(&source.formula).any(|it| it.contains("what"))
        && property.alphabet().iter().any(|it| awaits.contains(it));
    reads_calls.then_some("what is awaited is not known while the program runs, so this cannot stop it")
}
