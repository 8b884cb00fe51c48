//! Which values a body has at each block: those that came there on some path and were neither moved nor dropped.

use crate::body::walk::{self, Lattice};
use crate::body::{Function, Kind, Selector, Slot};
use crate::mir::{BlockId, Operand, Place, Rvalue, Statement, Terminator};
use crate::ty::Ty;
use std::collections::{BTreeMap, BTreeSet};

/// A value that a body has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Value {
    /// Where it is.
    pub(super) slot: Slot,
    ty: Ty,
    /// The parts of a tuple that were moved out of it on every path.
    moved: BTreeSet<u32>,
}

impl Value {
    /// The types of what is left of it.
    pub(super) fn types(&self) -> Vec<Ty> {
        if self.moved.is_empty() {
            return vec![self.ty];
        }
        let is_left = |it: &(u32, &Ty)| !self.moved.contains(&it.0);
        (0..).zip(self.ty.arguments()).filter(is_left).map(|it| *it.1).collect()
    }
}

/// The values, by where they are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct State(BTreeMap<Slot, (Ty, BTreeSet<u32>)>);

impl Lattice for State {
    fn join(&mut self, other: &State) -> bool {
        let mut is_changed = false;
        for (slot, (ty, moved)) in &other.0 {
            match self.0.get_mut(slot) {
                None => {
                    self.0.insert(slot.clone(), (*ty, moved.clone()));
                    is_changed = true;
                }
                Some((_, known)) => {
                    let both: BTreeSet<u32> = known.intersection(moved).copied().collect();
                    is_changed |= both.len() < known.len();
                    *known = both;
                }
            }
        }
        is_changed
    }
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Alive {
    /// At the end of each block, before what ends it; `None` where that took too long to find.
    before: Option<Vec<Option<State>>>,
}

impl Alive {
    pub(super) fn of(function: &Function) -> Alive {
        let count = function.body.blocks.len();
        let entries = walk::forward(count, begin(function), |id, mut state| {
            statements(function, id, &mut state);
            end(function, id, &mut state);
            function.successors(id).into_iter().map(|to| (to, state.clone())).collect()
        });
        let inside = |(at, state): (usize, Option<State>)| {
            let mut state = state?;
            statements(function, BlockId(at as u32), &mut state);
            Some(state)
        };
        Alive { before: entries.map(|it| it.into_iter().enumerate().map(inside).collect()) }
    }

    /// The values before what ends a block; `None` where they are not known.
    pub(super) fn before(&self, block: BlockId) -> Option<Vec<Value>> {
        let state = self.before.as_ref()?.get(block.0 as usize)?.as_ref()?;
        let value = |(slot, (ty, moved)): (&Slot, &(Ty, BTreeSet<u32>))| Value {
            slot: slot.clone(),
            ty: *ty,
            moved: moved.clone(),
        };
        Some(state.0.iter().map(value).collect())
    }
}

/// What a body is given, and what it has captured.
fn begin(function: &Function) -> State {
    let mut state = State::default();
    for (slot, ty) in function.captured_slots() {
        state.0.insert(slot, (ty, BTreeSet::new()));
    }
    if function.kind != Kind::Coroutine {
        let first = if function.kind == Kind::Closure { 2 } else { 1 };
        for number in first..=function.body.arguments as u32 {
            let local = crate::mir::Local(number);
            state.0.insert(Slot::of(local), (function.body.type_of(local), BTreeSet::new()));
        }
    }
    state
}

fn statements(function: &Function, id: BlockId, state: &mut State) {
    for statement in function.body.block(id).into_iter().flat_map(|it| &it.statements) {
        let Statement::Assign(into, value) = statement else { continue };
        match value {
            Rvalue::Use(it) | Rvalue::Cast(it, _) => takes(function, it, state),
            Rvalue::Made(_, parts) => parts.iter().for_each(|it| takes(function, it, state)),
            Rvalue::Reference(..) | Rvalue::Discriminant(_) => {}
        }
        if !matches!(value, Rvalue::Discriminant(_)) {
            comes(function, into, state);
        }
    }
}

fn end(function: &Function, id: BlockId, state: &mut State) {
    match function.body.block(id).map(|it| &it.terminator) {
        Some(Terminator::Call(call)) => {
            call.arguments.iter().for_each(|it| takes(function, it, state));
            comes(function, &call.into, state);
        }
        Some(Terminator::Drop { place, .. }) => goes(function, place, state),
        _ => {}
    }
}

/// The value of its own that a place is in, and the steps from there to it.
fn own(function: &Function, place: &Place) -> (Slot, Vec<Selector>) {
    let slot = Slot::at(place);
    let whole = match function.captured(&slot) {
        Some((_, rest)) => {
            Slot { local: slot.local, steps: slot.steps[..slot.steps.len() - rest.len()].to_vec() }
        }
        None => function.whole(&slot),
    };
    let rest = slot.within(&whole).unwrap_or_default().to_vec();
    (whole, rest)
}

/// A place gets a value. What a reference points to is somewhere else.
fn comes(function: &Function, into: &Place, state: &mut State) {
    let (slot, rest) = own(function, into);
    let length = into.projections.len().saturating_sub(rest.len());
    let whole = Place { local: into.local, projections: into.projections[..length].to_vec() };
    let ty = function.type_of(&whole).unwrap_or(Ty::read("?"));
    if !rest.contains(&Selector::Deref) && ty.referent().is_none() {
        let known = state.0.entry(slot).or_insert_with(|| (ty, BTreeSet::new()));
        match rest.first() {
            Some(Selector::Field(number)) => {
                known.1.remove(number);
            }
            _ => known.1.clear(),
        }
    }
}

/// A value is read, which moves it unless it is a reference.
fn takes(function: &Function, operand: &Operand, state: &mut State) {
    if let Operand::Place(place) = operand
        && function.type_of(place).is_none_or(|it| it.referent().is_none())
    {
        goes(function, place, state);
    }
}

/// What is in a place goes away.
fn goes(function: &Function, place: &Place, state: &mut State) {
    let (slot, rest) = own(function, place);
    let Some((ty, moved)) = state.0.get_mut(&slot) else { return };
    let is_of_one = ty.is_outcome();
    match rest.as_slice() {
        [] => {
            state.0.remove(&slot);
        }
        // A variant with one value has nothing else.
        [Selector::Field(0)] if is_of_one => {
            state.0.remove(&slot);
        }
        [Selector::Field(number)] if ty.is_tuple() => {
            moved.insert(*number);
        }
        _ => {}
    }
}
