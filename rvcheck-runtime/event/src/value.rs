//! Values: what the arguments and attributes of events are.

use crate::event::Event;
use crate::id::StringId;
use crate::kind::{EventKind, Sort};
use crate::names::Names;

/// A value of an argument or attribute. Small and cheap to copy; texts are numbers, see [`Names::text`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Value {
    /// Not known. It is equal to nothing that a property can write, and binds no variable.
    #[default]
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
    /// The instance of a named group of tasks, by its text, such as `workers:1`.
    Group(StringId),
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

    /// The text of a symbol, a string or a group.
    pub fn text(self, names: &Names) -> Option<&str> {
        match self {
            Value::Symbol(text) => Some(text),
            Value::Str(id) | Value::Group(id) => Some(names.text(id)),
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
            Value::Group(_) => Some(Sort::Group),
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
