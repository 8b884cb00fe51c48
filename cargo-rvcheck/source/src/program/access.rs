//! Access paths: from an argument, a captured value, a static, or a value that the body makes, to an object.
//!
//! Two places with the same access path are the same object, as long as the value at its root is not made anew. What an index or
//! a search gives is a value of its own each time.

use crate::body::{Definition, Function, FunctionId, Kind, Slot};
use crate::mir::{BlockId, Call, Local, Made, Operand, Place, Projection, Rvalue};
use crate::program::Program;
use crate::program::runs::tupled;
use crate::ty::{Ty, is_of_std, last};
use rvcheck_primitives::{Action, Does, Holds, Inside, Part, Row, What, holds};

/// What an access path begins with.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Root {
    /// The argument of that number, from 1.
    Argument(u32),
    /// The captured value of that number, from 0.
    Captured(u32),
    /// The static of that name.
    Static(String),
    /// A value that the body makes.
    Made(Slot),
}

/// A step of an access path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hop {
    /// To what it points to.
    Deref,
    /// To the reference that points to it.
    Address,
    /// To a field of that number, in what is made with that.
    Field(String, u32),
    /// To some element.
    Element,
}

/// An access path to an object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AccessPath {
    /// What it begins with.
    pub root: Root,
    /// The steps.
    pub hops: Vec<Hop>,
}

impl AccessPath {
    const fn root(root: Root) -> AccessPath {
        AccessPath { root, hops: Vec::new() }
    }

    /// This path and one step more.
    #[must_use]
    pub fn then(mut self, hop: Hop) -> AccessPath {
        if hop == Hop::Deref && self.hops.last() == Some(&Hop::Address) {
            self.hops.pop();
        } else {
            self.hops.push(hop);
        }
        self
    }

    /// Whether it always leads to the same object: it goes through no element.
    pub fn is_one(&self) -> bool {
        !self.hops.contains(&Hop::Element)
    }

    /// The same object in the terms of a caller, which gives these arguments and captured values.
    pub fn seen_from(
        &self,
        arguments: &[Option<AccessPath>],
        captured: &[Option<AccessPath>],
    ) -> Option<AccessPath> {
        let base = match &self.root {
            Root::Static(_) => return Some(self.clone()),
            Root::Argument(number) => arguments.get(*number as usize - 1)?.clone()?,
            Root::Captured(number) => captured.get(*number as usize)?.clone()?,
            Root::Made(_) => return None,
        };
        Some(self.hops.iter().cloned().fold(base, AccessPath::then))
    }

    /// The same object in the terms of what has captured that as the value of this number: the reverse of [`AccessPath::seen_from`].
    pub(crate) fn seen_inside(&self, number: u32, captured: &AccessPath) -> Option<AccessPath> {
        let (before, first) = match captured.hops.split_last() {
            Some((Hop::Address, before)) => (before, Some(Hop::Deref)),
            _ => (captured.hops.as_slice(), None),
        };
        let rest = self.hops.strip_prefix(before).filter(|_| self.root == captured.root)?;
        let hops = first.into_iter().chain(rest.iter().cloned()).collect();
        Some(AccessPath { root: Root::Captured(number), hops })
    }
}

/// Enums that have one thing in them, which is theirs.
const IN_VARIANTS: [&str; 3] = ["Option", "Result", "ControlFlow"];

/// The most steps that are followed back.
const DEEPEST: usize = 40;

/// The access paths in one body.
#[derive(Clone, Copy, Debug)]
pub struct AccessPaths<'a> {
    program: &'a Program,
    function: &'a Function,
    depth: usize,
}

impl<'a> AccessPaths<'a> {
    /// The access paths in that body.
    pub const fn of(program: &'a Program, function: &'a Function) -> AccessPaths<'a> {
        AccessPaths { program, function, depth: 0 }
    }

    /// The access path to what an operand is.
    pub fn operand(&self, operand: &Operand) -> Option<AccessPath> {
        match operand {
            Operand::Place(place) => self.place(place),
            // The constant is the address of the static.
            Operand::Constant(_) => {
                let name = self.program.static_of(operand)?;
                Some(AccessPath::root(Root::Static(name.to_owned())).then(Hop::Address))
            }
        }
    }

    /// The access path to a place.
    pub fn place(&self, place: &Place) -> Option<AccessPath> {
        let deeper = AccessPaths { depth: self.depth + 1, ..*self };
        if deeper.depth > DEEPEST {
            return None;
        }
        let slot = Slot::at(place);
        let captured = self.function.captured(&slot);
        let (mut access, used) = match captured {
            Some((number, _)) => {
                let used = place.projections.iter().position(|it| matches!(it, Projection::Field(..)))? + 1;
                (AccessPath::root(Root::Captured(number)), used)
            }
            None => {
                let used = self.function.root(&slot);
                let root = Slot { local: slot.local, steps: slot.steps[..used].to_vec() };
                match place.projections.get(used) {
                    Some(Projection::Field(number, _)) => match deeper.part(&root, *number) {
                        Some(part) => (part, used + 1),
                        None => (deeper.root(&root)?, used),
                    },
                    _ => (deeper.root(&root)?, used),
                }
            }
        };
        let (before, rest) = place.projections.split_at_checked(used)?;
        let mut at = Place { local: place.local, projections: before.to_vec() };
        for step in rest {
            let hop = match step {
                Projection::Deref => Some(Hop::Deref),
                Projection::Field(number, _) => {
                    let of = self.function.type_of(&at).map(|it| self.program.head(it)).unwrap_or_default();
                    // What is in an `Option` is reached by whoever reaches that.
                    let is_inside = matches!(at.projections.last(), Some(Projection::Variant(_)));
                    (!is_inside || !IN_VARIANTS.contains(&last(of)))
                        .then(|| Hop::Field(of.to_owned(), *number))
                }
                Projection::Variant(_) => None,
                Projection::Element => Some(Hop::Element),
            };
            at.projections.push(step.clone());
            access = hop.into_iter().fold(access, AccessPath::then);
        }
        Some(access)
    }

    /// The access path to the arguments of a call.
    pub fn arguments(&self, call: &Call) -> Vec<Option<AccessPath>> {
        call.arguments.iter().map(|it| self.operand(it)).collect()
    }

    /// The access path to what a closure or state machine in a slot has captured, and its body.
    pub fn captured_in(&self, slot: &Slot) -> Option<(FunctionId, Vec<Option<AccessPath>>)> {
        let definition = self.function.producer(slot)?;
        if let Definition::Called(block) = definition {
            let (call, _) = self.function.call(block)?;
            let maker = self.program.called(self.function, block)?;
            let (machine, operands) = self.program.machine_made_by(maker)?;
            let inside = AccessPaths::of(self.program, self.program.function(maker));
            let arguments = self.arguments(call);
            let captured = operands.iter().map(|it| inside.operand(it)?.seen_from(&arguments, &[]));
            return Some((machine, captured.collect()));
        }
        let (ty, operands) = self.function.assigned(definition)?.body()?;
        let machine = self.program.body_of(ty)?;
        Some((machine, operands.iter().map(|it| self.operand(it)).collect()))
    }

    /// The body of the closure that an operand is, and the access paths to what it has captured.
    pub fn closure_in(&self, operand: &Operand) -> Option<(FunctionId, Vec<Option<AccessPath>>)> {
        match operand {
            Operand::Place(place) => self.captured_in(&Slot::at(place)),
            // A closure that captures nothing.
            Operand::Constant(text) => {
                Some((self.program.body_written(text.strip_prefix("ZeroSized: ")?)?, Vec::new()))
            }
        }
    }

    /// What something inside a body that this one runs is here, where that is given these arguments and captured values.
    pub fn seen(
        &self,
        inner: &AccessPath,
        arguments: &[Option<AccessPath>],
        captured: &[Option<AccessPath>],
    ) -> Option<AccessPath> {
        let seen = inner.seen_from(arguments, captured)?;
        let (Root::Made(slot), Some(Hop::Field(_, number))) = (&seen.root, seen.hops.first()) else {
            return Some(seen);
        };
        match self.part(slot, *number) {
            Some(part) => Some(seen.hops[1..].iter().cloned().fold(part, AccessPath::then)),
            None => Some(seen),
        }
    }

    fn root(&self, slot: &Slot) -> Option<AccessPath> {
        let made = || Some(AccessPath::root(Root::Made(slot.clone())));
        if self.function.is_argument(slot) && self.function.definitions(slot).is_empty() {
            return match self.function.kind {
                Kind::Function => Some(AccessPath::root(Root::Argument(slot.local.0))),
                // The first one is the closure itself.
                Kind::Closure if slot.local.0 > 1 => Some(AccessPath::root(Root::Argument(slot.local.0))),
                _ => made(),
            };
        }
        let Some(definition) = self.function.definition(slot) else { return made() };
        if let Definition::Called(block) = definition {
            return self.given_by(block).or_else(made);
        }
        match self.function.assigned(definition)? {
            Rvalue::Use(operand) | Rvalue::Cast(operand, _) => self.operand(operand).or_else(made),
            Rvalue::Reference(of, _) => Some(self.place(of)?.then(Hop::Address)),
            _ => made(),
        }
    }

    /// The access path to what was put into a field of the struct in a slot where that is made, here or in the function that gives it, as a clone
    /// of an `Arc` is put into the clone of what has it.
    fn part(&self, slot: &Slot, number: u32) -> Option<AccessPath> {
        let definition = self.function.definition(slot)?;
        if self.depth > DEEPEST || self.function.changes().may_change(slot, number) {
            return None;
        }
        let known = match definition {
            Definition::Assigned(..) => match self.function.assigned(definition)? {
                Rvalue::Use(Operand::Place(from))
                    if Slot::at(from).steps.len() == self.function.root(&Slot::at(from)) =>
                {
                    return AccessPaths { depth: self.depth + 1, ..*self }.part(&Slot::at(from), number);
                }
                made => {
                    let part = made_part(made, number)?;
                    let known = self.operand(part)?;
                    // A handle leads to what it is a handle to, wherever it is put.
                    return (!known.root.is_made() || self.is_handle(part)).then_some(known);
                }
            },
            Definition::Called(block) => {
                let (call, _) = self.function.call(block)?;
                let maker = self.program.called(self.function, block)?;
                let inside = self.program.function(maker);
                let inside = AccessPaths { program: self.program, function: inside, depth: self.depth + 4 };
                let made = inside.function.assigned(inside.function.definition(&Slot::of(Local(0)))?)?;
                inside.operand(made_part(made, number)?)?.seen_from(&self.arguments(call), &[])?
            }
        };
        (!known.root.is_made()).then_some(known)
    }

    /// The access path to what a call gives, where that is a part of what it was given.
    fn given_by(&self, block: BlockId) -> Option<AccessPath> {
        let (call, callee) = self.function.call(block)?;
        let first = call.arguments.first();
        if callee.hands_on() {
            return self.operand(first?);
        }
        let points = |it: &Ty| it.holds().is_some_and(|it| it.is_pointer() || it == Holds::Lazy);
        let pointer = callee.self_type().filter(points);
        if pointer.is_some() && matches!(callee.name(), "deref" | "deref_mut" | "as_ref" | "borrow") {
            // From the reference to the pointer to what that points to.
            return Some(self.operand(first?)?.then(Hop::Deref).then(Hop::Deref).then(Hop::Address));
        }
        if let Some(first) = first
            && callee.is_trait("Deref", "deref")
            && let Some(of @ AccessPath { root: Root::Static(_), .. }) = self.operand(first)
        {
            // A static that is made when it is first used, whatever its type is.
            return Some(of.then(Hop::Deref).then(Hop::Deref).then(Hop::Address));
        }
        if callee.clones() && pointer.is_some_and(|it| it.holds() == Some(Holds::Counted)) {
            return Some(self.operand(first?)?.then(Hop::Deref));
        }
        let adapter = callee.adapter().filter(|_| is_of_std(callee.path()));
        match adapter.map(|it| it.does) {
            _ if callee.row().is_some_and(fills) => {
                return Some(self.operand(first?)?.then(Hop::Deref).then(Hop::Deref).then(Hop::Address));
            }
            // Another handle to the same thing.
            Some(Does::Shares)
                if matches!(holds(callee.owner()), Some(Holds::Counted | Holds::Weakly))
                    && callee.name() != "clone" =>
            {
                return Some(self.operand(first?)?.then(Hop::Deref));
            }
            // What was in it: it is there, or the body does not go on.
            Some(Does::Keeps(Part::Some)) if self.holds_a_handle(call) => {
                return self.operand(first?);
            }
            _ if callee.is_trait("Try", "branch") && self.holds_a_handle(call) => {
                return self.operand(first?);
            }
            _ if callee.owner() == "Pin"
                && matches!(callee.name(), "get_ref" | "as_ref" | "get_mut" | "as_mut") =>
            {
                return None;
            }
            _ => {}
        }
        let (getter, arguments, captured) = match self.program.called(self.function, block) {
            Some(getter) => (getter, self.arguments(call), Vec::new()),
            None => self.called_at_once(block)?,
        };
        let inside = self.program.function(getter);
        inside.body.type_of(Local(0)).referent()?;
        let returned = AccessPaths { program: self.program, function: inside, depth: self.depth + 4 };
        let given = returned.place(&Place::of(Local(0)))?;
        given.seen_from(&arguments, &captured)
    }

    /// The closure of this body that the call at the end of a block calls, with what it is given and what it has captured.
    pub(super) fn called_at_once(&self, block: BlockId) -> Option<Called> {
        let (call, callee) = self.function.call(block)?;
        let is_call = callee.invokes();
        let (body, captured) = self.closure_in(call.arguments.first().filter(|_| is_call)?)?;
        Some((body, tupled(self, self.function, call), captured))
    }
}

impl AccessPaths<'_> {
    /// Whether a value is a shared pointer or a reference.
    fn is_handle(&self, operand: &Operand) -> bool {
        let ty = operand.place().and_then(|it| self.function.type_of(it)).unwrap_or_default();
        ty.referent().is_some() || ty.holds() == Some(Holds::Counted)
    }

    /// Whether a call is given an `Option` of a shared pointer, as `Weak::upgrade` gives one.
    fn holds_a_handle(&self, call: &Call) -> bool {
        let given = self.function.type_given(call, 0);
        let inside = given.and_then(|it| it.argument(0));
        inside.is_some_and(|it| it.holds() == Some(Holds::Counted))
    }
}

/// Whether an operation gives what is in a cell, and puts it there if it is not.
fn fills(row: Row) -> bool {
    let gives = row.operation.gives;
    row.operation.action == Action::Initialise
        && gives.is_some_and(|it| it.what == What::Message && it.inside == Inside::Whole)
}

/// A body that is called, the access paths to what it is given, and to what it has captured.
type Called = (FunctionId, Vec<Option<AccessPath>>, Vec<Option<AccessPath>>);

/// What is put into a field where a struct is made.
fn made_part(value: &Rvalue, number: u32) -> Option<&Operand> {
    let Rvalue::Made(made, parts) = value else { return None };
    parts.get(number as usize).filter(|_| !matches!(made, Made::Body(_)))
}

impl Root {
    /// Whether it is made in the body itself.
    pub const fn is_made(&self) -> bool {
        matches!(self, Root::Made(_))
    }
}
