//! Updates of shared state that a state machine makes in two parts, with a suspension in between.
//!
//! - A number is taken from one balance first and added to another after the suspension; by operators, or by two calls of one method with
//!   opposite amounts.
//! - One part of a [message](paired) is sent before, and the other after.
//!
//! The state is behind a reference that is not the only one, so it outlives a future that is dropped halfway.

mod paired;

use crate::body::provenance::source;
use crate::ty::Ty;

use crate::body::{Function, FunctionId, Kind, Slot};
use crate::mir::{BlockId, Made, Operand, Operator, Place, Projection, Rvalue, Statement};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::access::{AccessPath, AccessPaths, Hop, Root};
use crate::program::callers::maker;
use crate::program::summaries::{Domain, solve};
use crate::program::suspending::after_suspension;
use rvcheck_primitives::{Action, Failure, Mode, Operation};
use std::collections::BTreeMap;

/// An update in two parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SplitUpdate {
    /// The block of the first part, and its body.
    pub(super) first: (FunctionId, BlockId),
    /// The block of the second part.
    pub(super) second: BlockId,
    /// The block that polls what is awaited between them.
    pub(super) between: BlockId,
    /// What it is that is updated.
    pub(super) what: What,
}

/// What is updated in two parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// Shared state.
    State,
    /// A channel: the parts are those of a message.
    Message,
}

/// The state machines that make such an update, themselves or in what they await.
pub(super) fn split_updates(program: &Program) -> BTreeMap<FunctionId, SplitUpdate> {
    let objects = AbstractObjects::of(program);
    let found = solve(&Updates { program, objects: &objects }, program.functions().count());
    (0..).map(FunctionId).zip(found).filter_map(|(id, it)| Some((id, it?))).collect()
}

/// The first update of each state machine that is found.
struct Updates<'a> {
    program: &'a Program,
    objects: &'a AbstractObjects<'a>,
}

impl Domain for Updates<'_> {
    type Summary = Option<SplitUpdate>;
    type Call = ();

    fn own(&self, body: FunctionId) -> Option<SplitUpdate> {
        let function = self.program.function(body);
        let is_machine = function.kind == Kind::Coroutine;
        is_machine.then(|| in_body(self.program, self.objects, body, function)).flatten()
    }

    fn calls(&self, body: FunctionId) -> Vec<(FunctionId, ())> {
        self.program.awaited_by(body).map(|it| (it, ())).collect()
    }

    fn at_call(&self, _: FunctionId, (): &(), callee: &Option<SplitUpdate>) -> Option<SplitUpdate> {
        callee.clone()
    }
}

/// What a part of an update does.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Part {
    block: BlockId,
    /// The block whose call tells its place.
    place: BlockId,
    /// Whether it takes; the other part gives then.
    takes: bool,
    /// Where the state is, if the other part has to be at another place.
    of: Option<AbstractObject>,
    /// How much.
    amount: Amount,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Amount {
    Value(AccessPath),
    /// Handed to a method of the workspace.
    Given(FunctionId, usize, AccessPath),
}

fn in_body(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    function: &Function,
) -> Option<SplitUpdate> {
    let mut parts: Vec<Part> = Vec::new();
    for (block, body) in function.blocks().filter(|(_, it)| !it.cleanup) {
        parts.extend(body.statements.iter().filter_map(|it| by_operator(program, objects, id, block, it)));
        parts.extend(by_method(program, id, block));
    }
    let numbers = parts.iter().find_map(|first| {
        let fits = |it: &&Part| {
            it.takes != first.takes && it.amount == first.amount && (it.of.is_none() || it.of != first.of)
        };
        let fitting: Vec<&Part> = parts.iter().filter(fits).collect();
        let is_it = |block| fitting.iter().any(|it| it.block == block);
        let (second, between) = after_suspension(program, function, first.block, &is_it)?;
        let second = fitting.iter().find(|it| it.block == second)?.place;
        Some(SplitUpdate { first: (id, first.place), second, between, what: What::State })
    });
    numbers.or_else(|| paired::check(program, id, function))
}

/// Whether a place is reached through a reference that others may have, too, or a static.
fn is_shared(program: &Program, id: FunctionId, access_path: &AccessPath) -> bool {
    match &access_path.root {
        Root::Static(_) => true,
        Root::Captured(number) => {
            access_path.hops.contains(&Hop::Deref)
                && !program.function(id).captured_type(*number).is_some_and(Ty::is_exclusive)
                && around(program, id, access_path).is_none_or(|(outer, it)| is_shared(program, outer, &it))
        }
        Root::Argument(_) | Root::Made(_) => false,
    }
}

/// What is captured by an async block, in the state machine that it stands in.
fn around(program: &Program, id: FunctionId, access_path: &AccessPath) -> Option<(FunctionId, AccessPath)> {
    let (outer, block) = maker(program, id)?;
    let function = program.function(outer);
    let is_it = |it: &Rvalue| it.body().is_some_and(|(ty, _)| program.body_of(ty) == Some(id));
    let (made, _) = function.body.block(block)?.assignments().find(|(_, value)| is_it(value))?;
    let (_, captured) = AccessPaths::of(program, function).captured_in(&Slot::at(made))?;
    let seen = access_path.seen_from(&[], &captured).filter(|_| function.kind == Kind::Coroutine)?;
    Some((outer, seen))
}

/// `+=` and `-=` on something behind a pointer, by a variable amount.
fn by_operator(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    block: BlockId,
    statement: &Statement,
) -> Option<Part> {
    let function = program.function(id);
    let Statement::Assign(_, value) = statement else { return None };
    let (operator, operands) = value.operated()?;
    let takes = !operator.counts()?;
    let [Operand::Place(of), by] = operands else { return None };
    is_changed(function, of).then_some(())?;
    let object = objects.object(id, of)?;
    let (locked, lock) = lock_behind(program, function, of)?;
    is_shared(program, id, &lock).then_some(())?;
    let amount = Amount::Value(AccessPaths::of(program, function).operand(by)?);
    Some(Part { block, place: locked, takes, of: Some(object), amount })
}

/// Whether a place behind a pointer gets a new value.
fn is_changed(function: &Function, of: &Place) -> bool {
    of.projections.contains(&Projection::Deref)
        && function
            .blocks()
            .flat_map(|(_, it)| &it.statements)
            .any(|it| matches!(it, Statement::Assign(into, _) if into == of))
}

/// The access path to the lock or cell whose guard a place is behind, and the block that requests it.
fn lock_behind(program: &Program, function: &Function, place: &Place) -> Option<(BlockId, AccessPath)> {
    let access_paths = AccessPaths::of(program, function);
    let mut slot = Slot { local: place.local, steps: Vec::new() };
    for _ in 0..12 {
        let block = source(function, &slot)?;
        let (call, callee) = function.call(block)?;
        let first = call.arguments.first()?;
        if callee.may(gives_alone) {
            return Some((block, access_paths.operand(first).filter(AccessPath::is_one)?));
        }
        slot = Slot::at(first.place()?);
    }
    None
}

/// Whether an operation gives a lock or cell to one alone, and does not only try to.
fn gives_alone(it: &Operation) -> bool {
    it.action == Action::Request(Mode::Exclusive) && !it.failures.contains(&Failure::Busy)
}

/// A method that is handed an amount.
fn by_method(program: &Program, id: FunctionId, block: BlockId) -> Option<Part> {
    let function = program.function(id);
    let called = program.called(function, block)?;
    let (call, _) = function.call(block)?;
    // What is awaited is no single step.
    if program.machine_made_by(called).is_some() {
        return None;
    }
    let on = call.arguments.first()?;
    let by_reference = on.place().and_then(|it| function.type_of(it)).and_then(Ty::referent).is_some();
    let access_path =
        AccessPaths::of(program, function).operand(on).filter(|_| by_reference)?.then(Hop::Deref);
    is_shared(program, id, &access_path).then_some(())?;
    (1..).zip(call.arguments.get(1..)?).find_map(|(at, argument)| {
        let (takes, plain) = match argument.place().and_then(|it| function.definition(&Slot::at(it))) {
            Some(definition) => match function.assigned(definition) {
                Some(Rvalue::Made(Made::By(Operator::Neg), of)) => (true, of.first()?.clone()),
                _ => (false, argument.clone()),
            },
            None => (false, argument.clone()),
        };
        let amount = AccessPaths::of(program, function).operand(&plain)?;
        let number = argument.place().and_then(|it| function.type_of(it)).is_some_and(is_number);
        number.then_some(Part {
            block,
            place: block,
            takes,
            of: None,
            amount: Amount::Given(called, at, amount),
        })
    })
}

fn is_number(ty: Ty) -> bool {
    matches!(ty.head(), "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "f32" | "f64")
}
