//! The fluents of which a formula only asks whether they hold for some values: the values for which each of them holds.

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;

use crate::evaluation::engine::reading::{Params, Reading, bind, ends};
use crate::evaluation::engine::store::{Binding, Store, UNBOUND};
use crate::evaluation::engine::texts::Texts;
use crate::evaluation::tables::record::Around;
use crate::model::automaton::{Constant, Mask};
use crate::model::fluent::{Fluent, Only};
use crate::model::pattern::Wanted;
use crate::semantics::evaluate::is;
use crate::semantics::facts::Facts;

/// What an argument of a fluent has to be.
#[derive(Clone, Debug)]
enum Slot {
    Anything,
    Constant(Constant),
    Param(usize, Sort),
}

/// A fluent with arguments, some of which may be anything.
#[derive(Clone, Debug)]
struct Asked {
    fluent: usize,
    slots: Vec<Slot>,
    /// The parameters among the arguments.
    mask: Mask,
    /// By the values of these: for how many values of the rest it holds.
    counts: Store<i64>,
}

/// A fluent, and the values for which it holds.
#[derive(Clone, Debug)]
struct Known {
    fluent: Fluent,
    from: Vec<Reading>,
    to: Vec<Reading>,
    only: Only,
    tuples: Store,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Lives {
    known: Vec<Known>,
    asked: Vec<Asked>,
    found: Vec<u32>,
}

impl Lives {
    /// The fluents that are asked for, in the order of the bits of a letter.
    pub(super) fn new(asked: &[(&Fluent, &[Option<Wanted>])], params: &Params) -> Lives {
        let mut lives = Lives { known: Vec::new(), asked: Vec::new(), found: Vec::new() };
        for (fluent, arguments) in asked {
            let slots: Vec<Slot> = arguments
                .iter()
                .map(|it| match it {
                    None => Slot::Anything,
                    Some(Wanted::Constant(constant)) => Slot::Constant(constant.clone()),
                    Some(Wanted::Variable(variable)) => params
                        .of(*variable)
                        .map_or(Slot::Anything, |param| Slot::Param(param, params.0[param].1)),
                })
                .collect();
            let mask = slots.iter().fold(0, |mask, slot| match slot {
                Slot::Param(param, _) => mask | 1 << param,
                _ => mask,
            });
            let place = lives.known.iter().position(|it| it.fluent == **fluent).unwrap_or_else(|| {
                lives.known.push(Known::new(fluent));
                lives.known.len() - 1
            });
            let counts = Store::new(params.0.len(), 1, vec![mask], &[mask], &vec![false; params.0.len()]);
            lives.asked.push(Asked { fluent: place, slots, mask, counts });
        }
        lives
    }

    /// Whether nothing is asked.
    #[inline]
    pub(super) fn are_none(&self) -> bool {
        self.asked.is_empty()
    }

    /// The kinds of events that make fluents hold or end them.
    pub(super) fn kinds(&self) -> impl Iterator<Item = EventKind> + '_ {
        self.known.iter().flat_map(|it| it.from.iter().chain(&it.to)).map(|it| it.kind)
    }

    /// Bit `i` says that what was asked in place `i` holds, for an instance with this binding.
    #[inline]
    pub(super) fn bits(&self, unit: UnitId, mask: Mask, binding: &[Value]) -> u32 {
        let mut bits = 0;
        for (at, asked) in self.asked.iter().enumerate() {
            if asked.mask & mask == asked.mask && asked.counts.find(unit, asked.mask, binding).is_some() {
                bits |= 1 << at;
            }
        }
        bits
    }

    /// Takes one event.
    pub(super) fn step<F: Facts>(
        &mut self,
        unit: UnitId,
        event: &Event,
        around: Around,
        texts: &Texts,
        facts: &F,
    ) {
        let Lives { known, asked, found } = self;
        for (place, it) in known.iter_mut().enumerate() {
            for to in it.to.iter().filter(|to| to.kind == event.kind) {
                let mut values = UNBOUND;
                if !bind(&to.sources, event, &mut values, texts, facts) {
                    continue;
                }
                found.clear();
                it.tuples.collect(unit, it.all(), to.mask(), &values, found);
                for id in found.iter() {
                    let tuple = it.tuple(*id);
                    if to.demands.are_met(event, &tuple, texts, facts) {
                        it.tuples.remove(*id);
                        let of_this = asked.iter_mut().filter(|it| it.fluent == place);
                        of_this.for_each(|it| it.count(unit, &tuple, -1, facts));
                    }
                }
            }
            if !around.allows(it.only) {
                continue;
            }
            for from in 0..it.from.len() {
                let from = &it.from[from];
                let mut values = UNBOUND;
                if from.kind == event.kind
                    && bind(&from.sources, event, &mut values, texts, facts)
                    && from.demands.are_met(event, &values, texts, facts)
                    && it.tuples.find(unit, it.all(), &values).is_none()
                {
                    it.tuples.create(unit, it.all(), &values, 0, 0);
                    let of_this = asked.iter_mut().filter(|it| it.fluent == place);
                    of_this.for_each(|it| it.count(unit, &values, 1, facts));
                }
            }
        }
    }
}

impl Known {
    fn new(fluent: &Fluent) -> Known {
        let (from, to, only) = ends(fluent);
        let count = fluent.params.len();
        let all = ((1_u16 << count) - 1) as Mask;
        let shapes: Vec<Mask> = to.iter().map(Reading::mask).chain([all]).collect();
        let tuples = Store::new(count, 0, vec![all], &shapes, &vec![false; count]);
        Known { fluent: fluent.clone(), from, to, only, tuples }
    }

    fn all(&self) -> Mask {
        ((1_u16 << self.fluent.params.len()) - 1) as Mask
    }

    fn tuple(&self, id: u32) -> Binding {
        let mut values = UNBOUND;
        values[..self.fluent.params.len()].copy_from_slice(self.tuples.binding(id));
        values
    }
}

impl Asked {
    /// It begins or ceases to hold for these values.
    fn count<F: Facts>(&mut self, unit: UnitId, tuple: &Binding, by: i64, facts: &F) {
        let mut binding = UNBOUND;
        for (slot, value) in self.slots.iter().zip(tuple) {
            let fits = match slot {
                Slot::Anything => true,
                Slot::Constant(constant) => is(*value, constant, facts),
                Slot::Param(param, sort) => {
                    let known = binding[*param];
                    binding[*param] = *value;
                    (known == Value::Absent || known == *value)
                        && (*sort == Sort::Any || value.sort() == Some(*sort))
                }
            };
            if !fits {
                return;
            }
        }
        let found = self.counts.find(unit, self.mask, &binding);
        let id = found.unwrap_or_else(|| {
            let id = self.counts.create(unit, self.mask, &binding, 0, 0);
            self.counts.parts(id).1[0] = 0;
            id
        });
        let count = &mut self.counts.parts(id).1[0];
        *count += by;
        if *count == 0 {
            self.counts.remove(id);
        }
    }
}
