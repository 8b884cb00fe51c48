//! A formula that is stepped event by event.

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;

use crate::compilation::machine;
use crate::evaluation::engine::Options;
use crate::evaluation::engine::death::forgettable_letters;
use crate::evaluation::engine::domain::Domain;
use crate::evaluation::engine::lettered::{Counting, Lettered};
use crate::evaluation::engine::lettering::Lettering;
use crate::evaluation::engine::lives::Lives;
use crate::evaluation::engine::own_events::OwnEvents;
use crate::evaluation::engine::reading::Params;
use crate::evaluation::engine::rules::Rules;
use crate::evaluation::engine::slicer::Slicer;
use crate::evaluation::engine::texts::Texts;
use crate::evaluation::engine::touched::Touched;
use crate::evaluation::limits::Limits;
use crate::evaluation::tables::record::Around;
use crate::model::automaton::Scope;
use crate::model::ltl::Ltl;
use crate::model::machine::{Machine, Unsteppable};
use crate::semantics::facts::Facts;
use crate::verdict::Violation;

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Stepped {
    pub(super) table: Lettered,
    lives: Lives,
    pub(super) slicer: Slicer,
    pub(super) touched: Option<Touched>,
    /// Attributes whose values are in the domain of its quantifiers, and these values.
    attributes: Vec<(EventKind, &'static str)>,
    own: OwnEvents,
    pub(super) noted: Domain,
    /// By number of the kind of event: its plan.
    plans: Vec<Option<usize>>,
    kinds: Vec<bool>,
}

impl Stepped {
    /// A formula, which is number `property` in the monitor's list.
    pub(super) fn new(
        ltl: &Ltl,
        property: usize,
        limits: Limits,
        options: Options,
    ) -> Result<Stepped, Unsteppable> {
        let other;
        let machine = if options.minimal {
            ltl.machine.as_ref().map_err(|it| *it)?
        } else {
            other = Machine::of(ltl, machine::Options { minimal: false, ..machine::Options::DEFAULT })?;
            &other
        };
        let (table, lives) = Lettered::new(ltl, machine)?;
        let texts = Texts::default();
        let around = Around::default();
        let rules = Lettering { table: &table, lives: &lives, texts: &texts, around };
        let slicer = Slicer::new(&rules, forgettable_letters(&table), property, limits, options);
        let mut plans = vec![None; 256];
        for (at, plan) in rules.plans().iter().enumerate() {
            plans[Lettering::kind(plan) as usize] = Some(at);
        }
        let written = Params(table.params.0[..table.written].to_vec());
        let touched = (table.counting == Counting::Touches).then(|| Touched::new(ltl, &written));
        let value = |sort: Sort| matches!(sort, Sort::Int | Sort::Bool | Sort::Str | Sort::Group | Sort::Any);
        let noted = table.params.0.iter().any(|(_, sort)| value(*sort));
        // Of objects, these are the only attributes that no argument needs to have named before.
        let mut attributes = ltl.attributes();
        attributes.retain(|(_, name)| noted || ["task", "thread"].contains(name));
        let quantifies = !table.params.0.is_empty();
        let own = OwnEvents::new(if quantifies { &ltl.declared } else { &[] });
        let mut stepped = Stepped {
            lives,
            slicer,
            touched,
            attributes,
            own,
            noted: Domain::new(&[]),
            plans,
            kinds: vec![false; 256],
            table,
        };
        for kind in EventKind::ALL {
            stepped.kinds[*kind as usize] = stepped.takes(*kind);
        }
        Ok(stepped)
    }

    /// Whether a formula is stepped.
    pub(super) fn check(ltl: &Ltl) -> Result<(), Unsteppable> {
        let machine = ltl.machine.as_ref().map_err(|it| *it)?;
        Lettered::new(ltl, machine).map(|_| ())
    }

    fn takes(&self, kind: EventKind) -> bool {
        self.plans[kind as usize].is_some()
            || self.table.restless
            || self.touched.as_ref().is_some_and(|it| it.has(kind as u8))
            || self.lives.kinds().any(|it| it == kind)
            || self.attributes.iter().any(|(it, _)| *it == kind)
            || (kind == EventKind::User && !self.own.are_none())
    }

    /// Whether events of this kind matter.
    pub(super) fn concerns(&self, kind: EventKind) -> bool {
        self.kinds[kind as usize]
    }

    /// The sorts of its quantifiers.
    pub(super) fn sorts(&self) -> impl Iterator<Item = Sort> + '_ {
        self.table.params.0.iter().map(|(_, sort)| *sort)
    }

    /// The unit to which an event belongs for it.
    #[inline]
    fn unit(&self, event: &Event) -> UnitId {
        if self.table.scope == Scope::Process { UnitId::PROCESS } else { event.unit }
    }

    /// Takes one event.
    #[inline]
    pub(super) fn step<F: Facts>(
        &mut self,
        event: &Event,
        around: Around,
        texts: &Texts,
        facts: &F,
        out: &mut Vec<Violation>,
    ) {
        let unit = self.unit(event);
        for (_, name) in self.attributes.iter().filter(|(kind, _)| *kind == event.kind) {
            let value = facts.attribute(event, name).unwrap_or(Value::Absent);
            self.noted.note(unit, texts.canonical(value, facts));
        }
        if event.kind == EventKind::User {
            for value in self.own.arguments(event, facts) {
                self.noted.note(unit, texts.canonical(*value, facts));
            }
        }
        if !self.lives.are_none() {
            self.lives.step(unit, event, around, texts, facts);
        }
        if let Some(touched) = &mut self.touched {
            touched.step(unit, event, texts, facts);
        }
        let plan = self.plans[event.kind as usize];
        if plan.is_some() || self.table.restless {
            let rules = Lettering { table: &self.table, lives: &self.lives, texts, around };
            self.slicer.step(&rules, plan, event, facts, out);
        }
    }

    /// Takes note of the death of an object.
    pub(super) fn bury(&mut self, value: Value) {
        self.slicer.bury(value);
    }
}
