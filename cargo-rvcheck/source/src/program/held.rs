//! Which guards are held where, followed through moves, drops, calls and suspensions.
//!
//! The analysis goes forward over the blocks of one body, panics left out. A guard that is held on some path to a place may be held
//! there; it is certain where it is held on every path. A guard that is given to a call is given back by it if the type of the result
//! can own one, and gone otherwise.

use crate::body::walk;
use crate::body::walk::Lattice;
use crate::body::{Definition, Function, Kind, Selector, Slot};
use crate::mir::{Block, BlockId, Call, Operand, Place, Rvalue, Terminator};
use crate::program::Program;
use crate::program::guards::GuardKinds;
use crate::ty::{Ty, is_of_std};
use rvcheck_primitives::{Failure, Is};
use std::collections::{BTreeMap, BTreeSet};

/// Where a guard comes from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// The call at the end of that block gave it.
    Call(BlockId),
    /// The body was given it, or captured it.
    Given(Slot),
}

/// A guard in a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guard {
    /// Where it comes from.
    pub origin: Origin,
    /// What sorts of guard it is or contains.
    pub kinds: GuardKinds,
    /// The type of what it came as, as it is written.
    pub ty: Ty,
}

/// The number of a guard in its body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GuardId(pub u32);

/// What is held at some place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Held {
    at: BTreeMap<Slot, BTreeSet<GuardId>>,
    certain: BTreeSet<GuardId>,
    /// By value that was looked at: the variant that it has where it holds a guard at all. The compiler looks again where it drops what is
    /// left of the value.
    variants: BTreeMap<Slot, i128>,
}

impl Held {
    /// All guards that may be held, and whether each is on every path that leads here.
    pub fn guards(&self) -> BTreeMap<GuardId, bool> {
        self.at.values().flatten().map(|it| (*it, self.certain.contains(it))).collect()
    }

    /// The slots that may hold guards.
    pub fn slots(&self) -> impl Iterator<Item = (&Slot, &BTreeSet<GuardId>)> {
        self.at.iter()
    }

    /// The guards that a slot or a part of it may hold.
    pub fn within(&self, slot: &Slot) -> BTreeSet<GuardId> {
        self.at.iter().filter(|(it, _)| it.within(slot).is_some()).flat_map(|(_, it)| it).copied().collect()
    }

    /// The guards that are moved out of a slot with it: those in it, and those that it may be a part of.
    pub fn moved_with(&self, slot: &Slot) -> BTreeSet<GuardId> {
        let of = self.at.iter().filter(|(it, _)| it.within(slot).is_some() || slot.within(it).is_some());
        of.flat_map(|(_, guards)| guards).copied().collect()
    }

    fn put(&mut self, slot: Slot, guards: impl IntoIterator<Item = GuardId>) {
        self.at.entry(slot).or_default().extend(guards);
    }

    /// Takes what is held in a slot out of it; `owns` where the slot's type can own a guard.
    fn take(&mut self, slot: &Slot, owns: bool) -> Vec<(Vec<Selector>, BTreeSet<GuardId>)> {
        let mut taken = Vec::new();
        self.at.retain(|at, guards| {
            if let Some(rest) = at.within(slot) {
                taken.push((rest.to_vec(), std::mem::take(guards)));
                return false;
            }
            if owns && slot.within(at).is_some() {
                taken.push((Vec::new(), std::mem::take(guards)));
                return false;
            }
            true
        });
        taken
    }

    /// Whether a slot or a part of it may hold a guard.
    fn holds(&self, slot: &Slot) -> bool {
        self.at.iter().any(|(it, guards)| it.within(slot).is_some() && !guards.is_empty())
    }

    /// A slot, or what it is a part of, gets another value.
    fn forget_variants(&mut self, slot: &Slot) {
        self.variants.retain(|it, _| it.within(slot).is_none() && slot.within(it).is_none());
    }

    fn forget_lost(&mut self) {
        let held: BTreeSet<GuardId> = self.at.values().flatten().copied().collect();
        self.certain.retain(|it| held.contains(it));
    }
}

impl Lattice for Held {
    fn join(&mut self, other: &Held) -> bool {
        let variants = std::mem::take(&mut self.variants);
        let slots: BTreeSet<&Slot> = variants.keys().chain(other.variants.keys()).collect();
        for slot in slots {
            let (own, others) = (variants.get(slot), other.variants.get(slot));
            let variant = match (self.holds(slot), other.holds(slot)) {
                (true, true) => own.filter(|it| Some(*it) == others),
                (true, false) => own,
                (false, _) => others,
            };
            self.variants.extend(variant.map(|it| (slot.clone(), *it)));
        }
        let mut is_changed = variants != self.variants;
        for (slot, guards) in &other.at {
            is_changed |= !self.at.contains_key(slot);
            let known = self.at.entry(slot.clone()).or_default();
            for guard in guards {
                is_changed |= known.insert(*guard);
            }
        }
        let before = self.certain.len();
        self.certain.retain(|it| other.certain.contains(it));
        is_changed || self.certain.len() != before
    }
}

/// The guards of a body and where they are held.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Holding {
    guards: Vec<Guard>,
    /// By block: what is held when its terminator runs; `None` for blocks that only a panic leads to.
    at_end: Vec<Option<Held>>,
}

impl Holding {
    /// The guard of that number.
    pub fn guard(&self, id: GuardId) -> Option<&Guard> {
        self.guards.get(id.0 as usize)
    }

    /// The numbers of the guards.
    pub fn ids(&self) -> impl Iterator<Item = GuardId> + use<> {
        (0..self.guards.len() as u32).map(GuardId)
    }

    /// What is held when the terminator of a block runs: before its call, or while it is suspended.
    pub fn at(&self, block: BlockId) -> Option<&Held> {
        self.at_end.get(block.0 as usize)?.as_ref()
    }

    /// Follows the guards of a body.
    pub(super) fn of(program: &Program, function: &Function) -> Holding {
        let mut work = Work { program, function, guards: Vec::new(), by_origin: BTreeMap::new() };
        let first = work.first();
        let mut given = function.calls().filter_map(|(_, call, _)| function.type_of(&call.into));
        if first.at.is_empty() && !given.any(|it| program.guards().owns(program, it)) {
            return Holding::default();
        }
        let count = function.body.blocks.len();
        let mut at_end: Vec<Option<Held>> = vec![None; count];
        let ended = walk::forward(count, first, |id, mut held| {
            work.statements(id, &mut held);
            at_end[id.0 as usize] = Some(held.clone());
            work.leave(id, held)
        });
        ended.map_or_else(Holding::default, |_| Holding { guards: work.guards, at_end })
    }
}

struct Work<'a> {
    program: &'a Program,
    function: &'a Function,
    guards: Vec<Guard>,
    by_origin: BTreeMap<Origin, GuardId>,
}

impl Work<'_> {
    fn owns(&self, ty: Ty) -> bool {
        self.program.guards().owns(self.program, ty)
    }

    fn owns_place(&self, place: &Place) -> bool {
        self.function.type_of(place).is_some_and(|it| self.owns(it))
    }

    /// The guard from there. It is made when it is first asked for.
    fn guard(&mut self, origin: Origin, ty: Ty) -> GuardId {
        let next = GuardId(self.guards.len() as u32);
        let id = *self.by_origin.entry(origin.clone()).or_insert(next);
        if id == next {
            let kinds = self.program.guards().kinds(self.program, ty);
            self.guards.push(Guard { origin, kinds, ty });
        }
        id
    }

    /// What is held from the beginning.
    fn first(&mut self) -> Held {
        let function = self.function;
        let mut held = Held::default();
        for (_, place) in &function.body.variables {
            let slot = Slot::at(place);
            let given = match function.kind {
                Kind::Function => function.is_argument(&slot),
                Kind::Closure | Kind::Coroutine => {
                    function.captured(&slot).is_some_and(|(_, rest)| rest.is_empty())
                        || function.kind == Kind::Closure && function.is_argument(&slot)
                }
                Kind::Constant => false,
            };
            if given && let Some(ty) = function.type_of(place).filter(|it| self.owns(*it)) {
                let id = self.guard(Origin::Given(slot.clone()), ty);
                held.certain.insert(id);
                held.put(slot, [id]);
            }
        }
        held
    }

    fn statements(&self, id: BlockId, held: &mut Held) {
        let Some(block) = self.function.body.block(id) else { return };
        for (into, value) in block.assignments() {
            let into = Slot::at(into);
            // The access path to the state machine itself is made in its first block.
            if self.function.is_machine(&into) {
                continue;
            }
            held.forget_variants(&into);
            let mut moved = Vec::new();
            match value {
                Rvalue::Reference(of, true) => held.forget_variants(&Slot::at(of)),
                Rvalue::Use(Operand::Place(from)) | Rvalue::Cast(Operand::Place(from), _) => {
                    moved.push((Vec::new(), from));
                }
                Rvalue::Made(_, parts) => {
                    let places = parts.iter().enumerate().filter_map(|(at, it)| Some((at, it.place()?)));
                    moved.extend(places.map(|(at, it)| (vec![Selector::Field(at as u32)], it)));
                }
                _ => {}
            }
            let mut put = Vec::new();
            for (steps, from) in moved {
                for (rest, guards) in held.take(&Slot::at(from), self.owns_place(from)) {
                    put.push((into.with(&steps).with(&rest), guards));
                }
            }
            held.take(&into, false);
            for (slot, guards) in put {
                held.put(slot, guards);
            }
            held.forget_lost();
        }
    }

    /// What is held on each path out of a block.
    fn leave(&mut self, id: BlockId, mut held: Held) -> Vec<(BlockId, Held)> {
        let Some(block) = self.function.body.block(id) else { return Vec::new() };
        match &block.terminator {
            Terminator::Drop { place, .. } => {
                held.take(&Slot::at(place), self.owns_place(place));
            }
            Terminator::Call(call) => self.call(id, call, &mut held),
            Terminator::Switch { cases, otherwise, .. }
                if id != BlockId(0) || self.function.kind != Kind::Coroutine =>
            {
                return self.switch(id, cases, *otherwise, &held);
            }
            _ => {}
        }
        held.forget_lost();
        self.function.successors(id).into_iter().map(|it| (it, held.clone())).collect()
    }

    fn call(&mut self, id: BlockId, call: &Call, held: &mut Held) {
        let mut given = BTreeSet::new();
        for place in call.places() {
            for (_, guards) in held.take(&Slot::at(place), self.owns_place(place)) {
                given.extend(guards);
            }
        }
        let into = Slot::at(&call.into);
        held.forget_variants(&into);
        held.take(&into, false);
        let Some(ty) = self.function.type_of(&call.into).filter(|it| self.owns(*it)) else {
            return;
        };
        if given.is_empty() {
            given = self.taken_through_reference(call, held);
        }
        if given.is_empty() {
            let guard = self.guard(Origin::Call(id), ty);
            held.certain.insert(guard);
            given.insert(guard);
        }
        held.put(into, given);
    }

    /// The guards that a call takes out of something that it was given a reference to, as `Option::take` does.
    fn taken_through_reference(&self, call: &Call, held: &mut Held) -> BTreeSet<GuardId> {
        let mut taken = BTreeSet::new();
        for place in call.places() {
            if !self.function.type_of(place).is_some_and(Ty::is_exclusive) {
                continue;
            }
            let Some(definition @ Definition::Assigned(..)) = self.function.definition(&Slot::at(place))
            else {
                continue;
            };
            if let Some(Rvalue::Reference(of, _)) = self.function.assigned(definition) {
                // What is only borrowed, as by `deref_mut`, gives no guard.
                taken.extend(held.take(&Slot::at(of), false).into_iter().flat_map(|(_, it)| it));
            }
        }
        taken
    }

    fn switch(
        &self,
        id: BlockId,
        cases: &[(i128, BlockId)],
        otherwise: Option<BlockId>,
        held: &Held,
    ) -> Vec<(BlockId, Held)> {
        let subject = self.function.body.block(id).and_then(Block::discriminated);
        let own = subject
            .map(Slot::at)
            .filter(|it| self.is_own(it) && subject.is_some_and(|it| self.owns_place(it)));
        let is_case = |it: i128| cases.iter().any(|(value, _)| *value == it);
        let ty = subject.and_then(|it| self.function.type_of(it));
        let without = |variants: &[i128], is_other: bool, to: BlockId| {
            let mut held = held.clone();
            if let Some(place) = subject
                && let Some(ty) = ty
                && variants.iter().all(|it| payload(ty, *it).is_some_and(|it| !self.owns_payload(it)))
            {
                held.take(&Slot::at(place), false);
            }
            if let Some(slot) = &own {
                let leads_here = |it: i128| if is_other { !is_case(it) } else { variants == [it] };
                if held.variants.remove(slot).is_some_and(|it| !leads_here(it)) {
                    held.take(slot, false);
                }
                // Types that are not known may have more variants than two.
                let is_known = |it: i128| !is_other || ty.is_some_and(|ty| payload(ty, it).is_some());
                if let [one] = variants
                    && is_known(*one)
                {
                    held.variants.insert(slot.clone(), *one);
                }
            }
            if variants == [0]
                && let Some(moved) = self.moved_if_zero(id, cases, otherwise)
            {
                held.take(&Slot::at(moved), false);
            }
            held.forget_lost();
            (to, held)
        };
        let rest: Vec<i128> = [0, 1].into_iter().filter(|it| !is_case(*it)).collect();
        let mut out: Vec<_> = cases.iter().map(|(value, to)| without(&[*value], false, *to)).collect();
        let other = |to| if rest.is_empty() { (to, held.clone()) } else { without(&rest, true, to) };
        out.extend(otherwise.map(other));
        out
    }

    /// Whether a slot is a value of the body's own, which nobody changes behind a reference that is there already.
    fn is_own(&self, slot: &Slot) -> bool {
        !slot.steps[self.function.root(slot)..].contains(&Selector::Deref)
    }

    fn owns_payload(&self, ty: Ty) -> bool {
        // A poisoned lock gives its guard in the error of `try_lock`, too, which nobody goes on with.
        !ty.is_unknown() && self.program.sort(ty) != Some(Is::Error(Failure::Busy)) && self.owns(ty)
    }

    /// What a switch on a drop flag says to be moved out where the flag is not set: what the other way drops at once.
    fn moved_if_zero(
        &self,
        id: BlockId,
        cases: &[(i128, BlockId)],
        otherwise: Option<BlockId>,
    ) -> Option<&Place> {
        let Terminator::Switch { on, .. } = &self.function.body.block(id)?.terminator else { return None };
        if cases.len() != 1 || !self.is_drop_flag(on.place()?) {
            return None;
        }
        match &self.function.body.block(otherwise?)?.terminator {
            Terminator::Drop { place, .. } => Some(place),
            _ => None,
        }
    }

    /// Whether a place is a flag that the compiler has put in: one that gets constants alone, and has no name.
    fn is_drop_flag(&self, place: &Place) -> bool {
        let definitions = self.function.definitions(&Slot::at(place));
        let constant =
            |it: &Definition| matches!(self.function.assigned(*it), Some(Rvalue::Use(Operand::Constant(_))));
        self.function.type_of(place).is_some_and(Ty::is_bool)
            && self.function.body.variable_at(place).is_none()
            && !definitions.is_empty()
            && definitions.iter().all(constant)
    }
}

/// The type of what a variant of a well-known type holds; unknown for nothing, `None` where it is not known.
fn payload(ty: Ty, variant: i128) -> Option<Ty> {
    let head = ty.head();
    if head.contains("::") && !is_of_std(head) {
        return None;
    }
    let at = match (ty.name(), variant) {
        ("Option", 0) | ("Poll", 1) => return Some(Ty::default()),
        ("Option", 1) | ("Poll", 0) => 0,
        ("Result", 0 | 1) => variant as usize,
        ("ControlFlow", 0 | 1) => 1 - variant as usize,
        _ => return None,
    };
    ty.argument(at)
}
