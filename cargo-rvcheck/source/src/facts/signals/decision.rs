//! Decisions: what state a branch goes by, and where each value leads.

use super::Signals;
use super::operation::base;
use super::state::{How, Value, is_lock_guard, of_atomic, shared_queue, state_of};
use crate::body::provenance::source;
use crate::body::walk;
use crate::body::{Definition, FunctionId, Slot};
use crate::mir::{BlockId, Local, Operand, Place, Projection, Rvalue, Terminator};
use crate::program::abstract_object::AbstractObject;
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};

/// A read of state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Read {
    /// The block that reads, or calls what does.
    pub(crate) block: BlockId,
    /// What is read.
    pub(crate) state: AbstractObject,
    /// How it is shared.
    pub(crate) how: How,
}

/// A branch that goes by state.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    /// The block that branches.
    pub(crate) block: BlockId,
    /// What it goes by.
    pub(crate) reads: BTreeSet<Read>,
    /// The test that it makes, where it goes by one thing alone.
    pub(crate) test: Option<Test>,
}

/// A test of one piece of state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Test {
    /// Of what.
    pub(crate) state: AbstractObject,
    /// Values, and where each leads.
    pub(crate) leads: Vec<(Value, BlockId)>,
}

/// How many values are followed back from one branch.
const MOST: usize = 96;
/// How deep calls of predicates are followed.
pub(super) const DEEPEST: usize = 3;

impl Signals<'_> {
    /// The decisions of a body that go by state.
    pub(crate) fn decisions(&self, id: FunctionId) -> Vec<Decision> {
        let function = self.program.function(id);
        let switches = function.blocks().filter(|(_, it)| !it.cleanup).filter_map(|(at, block)| {
            let Terminator::Switch { on: Operand::Place(on), .. } = &block.terminator else { return None };
            let reads = self.slice(id, on);
            (!reads.is_empty()).then(|| Decision { block: at, reads, test: self.test(id, at, on) })
        });
        switches.collect()
    }

    /// The state that a value is made of.
    pub(super) fn slice(&self, id: FunctionId, on: &Place) -> BTreeSet<Read> {
        let function = self.program.function(id);
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let too_many = walk::search([(BlockId(0), on.clone())], |(at, place)| {
            if seen.len() > MOST {
                return Break(());
            }
            let mut next = Vec::new();
            if let Some((state, how)) = state_of(self.program, &self.objects, id, &place) {
                found.insert(Read { block: at, state: self.same(state), how });
                return Continue(next);
            }
            let slot = function.whole(&Slot::at(&place));
            if !seen.insert(slot.clone()) {
                return Continue(next);
            }
            for &definition in function.definitions(&slot) {
                match definition {
                    Definition::Assigned(block, _) => {
                        next.extend(function.places_of(definition).map(|it| (block, it.clone())));
                    }
                    Definition::Called(block) => {
                        let Some((call, callee)) = function.call(block) else { continue };
                        if callee.is_poll() {
                            continue;
                        }
                        if let Some(state) = of_atomic(self.program, &self.objects, id, block) {
                            found.insert(Read { block, state: self.same(state), how: How::Atomic });
                            continue;
                        }
                        if let Some(state) = self.behind_guard(id, block) {
                            found.insert(Read { block, state, how: How::Locked });
                            continue;
                        }
                        let reads = self.read_by(id, block);
                        if !reads.is_empty() {
                            found.extend(reads);
                            continue;
                        }
                        next.extend(call.places().map(|it| (block, it.clone())));
                    }
                }
            }
            Continue(next)
        });
        if too_many.is_some() { BTreeSet::new() } else { found }
    }

    /// What is read by the function of the workspace that a block calls.
    pub(super) fn read_by(&self, id: FunctionId, block: BlockId) -> BTreeSet<Read> {
        let function = self.program.function(id);
        let Some(called) = self.program.one_called(function, block) else { return BTreeSet::new() };
        self.reads(called, DEEPEST)
            .into_iter()
            .filter_map(|it| {
                let state = self.same(self.seen_from(it.state, called, id, block)?);
                Some(Read { block, state, how: self.how_at(id, block, it.how) })
            })
            .collect()
    }

    /// What a block reaches through a guard by its call.
    fn behind_guard(&self, id: FunctionId, block: BlockId) -> Option<AbstractObject> {
        let function = self.program.function(id);
        let (call, callee) = function.call(block)?;
        let guard = call.place(0)?;
        let reaches = callee.dereferences() && function.type_of(guard).is_some_and(is_lock_guard);
        let state = base(self.program, &self.objects, id, guard).filter(|_| reaches)?;
        Some(self.same(state))
    }

    /// All state that a body reads.
    pub(super) fn reads(&self, id: FunctionId, depth: usize) -> BTreeSet<Read> {
        if let Some(known) = self.read.borrow().get(&(id, depth)) {
            return known.clone();
        }
        let function = self.program.function(id);
        let mut found = BTreeSet::new();
        for (at, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
            found.extend(self.read_at(id, at, depth));
            let _ = block;
        }
        self.read.borrow_mut().insert((id, depth), found.clone());
        found
    }

    /// The state that a block reads, itself or by what it calls.
    pub(crate) fn read_at(&self, id: FunctionId, at: BlockId, depth: usize) -> BTreeSet<Read> {
        let function = self.program.function(id);
        let mut found = BTreeSet::new();
        let Some(block) = function.body.block(at) else { return found };
        let of_place = |place: &Place| {
            let (state, how) = state_of(self.program, &self.objects, id, place)?;
            Some(Read { block: at, state: self.same(state), how })
        };
        for (_, value) in block.assignments() {
            let places = match value {
                // A pointer to what it is already a pointer to.
                Rvalue::Reference(of, _) if of.projections.last() == Some(&Projection::Deref) => continue,
                it => it.places(),
            };
            found.extend(places.filter_map(of_place));
        }
        let Some((call, callee)) = function.call(at) else { return found };
        if let Some(state) = of_atomic(self.program, &self.objects, id, at) {
            if !matches!(callee.name(), "store" | "set") {
                found.insert(Read { block: at, state: self.same(state), how: How::Atomic });
            }
            return found;
        }
        found.extend(call.places().filter_map(of_place));
        found.extend(self.behind_guard(id, at).map(|state| Read { block: at, state, how: How::Locked }));
        if depth > 0 {
            for body in self.bodies_at(id, at) {
                for it in self.reads(body, depth - 1) {
                    if let Some(state) = self.seen_from(it.state, body, id, at) {
                        let how = self.how_in(id, at, body, it.how);
                        found.insert(Read { block: at, state: self.same(state), how });
                    }
                }
            }
        }
        found
    }

    /// The test that a branch makes.
    fn test(&self, id: FunctionId, at: BlockId, on: &Place) -> Option<Test> {
        let function = self.program.function(id);
        let Terminator::Switch { cases, otherwise, .. } = &function.body.block(at)?.terminator else {
            return None;
        };
        if let Some(Rvalue::Discriminant(of)) =
            function.definition(&Slot::at(on)).and_then(|it| function.assigned(it))
        {
            return self
                .variants(id, of, cases, *otherwise)
                .or_else(|| self.answered(id, of, cases, *otherwise));
        }
        let condition = self.condition(id, &Slot::at(on), DEEPEST)?;
        let [(0, when_false)] = cases.as_slice() else { return None };
        let leads = vec![(condition.when_true, (*otherwise)?), (condition.when_false, *when_false)];
        Some(Test { state: condition.state, leads })
    }

    fn variants(
        &self,
        id: FunctionId,
        of: &Place,
        cases: &[(i128, BlockId)],
        otherwise: Option<BlockId>,
    ) -> Option<Test> {
        let function = self.program.function(id);
        let ty = function.type_of(of)?;
        let to = |number: i128| cases.iter().find(|(it, _)| *it == number).map(|(_, to)| *to).or(otherwise);
        if let Some(state) = self.subtracted_from(id, of) {
            let leads = vec![(Value::Greater(true), to(1)?), (Value::Greater(false), to(0)?)];
            return Some(Test { state, leads });
        }
        let (state, from_collection) = self.origin(id, of)?;
        let name = ty.name().to_owned();
        if name == "Option" {
            let value = |is: bool| if from_collection { Value::Filled(is) } else { Value::Present(is) };
            return Some(Test { state, leads: vec![(value(true), to(1)?), (value(false), to(0)?)] });
        }
        let names = self.program.variants(&name)?;
        let leads = names.iter().zip(0..).filter_map(|(it, at)| Some((Value::Variant(it.clone()), to(at)?)));
        Some(Test { state, leads: leads.collect() })
    }

    /// The number from which something was subtracted if it was enough.
    fn subtracted_from(&self, id: FunctionId, of: &Place) -> Option<AbstractObject> {
        let function = self.program.function(id);
        let (call, callee) = function.call(source(function, &Slot::at(of))?)?;
        let from = call.arguments.first().filter(|_| callee.name() == "checked_sub")?.place()?;
        self.number(id, from).filter(|(_, of_collection)| !of_collection).map(|(state, _)| state)
    }

    /// What a queue that is shared answers. In its errors the first variant is that there is no room or nothing, the second that it is closed.
    fn answered(
        &self,
        id: FunctionId,
        of: &Place,
        cases: &[(i128, BlockId)],
        otherwise: Option<BlockId>,
    ) -> Option<Test> {
        let function = self.program.function(id);
        let asked = source(function, &Slot::at(of))?;
        let on = shared_queue(self.program, function, asked)?;
        let (call, callee) = function.call(asked)?;
        let (state, _) = super::state::state_of_pointer(self.program, &self.objects, id, on)?;
        let state = self.same(state);
        let puts = match callee.name() {
            "push" => true,
            "pop" => false,
            _ => return None,
        };
        let to = |number: i128| cases.iter().find(|(it, _)| *it == number).map(|(_, to)| *to).or(otherwise);
        let is_whole = function.type_of(of) == function.type_of(&call.into);
        let leads = match function.type_of(of)?.name() {
            "Result" => vec![(Value::Filled(!puts), to(0)?), (Value::Filled(puts), to(1)?)],
            _ if !is_whole => vec![(Value::Filled(puts), to(0)?), (Value::Flag(true), to(1)?)],
            _ => return None,
        };
        Some(Test { state, leads })
    }

    /// The state that a value was copied from, or taken out of as an item of a collection.
    pub(super) fn origin(&self, id: FunctionId, place: &Place) -> Option<(AbstractObject, bool)> {
        self.origin_in(id, place, DEEPEST)
    }

    fn origin_in(&self, id: FunctionId, place: &Place, depth: usize) -> Option<(AbstractObject, bool)> {
        let function = self.program.function(id);
        let mut place = place.clone();
        let mut taken = false;
        for _ in 0..12 {
            if let Some((state, _)) = state_of(self.program, &self.objects, id, &place) {
                return Some((self.same(state), taken));
            }
            let mut slot = Slot::at(&place);
            slot.steps.truncate(function.root(&slot));
            place = match function.definition(&slot)? {
                Definition::Called(block) => {
                    let (call, callee) = function.call(block)?;
                    if let Some(called) = self.program.one_called(function, block) {
                        let own = Place { local: Local(0), projections: Vec::new() };
                        let (state, inner) =
                            (depth > 0).then(|| self.origin_in(called, &own, depth - 1))??;
                        let state = self.seen_from(state, called, id, block)?;
                        return Some((self.same(state), taken || inner));
                    }
                    match callee.name() {
                        _ if callee.finds() || callee.takes_element() => taken = true,
                        "take" | "unwrap" => {}
                        _ if callee.views() || callee.shares() || callee.iterates() || callee.hands_on() => {}
                        _ => return None,
                    }
                    let from = call.place(0)?;
                    if let Some((state, _)) =
                        super::state::state_of_pointer(self.program, &self.objects, id, from)
                    {
                        return Some((self.same(state), taken));
                    }
                    from.clone()
                }
                definition @ Definition::Assigned(..) => function.assigned(definition)?.alias_of()?.clone(),
            };
        }
        None
    }
}
