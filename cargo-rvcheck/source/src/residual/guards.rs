//! `guard-across-await`: guards that are gone before their task can suspend.
//!
//! The guard is followed from its site through the body in which it is acquired. It must not be held at a suspension, not be returned,
//! not be put behind a reference, and be given only to functions that are known to give it back or drop it. Then it is nowhere else.

use super::block_effect::is_function;
use super::returned::received;
use super::{Reason, Verdict};
use crate::body::{Function, FunctionId, Kind, Selector, Slot};
use crate::marker::Number;
use crate::mir::{BlockId, Call, Local, Operand, Place, Terminator};
use crate::program::{GuardId, GuardKind, Origin, Program};
use crate::ty::{Ty, canonical, last};
use rvcheck_primitives::code::types::has_no_other_guard;
use rvcheck_primitives::{Action, By, Holds, Is, Operation, holds, is_path_of, libraries};

pub(super) const PROPERTY: &str = "guard-across-await";

/// What stands against proofs of what is held in a function whose marks are not all seen.
pub(super) const LOST: &str = "the compiler's MIR does not show all places of this function";

/// The verdicts of the sites that give a guard that blocks others.
pub(super) fn verdicts(programs: &[&Program]) -> Vec<(&'static str, Number, Verdict)> {
    let mut found = Vec::new();
    for program in programs {
        for (id, function) in program.functions() {
            let holding = program.holding(id);
            let is_lost = program.lost().contains_key(&id);
            for guard in holding.ids() {
                let Some(of) = holding.guard(guard) else { continue };
                let Origin::Call(block) = of.origin else { continue };
                if of.kinds.contains(GuardKind::Blocking)
                    && let Some(site) = function.site(block)
                {
                    let doubt =
                        is_lost.then(|| LOST.to_owned()).or_else(|| escape(programs, program, id, guard));
                    let verdict = doubt.map_or(Verdict::Proved(Reason::Orphan), Verdict::Monitored);
                    found.push((PROPERTY, site, verdict));
                }
            }
            // What was not followed, because there was too much of it or the guard is of a type that is not known.
            for (block, _, callee) in function.calls() {
                let asks = crate::program::locks::request_of(callee)
                    .is_some_and(|(_, it)| it == crate::program::locks::Waits::Thread);
                let is_followed = holding
                    .ids()
                    .any(|it| holding.guard(it).is_some_and(|it| it.origin == Origin::Call(block)));
                if asks
                    && !is_followed
                    && let Some(site) = function.site(block)
                {
                    found.push((
                        PROPERTY,
                        site,
                        Verdict::Monitored("its guard could not be followed".to_owned()),
                    ));
                }
            }
        }
    }
    found
}

/// How often a guard is followed from a function to its callers.
const DEEPEST: usize = 4;

/// How a guard can get to where it is not followed; `None` if it cannot.
pub(super) fn escape(
    programs: &[&Program],
    program: &Program,
    id: FunctionId,
    guard: GuardId,
) -> Option<String> {
    escapes(programs, program, id, guard, DEEPEST)
}

fn escapes(
    programs: &[&Program],
    program: &Program,
    id: FunctionId,
    guard: GuardId,
    depth: usize,
) -> Option<String> {
    let function = program.function(id);
    let holding = program.holding(id);
    for (block, of) in function.blocks().filter(|(_, it)| !it.cleanup) {
        let Some(held) = holding.at(block) else { continue };
        if !held.guards().contains_key(&guard) {
            continue;
        }
        if function.suspensions.iter().any(|it| it.block == block) {
            return Some("its guard may be held at an await".to_owned());
        }
        for (slot, guards) in held.slots().filter(|(_, guards)| guards.contains(&guard)) {
            debug_assert!(guards.contains(&guard));
            let steps = &slot.steps[function.root(slot)..];
            if steps.contains(&Selector::Deref) || steps.contains(&Selector::Element) {
                return Some("its guard is put behind a reference".to_owned());
            }
        }
        if of.terminator == Terminator::Return {
            // A state machine that is over has dropped what it had.
            if function.kind == Kind::Coroutine {
                return Some("its guard may be held at an await".to_owned());
            }
            if held.within(&Slot::of(Local(0))).contains(&guard) {
                let received = received(programs, program, id).filter(|_| depth > 0);
                let Some(received) = received else { return Some("its guard is returned".to_owned()) };
                let followed = |(caller, guard)| escapes(programs, program, caller, guard, depth - 1);
                if let Some(how) = received.into_iter().find_map(followed) {
                    return Some(format!("{how} in a caller"));
                }
            }
        }
        if let Some(callee) = lent(program, function, block) {
            return Some(format!("its guard may be taken or exchanged by `{callee}`"));
        }
        if let Some(callee) = given_away(
            program,
            function,
            block,
            held.slots().filter(|it| it.1.contains(&guard)).map(|it| it.0),
        ) {
            return Some(format!("its guard is given to `{callee}`"));
        }
    }
    None
}

/// What a guard in one of these slots is given to at the end of a block, unless that is known to give it back or drop it.
fn given_away<'a>(
    program: &Program,
    function: &Function,
    block: BlockId,
    slots: impl Iterator<Item = &'a Slot>,
) -> Option<String> {
    let (call, callee) = function.call(block)?;
    let slots: Vec<&Slot> = slots.collect();
    let is_given = |it: &Operand| {
        let Some(given) = it.place().map(Slot::at) else { return false };
        slots.iter().any(|slot| slot.within(&given).is_some() || given.within(slot).is_some())
    };
    let at = call.arguments.iter().position(is_given)?;
    let of = callee.self_type().map_or_else(|| callee.owner(), |it| it.name());
    // What is given up is gone, what is changed or projected is given back.
    let gives_guard =
        |it: &Operation| matches!(it.action, Action::Project | Action::Change(_) | Action::Release);
    let handed_on = callee.hands_on()
        || callee.is_drop()
        || is_path_of(of, |it| it == Is::Condvar)
        || of.ends_with("Guard") && callee.may(gives_guard);
    let wrapped = matches!(holds(of), Some(Holds::Variant | Holds::Error))
        || callee.is_trait("Try", "branch")
        || callee.is_trait("FromResidual", "from_residual");
    let others = call.arguments.iter().enumerate().filter(|(other, _)| *other != at);
    let unwrapped =
        wrapped && at == 0 && others.into_iter().all(|(_, it)| cannot_keep(program, function, it));
    (!handed_on && !unwrapped).then(|| callee.path().to_owned())
}

/// Whether a call that has a guard and this cannot put the guard into it, or give it to it.
fn cannot_keep(program: &Program, function: &Function, operand: &Operand) -> bool {
    match operand {
        Operand::Place(place) => {
            let Some(ty) = function.type_of(place) else { return false };
            let is_plain =
                !ty.is_exclusive() && !["{", "fn(", "dyn ", "impl "].iter().any(|it| ty.text().contains(it));
            is_plain || only_unwraps(program, ty)
        }
        Operand::Constant(text) => match text.strip_prefix("ZeroSized: ") {
            Some(ty) => only_unwraps(program, Ty::read(ty)),
            None => !is_function(text) || text.contains("PoisonError") && text.ends_with("::into_inner"),
        },
    }
}

/// Whether a closure captures nothing, and does nothing with what it is given but to take it out of an error or to panic.
fn only_unwraps(program: &Program, ty: Ty) -> bool {
    let Some(function) = program.body_of(ty).map(|it| program.function(it)) else { return false };
    let captures = |(_, place): &(String, Place)| function.captured(&Slot::at(place)).is_some();
    !function.body.variables.iter().any(captures)
        && function.calls().all(|(_, _, callee)| {
            let of = callee.self_type().map_or_else(|| callee.owner(), |it| it.name());
            callee.hands_on() || of == "PoisonError" || callee.path().contains("panicking")
        })
}

/// What the call at the end of a block calls, if it is given a reference through which it can take a guard out of where it is, or
/// put another one there.
fn lent(program: &Program, function: &Function, block: BlockId) -> Option<String> {
    let (call, callee) = function.call(block)?;
    let mut places = call.places().filter_map(|it| function.type_of(it));
    let is_lent = places.any(|ty| {
        ty.is_exclusive()
            && ty
                .referent()
                .is_some_and(|it| program.guards().kinds(program, it).contains(GuardKind::Blocking))
    });
    if !is_lent {
        return None;
    }
    let only_looks = callee.hands_on()
        || callee.of_trait().is_some_and(|it| {
            matches!(it, "Deref" | "DerefMut" | "Index" | "IndexMut" | "AsMut" | "BorrowMut" | "Future")
        })
        || is_path_of(callee.owner(), |it| it == Is::Condvar)
        || match callee.owner() {
            "Option" => matches!(callee.name(), "take" | "as_mut" | "as_deref_mut" | "as_ref"),
            "Result" => matches!(callee.name(), "as_mut" | "as_deref_mut" | "as_ref"),
            owner => owner == "Pin" || owner.ends_with("Guard"),
        };
    (!only_looks).then(|| callee.path().to_owned())
}

/// Why the proofs of the sites are none of the property. They are one, and the result is `None`, where there is no guard that blocks
/// others but those that the sites give, and nothing of another crate is kept across an await that could have one in it.
pub(super) fn doubt(programs: &[&Program], verdicts: &[(&'static str, Number, Verdict)]) -> Option<String> {
    let lost = programs.iter().find_map(|it| it.lost().keys().next().map(|id| it.item(*id)));
    if let Some(item) = lost {
        return Some(format!("the compiler's MIR does not show all places of `{item}`"));
    }
    programs.iter().find_map(|program| {
        program.functions().find_map(|(id, function)| {
            let kept =
                (function.kind == Kind::Coroutine).then(|| keeps(programs, program, function)).flatten();
            if let Some(kept) = kept {
                return Some(format!("`{}` may keep {kept} across an await", program.item(id)));
            }
            let borrow = (function.kind == Kind::Coroutine).then(|| borrowed(program, function)).flatten();
            if let Some(ty) = borrow {
                return Some(format!("`{}` keeps a `{ty}` across an await", program.item(id)));
            }
            let block = unproved(programs, program, id, verdicts)?;
            let path = function.callee(block).path();
            Some(format!("the guard that `{}` has of `{path}` is not proved to be gone", program.item(id)))
        })
    })
}

/// The type of a borrow that a state machine keeps: of a cell, or of the value of a channel.
fn borrowed(program: &Program, function: &Function) -> Option<Ty> {
    let is_borrow = |ty: &Ty| {
        let kinds = program.guards().kinds(program, *ty);
        kinds.contains(GuardKind::Cell) || kinds.contains(GuardKind::Watch)
    };
    saved(function).filter_map(Place::stated_type).find(is_borrow)
}

/// The parts of a state machine that it keeps across an await, as they are written.
fn saved(function: &Function) -> impl Iterator<Item = &Place> {
    let assignments = function.blocks().flat_map(|(_, of)| of.assignments());
    let assigned = assignments.map(|(into, _)| into);
    let variables = function.body.variables.iter().map(|(_, place)| place);
    let all = assigned.chain(function.calls().map(|(_, call, _)| &call.into)).chain(variables);
    all.filter(|it| function.root(&Slot::at(it)) > 0)
}

/// A call of a function that gives a guard that blocks others, or may give one, and is no site that is proved.
fn unproved(
    programs: &[&Program],
    program: &Program,
    id: FunctionId,
    verdicts: &[(&'static str, Number, Verdict)],
) -> Option<BlockId> {
    let function = program.function(id);
    let proved = |site| verdicts.iter().all(|it| it.1 != site || matches!(it.2, Verdict::Proved(_)));
    let holding = program.holding(id);
    let of_block = |block: BlockId| {
        let with_id = holding.ids().filter_map(|it| Some((it, holding.guard(it)?)));
        with_id.into_iter().find(|(_, it)| it.origin == Origin::Call(block))
    };
    let is_proved = |block: BlockId, call: &Call| {
        let gives = function
            .type_of(&call.into)
            .is_some_and(|ty| program.guards().kinds(program, ty).contains(GuardKind::Blocking));
        let asks = crate::program::locks::is_lock_call(function.callee(block));
        match of_block(block) {
            Some((guard, of)) if of.kinds.contains(GuardKind::Blocking) => match function.site(block) {
                Some(site) => proved(site),
                // It was acquired in a function of the workspace, at a site of its own.
                None => {
                    program.called(function, block).is_some()
                        && escape(programs, program, id, guard).is_none()
                }
            },
            Some(_) => true,
            // A guard that it was given and hands on comes from a call that is looked at, too.
            None if gives => !asks,
            None => !asks || !is_blocking(function, block),
        }
    };
    function.calls().find(|(block, call, _)| !is_proved(*block, call)).map(|(block, ..)| block)
}

/// Whether a call is of a lock that blocks its thread.
fn is_blocking(function: &Function, block: BlockId) -> bool {
    let of = function.callee(block).path().split("::").next().unwrap_or_default();
    let is_for = |by: By| {
        let library = libraries().iter().find(|it| it.name == of);
        library.is_some_and(|it| it.owners.iter().any(|it| it.is == Is::Lock(by)))
    };
    !is_for(By::Task) || is_for(By::Thread)
}

/// What is in a state machine that is not of the workspace, of std, or of the crates whose guards are known.
fn keeps(programs: &[&Program], program: &Program, function: &Function) -> Option<String> {
    let kept =
        function.blocks().flat_map(|(_, of)| of.assignments()).filter_map(|(into, _)| into.stated_type());
    let given = function.calls().filter_map(|(_, call, _)| call.into.stated_type());
    let variables = function.body.variables.iter().filter_map(|(_, place)| place.stated_type());
    let types = function.body.locals.iter().copied().chain(kept).chain(given).chain(variables);
    match program.foreign_within(types) {
        None => Some("a trait object".to_owned()),
        Some(names) => {
            let unknown = names.into_iter().find(|it| !is_known(programs, it, 8))?;
            Some(format!("a `{unknown}`, of another crate,"))
        }
    }
}

/// Whether values of the type of that name have no guard in them but those that are known. It may be of another crate of the workspace.
fn is_known(programs: &[&Program], name: &str, depth: usize) -> bool {
    let path = canonical(name);
    let last = last(&path);
    let of_workspace = |it: &&Program| {
        let within = it.knows_type(last).then(|| it.foreign_within([Ty::read(last)])).flatten();
        depth > 0 && within.is_some_and(|it| it.iter().all(|it| is_known(programs, it, depth - 1)))
    };
    let is_known = has_no_other_guard(&path, last);
    is_known || programs.iter().any(of_workspace)
}
