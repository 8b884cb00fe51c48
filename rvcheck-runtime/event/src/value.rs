//! What properties can ask of an event: its arguments and attributes.

use crate::event::Event;
use crate::id::{ObjectId, SiteId, StringId, TaskId, UnitId};
use crate::kind::{EventKind, Mode, Outcome, Sort, TaskKind, TestOutcome, Timer, What};
use crate::record::flag;
use crate::world::World;

/// A value of an argument or attribute. Small and cheap to copy; texts are numbers, see [`World::names`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// Not known. It is equal to nothing that a property can write, and binds no variable.
    Absent,
    /// A task, lock, channel, semaphore, signal, thread or test; its number is never 0.
    Object(Sort, u32),
    /// A number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// The name of a variant, such as `write`.
    Symbol(&'static str),
    /// A text of the trace.
    Str(StringId),
}

impl Value {
    /// The object with this number; 0 is [`Value::Absent`].
    pub const fn object(sort: Sort, number: u32) -> Value {
        if number == 0 { Value::Absent } else { Value::Object(sort, number) }
    }

    /// The number, as far as it fits.
    pub fn int(number: u64) -> Value {
        Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// The text of a symbol or string.
    pub fn text(self, world: &World) -> Option<&str> {
        match self {
            Value::Symbol(text) => Some(text),
            Value::Str(id) => Some(world.names().text(id)),
            _ => None,
        }
    }

    /// The sort of the value; `None` where it is not known.
    pub const fn sort(self) -> Option<Sort> {
        match self {
            Value::Absent => None,
            Value::Object(sort, _) => Some(sort),
            Value::Int(_) => Some(Sort::Int),
            Value::Bool(_) => Some(Sort::Bool),
            Value::Symbol(_) | Value::Str(_) => Some(Sort::Str),
        }
    }
}

impl Event {
    /// The positional argument with this index, in the order of the kind's signature. [`Value::Absent`] where there is
    /// none, or where it is not known.
    #[inline]
    pub fn argument(&self, index: usize) -> Value {
        let Some((_, sort)) = self.kind.signature().params.get(index) else { return Value::Absent };
        match (sort, index) {
            (Sort::Task, 0) => Value::object(Sort::Task, self.task.0),
            (Sort::Int, _) if self.number == 0 && is_message(self.kind) => Value::Absent,
            (Sort::Int, _) => Value::int(self.number),
            (sort, _) => Value::object(*sort, self.object),
        }
    }
}

/// Whether `number` is that of a message, where 0 stands for one that is not known.
const fn is_message(kind: EventKind) -> bool {
    matches!(kind, EventKind::Send | EventKind::Recv | EventKind::Undelivered)
}

/// The attribute of that name. `None` where the kind of event has no such attribute, or it is not known.
///
/// `world` is the state right after the event, as the merge has it when it returned the event.
pub fn attribute(event: &Event, name: &str, world: &World) -> Option<Value> {
    use EventKind as K;
    if name == "time" {
        return Some(Value::int(event.time));
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
