//! The instances of one property, and the indexes through which events find them.

use std::collections::HashMap;
use std::ops::Range;

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::value::Value;

use crate::evaluation::engine::code::{Key, code};
use crate::evaluation::engine::history::{History, Pool};
use crate::evaluation::engine::table::Table;
use crate::model::automaton::{MAX_PARAMS, Mask};

/// A partial binding of which something is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) mask: Mask,
    pub(super) binding: Binding,
    /// Whatever the caller knows it by.
    pub(super) id: u32,
}

/// Values of parameters; [`Value::Absent`] where a parameter is not bound.
pub(super) type Binding = [Value; MAX_PARAMS];

/// A binding of no parameter.
pub(super) const UNBOUND: Binding = [Value::Absent; MAX_PARAMS];

const NONE: u32 = u32::MAX;

/// One instance, but for its binding, registers and links, which are kept beside it. It lies in one line of a cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Instance {
    pub(super) unit: UnitId,
    /// The event that stepped it last, as the store counts them; and the one that it was created at.
    pub(super) stepped: u64,
    pub(super) born: u64,
    pub(super) state: u16,
    /// The parameters that are bound.
    pub(super) mask: Mask,
    /// The parameters that were bound by events that moved it, or by one event that bound them all.
    pub(super) covered: Mask,
    /// It was counted as a binding.
    pub(super) counted: bool,
    /// Its violation was reported.
    pub(super) reported: bool,
    /// It is in the list of those that every event of their unit moves.
    pub(super) restless: bool,
    pub(super) alive: bool,
    /// Which of the conditions hold that choose among the roles of a state.
    pub(super) choice: u16,
    pub(super) history: History,
}

/// Which instances an index holds, and by which parameters.
#[derive(Clone, Debug)]
struct Index {
    /// The parameters that it is looked up by.
    by: Mask,
    /// It is looked up by the unit too.
    by_unit: bool,
    /// Several instances can have the same key: then the table holds the first of a list, and this is the place of the
    /// list's links among those of an instance.
    link: Option<usize>,
    /// By state: whether instances in it are held. All are where this is empty.
    heard: Vec<bool>,
    table: Table,
}

impl Index {
    #[inline]
    fn hears(&self, state: u16) -> bool {
        self.heard.get(usize::from(state)).copied().unwrap_or(true)
    }
}

/// See the module. A register holds a `V`.
#[derive(Clone, Debug)]
pub(super) struct Store<V = Value> {
    params: usize,
    registers: usize,
    /// Sorted by size: the sets of parameters that instances can bind.
    masks: Vec<Mask>,
    indexes: Vec<Index>,
    /// By set of parameters: the indexes that hold instances which bind it.
    holding: Vec<Range<usize>>,
    /// The place of the index of (mask, by); `NONE` where there is none.
    places: Vec<u32>,
    /// By parameter and set: the index through which deaths find instances.
    deaths: Vec<Vec<usize>>,
    /// The indexes that do not hold instances in all states.
    choosy: Vec<usize>,
    links_each: usize,
    instances: Vec<Instance>,
    bindings: Vec<Value>,
    /// The same values as numbers.
    codes: Vec<u64>,
    values: Vec<V>,
    links: Vec<(u32, u32)>,
    free: Vec<u32>,
    pub(super) pool: Pool,
    /// How many instances are alive.
    pub(super) alive: usize,
}

impl<V: Copy + Default> Store<V> {
    /// A store without instances, for so many parameters and registers. `masks` are the sets of parameters that events can come to bind, alone or together,
    /// `shapes` those that one event can bind; `mortal` tells for which parameters a death matters.
    pub(super) fn new(
        params: usize,
        registers: usize,
        mut masks: Vec<Mask>,
        shapes: &[Mask],
        mortal: &[bool],
    ) -> Store<V> {
        masks.sort_by_key(|mask| (mask.count_ones(), *mask));
        masks.dedup();
        let mut store = Store {
            params,
            registers,
            masks: Vec::new(),
            indexes: Vec::new(),
            holding: vec![0..0; 1 << params],
            places: vec![NONE; 1 << (2 * params)],
            deaths: vec![Vec::new(); params],
            choosy: Vec::new(),
            links_each: 0,
            instances: Vec::new(),
            bindings: Vec::new(),
            codes: Vec::new(),
            values: Vec::new(),
            links: Vec::new(),
            free: Vec::new(),
            pool: Pool::default(),
            alive: 0,
        };
        for mask in &masks {
            let (mut links, first) = (0, store.indexes.len());
            store.add_index(*mask, *mask, true, &mut links);
            for shape in shapes {
                store.add_index(*mask, mask & shape, true, &mut links);
            }
            for param in (0..params).filter(|param| mask & 1 << param != 0 && mortal[*param]) {
                let index = store.indexes.len();
                store.indexes.push(Index {
                    by: 1 << param,
                    by_unit: false,
                    link: Some(links),
                    heard: Vec::new(),
                    table: Table::default(),
                });
                links += 1;
                store.deaths[param].push(index);
            }
            store.links_each = store.links_each.max(links);
            store.holding[usize::from(*mask)] = first..store.indexes.len();
        }
        store.masks = masks;
        store
    }

    fn add_index(&mut self, mask: Mask, by: Mask, by_unit: bool, links: &mut usize) {
        let place = usize::from(mask) << self.params | usize::from(by);
        if self.places[place] == NONE {
            self.places[place] = self.indexes.len() as u32;
            let link = (mask != by).then(|| {
                *links += 1;
                *links - 1
            });
            self.indexes.push(Index { by, by_unit, link, heard: Vec::new(), table: Table::default() });
        }
    }

    /// Instances that bind all these parameters will only be found by some of them while they are in a state for which `heard` says
    /// so, given the parameters that they are looked up by.
    pub(super) fn leave_out(&mut self, all: Mask, heard: impl Fn(Mask) -> Vec<bool>) {
        for at in self.holding[usize::from(all)].clone() {
            let index = &mut self.indexes[at];
            if index.by_unit && index.by != all {
                index.heard = heard(index.by);
                self.choosy.extend(index.heard.contains(&false).then_some(at));
            }
        }
    }

    /// An instance enters a state.
    #[inline]
    pub(super) fn change(&mut self, id: u32, state: u16) {
        let before = std::mem::replace(&mut self.get_mut(id).state, state);
        if before == state || self.choosy.is_empty() {
            return;
        }
        let held = self.holding[usize::from(self.get(id).mask)].clone();
        for place in 0..self.choosy.len() {
            let at = self.choosy[place];
            let index = &self.indexes[at];
            match (index.hears(before), index.hears(state)) {
                (true, false) if held.contains(&at) => self.leave(at, id),
                (false, true) if held.contains(&at) => self.enter(at, id),
                _ => {}
            }
        }
    }

    /// The sets of parameters that instances can bind, the smaller ones first.
    pub(super) fn masks(&self) -> &[Mask] {
        &self.masks
    }

    /// An instance.
    #[inline]
    pub(super) fn get(&self, id: u32) -> &Instance {
        &self.instances[id as usize]
    }

    /// An instance, to be changed.
    #[inline]
    pub(super) fn get_mut(&mut self, id: u32) -> &mut Instance {
        &mut self.instances[id as usize]
    }

    /// The values of an instance's parameters.
    #[inline]
    pub(super) fn binding(&self, id: u32) -> &[Value] {
        &self.bindings[id as usize * self.params..][..self.params]
    }

    #[inline]
    fn codes(&self, id: u32) -> &[u64] {
        &self.codes[id as usize * self.params..][..self.params]
    }

    /// The registers of an instance.
    #[inline]
    pub(super) fn registers(&self, id: u32) -> &[V] {
        &self.values[id as usize * self.registers..][..self.registers]
    }

    /// The binding and the registers of an instance.
    #[inline]
    pub(super) fn parts(&mut self, id: u32) -> (&[Value], &mut [V]) {
        (
            &self.bindings[id as usize * self.params..][..self.params],
            &mut self.values[id as usize * self.registers..][..self.registers],
        )
    }

    /// All instances that are alive.
    pub(super) fn ids(&self) -> impl Iterator<Item = u32> {
        (0..self.instances.len() as u32).filter(|id| self.instances[*id as usize].alive)
    }

    /// What the instances of each unit bind, in the order of their numbers.
    pub(super) fn by_unit(&self) -> HashMap<UnitId, Vec<Part>> {
        let mut units: HashMap<UnitId, Vec<Part>> = HashMap::new();
        for id in self.ids() {
            let Instance { unit, mask, .. } = *self.get(id);
            let mut binding = UNBOUND;
            binding[..self.params].copy_from_slice(self.binding(id));
            units.entry(unit).or_default().push(Part { mask, binding, id });
        }
        units
    }

    /// The instance that binds exactly these parameters to these values.
    #[inline]
    pub(super) fn find(&self, unit: UnitId, mask: Mask, binding: &[Value]) -> Option<u32> {
        let index = &self.indexes[self.place(mask, mask)?];
        self.first(index, &Key::new(mask, Some(unit), &binding[..self.params]))
    }

    /// The number that an index has for a key.
    #[inline]
    fn first(&self, index: &Index, key: &Key<'_>) -> Option<u32> {
        index.table.find(key.hash, |id| key.is_of(self.get(id).unit, self.codes(id), || self.binding(id)))
    }

    /// Puts the instances that bind the parameters `mask`, those in `by` as given, at the end of `out`. There has to be
    /// an index for it: `by` has to be what some shape has in common with `mask`.
    pub(super) fn collect(&self, unit: UnitId, mask: Mask, by: Mask, binding: &[Value], out: &mut Vec<u32>) {
        if let Some(index) = self.place(mask, by) {
            self.walk(index, Some(unit), binding, out);
        }
    }

    /// Puts the instances in which the parameter is bound to the value at the end of `out`, if deaths of it matter.
    pub(super) fn about(&self, param: usize, value: Value, out: &mut Vec<u32>) {
        let mut binding = UNBOUND;
        binding[param] = value;
        for index in &self.deaths[param] {
            self.walk(*index, None, &binding, out);
        }
    }

    fn walk(&self, index: usize, unit: Option<UnitId>, binding: &[Value], out: &mut Vec<u32>) {
        let index = &self.indexes[index];
        let mut next = self.first(index, &Key::new(index.by, unit, &binding[..self.params]));
        while let Some(id) = next {
            out.push(id);
            next = index
                .link
                .map(|link| self.links[id as usize * self.links_each + link].1)
                .filter(|it| *it != NONE);
        }
    }

    #[inline]
    fn place(&self, mask: Mask, by: Mask) -> Option<usize> {
        match self.places[usize::from(mask) << self.params | usize::from(by)] {
            NONE => None,
            place => Some(place as usize),
        }
    }

    /// A new instance in the given state; its registers are to be set by the caller.
    pub(super) fn create(
        &mut self,
        unit: UnitId,
        mask: Mask,
        binding: &[Value],
        state: u16,
        now: u64,
    ) -> u32 {
        let instance = Instance {
            unit,
            stepped: 0,
            born: now,
            state,
            mask,
            covered: 0,
            counted: false,
            reported: false,
            restless: false,
            alive: true,
            choice: 0,
            history: History::EMPTY,
        };
        let id = if let Some(id) = self.free.pop() {
            self.instances[id as usize] = instance;
            id
        } else {
            self.instances.push(instance);
            self.bindings.resize(self.bindings.len() + self.params, Value::Absent);
            self.codes.resize(self.codes.len() + self.params, 0);
            self.values.resize(self.values.len() + self.registers, V::default());
            self.links.resize(self.links.len() + self.links_each, (NONE, NONE));
            (self.instances.len() - 1) as u32
        };
        let place = id as usize * self.params;
        self.bindings[place..][..self.params].copy_from_slice(&binding[..self.params]);
        for (place, value) in self.codes[place..].iter_mut().zip(&binding[..self.params]) {
            *place = code(value);
        }
        self.alive += 1;
        for at in self.holding[usize::from(mask)].clone() {
            if self.indexes[at].hears(state) {
                self.enter(at, id);
            }
        }
        id
    }

    fn enter(&mut self, at: usize, id: u32) {
        let key = self.key(&self.indexes[at], id);
        let (hash, link) = (key.hash, self.indexes[at].link);
        // Exactly these parameters are bound by no other instance.
        let head = link.and_then(|_| self.first(&self.indexes[at], &key));
        let table = &mut self.indexes[at].table;
        match head {
            Some(head) => table.replace(hash, head, id),
            None => table.insert(hash, id),
        }
        if let Some(link) = link {
            self.links[id as usize * self.links_each + link] = (NONE, head.unwrap_or(NONE));
            if let Some(head) = head {
                self.links[head as usize * self.links_each + link].0 = id;
            }
        }
    }

    /// The key of an instance in an index.
    #[inline]
    fn key(&self, index: &Index, id: u32) -> Key<'_> {
        let unit = index.by_unit.then_some(self.instances[id as usize].unit);
        Key::new(index.by, unit, self.binding(id))
    }

    /// Forgets an instance; its number will be used again.
    pub(super) fn remove(&mut self, id: u32) {
        let Instance { mask, state, .. } = *self.get(id);
        for at in self.holding[usize::from(mask)].clone() {
            if self.indexes[at].hears(state) {
                self.leave(at, id);
            }
        }
        let mut history = self.instances[id as usize].history;
        self.pool.clear(&mut history);
        self.instances[id as usize].alive = false;
        self.free.push(id);
        self.alive -= 1;
    }

    fn leave(&mut self, at: usize, id: u32) {
        let (mut before, mut after) = (NONE, NONE);
        if let Some(link) = self.indexes[at].link {
            (before, after) = self.links[id as usize * self.links_each + link];
            if after != NONE {
                self.links[after as usize * self.links_each + link].0 = before;
            }
            if before != NONE {
                self.links[before as usize * self.links_each + link].1 = after;
            }
        }
        if before == NONE {
            let hash = self.key(&self.indexes[at], id).hash;
            let table = &mut self.indexes[at].table;
            if after == NONE { table.remove(hash, id) } else { table.replace(hash, id, after) }
        }
    }

    /// Adds an event to what moved an instance.
    #[inline]
    pub(super) fn remember(&mut self, id: u32, event: &Event) {
        self.pool.push(&mut self.instances[id as usize].history, event);
    }

    /// Forgets what moved an instance.
    #[inline]
    pub(super) fn forget(&mut self, id: u32) {
        self.pool.clear(&mut self.instances[id as usize].history);
    }
}
