//! The parts of a closure as they are in the body that calls it: with other numbers, and with what it captured in place of its captures.

use super::super::{
    Block, BlockId, Call, Local, Operand, Place, Projection, Rvalue, Statement, Terminator, Unwind,
};
use crate::callee::Callee;

/// What the parts of a closure become in the body that calls it.
pub(super) struct Inlining<'a> {
    /// The number of its first local there.
    pub(super) locals: u32,
    /// The number of its first block there.
    pub(super) blocks: u32,
    pub(super) captured: &'a [Operand],
    pub(super) by_reference: bool,
    pub(super) into: Place,
    pub(super) target: BlockId,
    pub(super) unwind: Unwind,
}

impl Inlining<'_> {
    pub(super) const fn local(&self, local: Local) -> Local {
        Local(local.0 + self.locals)
    }

    pub(super) const fn next(&self, block: BlockId) -> BlockId {
        BlockId(block.0 + self.blocks)
    }

    pub(super) fn place(&self, place: &Place) -> Option<Place> {
        let (begin, rest) = match place.local {
            Local(0) => (self.into.clone(), &place.projections[..]),
            Local(1) => {
                let own = &place.projections[..];
                let own = if self.by_reference { own.strip_prefix(&[Projection::Deref])? } else { own };
                let (Projection::Field(number, _), rest) = own.split_first()? else { return None };
                (self.captured.get(*number as usize)?.place()?.clone(), rest)
            }
            local => (Place::of(self.local(local)), &place.projections[..]),
        };
        let projections = begin.projections.into_iter().chain(rest.iter().cloned()).collect();
        Some(Place { local: begin.local, projections })
    }

    pub(super) fn operand(&self, operand: &Operand) -> Option<Operand> {
        Some(match operand {
            Operand::Place(place) => Operand::Place(self.place(place)?),
            Operand::Constant(text) => Operand::Constant(text.clone()),
        })
    }

    pub(super) fn operands(&self, operands: &[Operand]) -> Option<Vec<Operand>> {
        operands.iter().map(|it| self.operand(it)).collect()
    }

    pub(super) fn value(&self, value: &Rvalue) -> Option<Rvalue> {
        Some(match value {
            Rvalue::Use(it) => Rvalue::Use(self.operand(it)?),
            Rvalue::Cast(it, ty) => Rvalue::Cast(self.operand(it)?, *ty),
            Rvalue::Reference(it, is_mutable) => Rvalue::Reference(self.place(it)?, *is_mutable),
            Rvalue::Discriminant(it) => Rvalue::Discriminant(self.place(it)?),
            Rvalue::Made(made, parts) => Rvalue::Made(*made, self.operands(parts)?),
        })
    }

    pub(super) const fn unwind(&self, unwind: Unwind, cleanup: bool) -> Unwind {
        match unwind {
            Unwind::To(block) => Unwind::To(self.next(block)),
            Unwind::Out if !cleanup => self.unwind,
            it => it,
        }
    }

    pub(super) fn block(&self, block: &Block) -> Option<Block> {
        let statements = block.statements.iter().map(|it| {
            Some(match it {
                Statement::Assign(into, value) => Statement::Assign(self.place(into)?, self.value(value)?),
                // A closure has no states.
                Statement::State(..) => return None,
                Statement::Nothing => Statement::Nothing,
            })
        });
        let cleanup = block.cleanup;
        let terminator = match &block.terminator {
            Terminator::Goto(to) => Terminator::Goto(self.next(*to)),
            Terminator::Switch { on, cases, otherwise } => Terminator::Switch {
                on: self.operand(on)?,
                cases: cases.iter().map(|(value, to)| (*value, self.next(*to))).collect(),
                otherwise: otherwise.map(|it| self.next(it)),
            },
            Terminator::Return => Terminator::Goto(self.target),
            Terminator::Resume => match self.unwind {
                Unwind::To(block) => Terminator::Goto(block),
                _ => Terminator::Resume,
            },
            Terminator::Nowhere => Terminator::Nowhere,
            Terminator::Drop { place, target, unwind } => Terminator::Drop {
                place: self.place(place)?,
                target: target.map(|it| self.next(it)),
                unwind: self.unwind(*unwind, cleanup),
            },
            Terminator::Call(call) => Terminator::Call(Call {
                into: self.place(&call.into)?,
                callee: self.callee(call.callee)?,
                arguments: self.operands(&call.arguments)?,
                target: call.target.map(|it| self.next(it)),
                unwind: self.unwind(call.unwind, cleanup),
            }),
            Terminator::Assert { target, unwind } => {
                Terminator::Assert { target: self.next(*target), unwind: self.unwind(*unwind, cleanup) }
            }
        };
        Some(Block { cleanup, statements: statements.collect::<Option<_>>()?, terminator })
    }

    /// A callee, which may be a pointer in a place.
    pub(super) fn callee(&self, callee: Callee) -> Option<Callee> {
        for prefix in ["move ", "copy "] {
            if let Some(place) = callee.text().strip_prefix(prefix) {
                let place = self.place(&Place::read(place)?)?;
                let is_local = place.projections.is_empty();
                return is_local.then(|| Callee::read(&format!("{prefix}_{}", place.local.0)));
            }
        }
        Some(callee)
    }
}
