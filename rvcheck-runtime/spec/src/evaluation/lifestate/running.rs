//! A lifestate that is monitored: its histories by unit, and what is violated.

use std::collections::{BTreeMap, HashMap};

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::Sort;
use rvcheck_event::value::Value;

use crate::evaluation::engine::Options;
use crate::evaluation::lifestate::binding::unifier;
use crate::evaluation::lifestate::burial::Burial;
use crate::evaluation::lifestate::history::{History, REJOIN_INTERVAL, Reason};
use crate::evaluation::lifestate::message::Message;
use crate::evaluation::lifestate::reader::Reader;
use crate::evaluation::lifestate::refusal::KnownViolations;
use crate::evaluation::limits::Limits;
use crate::model::automaton::Scope;
use crate::model::lifestate::{Lifestate, Wanted};
use crate::semantics::facts::Facts;
use crate::verdict::{Fault, Outcome, Outlook, PropertyVerdict, UnitEnd, UnitVerdict, Violation, Witness};

/// After how many messages the bindings are counted.
const COUNT_EVERY: u64 = 1 << 8;

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    pub(crate) lifestate: Lifestate,
    /// The number of the property in the monitor's list.
    property: usize,
    reader: Reader,
    units: Vec<Unit>,
    places: HashMap<UnitId, usize>,
    /// The unit of the last message, and its place.
    last: Option<(UnitId, usize)>,
    limits: Limits,
    /// What has died; `None` where nothing is forgotten.
    burial: Option<Burial>,
    /// How soon bindings rejoin what they went on from.
    rejoin_interval: usize,
    pub(crate) fault: Option<Fault>,
}

#[derive(Clone, Debug)]
struct Unit {
    id: UnitId,
    history: History<Event>,
    messages: u64,
    exercised: bool,
    violated: u64,
    known: KnownViolations,
}

impl Running {
    /// The lifestate before any event.
    pub(crate) fn new(lifestate: Lifestate, property: usize, limits: Limits, options: Options) -> Running {
        let reader = Reader::new(&lifestate);
        let burial = options.collect.then(|| Burial::new(&lifestate));
        let (units, places, last, fault) = (Vec::new(), HashMap::new(), None, None);
        let rejoin_interval = if options.rejoin { REJOIN_INTERVAL } else { usize::MAX };
        Running { lifestate, property, reader, units, places, last, limits, burial, rejoin_interval, fault }
    }

    /// An object is dead.
    pub(crate) fn bury(&mut self, sort: Sort, id: u32) {
        let Running { reader, units, burial: Some(burial), .. } = self else { return };
        let is_due = reader.known((sort, id)).is_some_and(|it| burial.note(it, (sort, id)));
        if is_due {
            for unit in units.iter_mut() {
                unit.history.forget(burial);
            }
            let bindings = units.iter().map(|it| it.history.bindings()).sum();
            for it in burial.done(bindings) {
                reader.forget(it);
            }
        }
    }

    /// Takes an event.
    #[inline]
    pub(crate) fn step<F: Facts>(&mut self, event: &Event, facts: &F, out: &mut Vec<Violation>) {
        if self.fault.is_some() {
            return;
        }
        let is_message = self.reader.read(&self.lifestate, event, facts);
        if !is_message && !self.reader.read_refusal(&self.lifestate, event, facts) {
            return;
        }
        let unit = if self.lifestate.scope == Scope::Process { UnitId::PROCESS } else { event.unit };
        let place = match self.last {
            Some((last, place)) if last == unit => place,
            _ => self.turn_to(unit),
        };
        let Running { lifestate, reader, units, .. } = self;
        let message = reader.message();
        let of_unit = &mut units[place];
        if !of_unit.exercised {
            of_unit.exercised = is_mentioned(lifestate, &message);
        }
        let mut violate = |of_unit: &mut Unit, reason| {
            (of_unit.violated, of_unit.exercised) = (of_unit.violated + 1, true);
            let violation = violation(lifestate, self.property, unit, event, (&message, reason), reader);
            if out.iter().filter(|it| it.property == self.property).count() < self.limits.violations {
                out.push(violation);
            }
        };
        if !is_message {
            if of_unit.known.refuse(event, &message) {
                violate(of_unit, None);
            }
            return;
        }
        of_unit.messages += 1;
        if !message.kind.is_back() {
            let reason = of_unit.history.refuses(lifestate, &message);
            let is_violation = reason.is_some() || message.refused;
            if is_violation {
                violate(of_unit, reason);
            }
            of_unit.known.push(event, &message, is_violation);
        }
        of_unit.history.push(lifestate, &message, *event);
        if of_unit.history.length() % COUNT_EVERY == 0 {
            self.count();
        }
    }

    fn count(&mut self) {
        let limit = self.limits.instances;
        if self.units.iter().map(|it| it.history.bindings()).sum::<usize>() > limit {
            self.fault = Some(Fault::Instances { limit });
        }
    }

    #[cold]
    fn turn_to(&mut self, unit: UnitId) -> usize {
        let next = self.units.len();
        let place = *self.places.entry(unit).or_insert(next);
        if place == next {
            let history = History::with(&self.lifestate, self.rejoin_interval);
            self.units.push(Unit {
                id: unit,
                history,
                messages: 0,
                exercised: false,
                violated: 0,
                known: KnownViolations::default(),
            });
        }
        self.last = Some((unit, place));
        place
    }

    /// How many bindings are told apart.
    pub(crate) fn bindings(&self) -> usize {
        self.units.iter().map(|it| it.history.bindings()).sum()
    }

    /// What is known of a unit that goes on.
    pub(crate) fn outlook(&self, unit: UnitId) -> Option<Outlook> {
        let violated = self.places.get(&unit).is_some_and(|it| self.units[*it].violated > 0);
        match self.fault {
            _ if violated => Some(Outlook::False),
            Some(_) => None,
            None => Some(Outlook::PresumablyTrue),
        }
    }

    /// The verdicts, now that the trace is over.
    pub(crate) fn finish(self, ends: &HashMap<UnitId, UnitEnd>) -> PropertyVerdict {
        let mut units: BTreeMap<UnitId, Option<&Unit>> = match self.lifestate.scope {
            Scope::Process => BTreeMap::from([(UnitId::PROCESS, None)]),
            Scope::Test => ends.keys().map(|it| (*it, None)).collect(),
        };
        units.extend(self.units.iter().map(|it| (it.id, Some(it))));
        let verdict = |(unit, found): (UnitId, Option<&Unit>)| {
            let exercised = found.is_some_and(|it| it.exercised);
            let violated = u64::from(found.is_some_and(|it| it.violated > 0));
            let complete = ends.get(&unit) == Some(&UnitEnd::Complete) && self.fault.is_none();
            let outcome =
                Outcome { violated, exercised: u64::from(exercised), complete, beside_tests: false };
            UnitVerdict {
                unit,
                verdict: outcome.verdict(),
                bindings: u64::from(found.is_some()),
                violated,
                bindings_exercised: u64::from(exercised),
                exercised,
                events: found.map_or(0, |it| it.messages),
                doubt: None,
                witness: Vec::new(),
            }
        };
        PropertyVerdict { units: units.into_iter().map(verdict).collect(), fault: self.fault }
    }
}

/// Whether some rule speaks of the message.
fn is_mentioned(lifestate: &Lifestate, message: &Message<'_>) -> bool {
    let patterns = lifestate.rules.iter().flat_map(|it| it.histories.atoms.iter().chain([&it.message]));
    let mut of_head = patterns.filter(|it| Some(it.head) == message.head);
    of_head.any(|it| unifier(it, message.values).is_some())
}

fn violation(
    lifestate: &Lifestate,
    property: usize,
    unit: UnitId,
    event: &Event,
    (message, reason): (&Message<'_>, Option<Reason<Event>>),
    reader: &Reader,
) -> Violation {
    let (state, since) = match reason {
        Some(Reason::Rule(rule, since)) => (rule, since),
        Some(Reason::Inconsistent(..)) => (lifestate.inconsistent(), None),
        None => (lifestate.refused(), None),
    };
    let mut registers = Vec::new();
    if let Some(Reason::Inconsistent(permits, prohibits)) = reason {
        registers.extend([permits, prohibits].map(|it| Value::Int(it as i64)));
    }
    let value = |name: &String| {
        let rule = lifestate.rules.get(state)?;
        let variable = rule.variables.iter().position(|it| it == name)?;
        let place = rule.message.values.iter().position(|it| *it == Wanted::Variable(variable))?;
        Some(reader.value(*message.values.get(place)?))
    };
    let binding = lifestate.parameters.iter().map(|it| value(it).unwrap_or_default()).collect();
    let first = since.into_iter().chain([*event]).collect();
    let witness = Witness { first, skipped: 0, last: Vec::new() };
    Violation { property, unit, binding, state, registers, at_end: false, witness }
}
