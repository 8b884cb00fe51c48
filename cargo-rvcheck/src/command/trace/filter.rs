//! Which events of a trace are shown.

use crate::check::{Labels, OpenTrace, Traces};
use crate::cli::FilterArgs;
use crate::error::{Expected, Result};
use rvcheck_event::event::Event;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;
use rvcheck_event::world::World;

/// A task or an object that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wanted {
    /// By its number, and its sort where that is said.
    Number(Option<Sort>, u32),
    /// By a part of its name.
    Name(String),
}

impl Wanted {
    fn of(text: &str) -> Wanted {
        let number = |it: &str| it.parse().ok().filter(|it| *it > 0);
        let sorted = || {
            let (sort, id) = text.split_once(':')?;
            Some(Wanted::Number(Some(Sort::of_name(sort)?), number(id)?))
        };
        let plain = || Some(Wanted::Number(None, number(text)?));
        sorted().or_else(plain).unwrap_or_else(|| Wanted::Name(text.to_owned()))
    }

    fn is(&self, value: Value, event: &Event, labels: &Labels<'_>, world: &World) -> bool {
        let Value::Object(sort, number) = value else { return false };
        match self {
            Wanted::Number(wanted, id) => wanted.is_none_or(|it| it == sort) && *id == number,
            Wanted::Name(name) => labels.name(value, event, world).contains(name.as_str()),
        }
    }
}

/// See the module.
pub(super) struct Filter<'a> {
    args: &'a FilterArgs,
    tasks: Vec<Wanted>,
    objects: Vec<Wanted>,
}

impl<'a> Filter<'a> {
    pub(super) fn of(args: &'a FilterArgs) -> Filter<'a> {
        let wanted = |texts: &[String]| texts.iter().map(|it| Wanted::of(it)).collect();
        Filter { args, tasks: wanted(&args.task), objects: wanted(&args.object) }
    }

    /// Refuses kinds of events that are in none of the traces, which would be a mistake in writing.
    pub(super) fn check(&self, traces: &Traces) -> Result<()> {
        for kind in self.args.kind.iter().filter(|it| EventKind::of_name(it).is_none()) {
            let mut is_known = false;
            for index in 0..traces.count() {
                is_known |= traces.look(index, |it| it.names().id_of(kind).is_some())?;
            }
            if !is_known {
                let known = "`cargo rvcheck trace stat` shows the events of a trace".to_owned();
                return Err(Expected::Unknown { what: "event", name: kind.clone(), known });
            }
        }
        Ok(())
    }

    /// Whether the event is to be shown.
    pub(super) fn admits(
        &self,
        event: &Event,
        world: &World,
        trace: &OpenTrace<'_>,
        labels: &Labels<'_>,
    ) -> bool {
        let args = self.args;
        if args.from.is_some_and(|it| event.time < it.0) || args.until.is_some_and(|it| event.time >= it.0) {
            return false;
        }
        let name = world.names().event(event);
        if !args.kind.is_empty() && !args.kind.iter().any(|it| it == name) {
            return false;
        }
        if !args.unit.is_empty() {
            let unit = trace.unit(event.unit);
            if !args.unit.iter().any(|it| unit.contains(it.as_str())) {
                return false;
            }
        }
        let about: Vec<Value> = values(event, world).collect();
        let any = |wanted: &[Wanted], is_of: &dyn Fn(Sort) -> bool| {
            let of = |it: &&Value| it.sort().is_some_and(is_of);
            about.iter().filter(of).any(|value| wanted.iter().any(|it| it.is(*value, event, labels, world)))
        };
        (self.tasks.is_empty() || any(&self.tasks, &|it| it == Sort::Task))
            && (self.objects.is_empty() || any(&self.objects, &|it| it != Sort::Task))
    }
}

/// Everything that an event is of or about.
fn values(event: &Event, world: &World) -> impl Iterator<Item = Value> {
    let own = if event.kind == EventKind::User { world.arguments() } else { &[] };
    let built_in = event.kind.signature().params.len();
    let own: Vec<Value> = own.to_vec();
    std::iter::once(Value::object(Sort::Task, event.task.0))
        .chain((0..built_in).map(|it| event.argument(it)))
        .chain(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_a_number_or_a_part_of_a_name() {
        for (text, expected) in [
            ("task:3", Wanted::Number(Some(Sort::Task), 3)),
            ("17", Wanted::Number(None, 17)),
            ("lock:x", Wanted::Name("lock:x".to_owned())),
            ("a::b", Wanted::Name("a::b".to_owned())),
            ("0", Wanted::Name("0".to_owned())),
        ] {
            assert_eq!(Wanted::of(text), expected, "{text}");
        }
    }
}
