//! What monitoring a trace comes to.

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::value::Value;

/// How a unit ended, as far as verdicts care.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnitEnd {
    /// It came to its end, and its trace is whole.
    Complete,
    /// It panicked, was stopped, or events of it were lost. What is missing at its end says nothing.
    Cut,
}

/// The verdict of one property over one unit; the worst comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// Some binding broke it.
    Violated,
    /// The unit was cut, or the monitor had to stop, before anything broke it.
    Inconclusive,
    /// It was monitored, and it held.
    Held,
    /// No event matched any of its patterns.
    NotExercised,
}

impl Verdict {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Violated => "violated",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Held => "held",
            Verdict::NotExercised => "not-exercised",
        }
    }
}

/// Why a unit of which all was seen does not tell whether a grammar holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DoubtKind {
    /// An assertion speaks of a value that is not known.
    Assertion,
    /// It is not known which instance a message belongs to.
    Instance,
    /// A message was received that nobody has sent: the trace is incompatible.
    Unsent,
}

impl DoubtKind {
    /// Whether nothing that comes later in the unit says anything: some message is missing.
    pub(crate) const fn is_lasting(self) -> bool {
        matches!(self, DoubtKind::Instance | DoubtKind::Unsent)
    }
}

/// A reason for doubt, and the message that gave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Doubt {
    /// The reason.
    pub kind: DoubtKind,
    /// The message.
    pub event: Event,
}

/// A unit whose trace is over, as far as the verdict of a property depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    /// How many bindings broke the property.
    pub(crate) violated: u64,
    /// For how many of them an event matched a pattern.
    pub(crate) exercised: u64,
    /// All of the unit was seen, and the monitor came to the end of it.
    pub(crate) complete: bool,
    /// It is what happened beside tests.
    pub(crate) beside_tests: bool,
}

impl Outcome {
    /// Whether nothing is said of the unit: what happens beside tests is no unit that anything could be expected of.
    pub(crate) const fn is_beside(self) -> bool {
        self.beside_tests && self.exercised == 0
    }

    /// The verdict.
    pub(crate) const fn verdict(self) -> Verdict {
        match self {
            _ if self.is_beside() => Verdict::NotExercised,
            Outcome { violated: 1.., .. } => Verdict::Violated,
            Outcome { complete: false, .. } => Verdict::Inconclusive,
            Outcome { exercised: 0, .. } => Verdict::NotExercised,
            Outcome { .. } => Verdict::Held,
        }
    }
}

/// What is known of a property while its unit goes on, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outlook {
    /// It is violated, whatever comes.
    False,
    /// It is violated if the unit ends now, and what comes can mend that.
    PresumablyFalse,
    /// It holds if the unit ends now, and what comes can break it.
    PresumablyTrue,
    /// It holds, whatever comes.
    True,
}

impl Outlook {
    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Outlook::False => "false",
            Outlook::PresumablyFalse => "presumably false",
            Outlook::PresumablyTrue => "presumably true",
            Outlook::True => "true",
        }
    }
}

/// Why the monitor of a property stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// More bindings are alive than [`crate::Limits::instances`] allows.
    Instances {
        /// The limit.
        limit: usize,
    },
    /// Relating bindings to each other took more steps than [`crate::Limits::work`] allows.
    Work {
        /// The limit.
        limit: u64,
    },
    /// A formula needs more events at once than [`crate::Limits::events`] allows.
    Events {
        /// The limit.
        limit: usize,
    },
    /// Two transitions were enabled together: an error of the specification.
    Overlap {
        /// The state they both leave.
        state: String,
        /// Their places in `transitions`.
        transitions: (usize, usize),
        /// The event.
        event: Box<Event>,
    },
}

/// The events that moved an instance, since it last was as if nothing had happened: the first and the last of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Witness {
    /// The first events.
    pub first: Vec<Event>,
    /// How many came in between and were not kept.
    pub skipped: u64,
    /// The last events; empty while `first` has room.
    pub last: Vec<Event>,
}

impl Witness {
    /// The events that were kept, in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Event> {
        self.first.iter().chain(&self.last)
    }
}

/// One binding that broke one property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The place of the property in the list that the monitor was made with.
    pub property: usize,
    /// The unit.
    pub unit: UnitId,
    /// The value of each parameter, in the order of [`crate::Property::parameters`].
    pub binding: Vec<Value>,
    /// The place of the state in [`crate::Automaton::states`]; 0 for a formula.
    pub state: usize,
    /// The values of the registers of an automaton, which are the attributes of the nonterminal of a grammar.
    pub registers: Vec<Value>,
    /// It is a violation only because the unit ended there.
    pub at_end: bool,
    /// What led there.
    pub witness: Witness,
}

/// One property over one unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitVerdict {
    /// The unit.
    pub unit: UnitId,
    /// The verdict.
    pub verdict: Verdict,
    /// How many bindings there were.
    pub bindings: u64,
    /// How many of them broke the property.
    pub violated: u64,
    /// For how many of them an event matched a pattern.
    pub bindings_exercised: u64,
    /// Whether any event matched a pattern.
    pub exercised: bool,
    /// How many events of the property's alphabet the unit had.
    pub events: u64,
    /// Why it is inconclusive although all of the unit was seen, if it is: the first reason.
    pub doubt: Option<Doubt>,
    /// Values for which a formula holds that begins with `exists`, in the order of [`crate::Property::witnesses`]. Empty where
    /// it does not hold, or begins otherwise.
    pub witness: Vec<Value>,
}

/// One property over all units in which an event of its alphabet occurred, or whose end was told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyVerdict {
    /// The units, by number.
    pub units: Vec<UnitVerdict>,
    /// Why its monitor stopped, if it did.
    pub fault: Option<Fault>,
}

/// Everything that a monitor found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdicts {
    /// The properties, in the order of the list that the monitor was made with.
    pub properties: Vec<PropertyVerdict>,
    /// The violations in the order in which they happened; those at the end come last, by property, unit and binding.
    /// At most [`crate::Limits::violations`] for each property; [`UnitVerdict::violated`] counts them all.
    pub violations: Vec<Violation>,
}
