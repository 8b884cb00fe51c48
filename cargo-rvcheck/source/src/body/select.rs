//! Invocations of `select!`, as the compiler sees them: a future that polls a tuple of futures, and a branch on which one was first.

use crate::body::provenance::source;
use crate::body::unpinned::future_in;
use crate::body::{Definition, Function, Slot};
use crate::mir::{BlockId, Made, Operand, Operator, Rvalue, Statement, Terminator};
use crate::ty::Ty;

/// An invocation.
#[derive(Clone, Debug)]
pub(crate) struct Select {
    /// The block in which the futures are put together.
    pub(crate) made: BlockId,
    /// The block that polls them.
    pub(crate) poll: BlockId,
    /// The futures.
    pub(crate) branches: Vec<Branch>,
}

/// A branch.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    /// The type of the future.
    pub(crate) ty: Ty,
    /// Where the future is before it is put together with the others.
    pub(crate) slot: Slot,
    /// The call that gives the future, if it is one.
    pub(crate) call: Option<BlockId>,
    /// Where it goes on when this future is the first.
    pub(crate) arm: Option<BlockId>,
}

impl Branch {
    /// Whether the future goes on to exist when another one is the first.
    pub(crate) fn is_kept(&self) -> bool {
        self.ty.unpinned().is_reference()
    }
}

/// The invocations in a body.
pub(crate) fn selects(function: &Function) -> Vec<Select> {
    let found = function.suspensions.iter().filter_map(|it| {
        let Definition::Called(block) = function.producer(it.awaited.as_ref()?)? else { return None };
        let (call, callee) = function.call(block)?;
        let closure = call.place(0).filter(|_| callee.name() == "poll_fn")?;
        let poll = it.poll?;
        if let Some(select) = of_futures(function, &Slot::at(closure), poll) {
            return Some(select);
        }
        let (made, futures) = captured_tuple(function, Slot::at(closure))?;
        let branch = |(number, future): (i128, &Operand)| {
            let place = future.place()?;
            Some(Branch {
                ty: function.type_of(place)?,
                slot: Slot::at(place),
                call: source(function, &Slot::at(place)),
                arm: arm(function, poll, number),
            })
        };
        let branches: Option<Vec<Branch>> = (0..).zip(futures).map(branch).collect();
        Some(Select { made, poll, branches: branches? })
    });
    found.collect()
}

/// The invocation of the macro of `futures` whose closure that is: it has references to the futures, in the order of the branches, and gives
/// a variant of a type that the macro declares.
fn of_futures(function: &Function, closure: &Slot, poll: BlockId) -> Option<Select> {
    let (call, _) = function.call(poll)?;
    let output = function.type_of(&call.into).and_then(|it| it.argument(0))?;
    let of_macro = output.name() == "__PrivResult";
    let definition = function.producer(closure).filter(|_| of_macro)?;
    let Definition::Assigned(made, _) = definition else { return None };
    let Rvalue::Made(_, parts) = function.assigned(definition)? else { return None };
    let branch = |(number, part): (i128, &Operand)| {
        let Rvalue::Reference(future, _) =
            function.assigned(function.definition(&Slot::at(part.place()?))?)?
        else {
            return None;
        };
        let slot = Slot::at(future);
        let found = future_in(function, &slot).and_then(|it| Some((it.made()?, it.slot)));
        let is_kept = function.type_of(future).is_some_and(|it| it.has(|it| it.is_of_reference("Pin")));
        let (call, inner) = found.map_or((None, slot.clone()), |(made, inner)| (Some(made), inner));
        let call = call.filter(|it| function.call(*it).is_some());
        let slot = if is_kept { slot } else { inner };
        Some(Branch { ty: function.type_of(future)?, slot, call, arm: arm(function, poll, number) })
    };
    let branches: Option<Vec<Branch>> = (0..).zip(parts).map(branch).collect();
    let branches = branches.filter(|it| it.len() == output.arguments().len())?;
    Some(Select { made, poll, branches })
}

/// Whether a block takes a branch of a `select!` out, as a guard on it does.
pub(crate) fn is_disabled_at(function: &Function, block: BlockId) -> bool {
    function.body.block(block).is_some_and(|it| {
        it.statements
            .iter()
            .any(|it| matches!(it, Statement::Assign(_, Rvalue::Made(Made::By(Operator::BitOr), _))))
    })
}

/// The tuple of futures that a closure has captured, and the block that makes it.
fn captured_tuple(function: &Function, closure: Slot) -> Option<(BlockId, &[Operand])> {
    let mut open = vec![closure];
    for _ in 0..64 {
        let mut slot = open.pop()?;
        slot.steps.truncate(function.root(&slot));
        for &definition in function.definitions(&slot) {
            let Definition::Assigned(block, _) = definition else { continue };
            match function.assigned(definition) {
                Some(Rvalue::Made(Made::Parts, parts)) if parts.len() > 1 => {
                    return Some((block, parts));
                }
                Some(Rvalue::Made(Made::Body(_), parts)) => {
                    open.extend(parts.iter().filter_map(Operand::place).map(Slot::at));
                }
                Some(
                    Rvalue::Use(Operand::Place(from))
                    | Rvalue::Cast(Operand::Place(from), _)
                    | Rvalue::Reference(from, _),
                ) => open.push(Slot::at(from)),
                _ => {}
            }
        }
    }
    None
}

/// Where it goes on when the future of that number was the first.
fn arm(function: &Function, poll: BlockId, number: i128) -> Option<BlockId> {
    let (call, _) = function.call(poll)?;
    let statements = function.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(_, it)| &it.statements);
    let output = statements.into_iter().find_map(|it| match it {
        Statement::Assign(into, Rvalue::Use(Operand::Place(from))) => {
            let ready = from.is_of_variant("Ready");
            (from.local == call.into.local && ready).then(|| Slot::at(into))
        }
        _ => None,
    })?;
    function.blocks().filter(|(_, it)| !it.cleanup).find_map(|(_, block)| {
        let Terminator::Switch { cases, .. } = &block.terminator else { return None };
        let is_output = |it: &Slot| {
            *it == output
                || function.definition(it).and_then(|it| function.assigned(it)).is_some_and(
                    |it| matches!(it, Rvalue::Use(Operand::Place(from)) if Slot::at(from) == output),
                )
        };
        let decides = block
            .assignments()
            .any(|(_, value)| matches!(value, Rvalue::Discriminant(of) if is_output(&Slot::at(of))));
        cases.iter().find(|(it, _)| decides && *it == number).map(|(_, to)| *to)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_future_is_kept_where_the_branch_has_a_reference_to_it() {
        let cases = [
            ("&mut std::pin::Pin<Box<A>>", true),
            ("std::pin::Pin<&mut A>", true),
            ("rvstd::pin::Pin<&mut rvtokio::task::JoinHandle<()>>", true),
            ("rvstd::pin::Pin<rvstd::boxed::Box<A>>", false),
            ("rvtokio::task::JoinHandle<&u8>", false),
        ];
        for (ty, kept) in cases {
            let branch =
                Branch { ty: Ty::read(ty), slot: Slot::of(crate::mir::Local(1)), call: None, arm: None };
            assert_eq!(branch.is_kept(), kept, "{ty}");
        }
    }
}
