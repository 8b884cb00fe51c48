//! What is put into a collection: with which key, and which value.

use super::state::{State, of_operand};
use crate::body::{Callee, Definition, Function, Slot};
use crate::mir::{Call, Made, Operand, Rvalue};
use crate::program::Program;
use crate::ty::{canonical, segments};
use rvcheck_primitives::{Holds, holds};

/// How far values are followed back.
const FARTHEST: usize = 12;

/// The key that a call puts something in with, or takes it out by.
pub(super) fn key_of(program: &Program, function: &Function, call: &Call) -> Option<State> {
    let Some(entry) = entry_of(function, call) else {
        return call.arguments.get(1).and_then(|it| key(program, function, it));
    };
    // The key was given to who gave the entry.
    let mut slot = Slot::at(entry);
    for _ in 0..FARTHEST {
        slot.steps.truncate(function.root(&slot));
        let from = match function.definition(&slot)? {
            Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                if callee.name() == "entry" {
                    return call.arguments.get(1).and_then(|it| key(program, function, it));
                }
                call.place(0)?
            }
            definition @ Definition::Assigned(..) => match function.assigned(definition)? {
                Rvalue::Use(Operand::Place(from)) | Rvalue::Reference(from, _) => from,
                _ => return None,
            },
        };
        slot = Slot::at(from);
    }
    None
}

/// The entry of a map that a call is on.
fn entry_of<'a>(function: &Function, call: &'a Call) -> Option<&'a crate::mir::Place> {
    let on = call.place(0)?;
    (holds(function.type_of(on)?.bare_name()) == Some(Holds::Entry)).then_some(on)
}

/// The value that a call puts into a collection, as [`assigned`] has it: what it is given last.
pub(super) fn value_of(function: &Function, call: &Call) -> Option<String> {
    let given = call.arguments.get(1..)?.last()?;
    assigned(function, &Rvalue::Use(given.clone()))
}

/// The variant that a value is, with its type, or the constant.
pub(super) fn assigned(function: &Function, value: &Rvalue) -> Option<String> {
    let mut value = value.clone();
    for _ in 0..FARTHEST {
        value = match &value {
            Rvalue::Use(Operand::Constant(text)) => {
                let text = text.split('(').next().unwrap_or(text);
                return Some(if text.contains("::") { variant(text) } else { text.to_owned() });
            }
            Rvalue::Made(Made::Value(by), _) if by.text().contains("::") => return Some(variant(by.text())),
            Rvalue::Use(Operand::Place(from)) => {
                function.assigned(function.definition(&Slot::at(from))?)?.clone()
            }
            _ => return None,
        };
    }
    None
}

fn variant(name: &str) -> String {
    let path = canonical(name);
    let all = segments(&path);
    all[all.len().saturating_sub(2)..].join("::")
}

/// What a key was before it was copied or borrowed.
pub(super) fn key(program: &Program, function: &Function, operand: &Operand) -> Option<State> {
    let copies =
        |it: Callee| it.views() || it.shares() || it.wraps() || matches!(it.name(), "as_str" | "to_string");
    let mut operand = operand.clone();
    for _ in 0..FARTHEST {
        let slot = Slot::at(operand.place()?);
        match function.definition(&slot) {
            Some(Definition::Called(block)) => {
                let (call, callee) = function.call(block)?;
                if !copies(callee) && !callee.hands_on() {
                    break;
                }
                operand = call.arguments.first()?.clone();
            }
            Some(definition) => match function.assigned(definition)? {
                Rvalue::Use(of @ Operand::Place(_)) | Rvalue::Cast(of @ Operand::Place(_), _) => {
                    operand = of.clone();
                }
                Rvalue::Reference(of, _) => operand = Operand::Place(of.clone()),
                _ => break,
            },
            None => break,
        }
    }
    of_operand(program, function, &operand)
}
