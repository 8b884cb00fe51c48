//! What the engine has to ask about an event beyond the event itself.

use rvcheck_event::event::Event;
use rvcheck_event::id::StringId;
use rvcheck_event::kind::EventKind;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;

/// The answers to a monitor's questions at one moment of a trace: right after the event that is being stepped.
pub trait Facts {
    /// The attribute of that name; `None` where the event has none or it is not known.
    fn attribute(&self, event: &Event, name: &'static str) -> Option<Value>;

    /// The arguments of an event of the program's own; none for a built-in one.
    fn arguments(&self, event: &Event) -> &[Value];

    /// What the message of the event was sent to; [`Value::Absent`] where it is none, or that is not known.
    fn callee(&self) -> Value;

    /// The text of a string.
    fn text(&self, id: StringId) -> Option<&str>;
}

impl Facts for World {
    #[inline]
    fn attribute(&self, event: &Event, name: &'static str) -> Option<Value> {
        rvcheck_event::attribute(event, name, self)
    }

    #[inline]
    fn arguments(&self, event: &Event) -> &[Value] {
        if event.kind == EventKind::User { World::arguments(self) } else { &[] }
    }

    #[inline]
    fn callee(&self) -> Value {
        World::callee(self)
    }

    #[inline]
    fn text(&self, id: StringId) -> Option<&str> {
        Some(self.names().text(id))
    }
}
