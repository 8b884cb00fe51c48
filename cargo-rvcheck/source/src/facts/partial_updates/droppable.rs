//! Which state machines may be dropped before their end: where the program does it, and those that anybody may make and drop.

use super::machine::{adapts, machine_from, machine_in, machine_of};
use crate::body::provenance::{awaited_at, source};
use crate::body::select::selects;
use crate::body::timeout::{is_kept, timeouts};
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::mir::{Made, Operand, Rvalue, Terminator};
use crate::program::Program;
use crate::program::code_ref::{CodeRef, await_ref, branch_ref, call_ref};
use std::collections::BTreeMap;

/// Who may drop a state machine before its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Dropper {
    /// This place does, by that.
    Here(CodeRef, &'static str),
    /// Whoever calls a public function.
    Anybody,
}

/// Who may drop which state machine. Where the program does it itself, that counts.
pub(crate) fn droppable(program: &Program) -> BTreeMap<FunctionId, Dropper> {
    let mut found: BTreeMap<FunctionId, Dropper> = BTreeMap::new();
    for (id, function) in program.functions() {
        if function.kind == Kind::Function
            && let Some(machine) = machine_of(program, id)
            && is_for_anybody(program, id)
        {
            found.entry(machine).or_insert(Dropper::Anybody);
        }
    }
    for (id, function) in program.functions() {
        for (machine, at, within) in dropped_in(program, id, function) {
            found.insert(machine, Dropper::Here(at, within));
        }
    }
    // What is awaited is dropped together with who awaits it.
    let mut open: Vec<FunctionId> = found.keys().copied().collect();
    open.sort_by_key(|it| found.get(it) == Some(&Dropper::Anybody));
    while let Some(id) = open.pop() {
        let Some(dropper) = found.get(&id).cloned() else { continue };
        for machine in awaited_by(program, program.function(id)) {
            let is_new = match found.get(&machine) {
                None => true,
                Some(Dropper::Anybody) => dropper != Dropper::Anybody,
                Some(Dropper::Here(..)) => false,
            };
            if is_new {
                found.insert(machine, dropper.clone());
                open.push(machine);
            }
        }
    }
    found
}

/// Whether code of other crates may call a function.
pub(crate) fn is_for_anybody(program: &Program, id: FunctionId) -> bool {
    program.is_open(id)
}

/// The state machines that a body drops unfinished, and where.
fn dropped_in(
    program: &Program,
    id: FunctionId,
    function: &Function,
) -> Vec<(FunctionId, CodeRef, &'static str)> {
    let mut found = Vec::new();
    let machine = |slot: &Slot| machine_in(program, function, slot).map(|it| it.0);
    for select in selects(function) {
        for (number, branch) in select.branches.iter().enumerate().filter(|(_, it)| !it.is_kept()) {
            found.extend(
                machine(&branch.slot).map(|it| (it, branch_ref(program, id, &select, number), "`select!`")),
            );
        }
    }
    for (block, future) in timeouts(function).filter(|(_, it)| !is_kept(function, it)) {
        let at = match (function.site(block), awaited_at(function, block)) {
            (None, Some(poll)) => await_ref(program, id, poll),
            _ => call_ref(program, id, block),
        };
        found.extend(machine(&Slot::at(future)).map(|it| (it, at, "`timeout`")));
    }
    for (block, call, _) in function.calls().filter(|(.., it)| it.name() == "abort") {
        let handle = call.place(0);
        let spawned = handle.and_then(|it| source(function, &Slot::at(it)));
        let Some((spawn, _)) =
            spawned.and_then(|it| function.call(it)).filter(|(_, it)| it.name().contains("spawn"))
        else {
            continue;
        };
        let given = spawn.arguments.iter().filter_map(Operand::place).filter_map(|it| machine(&Slot::at(it)));
        found.extend(given.map(|it| (it, call_ref(program, id, block), "`abort`")));
    }
    found
}

/// The state machines that a body makes and polls itself, as far as is known.
pub(crate) fn awaited_by(program: &Program, function: &Function) -> Vec<FunctionId> {
    let mut found = Vec::new();
    for at in &function.suspensions {
        found.extend(at.awaited.as_ref().and_then(|it| machine_in(program, function, it)).map(|it| it.0));
    }
    // Through `join!`, `select!`, sets and adapters: what is made here and not given away.
    for (id, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
        for (into, value) in block.assignments() {
            let made = program.body_made(function, into, value).map(|it| it.0);
            let machine = made.filter(|it| program.function(*it).kind == Kind::Coroutine);
            found.extend(machine.filter(|_| is_polled_here(program, function, &Slot::at(into))));
        }
        if let Some((call, _)) = function.call(id)
            && let Some((machine, _)) = machine_from(program, function, id)
            && is_polled_here(program, function, &Slot::at(&call.into))
        {
            found.push(machine);
        }
    }
    if function.suspensions.is_empty() {
        found.clear();
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a future is polled by the body that makes it, as far as its way can be followed.
fn is_polled_here(program: &Program, function: &Function, made: &Slot) -> bool {
    let mut slot = made.clone();
    for _ in 0..16 {
        let mut next = None;
        for (id, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
            let takes = |it: &Operand| it.place().is_some_and(|it| Slot::at(it) == slot);
            for (into, value) in block.assignments() {
                match value {
                    Rvalue::Use(from) | Rvalue::Cast(from, _) if takes(from) => next = Some(Slot::at(into)),
                    // A tuple of futures, as macros make them.
                    Rvalue::Made(made, parts) if parts.iter().any(takes) => return *made == Made::Parts,
                    _ => {}
                }
            }
            if let Terminator::Call(call) = &block.terminator
                && call.arguments.iter().any(takes)
            {
                let Some((_, callee)) = function.call(id) else { return false };
                let name = callee.name();
                if callee.is_awaiting() || matches!(name, "maybe_done" | "join_all" | "try_join_all") {
                    return true;
                }
                let hands = callee.hands_on()
                    || adapts(name)
                    || matches!(name, "pin" | "new" | "from" | "new_unchecked" | "push");
                if name == "push" || program.called(function, id).is_some() || !hands {
                    return name == "push"
                        || matches!(name, "join" | "join3" | "select" | "try_join" | "race" | "or");
                }
                next = Some(Slot::at(&call.into));
            }
        }
        match next {
            Some(it) => slot = it,
            None => return false,
        }
    }
    false
}

/// The state machine whose body is the one of a function, with the function.
pub(crate) fn maker(program: &Program, machine: FunctionId) -> Option<FunctionId> {
    program.functions().find_map(|(id, function)| {
        let makes = function.kind == Kind::Function
            && program.machine_made_by(id).is_some_and(|(it, _)| it == machine);
        makes.then_some(id)
    })
}
