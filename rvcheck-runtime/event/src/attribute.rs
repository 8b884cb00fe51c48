//! Attributes: what properties can ask of an event beside its arguments.

use crate::event::Event;
use crate::id::{ObjectId, SiteId, TaskId, UnitId};
use crate::kind::{EventKind, Mode, Outcome, Sort, TaskKind, TestOutcome, Timer, What};
use crate::record::flag;
use crate::value::Value;
use crate::world::World;

/// The attributes that every event has.
pub const COMMON: [(&str, Sort); 4] =
    [("time", Sort::Int), ("task", Sort::Task), ("thread", Sort::Thread), ("group", Sort::Group)];

fn common(event: &Event, name: &str, world: &World) -> Option<Value> {
    let value = match name {
        "time" => Value::int(event.time),
        "task" => Value::object(Sort::Task, event.task.0),
        "thread" => Value::object(Sort::Thread, event.thread.0),
        _ => world.group(),
    };
    Some(value).filter(|it| *it != Value::Absent)
}

/// The attribute of that name. `None` where the kind of event has no such attribute, or it is not known.
///
/// `world` is the state right after the event, as the merge has it when it returned the event.
pub fn attribute(event: &Event, name: &str, world: &World) -> Option<Value> {
    use EventKind as K;
    if COMMON.iter().any(|it| it.0 == name) {
        return common(event, name, world);
    }
    let bits = event.flags & flag::ENUM;
    match event.kind {
        K::Spawn | K::Start => {
            let task = if event.kind == K::Spawn { event.object } else { event.task.0 };
            match name {
                "kind" => TaskKind::of_bits(bits).map(|it| Value::Symbol(it.name())),
                "name" => world.names().task(TaskId(task)).map(Value::Str),
                "output" if event.kind == K::Spawn => {
                    let output = world.task(TaskId(task))?.output;
                    output.is_some().then_some(Value::Str(output))
                }
                _ => None,
            }
        }
        K::Poll if name == "on" => Some(Value::object(Sort::Thread, event.thread.0)),
        K::Suspend | K::Finish | K::Cancel => match name {
            "ns" => Some(Value::int(event.ns)),
            "cpu" => Some(Value::int(event.cpu)),
            "timer" if event.kind == K::Suspend => Some(Value::Bool(event.flags & flag::TIMER != 0)),
            "outcome" if event.kind == K::Finish => Outcome::of_bits(bits).map(|it| Value::Symbol(it.name())),
            _ => None,
        },
        K::Detach if name == "by_owner" => Some(Value::Bool(event.flags & flag::BY_OWNER != 0)),
        K::Panic if name == "dropped" => Some(Value::Bool(event.flags & flag::DROPPED != 0)),
        K::Panic if name == "caught" => Some(Value::Bool(event.flags & flag::CAUGHT != 0)),
        K::Await | K::Resume | K::AwaitCancel if name == "what" => {
            let timer = Timer::of_bits(bits).map(|it| Value::Symbol(it.name()));
            timer.or_else(|| call(event.site, world))
        }
        K::Request | K::Acquire | K::Release | K::Withdraw => match name {
            "mode" => Mode::of_bits(bits).map(|it| Value::Symbol(it.name())),
            "try" => Some(Value::Bool(event.flags & flag::TRY != 0)),
            "class" => class(event, world),
            "kind" => {
                world.object(ObjectId(event.object))?.kind.lock_kind().map(|it| Value::Symbol(it.name()))
            }
            "send" => world.object(ObjectId(event.object))?.kind.sends_guards().map(Value::Bool),
            _ => None,
        },
        K::Block | K::Unblock => match name {
            "what" => What::of_bits(bits).map(|it| Value::Symbol(it.name())),
            "ns" if event.kind == K::Unblock => Some(Value::int(event.ns)),
            _ => None,
        },
        K::TestBegin | K::TestEnd => match name {
            "name" => world.names().unit(UnitId(event.object)).map(Value::Str),
            "outcome" if event.kind == K::TestEnd => {
                TestOutcome::of_bits(bits).map(|it| Value::Symbol(it.name()))
            }
            _ => None,
        },
        K::PermitRelease if name == "added" => Some(Value::Bool(event.flags & flag::ADDED != 0)),
        _ => object_attribute(event, name, world),
    }
}

/// The attributes that channels, semaphores and signals lend to their events.
fn object_attribute(event: &Event, name: &str, world: &World) -> Option<Value> {
    if !event.kind.signature().attrs.iter().any(|(attribute, _)| *attribute == name) {
        return None;
    }
    match name {
        "capacity" => world.object(ObjectId(event.object)).map(|it| Value::int(it.capacity.into())),
        "class" => class(event, world),
        _ => None,
    }
}

fn class(event: &Event, world: &World) -> Option<Value> {
    let class = world.object(ObjectId(event.object))?.class;
    class.is_some().then_some(Value::Str(class))
}

fn call(site: SiteId, world: &World) -> Option<Value> {
    world.names().call(site).map(Value::Str)
}
