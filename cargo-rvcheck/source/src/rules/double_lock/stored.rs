//! Whether what a closure has captured, or a struct has a handle of, belongs to what it is passed to: both are reached from one value
//! where it is created.

use super::kept::names_in;
use crate::body::provenance::source;
use crate::body::walk;
use crate::body::{Callee, Function, FunctionId};
use crate::facts::Facts;
use crate::mir::{BlockId, Local, Operand, Place, Rvalue, Statement};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths, Root};
use crate::program::callers::made;
use crate::program::fills::{Fill, fills_of};
use crate::program::locks::is_lock_call;
use std::collections::BTreeSet;

/// How many bodies outside of each other are looked at.
const DEEPEST: usize = 5;

/// Whether a closure or state machine is put into what leads to the object that it has captured. Where it is given back to others, they are
/// asked.
pub(super) fn is_put_beside(facts: &Facts<'_>, id: FunctionId, captured: &AccessPath) -> bool {
    let program = facts.program;
    let (mut id, mut path) = (id, captured.clone());
    for _ in 0..DEEPEST {
        if !matches!(path.root, Root::Captured(_)) {
            return false;
        }
        let Some((maker, into, values)) = made(program, id) else { return false };
        let access_paths = AccessPaths::of(program, program.function(maker));
        let captured: Vec<Option<AccessPath>> = values.iter().map(|it| access_paths.operand(it)).collect();
        let Some(seen) = access_paths.seen(&path, &[], &captured) else { return false };
        path = seen;
        if is_given(facts, maker, into.local, &path, DEEPEST) {
            return true;
        }
        id = maker;
    }
    false
}

/// Where the handles of a type lead, as far as the bodies that make its structs show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WayBack {
    /// To what the structs are put into.
    Same,
    /// One of them leads to something else.
    Elsewhere,
    /// It is not known.
    Unknown,
}

/// Where the one handle of the owner of a lock leads that structs of a type are made with.
pub(super) fn way_back(facts: &Facts<'_>, own: &str, owner: &str) -> WayBack {
    let program = facts.program;
    let names_owner = |function: &Function, place: &Place| {
        let ty = function.type_of(place).unwrap_or_default();
        let names = names_in(program, std::iter::once(ty));
        names.contains(owner).then_some(names)
    };
    let is_handle = |it: &Fill<'_>| {
        let names = names_owner(program.function(it.function), it.from);
        names.is_some_and(|it| it.contains("Weak") || it.contains("Arc"))
    };
    let handles: Vec<Fill<'_>> = fills_of(program, own).filter(is_handle).collect();
    let fields: BTreeSet<u32> = handles.iter().map(|it| it.field).collect();
    if fields.len() != 1 {
        return WayBack::Unknown;
    }
    let leads = |it: &Fill<'_>| {
        let function = program.function(it.function);
        let Some(path) = path_of(program, function, &Operand::Place(it.from.clone())) else {
            return WayBack::Unknown;
        };
        if is_given(facts, it.function, it.into.local, &path, DEEPEST) {
            return WayBack::Same;
        }
        let values = followed(function, it.into.local);
        let is_value = |it: &Operand| it.place().is_some_and(|it| values.contains(&it.local));
        let other =
            function.calls().filter(|(_, it, _)| it.arguments.iter().any(is_value)).any(|(_, call, _)| {
                let keeper = call.arguments.iter().find(|it| !is_value(it));
                keeper
                    .filter(|it| it.place().is_some_and(|it| names_owner(function, it).is_some()))
                    .is_some_and(|it| {
                        let root = begins(program, function, it);
                        root.is_some_and(|it| !it.is_made() && !path.root.is_made() && it != path.root)
                    })
            });
        if other { WayBack::Elsewhere } else { WayBack::Unknown }
    };
    let all: Vec<WayBack> = handles.iter().map(leads).collect();
    match () {
        () if all.contains(&WayBack::Elsewhere) => WayBack::Elsewhere,
        () if all.iter().all(|it| *it == WayBack::Same) => WayBack::Same,
        () => WayBack::Unknown,
    }
}

/// Whether a value goes to what begins where the path does: to a method of that, or it is put behind it.
fn is_given(facts: &Facts<'_>, id: FunctionId, value: Local, path: &AccessPath, depth: usize) -> bool {
    let program = facts.program;
    let function = program.function(id);
    let values = followed(function, value);
    let is_value = |it: &Operand| it.place().is_some_and(|it| values.contains(&it.local));
    for (_, call, _) in function.calls().filter(|(_, call, _)| call.arguments.iter().any(is_value)) {
        // What keeps it comes first; what comes later reaches that.
        let keeper = call.arguments.iter().find(|it| !is_value(it));
        if keeper.and_then(|it| begins(program, function, it)).as_ref() == Some(&path.root) {
            return true;
        }
    }
    // It is assigned to a part of something.
    let assigned = function.blocks().flat_map(|(_, it)| &it.statements).any(|it| match it {
        Statement::Assign(into, Rvalue::Use(from)) if is_value(from) && !into.projections.is_empty() => {
            begins(program, function, &Operand::Place(into.clone())).as_ref() == Some(&path.root)
        }
        _ => false,
    });
    assigned || depth > 0 && values.contains(&Local(0)) && is_given_by_callers(facts, id, path, depth - 1)
}

/// Whether those who call a function put what it gives beside what they give it.
fn is_given_by_callers(facts: &Facts<'_>, id: FunctionId, path: &AccessPath, depth: usize) -> bool {
    let program = facts.program;
    facts.callers().get(&id).into_iter().flatten().any(|&caller| {
        let function = program.function(caller);
        let access_paths = AccessPaths::of(program, function);
        function.calls().any(|(block, call, _)| {
            program.called(function, block) == Some(id)
                && path
                    .seen_from(&access_paths.arguments(call), &[])
                    .is_some_and(|it| is_given(facts, caller, call.into.local, &it, depth))
        })
    })
}

/// The locals that a value goes through: it is moved, or put into something.
fn followed(function: &Function, value: Local) -> BTreeSet<Local> {
    walk::reached([value], |from| taken_on(function, from))
}

/// The locals that a local is moved to, or put into.
fn taken_on(function: &Function, from: Local) -> BTreeSet<Local> {
    let has = |it: &Operand| it.place().is_some_and(|it| it.local == from);
    let statements = function.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(_, it)| &it.statements);
    let assigned = statements.filter_map(|it| {
        let Statement::Assign(into, value) = it else { return None };
        let is_put = match value {
            Rvalue::Use(from) | Rvalue::Cast(from, _) => has(from),
            Rvalue::Reference(of, _) => of.local == from,
            Rvalue::Made(_, parts) => parts.iter().any(has),
            Rvalue::Discriminant(_) => false,
        };
        (is_put && into.projections.is_empty()).then_some(into.local)
    });
    let called = function.calls().filter_map(|(_, call, callee)| {
        let puts = callee.wraps() || callee.shares() || callee.name() == "boxed" || callee.hands_on();
        (puts && call.arguments.first().is_some_and(has)).then_some(call.into.local)
    });
    assigned.chain(called).collect()
}

/// What the path to a value begins with.
fn begins(program: &Program, function: &Function, value: &Operand) -> Option<Root> {
    path_of(program, function, value).map(|it| it.root)
}

/// The path to a value; of a guard and what is behind it the path to the lock, of a handle the one to what it leads to.
fn path_of(program: &Program, function: &Function, value: &Operand) -> Option<AccessPath> {
    let access_paths = AccessPaths::of(program, function);
    let mut value = value.clone();
    for _ in 0..8 {
        let path = access_paths.operand(&value)?;
        let Root::Made(slot) = &path.root else { return Some(path) };
        let asked = source(function, slot);
        let view = asked.filter(|block| is_lock_call(function.callee(*block)) || is_view(function, *block));
        let view = view.and_then(|it| function.call(it));
        match view.and_then(|(call, _)| call.arguments.first()) {
            Some(of) => value = of.clone(),
            None => return Some(path),
        }
    }
    None
}

/// Whether a call gives a handle of, or a reference to a part of what it is called on.
fn is_view(function: &Function, block: BlockId) -> bool {
    let views = |it: Callee| it.views() || it.shares() || it.opens() || it.reaches();
    function.call(block).is_some_and(|(_, callee)| views(callee))
}
