//! Events to messages: their names and values become numbers.

use rvcheck_event::event::Event;
use rvcheck_event::id::StringId;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;

use crate::evaluation::lifestate::message::{Message, built_in_values};
use crate::evaluation::lifestate::values::{ABSENT, Number, Values};
use crate::language::lifestate::Kind;
use crate::model::crossing::Crossing;
use crate::model::lifestate::Lifestate;
use crate::semantics::facts::Facts;

/// How many numbers of names are remembered. No trace with more names than that is about properties.
const MOST: usize = 1 << 20;

/// What the name of an event stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    Never,
    Nothing,
    Message {
        kind: Kind,
        refused: bool,
        head: Option<usize>,
    },
    /// The return of a call that was refused; the head is that of the call.
    Refusal {
        head: Option<usize>,
    },
}

/// See the module. It holds the message that was read last.
#[derive(Clone, Debug)]
pub struct Reader {
    values: Values,
    /// By number of the name.
    seen: Vec<Seen>,
    /// By number of the kind: the message that built-in events are of which some rule speaks.
    built_in: Vec<Option<(Crossing, Option<usize>)>>,
    current: (Kind, bool, Option<usize>),
    numbers: Vec<Number>,
}

impl Reader {
    /// One for the messages of this model.
    pub fn new(lifestate: &Lifestate) -> Reader {
        let mut built_in = vec![None; 256];
        for (event, crossing, head) in lifestate.crossings() {
            built_in[event as usize] = Some((crossing, head));
        }
        Reader {
            values: Values::new(&lifestate.constants),
            seen: Vec::new(),
            built_in,
            current: (Kind::Callin, false, None),
            numbers: Vec::new(),
        }
    }

    /// Reads an event. False where it is no message.
    #[inline]
    pub fn read<F: Facts + ?Sized>(&mut self, lifestate: &Lifestate, event: &Event, facts: &F) -> bool {
        if event.kind == EventKind::User {
            return self.read_named(lifestate, StringId(event.object), facts, facts.arguments(event));
        }
        let Some((crossing, head)) = self.built_in.get(event.kind as usize).copied().flatten() else {
            return false;
        };
        self.current = (crossing.kind, false, head);
        self.numbers.clear();
        for value in built_in_values(event, crossing) {
            self.push(value, facts);
        }
        true
    }

    /// Reads an event that says that a call was refused which the trace has had: see `refusal.rs`. The message is that call. False
    /// where it says nothing of that kind.
    #[inline]
    pub fn read_refusal<F: Facts + ?Sized>(
        &mut self,
        lifestate: &Lifestate,
        event: &Event,
        facts: &F,
    ) -> bool {
        if event.kind != EventKind::User {
            return false;
        }
        let Seen::Refusal { head } = self.seen(lifestate, StringId(event.object), facts) else {
            return false;
        };
        self.current = (Kind::Callin, true, head);
        self.numbers.clear();
        // The result stands in front.
        let arguments = facts.arguments(event).get(1..).unwrap_or_default();
        self.push_all(lifestate, head, facts, arguments);
        true
    }

    #[inline]
    fn push<F: Facts + ?Sized>(&mut self, value: Value, facts: &F) {
        self.numbers.push(if value == Value::Absent { ABSENT } else { self.values.number(value, facts) });
    }

    /// Reads an event of the program's own with this name.
    #[inline]
    fn read_named<F: Facts + ?Sized>(
        &mut self,
        lifestate: &Lifestate,
        name: StringId,
        facts: &F,
        arguments: &[Value],
    ) -> bool {
        let Seen::Message { kind, refused, head } = self.seen(lifestate, name, facts) else { return false };
        self.current = (kind, refused, head);
        self.numbers.clear();
        self.push_all(lifestate, head, facts, arguments);
        true
    }

    #[inline]
    fn seen<F: Facts + ?Sized>(&mut self, lifestate: &Lifestate, name: StringId, facts: &F) -> Seen {
        match self.seen.get(name.0 as usize) {
            None | Some(Seen::Never) => self.meet(lifestate, name, facts),
            Some(seen) => *seen,
        }
    }

    #[inline]
    fn push_all<F: Facts + ?Sized>(
        &mut self,
        lifestate: &Lifestate,
        head: Option<usize>,
        facts: &F,
        arguments: &[Value],
    ) {
        if let Some(head) = head {
            let wanted = lifestate.heads[head].values;
            for place in 0..wanted {
                self.push(arguments.get(place).copied().unwrap_or_default(), facts);
            }
        } else {
            for value in arguments {
                self.numbers.push(self.values.number(*value, facts));
            }
        }
    }

    #[cold]
    fn meet<F: Facts + ?Sized>(&mut self, lifestate: &Lifestate, name: StringId, facts: &F) -> Seen {
        // The text of a number that stands for nothing is empty, and it may stand for something later.
        let Some(text) = facts.text(name).filter(|it| !it.is_empty()) else { return Seen::Never };
        // Other models have libraries of their own, which refuse what they like.
        let is_named = |path: &str| {
            let kinds = [Kind::Callin, Kind::CallinReturn];
            kinds.into_iter().any(|it| lifestate.head(it, path).is_some())
        };
        let refusal = Kind::of_refusal(text).filter(|it| is_named(it));
        let refusal = refusal.map(|path| Seen::Refusal { head: lifestate.head(Kind::Callin, path) });
        let message =
            |(kind, path, refused)| Seen::Message { kind, refused, head: lifestate.head(kind, path) };
        let seen = refusal.or_else(|| Kind::of_event(text).map(message)).unwrap_or(Seen::Nothing);
        let place = name.0 as usize;
        if place < MOST {
            self.seen.resize(self.seen.len().max(place + 1), Seen::Never);
            self.seen[place] = seen;
        }
        seen
    }

    /// The message that was read last.
    #[inline]
    pub fn message(&self) -> Message<'_> {
        let (kind, refused, head) = self.current;
        Message { kind, refused, head, values: &self.numbers }
    }

    /// The number of an object, if some message had it.
    pub(crate) fn known(&self, object: (Sort, u32)) -> Option<Number> {
        self.values.known(object)
    }

    /// Forgets an object that no message will have.
    pub(crate) fn forget(&mut self, object: (Sort, u32)) {
        self.values.forget(object);
    }

    /// A value of this number.
    pub fn value(&self, number: Number) -> Value {
        self.values.value(number)
    }
}
