//! Messages of lifestates, and why they are not allowed, in words.

use crate::check::scene::Scene;
use rvcheck_event::event::Event;
use rvcheck_event::value::Value;
use rvcheck_spec::Lifestate;
use rvcheck_spec::evaluation::lifestate::history::Reason;
use rvcheck_spec::language::lifestate::Kind;
use rvcheck_spec::model::crossing::crossing;

/// A message as rules write it: `ciret Ready = Service::poll_ready(1)`.
pub(in crate::check) fn message(event: &Event, arguments: &[Value], scene: &Scene<'_>) -> String {
    let name = name(event, scene);
    let values: Vec<String> = arguments
        .iter()
        .map(|it| if *it == Value::Absent { "_".to_owned() } else { value(*it, scene) })
        .collect();
    if let (Some(path), Some((_, rest))) = (Kind::of_refusal(&name), values.split_first()) {
        return format!("{} {path}({})", Kind::REFUSED, rest.join(", "));
    }
    match (Kind::of_event(&name), values.split_first()) {
        (Some((kind, path, _)), Some((result, rest))) if kind.is_return() => {
            format!("{} {result} = {path}({})", kind.name(), rest.join(", "))
        }
        _ => format!("{name}({})", values.join(", ")),
    }
}

/// A value as a part of a message, which is quoted as a whole.
pub(in crate::check) fn value(value: Value, scene: &Scene<'_>) -> String {
    scene.name(value).replace('`', "")
}

/// How the library has refused a call that the trace has had: `` it returned `Err` ``.
pub(in crate::check) fn refusal(event: &Event, arguments: &[Value], scene: &Scene<'_>) -> Option<String> {
    Kind::of_refusal(&name(event, scene))?;
    let result = arguments.first().filter(|it| **it != Value::Absent).map(|it| scene.name(*it))?;
    let panicked = result == PANICKED;
    Some(if panicked { "it panicked".to_owned() } else { format!("it returned `{result}`") })
}

/// What the result of a call is called that ends in a panic.
const PANICKED: &str = "panicked";

/// Why a message is not allowed: `rule 3, `…`, since …`.
pub(in crate::check) fn reason<M: Copy>(
    lifestate: &Lifestate,
    reason: Reason<M>,
    since: impl Fn(M) -> String,
) -> String {
    match reason {
        Reason::Rule(rule, mark) => {
            let text = lifestate.rules.get(rule).map_or("", |it| it.text.as_str());
            let when =
                mark.map_or_else(|| "from the beginning".to_owned(), |it| format!("since {}", since(it)));
            format!("rule {}, `{text}`, {when}", rule + 1)
        }
        Reason::Inconsistent(permits, prohibits) => {
            format!(
                "rules {} and {}, which contradict each other after some message before",
                permits + 1,
                prohibits + 1
            )
        }
    }
}

/// An event with its place: `` `ci Service::call` at trace.jsonl:3:1 ``.
pub(in crate::check) fn event(event: &Event, scene: &Scene<'_>) -> String {
    let place = scene.position(event.site).map_or_else(String::new, |it| format!(" at {it}"));
    format!("`{}`{place}", name(event, scene))
}

/// What the message is called: `ciret acquire`.
fn name(event: &Event, scene: &Scene<'_>) -> String {
    match crossing(event.kind) {
        Some(it) => format!("{} {}", it.kind.name(), it.path),
        None => scene.event(event),
    }
}
