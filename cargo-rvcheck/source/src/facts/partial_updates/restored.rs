//! What values do when they are dropped: the effects of the `Drop` implementations, and of the closures, that their types have in them.

use super::effect::{Change, Effect, Effects};
use super::state::{Root, State, of_place};
use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{Definition, Function, Slot};
use crate::mir::{BlockId, Made, Operand, Place, Rvalue, Statement, Terminator};
use crate::program::fills::fills_of;
use crate::ty::{Ty, last, segments};
use rvcheck_primitives::Holds;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What dropping a value does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dropped {
    pub(crate) effects: Vec<Effect>,
    /// The same in terms of what its fields refer to, as far as that is known.
    behind: Vec<Effect>,
    /// It may do anything: it calls something that is not known.
    pub(crate) is_open: bool,
}

/// What dropping values of the types of a program does, each found when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct Restorers {
    known: RefCell<BTreeMap<Ty, Rc<Dropped>>>,
}

impl Restorers {
    /// What dropping a value of a type does.
    pub(crate) fn of_type(&self, effects: &Effects<'_>, ty: Ty) -> Rc<Dropped> {
        if let Some(known) = self.known.borrow().get(&ty) {
            return Rc::clone(known);
        }
        let found = Rc::new(of_type(effects, ty));
        self.known.borrow_mut().insert(ty, Rc::clone(&found));
        found
    }
}

fn of_type(effects: &Effects<'_>, ty: Ty) -> Dropped {
    let program = effects.program;
    let mut found = Dropped::default();
    // A reference drops nothing.
    if ty.is_pointer() {
        return found;
    }
    // What is behind a trait object may restore, too; what is named does.
    let (names, _) = program.named_within([ty]);
    let mut has_drop = ["ScopeGuard", "Defer", "CallOnDrop", "OnDrop"].contains(&ty.name());
    for name in &names {
        let Some(body) = program.drop_of(Ty::read(name)) else { continue };
        has_drop = true;
        let own = effects.seen_outside(body);
        found.behind.extend(own.iter().flat_map(|it| behind_reference(effects, it)));
        found.effects.extend(own);
        found.is_open |= calls_what_is_hidden(program.function(body));
    }
    if has_drop {
        for closure in ty.closures() {
            let body = program.body_of(closure);
            found.effects.extend(body.into_iter().flat_map(|it| effects.seen_outside(it)));
        }
    }
    found
}

/// The effect in terms of what a field of the dropped value refers to, wherever such values are made. What is not known there may be any
/// state.
fn behind_reference(effects: &Effects<'_>, effect: &Effect) -> Vec<Effect> {
    let program = effects.program;
    let Some((of, number)) = &effect.state.field else { return Vec::new() };
    let fills = fills_of(program, last(of)).filter(|it| it.field == *number);
    let referred = fills.filter_map(|it| {
        let function = program.function(it.function);
        let ty = function.type_of(it.from)?;
        let is_reference = ty.is_pointer() || ty.holds() == Some(Holds::Counted);
        is_reference.then(|| of_place(program, function, it.from).and_then(|it| it.field))
    });
    let state = |field| State { field, root: Root::Unknown, ..effect.state.clone() };
    referred.map(|it| Effect { state: state(it), ..effect.clone() }).collect()
}

/// Whether a body calls a closure behind a trait object or a function pointer.
fn calls_what_is_hidden(function: &Function) -> bool {
    function.calls().any(|(_, _, callee)| {
        let ty = callee.self_type().unwrap_or_default();
        callee.path().is_empty() || callee.invokes() && ty.has_object()
    })
}

/// Whether what lives at a suspension undoes an effect when it is dropped.
pub(crate) fn is_restored_at(
    effects: &Effects<'_>,
    restorers: &Restorers,
    function: &Function,
    suspension: BlockId,
    effect: &Effect,
) -> bool {
    let restores = |ty: Ty| {
        let dropped = restorers.of_type(effects, ty);
        dropped.is_open || undoes(&dropped, effect)
    };
    candidates(function)
        .into_iter()
        .filter(|(_, ty)| restores(*ty))
        .any(|(slot, _)| lives_at(function, &slot, suspension))
        || given_to_awaited(function, suspension).any(restores)
}

/// Whether dropping something undoes an effect for sure: what is known of both is the same.
fn surely_undoes(dropped: &Dropped, effect: &Effect) -> bool {
    dropped.effects.iter().any(|it| {
        let undoes = it.change.undoes(&effect.change) || it.replaces(effect);
        undoes && it.state.is_of_one_field(&effect.state)
    })
}

/// Whether dropping something undoes an effect, or may.
pub(crate) fn undoes(dropped: &Dropped, effect: &Effect) -> bool {
    dropped.effects.iter().chain(&dropped.behind).any(|it| {
        let undoes = it.change.undoes(&effect.change) || may_replace(it, effect);
        undoes
            && (it.state.is_of_one_field(&effect.state)
                || it.state.field.is_none()
                || effect.state.field.is_none())
    })
}

/// Whether something may put another value in the place of what an effect puts in.
fn may_replace(it: &Effect, effect: &Effect) -> bool {
    let is_another = it.value.is_none() || effect.value.is_none() || it.value != effect.value;
    effect.change == Change::Put && matches!(it.change, Change::Put | Change::Set(_)) && is_another
}

/// The values of their own that a body has, with their types.
fn candidates(function: &Function) -> BTreeMap<Slot, Ty> {
    let mut found = BTreeMap::new();
    for (_, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
        let dropped = match &block.terminator {
            Terminator::Drop { place, .. } => Some(place),
            _ => None,
        };
        let moved = match &block.terminator {
            Terminator::Call(call) => Some(call.places()),
            _ => None,
        };
        let stated = block.statements.iter().flat_map(|it| match it {
            Statement::Assign(into, value) => {
                std::iter::once(into).chain(value.places()).collect::<Vec<&Place>>()
            }
            _ => Vec::new(),
        });
        for place in dropped.into_iter().chain(moved.into_iter().flatten()).chain(stated) {
            let slot = Slot::at(place);
            // What a future gives, or fails with, is there only when it is taken out of that.
            if slot.steps.len() == function.root(&slot)
                && slot.local.0 != 0
                && let Some(ty) = function.type_of(place)
                && (!matches!(ty.name(), "Poll" | "Result" | "ControlFlow") || is_called(function, &slot))
            {
                found.entry(slot).or_insert(ty);
            }
        }
    }
    found
}

/// Whether all values that a slot gets are what calls give, other than of futures.
fn is_called(function: &Function, slot: &Slot) -> bool {
    let definitions = function.definitions(slot);
    !definitions.is_empty()
        && definitions.iter().all(|it| match it {
            Definition::Called(block) => function.call(*block).is_some_and(|(_, callee)| !callee.is_poll()),
            Definition::Assigned(..) => false,
        })
}

/// Whether a value is in its place while the body is suspended.
fn lives_at(function: &Function, slot: &Slot, suspension: BlockId) -> bool {
    let mut open: Vec<BlockId> = Vec::new();
    if function.captured(slot).is_some_and(|(_, rest)| rest.is_empty()) {
        open.push(BlockId(0));
    }
    for definition in function.definitions(slot) {
        let (Definition::Assigned(block, _) | Definition::Called(block)) = definition;
        // A statement may be followed by another one of its block that takes the value away.
        if matches!(definition, Definition::Called(_)) || !leaves(function, *block, slot) {
            open.extend(function.successors(*block));
        }
    }
    let next = |at| if leaves(function, at, slot) { &[] } else { Paths::of(function).next(at) };
    walk::reaches(open, |at| next(at).iter().copied(), |it| *it == suspension)
}

/// Whether a value is dropped or moved away in a block.
fn leaves(function: &Function, block: BlockId, slot: &Slot) -> bool {
    let Some(block) = function.body.block(block) else { return true };
    let by = |it: &Operand| it.place().is_some_and(|it| Slot::at(it) == *slot);
    let stated = block.assignments().any(|(_, value)| value.operands().iter().any(by));
    let ends = match &block.terminator {
        Terminator::Drop { place, .. } => Slot::at(place) == *slot,
        Terminator::Call(call) => call.arguments.iter().any(by),
        _ => false,
    };
    stated || ends
}

/// The types of what is given to the future that is awaited at a suspension: it drops that with itself.
fn given_to_awaited(function: &Function, suspension: BlockId) -> impl Iterator<Item = Ty> {
    let awaited = function.suspensions.iter().find(|it| it.poll == Some(suspension));
    let made = awaited.and_then(|it| function.producer(it.awaited.as_ref()?));
    let parts: &[Operand] = match made {
        Some(Definition::Called(block)) => function.call(block).map_or(&[], |(call, _)| &call.arguments),
        Some(made) => match function.assigned(made) {
            Some(Rvalue::Made(_, parts)) => parts,
            _ => &[],
        },
        None => &[],
    };
    parts.iter().filter_map(Operand::place).filter_map(|it| function.type_of(it))
}

/// The blocks in which a value is first there that undoes an effect when it is dropped.
pub(crate) fn made_restorers(
    effects: &Effects<'_>,
    restorers: &Restorers,
    function: &Function,
    effect: &Effect,
) -> Vec<BlockId> {
    let program = effects.program;
    let restores = |ty: Ty| {
        let named = segments(ty.head()).last().is_some_and(|it| !it.starts_with('{'));
        named && surely_undoes(&restorers.of_type(effects, ty), effect)
    };
    let mut found = Vec::new();
    for (id, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
        let stated = block.statements.iter().any(|it| match it {
            Statement::Assign(into, Rvalue::Made(Made::Value(by), _)) => {
                program.drop_of(Ty::read(by.text())).is_some() && function.type_of(into).is_some_and(restores)
            }
            _ => false,
        });
        let called = || {
            let (call, callee) = function.call(id)?;
            let given = call.places().filter_map(|it| function.type_of(it));
            let is_new = program.called(function, id).is_some() || callee.is_poll();
            (is_new && !given.into_iter().any(restores) && function.type_of(&call.into).is_some_and(restores))
                .then_some(())
        };
        if stated || called().is_some() {
            found.push(id);
        }
    }
    found
}
