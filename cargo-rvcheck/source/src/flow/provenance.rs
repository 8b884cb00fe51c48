//! Where a value comes from inside a body.

use super::{Definition, Function, Slot, Step};
use crate::mir::{BlockId, Operand, Rvalue, Statement, Terminator};

/// Methods of iterators whose results come to an end where the iterator does.
const ITERATOR: [&str; 8] =
    ["next", "map", "filter", "filter_map", "inspect", "enumerate", "by_ref", "cloned"];

/// The call that a value is the result of, or a part of that: followed back through moves, references, marks and iterators, and through
/// the await of the future that the call gave.
pub(crate) fn source(function: &Function, slot: &Slot) -> Option<BlockId> {
    let mut slot = slot.clone();
    for _ in 0..64 {
        let part = slot.steps.get(function.root(&slot)).copied();
        slot.steps.truncate(function.root(&slot));
        match function.definition(&slot)? {
            Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                if callee.is_trait("Future", "poll") {
                    slot = function.polled(block)?;
                    continue;
                }
                let through = callee.hands_on()
                    || callee.of_trait.as_deref() == Some("Iterator") && ITERATOR.contains(&callee.name())
                    || matches!(callee.name(), "new_unchecked" | "branch" | "pin");
                if !through {
                    return Some(block);
                }
                slot = Slot::at(call.arguments.first()?.place()?);
            }
            definition @ Definition::Assigned(..) => match function.assigned(definition)? {
                Rvalue::Use(Operand::Place(from))
                | Rvalue::Cast(Operand::Place(from), _)
                | Rvalue::Reference(from, _)
                | Rvalue::Discriminant(from) => slot = Slot::at(from),
                Rvalue::Made(name, parts) if name.is_empty() => {
                    let Some(Step::Field(at)) = part else { return None };
                    slot = Slot::at(parts.get(at as usize)?.place()?);
                }
                _ => return None,
            },
        }
    }
    None
}

/// The call whose result the branch at the end of a block looks at.
pub(crate) fn decided_by(function: &Function, block: BlockId) -> Option<BlockId> {
    let Terminator::Switch { on: Operand::Place(on), .. } = &function.body.block(block)?.terminator else {
        return None;
    };
    source(function, &Slot::at(on))
}

/// The block that polls the future that the call at the end of a block gives, where it is awaited by itself.
pub(crate) fn awaited_at(function: &Function, made: BlockId) -> Option<BlockId> {
    function.suspensions.iter().find_map(|it| {
        let slot = it.awaited.as_ref()?;
        (function.producer(slot)? == Definition::Called(made)).then_some(it.poll?)
    })
}

/// The constant that an operand is, if it is a number: `const 8_usize`.
pub(crate) fn number(function: &Function, operand: &Operand) -> Option<u64> {
    match operand {
        Operand::Constant(text) => {
            let digits = text.split('_').next()?;
            digits.parse().ok()
        }
        Operand::Place(place) => match function.assigned(function.definition(&Slot::at(place))?)? {
            Rvalue::Use(inner @ Operand::Constant(_)) | Rvalue::Cast(inner @ Operand::Constant(_), _) => {
                number(function, inner)
            }
            _ => None,
        },
    }
}

/// The least number of rounds that a loop of the body over a constant range or an array makes, if it has one.
pub(crate) fn least_rounds(function: &Function) -> Option<u64> {
    let ranges = function.blocks().flat_map(|(_, it)| &it.statements).filter_map(|it| match it {
        Statement::Assign(_, Rvalue::Made(name, parts)) if name.contains("Range") => {
            number(function, parts.get(1)?)
        }
        _ => None,
    });
    let arrays = function.body.locals.iter().filter_map(|ty| {
        let (_, rest) = ty.split_once("array::IntoIter<")?;
        rest.trim_end_matches('>').rsplit_once(", ")?.1.parse().ok()
    });
    ranges.chain(arrays).min()
}
