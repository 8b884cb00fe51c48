//! What an agent has to see in an atomic before it comes to a point, and who stores there only behind a point of its own.
//!
//! Whoever looks again for as long as it has seen too little waits, though no call of it does: `while !ready.load(Acquire) {}`. So does
//! whoever turns back instead. What is not looked at is the value: a store is taken for the one that is waited for unless it puts
//! `false`, 0 or null there. So the answer is never more than that two points are probably kept apart.

use super::order::Point;
use super::steps::bodies;
use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::facts::objects::{Objects, Thing, peeled};
use crate::mir::{BlockId, Local, Operand, Place, Terminator};
use crate::program::Program;
use crate::program::access::{AccessPaths, Root};
use rvcheck_primitives::{Action, Is, Leaves, Row};
use std::collections::BTreeSet;

/// How deep functions are followed that look or store.
const DEEPEST: usize = 3;
/// How many values are followed back from a branch.
const MOST: usize = 64;

/// An atomic, by what is known of where it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Atomic {
    /// Where it may have been made.
    made: BTreeSet<Thing>,
    /// The static that it is.
    of_static: Option<String>,
    /// The name of its type.
    ty: &'static str,
}

impl Atomic {
    /// Whether both may be one.
    fn may_be(&self, other: &Atomic) -> bool {
        match (&self.of_static, &other.of_static) {
            (None, None) if self.made.is_empty() || other.made.is_empty() => self.ty == other.ty,
            (None, None) => !self.made.is_disjoint(&other.made),
            (one, other) => one == other,
        }
    }
}

/// An operation that changes an atomic.
struct Store {
    on: Atomic,
    /// It adds to what is there, or takes from it: each of several counts.
    counts: bool,
}

/// See the module.
pub(super) struct Shown<'a> {
    pub(super) program: &'a Program,
    pub(super) objects: &'a Objects,
}

/// An agent on its way to a point: the body that it begins with, and the blocks of a body that lead to the point or are it.
#[derive(Clone, Copy)]
pub(super) struct Way<'w> {
    pub(super) root: FunctionId,
    pub(super) point: Point,
    pub(super) blocks: &'w dyn Fn(FunctionId) -> Vec<BlockId>,
}

impl Shown<'_> {
    /// Whether an agent comes to its point only where it has seen what another one stores behind its own and nowhere before. `run` says
    /// whether one of both runs a body.
    pub(super) fn is_shown(&self, first: Way<'_>, second: Way<'_>, run: &dyn Fn(FunctionId) -> bool) -> bool {
        let seen = self.seen_on(second, second.root, DEEPEST);
        let mut seen = seen.iter().filter(|it| self.stores_behind(first, first.root, it, DEEPEST));
        seen.any(|it| !self.is_stored_elsewhere(it, run))
    }

    /// What an agent has seen on each way through a body to its point.
    fn seen_on(&self, way: Way<'_>, id: FunctionId, depth: usize) -> BTreeSet<Atomic> {
        let of_block = |block: &BlockId| {
            let mut seen = self.seen_before(id, *block, DEEPEST);
            if id != way.point.0 && depth > 0 {
                let inner = self.called(id, *block).into_iter();
                let inner = inner.filter(|it| *it != id && !(way.blocks)(*it).is_empty());
                seen.extend(in_each(inner.map(|it| self.seen_on(way, it, depth - 1))));
            }
            seen
        };
        in_each((way.blocks)(id).iter().map(of_block))
    }

    /// Whether an agent stores in an atomic on its way through a body, and only behind its point.
    fn stores_behind(&self, way: Way<'_>, id: FunctionId, on: &Atomic, depth: usize) -> bool {
        let past = (way.blocks)(id);
        let paths = Paths::of(self.program.function(id));
        let is_behind = |at: BlockId| {
            if past.contains(&at) && id != way.point.0 && depth > 0 && !paths.repeats(at) {
                let mut inner = self.called(id, at);
                inner.retain(|it| *it != id && !(way.blocks)(*it).is_empty());
                return !inner.is_empty()
                    && inner.into_iter().all(|it| self.stores_behind(way, it, on, depth - 1));
            }
            past.iter().any(|it| paths.leads(*it, at)) && !past.iter().any(|it| paths.leads(at, *it))
        };
        let stores = self.stores(id);
        let mut stores = stores.iter().filter(|(_, store)| store.on.may_be(on)).peekable();
        stores.peek().is_some() && stores.all(|(at, _)| is_behind(*at))
    }

    /// Whether somebody else may store what is waited for.
    fn is_stored_elsewhere(&self, it: &Atomic, run: &dyn Fn(FunctionId) -> bool) -> bool {
        let mut others = self.program.functions().filter(|(id, _)| !run(*id));
        others.any(|(id, function)| {
            let mut stores = function.calls().filter_map(|(block, ..)| self.store(id, function, block));
            stores.any(|store| !store.counts && store.on.may_be(it))
        })
    }

    /// What a body stores, itself or in what it calls: by the block of the call.
    fn stores(&self, id: FunctionId) -> Vec<(BlockId, Store)> {
        let function = self.program.function(id);
        let mut found = Vec::new();
        for (block, ..) in function.calls() {
            found.extend(self.store(id, function, block).map(|it| (block, it)));
            let inside = walk::reached(self.called(id, block), |id| {
                let calls = self.program.function(id).calls();
                calls.flat_map(|(at, ..)| self.called(id, at)).collect::<Vec<_>>()
            });
            for inner in inside.into_iter().filter(|it| *it != id) {
                let function = self.program.function(inner);
                let stores = function.calls().filter_map(|(at, ..)| self.store(inner, function, at));
                found.extend(stores.map(|it| (block, it)));
            }
        }
        found
    }

    /// The bodies that the call at the end of a block runs.
    fn called(&self, id: FunctionId, block: BlockId) -> BTreeSet<FunctionId> {
        bodies(self.program, self.objects, id, self.program.function(id), block)
    }

    /// Whether a body looks at an atomic, itself or in what it calls.
    fn looks(&self, id: FunctionId, depth: usize) -> bool {
        let function = self.program.function(id);
        function.calls().any(|(block, ..)| {
            atomic_operation(function, block).is_some()
                || depth > 0
                    && self.called(id, block).iter().any(|it| *it != id && self.looks(*it, depth - 1))
        })
    }

    /// What the call at the end of a block does to an atomic, if that may be what is waited for.
    fn store(&self, id: FunctionId, function: &Function, block: BlockId) -> Option<Store> {
        let Row { operation, .. } = atomic_operation(function, block)?;
        let stores = matches!(operation.action, Action::Store | Action::Swap);
        let (call, _) = function.call(block)?;
        if let Some(Leaves::Argument(number)) = operation.leaves
            && call.arguments.get(usize::from(number)).is_some_and(is_nothing)
        {
            return None;
        }
        let counts = matches!(
            operation.leaves,
            Some(Leaves::More | Leaves::Less | Leaves::Either | Leaves::Both | Leaves::Extreme)
        );
        let on = call.place(0).filter(|_| stores)?;
        Some(Store { on: self.atomic(id, function, on), counts })
    }

    fn atomic(&self, id: FunctionId, function: &Function, on: &Place) -> Atomic {
        let access = AccessPaths::of(self.program, function).place(on);
        let of_static = access.and_then(|it| match it.root {
            Root::Static(name) => Some(name),
            _ => None,
        });
        let ty = function.type_of(on).map_or("", |it| peeled(it).name());
        Atomic { made: self.objects.at(self.program, id, on), of_static, ty }
    }

    /// What a body has seen whenever it comes to a block: it comes there only by a branch that was decided by it, and the other way does
    /// not lead there before it has looked again. Functions are followed that come back only then.
    fn seen_before(&self, id: FunctionId, wanted: BlockId, depth: usize) -> BTreeSet<Atomic> {
        let function = self.program.function(id);
        let paths = Paths::of(function);
        let is_passed = |at: BlockId| {
            let free = |it: BlockId| it == at;
            at != wanted && !paths.reach(&[BlockId(0)], &free, &|it| it == wanted)
        };
        let mut found = BTreeSet::new();
        for (block, it) in function.blocks().filter(|(_, it)| !it.cleanup) {
            match &it.terminator {
                Terminator::Switch { on: Operand::Place(on), .. } if is_passed(block) => {
                    let looks = decided_by(function, on).into_iter();
                    let turns_back = |look: &BlockId| {
                        let leads = |to: BlockId| paths.reach(&[to], &|it| it == *look, &|it| it == wanted);
                        let ways = paths.next(block);
                        ways.iter().any(|it| leads(*it)) && !ways.iter().all(|it| leads(*it))
                    };
                    for look in looks.filter(turns_back) {
                        found.extend(self.looked_at(id, function, look, depth));
                    }
                }
                Terminator::Call(_)
                    if depth > 0 && self.calls_what_looks(id, block, depth) && is_passed(block) =>
                {
                    let called = self.called(id, block).into_iter().filter(|it| *it != id);
                    found.extend(in_each(called.map(|inner| {
                        let function = self.program.function(inner);
                        let ends = function.blocks().map(|it| it.0).filter(|it| function.returns_at(*it));
                        in_each(ends.map(|it| self.seen_before(inner, it, depth - 1)))
                    })));
                }
                _ => {}
            }
        }
        found
    }

    fn calls_what_looks(&self, id: FunctionId, block: BlockId, depth: usize) -> bool {
        self.called(id, block).iter().any(|it| *it != id && self.looks(*it, depth - 1))
    }

    /// The atomics by which the call at the end of a block decides what it gives: the one that it reads, or those that a function reads
    /// which it calls.
    fn looked_at(
        &self,
        id: FunctionId,
        function: &Function,
        block: BlockId,
        depth: usize,
    ) -> BTreeSet<Atomic> {
        if atomic_operation(function, block).is_some_and(|it| it.operation.action != Action::Store) {
            let on = function.call(block).and_then(|(call, _)| call.place(0));
            return on.map(|it| self.atomic(id, function, it)).into_iter().collect();
        }
        if depth == 0 {
            return BTreeSet::new();
        }
        let inner = self.called(id, block).into_iter().filter(|it| *it != id);
        inner
            .flat_map(|inner| {
                let function = self.program.function(inner);
                let result = Place { local: Local(0), projections: Vec::new() };
                let looks = decided_by(function, &result).into_iter();
                looks.flat_map(|it| self.looked_at(inner, function, it, depth - 1)).collect::<Vec<_>>()
            })
            .collect()
    }
}

/// What is in each of some sets; nothing where there are none.
fn in_each(mut all: impl Iterator<Item = BTreeSet<Atomic>>) -> BTreeSet<Atomic> {
    let first = all.next().unwrap_or_default();
    all.fold(first, |common, it| common.intersection(&it).cloned().collect())
}

/// The operation on an atomic that the call at the end of a block is.
fn atomic_operation(function: &Function, block: BlockId) -> Option<Row> {
    function.callee(block).likely_row().filter(|it| matches!(it.owner.is, Is::Flag(_)))
}

/// Whether a constant says that there is nothing yet.
fn is_nothing(operand: &Operand) -> bool {
    matches!(operand, Operand::Constant(text) if text == "false" || text.starts_with("0_") || text == "0")
}

/// The calls of whose results a value is made, also by comparing them and by other calls.
fn decided_by(function: &Function, place: &Place) -> BTreeSet<BlockId> {
    let mut found = BTreeSet::new();
    let mut left = MOST;
    walk::reached([Slot::at(place)], |mut slot: Slot| {
        left = left.saturating_sub(1);
        slot.steps.truncate(function.root(&slot));
        let definitions = if left > 0 { function.definitions(&slot) } else { &[] };
        found.extend(definitions.iter().filter_map(|it| match it {
            Definition::Called(block) => Some(*block),
            Definition::Assigned(..) => None,
        }));
        definitions.iter().flat_map(|it| function.places_of(*it)).map(Slot::at).collect::<Vec<_>>()
    });
    found
}
