//! State: a field, a static, or what is behind a pointer or lock there, as one body sees it.

use super::machine::machine_given;
use crate::body::{Callee, Definition, Function, Kind, Selector, Slot};
use crate::mir::{Call, Local, Made, Operand, Place, Projection, Rvalue, Statement};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, field};
use crate::ty::Ty;
use rvcheck_primitives::{Action, Holds, Operation};

/// What the way to a state begins with, in the terms of a body.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Root {
    /// The argument of that number, from 1.
    Argument(u32),
    /// The captured value of that number, from 0.
    Captured(u32),
    /// The static of that name.
    Static(String),
    /// A value that the body makes.
    Made(Slot),
    /// It is not known.
    Unknown,
}

/// Whose a state is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Reach {
    /// It ends with the value that the way begins with.
    Owned,
    /// It is behind a reference that nobody else has meanwhile.
    Exclusive,
    /// Others can reach it, too.
    Shared,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State {
    /// The field that it is in; `None` for what the way begins with itself.
    pub(crate) field: Option<(String, u32)>,
    /// What the way begins with.
    pub(crate) root: Root,
    /// Whose it is beyond what the way begins with.
    pub(crate) reach: Reach,
    /// Whose that is what the way begins with.
    pub(crate) begin: Reach,
}

impl State {
    /// Whether the two, in the terms of one body, may well be one: the same field of what begins alike, as far as that is known.
    pub(crate) fn is_same(&self, other: &State) -> bool {
        let unknown = self.root == Root::Unknown || other.root == Root::Unknown;
        self.field == other.field && (self.root == other.root || unknown && self.field.is_some())
    }

    /// Whether they are in the same field of one type, or are one static.
    pub(crate) fn is_of_one_field(&self, other: &State) -> bool {
        match (&self.field, &other.field) {
            (None, None) => self.root == other.root && matches!(self.root, Root::Static(_)),
            (one, other) => one == other,
        }
    }

    /// Whose it is, as far as the body knows.
    pub(crate) fn whose(&self) -> Reach {
        match self.root {
            Root::Static(_) => Reach::Shared,
            Root::Made(_) => Reach::Owned,
            Root::Unknown if self.field.is_some() => Reach::Shared,
            _ => self.reach.max(self.begin),
        }
    }

    /// The same state in the terms of a body that gives this to the one that it is seen in.
    fn seen_from(&self, given: &State) -> State {
        State {
            field: self.field.clone().or_else(|| given.field.clone()),
            root: given.root.clone(),
            reach: given.reach.max(self.reach),
            begin: given.begin,
        }
    }
}

/// What a body gives to one that it runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    pub(crate) arguments: Vec<Option<State>>,
    pub(crate) captured: Vec<Option<State>>,
}

impl Given {
    /// What stands for what a way in the body that is run begins with.
    pub(crate) fn of(&self, root: &Root) -> Option<&State> {
        match root {
            Root::Argument(number) => self.arguments.get(*number as usize - 1)?.as_ref(),
            Root::Captured(number) => self.captured.get(*number as usize)?.as_ref(),
            Root::Static(_) | Root::Unknown | Root::Made(_) => None,
        }
    }

    /// A state of the body that is run, in the terms of the one that runs it.
    pub(crate) fn seen(&self, inner: &State) -> Option<State> {
        match &inner.root {
            Root::Static(_) | Root::Unknown => return Some(inner.clone()),
            Root::Made(_) => return None,
            Root::Argument(_) | Root::Captured(_) => {}
        }
        match self.of(&inner.root) {
            Some(given) => Some(inner.seen_from(given)),
            // Which one it is remains unknown, but not that others have it.
            None => {
                let shared = inner.field.is_some() && inner.reach == Reach::Shared;
                shared.then(|| State { root: Root::Unknown, ..inner.clone() })
            }
        }
    }
}

/// How deep functions that give a part of what they are given are looked into.
pub(super) const DEEPEST: usize = 5;

/// The state that an operand is, refers to or guards.
pub(crate) fn of_operand(program: &Program, function: &Function, operand: &Operand) -> Option<State> {
    match operand {
        Operand::Place(place) => of_place(program, function, place),
        Operand::Constant(_) => program.static_of(operand).map(of_static),
    }
}

/// The state that a place is, refers to or guards.
pub(crate) fn of_place(program: &Program, function: &Function, place: &Place) -> Option<State> {
    within(program, function, place, DEEPEST)
}

fn of_static(name: &str) -> State {
    State { field: None, root: Root::Static(name.to_owned()), reach: Reach::Owned, begin: Reach::Shared }
}

pub(super) fn within(program: &Program, function: &Function, place: &Place, depth: usize) -> Option<State> {
    let mut place = place.clone();
    let mut found = State { field: None, root: Root::Unknown, reach: Reach::Owned, begin: Reach::Owned };
    for _ in 0..64 {
        found.field = found.field.or_else(|| match field(program, function, &place) {
            Some(AbstractObject::Field(of, number)) => Some((of, number)),
            _ => None,
        });
        let slot = Slot::at(&place);
        let root = function.root(&slot);
        found.reach = found.reach.max(reached(function, &place, root));
        if let Some((number, _)) = function.captured(&slot) {
            let ty = captured_type(&place).or_else(|| function.captured_type(number));
            found.begin = ty.map_or(Reach::Owned, reach_of);
            return Some(State { root: Root::Captured(number), ..found });
        }
        let part = slot.steps.get(root).copied();
        let own = Slot { local: slot.local, steps: slot.steps[..root].to_vec() };
        if function.is_argument(&own) {
            found.begin = reach_of(function.body.type_of(own.local));
            let given =
                if function.kind == Kind::Function { Root::Argument(own.local.0) } else { Root::Unknown };
            return Some(State { root: given, ..found });
        }
        let one = function.definition(&own).or_else(|| one_of_equals(function, &own));
        let Some(definition) = one.or_else(|| before_waits(function, &own)) else {
            // A guard that a wait has given back is still of something that others have.
            let at = slot_place(&own);
            let is_guard = function.type_of(&at).is_some_and(|it| program.guards().owns(program, it));
            return Some(if is_guard {
                State { root: Root::Unknown, reach: Reach::Shared, ..found }
            } else {
                State { root: Root::Made(own), ..found }
            });
        };
        place = match definition {
            Definition::Assigned(..) => match function.assigned(definition)? {
                Rvalue::Use(Operand::Place(from))
                | Rvalue::Cast(Operand::Place(from), _)
                | Rvalue::Reference(from, _) => from.clone(),
                Rvalue::Use(constant @ Operand::Constant(_)) => {
                    let of = program.static_of(constant).map(of_static)?;
                    return Some(State { field: found.field, ..of });
                }
                Rvalue::Made(Made::Parts, parts) => match part {
                    Some(Selector::Field(at)) => parts.get(at as usize)?.place()?.clone(),
                    _ => return Some(State { root: Root::Made(own), ..found }),
                },
                Rvalue::Made(_, parts) if parts.len() == 1 => match part {
                    Some(Selector::Field(0)) => parts[0].place()?.clone(),
                    _ => return Some(State { root: Root::Made(own), ..found }),
                },
                _ => return Some(State { root: Root::Made(own), ..found }),
            },
            Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                if callee.is_poll() {
                    let polled = function.polled(block)?;
                    match given_by_machine(program, function, &polled, depth) {
                        Some(given) => {
                            return Some(State {
                                field: found.field.clone().or_else(|| given.field.clone()),
                                reach: found.reach.max(given.reach),
                                ..given
                            });
                        }
                        None => slot_place(&polled),
                    }
                } else if let Some(called) = program.called(function, block).filter(|_| depth > 0) {
                    if program.machine_made_by(called).is_some() {
                        // The future itself.
                        return Some(State { root: Root::Made(own), ..found });
                    }
                    let inner = program.function(called);
                    let gives = within(program, inner, &Place::of(Local(0)), depth - 1)?;
                    let Root::Argument(number) = gives.root else {
                        return match gives.root {
                            Root::Static(_) => Some(State { field: found.field.or(gives.field), ..gives }),
                            _ => Some(State { root: Root::Made(own), ..found }),
                        };
                    };
                    found.field = found.field.or(gives.field);
                    call.place(number as usize - 1)?.clone()
                } else {
                    let copies = callee.name() == "clone" && found.reach == Reach::Shared;
                    if !copies && !leads_on(program, function, call, callee) {
                        return Some(State { root: Root::Made(own), ..found });
                    }
                    let shared =
                        callee.self_type().is_some_and(is_shared_pointer) || callee.name() == "upgrade";
                    found.reach = found.reach.max(if shared { Reach::Shared } else { Reach::Owned });
                    match call.arguments.first()? {
                        Operand::Place(from) => from.clone(),
                        constant @ Operand::Constant(_) => {
                            let of = program.static_of(constant).map(of_static)?;
                            return Some(State { field: found.field, ..of });
                        }
                    }
                }
            }
        };
    }
    None
}

/// The first definition of a value that is given the same by several branches, as a `match` on a lock's result does.
fn one_of_equals(function: &Function, slot: &Slot) -> Option<Definition> {
    let definitions = function.definitions(slot);
    let froms: Vec<Slot> = definitions
        .iter()
        .filter_map(|it| match function.assigned(*it)? {
            Rvalue::Use(Operand::Place(from)) | Rvalue::Reference(from, _) => {
                let from = Slot::at(from);
                let root = function.root(&from);
                Some(Slot { local: from.local, steps: from.steps[..root].to_vec() })
            }
            _ => None,
        })
        .collect();
    let same = froms.len() == definitions.len() && froms.windows(2).all(|it| it[0] == it[1]);
    definitions.first().copied().filter(|_| same && !function.is_argument(slot))
}

/// Where a guard was acquired that waits in between release and give back: `guard = condvar.wait(guard)`.
fn before_waits(function: &Function, guard: &Slot) -> Option<Definition> {
    let mut others = function.definitions(guard).iter().filter(|it| !gives_back(function, **it, guard));
    others.next().copied().filter(|_| others.next().is_none())
}

/// Whether what a value gets there is what a call gave that was given the value itself.
fn gives_back(function: &Function, definition: Definition, value: &Slot) -> bool {
    let mut definition = definition;
    for _ in 0..8 {
        let from = match definition {
            Definition::Called(block) => {
                let Some((call, callee)) = function.call(block) else { return false };
                if call.places().any(|it| moved_from(function, it) == *value) {
                    return true;
                }
                call.place(0).filter(|_| callee.hands_on() || callee.opens())
            }
            Definition::Assigned(..) => match function.assigned(definition) {
                Some(Rvalue::Use(Operand::Place(from))) => Some(from),
                _ => None,
            },
        };
        match from.and_then(|it| function.definition(&function.whole(&Slot::at(it)))) {
            Some(next) => definition = next,
            None => return false,
        }
    }
    false
}

/// The value that a temporary is moved from.
fn moved_from(function: &Function, place: &Place) -> Slot {
    let slot = Slot::at(place);
    match function.definition(&slot).and_then(|it| function.assigned(it)) {
        Some(Rvalue::Use(Operand::Place(from))) => Slot::at(from),
        _ => slot,
    }
}

/// What a state machine gives at its end, in the terms of the body that polls it.
fn given_by_machine(program: &Program, function: &Function, polled: &Slot, depth: usize) -> Option<State> {
    let (machine, given) = machine_given(program, function, polled, depth.checked_sub(1)?)?;
    let inner = program.function(machine);
    let blocks = inner.blocks().filter(|(_, it)| !it.cleanup);
    let mut ends = blocks.flat_map(|(_, it)| &it.statements).filter_map(|it| match it {
        Statement::Assign(into, value) if into.local == Local(0) => value.variant("Ready")?.first(),
        _ => None,
    });
    let end = ends.next().filter(|_| ends.next().is_none())?;
    given.seen(&within(program, inner, end.place()?, depth - 1)?)
}

/// What a place is behind, beyond what it begins with.
fn reached(function: &Function, place: &Place, root: usize) -> Reach {
    let mut reach = Reach::Owned;
    let mut at = Place { local: place.local, projections: Vec::new() };
    for (number, step) in place.projections.iter().enumerate() {
        if number >= root
            && *step == Projection::Deref
            && at.projections.len() > root
            && let Some(ty) = function.type_of(&at)
        {
            reach = reach.max(reach_of(ty));
        }
        at.projections.push(step.clone());
    }
    reach
}

/// Whose it is what a value of a type leads to.
fn reach_of(ty: Ty) -> Reach {
    let pointer = ty.unpinned();
    match pointer.referent() {
        Some(to) if pointer.is_exclusive() && !is_shared_pointer(to) => Reach::Exclusive,
        None if !is_shared_pointer(pointer) => Reach::Owned,
        _ => Reach::Shared,
    }
}

fn is_shared_pointer(ty: Ty) -> bool {
    matches!(ty.holds(), Some(Holds::Counted | Holds::Weakly))
}

/// The type of the captured value that a place is or is a part of.
fn captured_type(place: &Place) -> Option<Ty> {
    place.projections.iter().find_map(|it| match it {
        Projection::Field(_, ty) => Some(*ty),
        _ => None,
    })
}

/// Whether what a call gives is, refers to or guards a part of what it was given first.
fn leads_on(program: &Program, function: &Function, call: &Call, callee: Callee) -> bool {
    let name = callee.name();
    let takes = |it: &Operation| matches!(it.action, Action::Acquire(_));
    let leads = callee.views()
        || callee.opens()
        || callee.reaches()
        || callee.iterates()
        || callee.requests()
        || callee.may(takes)
        || callee.shares() && name.ends_with("grade")
        || matches!(name, "force" | "next" | "new_unchecked")
        || matches!(name, "into_inner" | "into_future" | "map_err" | "peek_mut");
    if name == "clone" {
        return callee.self_type().is_some_and(|it| is_shared_pointer(it) || it.is_reference());
    }
    let ty = function.type_of(&call.into).unwrap_or_default();
    let guards = || program.guards().owns(program, ty);
    leads
        || ty.referent().is_some()
        || ty.has(|it| it.is_of_reference("Option"))
        || guards()
        || matches!(name, "new" | "pin") && matches!(ty.name(), "Pin" | "Box")
        || name == "__rv_site"
        || name == "__rv_await"
}

fn slot_place(slot: &Slot) -> Place {
    let step = |it: &Selector| match it {
        Selector::Deref => Projection::Deref,
        Selector::Field(number) => Projection::Field(*number, Ty::default()),
        Selector::State(number) => Projection::Variant(format!("variant#{number}")),
        Selector::Element => Projection::Element,
    };
    Place { local: slot.local, projections: slot.steps.iter().map(step).collect() }
}
