//! What quantifiers range over: the values that occur in the events of each unit.

use std::collections::{BTreeSet, HashMap};

use rvcheck_event::event::Event;
use rvcheck_event::id::{ThreadId, UnitId};
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;

use crate::evaluation::engine::ids::Ids;
use crate::evaluation::engine::texts::Texts;
use crate::model::automaton::Source;
use crate::semantics::evaluate::read;
use crate::semantics::facts::Facts;

/// The values of one unit.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    objects: Vec<Ids>,
    /// Everything that is no object; texts as [`Texts`] has them.
    others: BTreeSet<Value>,
}

impl Values {
    /// Adds an object; none has the number 0.
    #[inline]
    fn insert_object(&mut self, sort: Sort, id: u32) {
        match self.objects.get_mut(sort as usize) {
            Some(ids) if id != 0 => ids.insert(id),
            Some(_) => {}
            None => {
                self.objects.resize(sort as usize + 1, Ids::default());
                self.insert_object(sort, id);
            }
        }
    }

    fn insert(&mut self, value: Value) {
        match value {
            Value::Absent => {}
            Value::Object(sort, id) => self.insert_object(sort, id),
            other => {
                if !self.others.contains(&other) {
                    self.others.insert(other);
                }
            }
        }
    }

    /// Adds all of another set.
    pub(super) fn extend(&mut self, other: &Values) {
        if self.objects.len() < other.objects.len() {
            self.objects.resize(other.objects.len(), Ids::default());
        }
        for (own, theirs) in self.objects.iter_mut().zip(&other.objects) {
            own.extend(theirs);
        }
        self.others.extend(&other.others);
    }

    /// How many values of a sort there are.
    pub(super) fn count(&self, sort: Sort) -> u64 {
        let objects =
            self.objects.iter().zip(0..).filter(|(_, at)| sort == Sort::Any || sort as usize == *at);
        let others = self.others.iter().filter(|it| sort == Sort::Any || it.sort() == Some(sort));
        objects.map(|(ids, _)| ids.len()).sum::<u64>() + others.count() as u64
    }

    /// The values of a sort, in order.
    pub(super) fn of(&self, sort: Sort) -> impl Iterator<Item = Value> + '_ {
        let sorts = Sort::ALL.iter().map(|(it, _)| *it).filter(move |it| sort == Sort::Any || sort == *it);
        let objects = sorts.flat_map(|it| {
            let ids = self.objects.get(it as usize);
            ids.into_iter().flat_map(Ids::iter).map(move |id| Value::Object(it, id))
        });
        let fits = move |it: &Value| sort == Sort::Any || it.sort() == Some(sort);
        objects.chain(self.others.iter().copied().filter(fits))
    }
}

/// The values of all units, as far as some formula quantifies over their sorts.
#[derive(Clone, Debug)]
pub(super) struct Domain {
    /// By number of the kind: the arguments that are noted.
    arguments: Vec<Vec<Source>>,
    threads: bool,
    places: HashMap<UnitId, usize>,
    units: Vec<(UnitId, Values)>,
    last: usize,
}

impl Domain {
    /// The domain of variables of these sorts.
    pub(super) fn new(sorts: &[Sort]) -> Domain {
        let wanted = |sort: Sort| sorts.iter().any(|it| *it == Sort::Any || *it == sort || sort == Sort::Any);
        let mut arguments = vec![Vec::new(); 256];
        for kind in EventKind::ALL {
            let params = kind.signature().params.iter().enumerate();
            let params = params.filter(|(_, (_, sort))| wanted(*sort));
            arguments[*kind as usize] =
                params.map(|(at, (_, sort))| Source::of_argument(at, *sort)).collect();
        }
        Domain {
            arguments,
            threads: wanted(Sort::Thread),
            places: HashMap::new(),
            units: Vec::new(),
            last: 0,
        }
    }

    /// Takes one event.
    #[inline]
    pub(super) fn step<F: Facts>(&mut self, event: &Event, texts: &Texts, facts: &F) {
        let place = self.place(event.unit);
        let values = &mut self.units[place].1;
        for source in &self.arguments[event.kind as usize] {
            match source {
                Source::Actor => values.insert_object(Sort::Task, event.task.0),
                Source::Object(sort) => values.insert_object(*sort, event.object),
                other => values.insert(texts.canonical(read(*other, event, facts), facts)),
            }
        }
        if self.threads && event.kind == EventKind::Poll {
            let ThreadId(thread) = event.thread;
            values.insert_object(Sort::Thread, thread);
        }
    }

    /// Adds a value that occurs in a unit.
    pub(super) fn note(&mut self, unit: UnitId, value: Value) {
        let place = self.place(unit);
        self.units[place].1.insert(value);
    }

    #[inline]
    fn place(&mut self, unit: UnitId) -> usize {
        if self.units.get(self.last).is_none_or(|(it, _)| *it != unit) {
            self.last = *self.places.entry(unit).or_insert_with(|| {
                self.units.push((unit, Values::default()));
                self.units.len() - 1
            });
        }
        self.last
    }

    /// The units that had an event, in the order of their first ones.
    pub(super) fn units(&self) -> impl Iterator<Item = UnitId> + '_ {
        self.units.iter().map(|(unit, _)| *unit)
    }

    /// What occurs in a unit.
    pub(super) fn values(&self, unit: UnitId) -> Option<&Values> {
        self.places.get(&unit).map(|place| &self.units[*place].1)
    }

    /// What occurs anywhere.
    pub(super) fn all_values(&self) -> Values {
        let mut all = Values::default();
        for (_, values) in &self.units {
            all.extend(values);
        }
        all
    }
}
