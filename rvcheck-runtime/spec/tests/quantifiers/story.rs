//! Random traces with events of the program's own, and what is known at each moment of them.

use rvcheck_event::event::Event;
use rvcheck_event::id::{StringId, ThreadId, UnitId};
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::names::Names;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_spec::Facts;

use crate::kit;
use crate::random::Random;

/// An event with its arguments, where it is one of the program's own.
pub(crate) type Happening = (Event, Vec<Value>);

/// What is known at one moment.
#[derive(Default)]
pub(crate) struct Moment {
    pub(crate) names: Names,
    pub(crate) arguments: Vec<Value>,
    world: World,
}

impl Facts for Moment {
    fn attribute(&self, event: &Event, name: &'static str) -> Option<Value> {
        self.world.attribute(event, name)
    }

    fn arguments(&self, event: &Event) -> &[Value] {
        if event.kind == EventKind::User { &self.arguments } else { &[] }
    }

    fn callee(&self) -> Value {
        Value::Absent
    }

    fn text(&self, id: StringId) -> Option<&str> {
        Some(self.names.text(id))
    }
}

/// A random trace of fewer than so many events. Most have only a few kinds, so that quantifiers find sorts of which there is
/// nothing.
pub(crate) fn story(random: &mut Random, moment: &mut Moment, length: usize) -> Vec<Happening> {
    let kinds = ["poll", "finish", "acquire", "release", "request", "spawn", "send", "recv_wait"];
    let own = ["tick", "flag", "flag", "say", "put", "pair", "other"];
    let all: Vec<&str> = kinds.iter().chain(&own).copied().collect();
    let few = random.one(&[1, 2, 3, 5, 12]);
    let chosen: Vec<&str> = (0..few).map(|_| random.one(&all)).collect();
    let count = random.below(length);
    (0..count).map(|at| happening(random, moment, random_name(&chosen, at), at)).collect()
}

fn random_name<'a>(chosen: &[&'a str], at: usize) -> &'a str {
    chosen[at % chosen.len()]
}

fn happening(random: &mut Random, moment: &mut Moment, name: &str, at: usize) -> Happening {
    let kind = EventKind::of_name(name).unwrap_or(EventKind::User);
    let own = kind == EventKind::User;
    let object = if own { moment.names.intern(name).0 } else { 1 + random.below(3) as u32 };
    let event = Event {
        flags: random.below(2) as u8,
        thread: ThreadId(1 + random.below(2) as u32),
        unit: UnitId(1 + random.below(2) as u32),
        number: random.below(3) as u64,
        time: 10 * at as u64,
        ..kit::event(kind, 1 + random.below(3) as u32, object)
    };
    let sorts: &[Sort] = match name {
        "flag" => &[Sort::Int, Sort::Bool],
        "say" => &[Sort::Str, Sort::Int],
        "put" => &[Sort::Any],
        "pair" => &[Sort::Int, Sort::Int],
        _ => &[],
    };
    let arguments = sorts.iter().map(|sort| value(random, moment, *sort)).collect();
    (event, arguments)
}

fn value(random: &mut Random, moment: &mut Moment, sort: Sort) -> Value {
    // Now and then a program gives something else than it declared, or nothing.
    let sort = if random.chance(4) { Sort::Any } else { sort };
    match sort {
        Sort::Int => Value::Int(random.below(4) as i64),
        Sort::Bool => Value::Bool(random.chance(50)),
        Sort::Str => Value::Str(moment.names.intern(random.one(&["a", "b", "read"]))),
        _ => match random.below(5) {
            0 => Value::Object(Sort::Task, 1 + random.below(3) as u32),
            1 => Value::Absent,
            2 => Value::Object(Sort::Lock, 1 + random.below(3) as u32),
            3 => Value::Bool(true),
            _ => Value::Int(random.below(3) as i64),
        },
    }
}
