//! Sets of futures that are polled only while a result is requested, and what the futures in them request.

use super::super::places::places;
use crate::body::provenance::number;
use crate::body::unpinned::future_in;
use crate::body::{Function, FunctionId, Slot};
use crate::mir::{BlockId, Local, Made, Operand, Rvalue, Statement};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths};
use crate::program::locks::{Mode, Waits};
use crate::ty::Ty;

/// The types of such sets. Those of streams have the stream that the futures come from inside.
const SETS: [&str; 6] = [
    "FuturesUnordered",
    "FuturesOrdered",
    "BufferUnordered",
    "Buffered",
    "TryBufferUnordered",
    "TryBuffered",
];

/// Whether there are such sets in a type.
pub(super) fn holds_futures(ty: Ty) -> bool {
    ty.has(|it| SETS.contains(&it.name()))
}

/// Whether there is such a set in a type whose futures a closure makes.
fn is_made_by(ty: Ty, closure: Ty) -> bool {
    ty.has(|it| SETS.contains(&it.name()) && it.closures().any(|it| it == closure))
}

/// Futures in a set.
pub(super) struct Held {
    /// The call that puts them in.
    pub(super) made: BlockId,
    set: Set,
    /// What they ask for, in the terms of the body that has the set.
    pub(super) locks: Vec<(AccessPath, Mode)>,
}

enum Set {
    /// The one in a slot.
    At(Slot),
    /// The one whose type has this closure in it, which makes the futures.
    MadeBy(Ty),
}

impl Held {
    /// Whether they are in a set that is in a slot, or of a type.
    pub(super) fn is_in(&self, slot: Option<&Slot>, ty: Ty) -> bool {
        match &self.set {
            Set::At(it) => Some(it) == slot,
            Set::MadeBy(closure) => is_made_by(ty, *closure),
        }
    }
}

/// The sets of a body, with the futures in them that ask for locks or places.
pub(super) fn held(program: &Program, function: &Function) -> Vec<Held> {
    let access_paths = AccessPaths::of(program, function);
    let mut found = Vec::new();
    for (made, call, callee) in function.calls() {
        let into = function.type_of(&call.into).unwrap_or_default();
        let on = function.type_given(call, 0);
        let on = on.unwrap_or_default();
        if callee.name().starts_with("push") && holds_futures(on) {
            let of = call.place(1).map(Slot::at);
            let future = of.and_then(|it| future_at(&access_paths, function, &it));
            let (Some(set), Some(future)) = (call.arguments.first().and_then(|it| set(function, it)), future)
            else {
                continue;
            };
            found.push(Held { made, set: Set::At(set), locks: asked_by(program, &future) });
        } else if SETS.contains(&into.name()) {
            // With room for one, there is none left when it has given its result.
            let is_one = call.arguments.get(1).and_then(|it| number(function, it)) == Some(1);
            for (closure, future) in made_by(program, function, on).filter(|_| !is_one) {
                let set = if is_made_by(into, closure) {
                    Set::MadeBy(closure)
                } else {
                    Set::At(function.whole(&Slot::at(&call.into)))
                };
                found.push(Held { made, set, locks: asked_by(program, &future) });
            }
        }
    }
    found.retain(|it| !it.locks.is_empty());
    found
}

/// A state machine, and what it has captured in the terms of who makes it.
type Future = (FunctionId, Vec<Option<AccessPath>>);

/// The futures that closures in the type of an iterator or stream make.
fn made_by(program: &Program, function: &Function, ty: Ty) -> impl Iterator<Item = (Ty, Future)> {
    ty.closures().filter_map(|closure| {
        let access_paths = AccessPaths::of(program, function);
        let statements = function.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(_, it)| &it.statements);
        let made = statements.into_iter().find_map(|it| match it {
            Statement::Assign(_, Rvalue::Made(Made::Body(ty), parts)) if *ty == closure => Some(parts),
            _ => None,
        });
        let captured: Vec<Option<AccessPath>> =
            made.into_iter().flatten().map(|it| access_paths.operand(it)).collect();
        Some((closure, of_closure(program, program.body_of(closure)?, &captured)?))
    })
}

/// The future that a closure gives, in the terms of the body that makes the closure.
pub(super) fn of_closure(
    program: &Program,
    closure: FunctionId,
    captured: &[Option<AccessPath>],
) -> Option<Future> {
    let inside = program.function(closure);
    let (machine, of) = future_at(&AccessPaths::of(program, inside), inside, &Slot::of(Local(0)))?;
    Some((machine, of.into_iter().map(|it| it?.seen_from(&[], captured)).collect()))
}

/// The future in a slot, also where it is pinned or boxed.
fn future_at(access_paths: &AccessPaths<'_>, function: &Function, slot: &Slot) -> Option<Future> {
    access_paths.captured_in(slot).or_else(|| access_paths.captured_in(&future_in(function, slot)?.slot))
}

/// What a future asks for, in the terms of who makes it.
fn asked_by(program: &Program, (machine, captured): &Future) -> Vec<(AccessPath, Mode)> {
    let requests = program.locks().requests(*machine).iter().filter(|(_, it)| it.waits == Waits::Task);
    let locks = requests.map(|(_, it)| (it.lock.clone(), it.mode));
    let all = locks.chain(places(program, *machine).into_iter().map(|(_, it)| (it, Mode::Write)));
    all.filter_map(|(lock, mode)| Some((lock.seen_from(&[], captured)?, mode))).collect()
}

/// The set that a reference is to.
pub(super) fn set(function: &Function, operand: &Operand) -> Option<Slot> {
    let mut slot = Slot::at(operand.place()?);
    for _ in 0..8 {
        match function.definition(&slot).and_then(|it| function.assigned(it)) {
            Some(Rvalue::Reference(of, _) | Rvalue::Use(Operand::Place(of))) => slot = Slot::at(of),
            _ => break,
        }
    }
    Some(slot)
}
