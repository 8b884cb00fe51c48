//! State machines: which one a future is, through adapters and the functions that make it for others, and what it is given.

use super::state::{DEEPEST, Given, of_operand, within};
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::mir::{BlockId, Local, Operand, Rvalue};
use crate::program::Program;

/// The state machine in a slot, and what it was given.
pub(crate) fn machine_in(program: &Program, function: &Function, slot: &Slot) -> Option<(FunctionId, Given)> {
    machine_given(program, function, slot, DEEPEST)
}

pub(super) fn machine_given(
    program: &Program,
    function: &Function,
    slot: &Slot,
    depth: usize,
) -> Option<(FunctionId, Given)> {
    let state = |of: &Function, it: &Operand| match it {
        Operand::Place(place) => within(program, of, place, depth.checked_sub(1)?),
        Operand::Constant(_) => of_operand(program, of, it),
    };
    match function.producer(slot)? {
        Definition::Called(block) => {
            let (call, callee) = function.call(block)?;
            let maker = program.one_called(function, block);
            let Some(maker) = maker else {
                // An adapter around a future.
                let inner = call.place(0).filter(|_| adapts(callee.name()))?;
                return machine_given(program, function, &Slot::at(inner), depth.checked_sub(1)?);
            };
            let given = Given {
                arguments: call.arguments.iter().map(|it| state(function, it)).collect(),
                captured: Vec::new(),
            };
            made_by(program, maker, &given, depth)
        }
        definition @ Definition::Assigned(..) => {
            let (ty, operands) = function.assigned(definition)?.body()?;
            let machine = program.body_of(ty).or_else(|| program.machine_in(function, slot))?;
            let captured = operands.iter().map(|it| state(function, it)).collect();
            Some((machine, Given { arguments: Vec::new(), captured }))
        }
    }
}

/// The state machine that a function gives when it is called with that, also one that another function makes for it, and what that is given.
fn made_by(program: &Program, id: FunctionId, given: &Given, depth: usize) -> Option<(FunctionId, Given)> {
    let function = program.function(id);
    let mut slot = Slot::of(Local(0));
    for _ in 0..12 {
        let from = match function.definition(&slot)? {
            Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                let maker = program.one_called(function, block);
                if let Some(maker) = maker {
                    let state = |it: &Operand| given.seen(&of_operand(program, function, it)?);
                    let given =
                        Given { arguments: call.arguments.iter().map(state).collect(), captured: Vec::new() };
                    return made_by(program, maker, &given, depth.checked_sub(1)?);
                }
                let boxes = matches!(callee.name(), "pin" | "new") || adapts(callee.name());
                call.arguments.first().filter(|_| boxes || callee.hands_on())?.place()?
            }
            definition @ Definition::Assigned(..) => match function.assigned(definition)? {
                Rvalue::Made(_, operands) => {
                    let machine = program.body_of(function.body.type_of(slot.local))?;
                    let state = |it: &Operand| given.seen(&of_operand(program, function, it)?);
                    let captured = operands.iter().map(state).collect();
                    return Some((machine, Given { arguments: Vec::new(), captured }));
                }
                Rvalue::Use(Operand::Place(from)) | Rvalue::Cast(Operand::Place(from), _) => from,
                _ => return None,
            },
        };
        slot = Slot::at(from);
    }
    None
}

/// The state machine that a function gives when it is called.
pub(crate) fn machine_of(program: &Program, id: FunctionId) -> Option<FunctionId> {
    made_by(program, id, &Given::default(), DEEPEST).map(|it| it.0)
}

/// The state machine that the call at the end of a block gives, and what it is given.
pub(crate) fn machine_from(
    program: &Program,
    function: &Function,
    block: BlockId,
) -> Option<(FunctionId, Given)> {
    let (call, _) = function.call(block)?;
    let maker = program.one_called(function, block)?;
    let arguments = call.arguments.iter().map(|it| of_operand(program, function, it)).collect();
    made_by(program, maker, &Given { arguments, captured: Vec::new() }, DEEPEST)
}

/// Whether a method of a future gives one that polls it, and does nothing else before that.
pub(crate) fn adapts(name: &str) -> bool {
    matches!(
        name,
        "instrument"
            | "in_current_span"
            | "boxed"
            | "boxed_local"
            | "fuse"
            | "map"
            | "map_ok"
            | "map_err"
            | "inspect"
            | "then"
            | "and_then"
            | "or_else"
            | "unwrap_or_else"
            | "catch_unwind"
            | "unconstrained"
            | "left_future"
            | "right_future"
            | "with_subscriber"
            | "into_future"
            | "scope"
            | "timeout"
            | "timeout_at"
    )
}
