//! What an agent has to see in an atomic before it comes to a point, and who stores there only behind a point of its own.
//!
//! Whoever looks again for as long as it has seen too little waits, though no call of it does: `while !ready.load(Acquire) {}`. So does
//! whoever turns back instead. What is not looked at is the value: a store is taken for the one that is waited for unless it puts
//! `false`, 0 or null there. So the answer is never more than that two points are probably kept apart.

use super::order::Point;
use super::steps::bodies;
use crate::body::paths::Paths;
use crate::body::text::{head, last};
use crate::body::walk;
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::facts::objects::{Objects, Thing, peeled};
use crate::mir::{BlockId, Local, Operand, Place, Terminator};
use crate::program::Program;
use crate::program::access::{AccessPaths, Root};
use crate::program::library::operation_of;
use rvcheck_primitives::{Action, Is, Leaves, Operation, Owner};
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
    ty: String,
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

impl Shown<'_> {
    /// Whether an agent that begins with the body `second` comes to a point only where it has seen what another one, which begins with
    /// `first`, stores behind these blocks and not before. `run` says whether one of both runs a body.
    pub(super) fn is_shown(
        &self,
        (first, past): (FunctionId, &[BlockId]),
        (second, wanted): (FunctionId, &[BlockId]),
        point: Point,
        run: &dyn Fn(FunctionId) -> bool,
    ) -> bool {
        let mut seen = self.seen_before(point.0, point.1, DEEPEST);
        if point.0 != second {
            seen.extend(self.seen_before_each(second, wanted, DEEPEST));
        }
        if seen.is_empty() {
            return false;
        }
        let paths = Paths::of(self.program.function(first));
        let is_behind = |at: BlockId| {
            past.iter().any(|it| paths.leads(*it, at)) && !past.iter().any(|it| paths.leads(at, *it))
        };
        let stores = self.stores(first);
        seen.iter().any(|it| {
            let mut all = stores.iter().filter(|(_, store)| store.on.may_be(it)).peekable();
            all.peek().is_some() && all.all(|(at, _)| is_behind(*at)) && !self.is_stored_elsewhere(it, run)
        })
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
            atomic_operation(self.program, function, block).is_some()
                || depth > 0
                    && self.called(id, block).iter().any(|it| *it != id && self.looks(*it, depth - 1))
        })
    }

    /// What the call at the end of a block does to an atomic, if that may be what is waited for.
    fn store(&self, id: FunctionId, function: &Function, block: BlockId) -> Option<Store> {
        let (_, operation) = atomic_operation(self.program, function, block)?;
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
        let on = call.arguments.first()?.place().filter(|_| stores)?;
        Some(Store { on: self.atomic(id, function, on), counts })
    }

    fn atomic(&self, id: FunctionId, function: &Function, on: &Place) -> Atomic {
        let access = AccessPaths::of(self.program, function).place(on);
        let of_static = access.and_then(|it| match it.root {
            Root::Static(name) => Some(name),
            _ => None,
        });
        let ty = function.type_of(on).map_or("", peeled);
        let ty = last(&head(ty)).to_owned();
        Atomic { made: self.objects.at(self.program, id, on), of_static, ty }
    }

    /// What a body has seen whenever it comes to one of these blocks.
    fn seen_before_each(&self, id: FunctionId, blocks: &[BlockId], depth: usize) -> BTreeSet<Atomic> {
        let mut all = blocks.iter().map(|it| self.seen_before(id, *it, depth));
        let first = all.next().unwrap_or_default();
        all.fold(first, |seen, it| seen.intersection(&it).cloned().collect())
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
                    let mut all = called.map(|inner| {
                        let function = self.program.function(inner);
                        let ends = function.blocks().map(|it| it.0).filter(|it| function.returns_at(*it));
                        self.seen_before_each(inner, &ends.collect::<Vec<_>>(), depth - 1)
                    });
                    let first = all.next().unwrap_or_default();
                    found.extend(all.fold(first, |seen, it| seen.intersection(&it).cloned().collect()));
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
        if atomic_operation(self.program, function, block).is_some_and(|it| it.1.action != Action::Store) {
            let on = function.call(block).and_then(|(call, _)| call.arguments.first()?.place());
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

/// The operation on an atomic that the call at the end of a block is.
fn atomic_operation(
    program: &Program,
    function: &Function,
    block: BlockId,
) -> Option<(&'static Owner, &'static Operation)> {
    operation_of(program.callee_path(function, block)).filter(|(owner, _)| matches!(owner.is, Is::Flag(_)))
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
