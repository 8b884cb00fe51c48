//! Events that automata emit: what the automata of their file see beside the events of the trace.

use rvcheck_event::event::Event;
use rvcheck_event::id::StringId;
use rvcheck_event::kind::EventKind;
use rvcheck_event::value::Value;
use rvcheck_event::world::MAX_ARGUMENTS;

use crate::model::automaton::{Action, Automaton, Emission};
use crate::semantics::facts::Facts;

/// The number of the name of every emitted event. [`EmittedFacts`] knows the name; the names of a trace are counted from 0.
const EMITTED: StringId = StringId(u32::MAX);

/// What an automaton emitted. The order is that in which others take what is emitted at once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Emitted {
    /// The transition.
    pub transition: usize,
    /// The place among the actions of the transition.
    pub action: usize,
    /// The arguments; [`Value::Absent`] for what is not known, and behind the last.
    pub arguments: [Value; MAX_ARGUMENTS],
}

impl Emitted {
    /// What the automaton that emitted this says of it.
    pub fn emission<'a>(&self, automaton: &'a Automaton) -> Option<&'a Emission> {
        match automaton.transitions.get(self.transition)?.actions.get(self.action)? {
            Action::Emit(emission) => Some(emission),
            Action::Assign(..) | Action::Set(..) | Action::Clear(_) => None,
        }
    }
}

/// The event that is emitted because of this one: at the same time and place, by the same task of the same unit.
pub fn because_of(event: &Event) -> Event {
    Event { kind: EventKind::User, flags: 0, object: EMITTED.0, number: 0, ns: 0, cpu: 0, ..*event }
}

/// Facts about an event that was emitted with this name and these arguments.
pub struct EmittedFacts<'a> {
    /// What is known of the event that caused it.
    pub facts: &'a dyn Facts,
    /// The name.
    pub name: &'a str,
    /// The arguments.
    pub arguments: &'a [Value],
}

impl Facts for EmittedFacts<'_> {
    fn attribute(&self, event: &Event, name: &'static str) -> Option<Value> {
        self.facts.attribute(event, name)
    }

    fn arguments(&self, _: &Event) -> &[Value] {
        self.arguments
    }

    fn callee(&self) -> Value {
        Value::Absent
    }

    fn text(&self, id: StringId) -> Option<&str> {
        if id == EMITTED { Some(self.name) } else { self.facts.text(id) }
    }
}
