//! Where values are used: the uses of each local, who calls a body, who makes a closure, and who reads a field.

use super::path::{Path, Step};
use crate::body::FunctionId;
use crate::mir::{BlockId, Local, Operand, Place, Projection, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::ty::{Ty, closure_in};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// A place in a body where a local is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// The statement of that number in the block.
    Statement(BlockId, usize),
    /// What comes at the end of the block.
    Terminator(BlockId),
}

/// Where values of a program are used.
#[derive(Debug)]
pub(crate) struct Index {
    /// By body: the uses of its locals.
    uses: Vec<OnceLock<BTreeMap<Local, Vec<Use>>>>,
    /// By body: the calls that run it, with all that a call of a trait's method may run.
    callers: BTreeMap<FunctionId, Vec<(FunctionId, BlockId)>>,
    /// By body and block: the bodies of the workspace that the call at its end runs.
    callees: BTreeMap<(FunctionId, BlockId), Vec<FunctionId>>,
    /// By closure or state machine: the bodies that make it, where they put it, and what of.
    makers: BTreeMap<FunctionId, Vec<(FunctionId, Path, Vec<Operand>)>>,
    /// By struct and field: the places that name it.
    fields: BTreeMap<(String, u32), BTreeSet<(FunctionId, Path)>>,
    /// By closure: the calls that are given it, and as which argument.
    given_to: BTreeMap<FunctionId, Vec<(FunctionId, BlockId, usize)>>,
    /// Functions that are used as values, not called.
    values: BTreeSet<FunctionId>,
}

impl Index {
    /// Of a program.
    pub(crate) fn of(program: &Program) -> Index {
        let mut index = Index {
            uses: program.functions().map(|_| OnceLock::new()).collect(),
            callers: BTreeMap::new(),
            callees: BTreeMap::new(),
            makers: BTreeMap::new(),
            fields: BTreeMap::new(),
            given_to: BTreeMap::new(),
            values: BTreeSet::new(),
        };
        for (id, function) in program.functions() {
            for (block, _) in function.blocks() {
                for called in program.may_call(function, block) {
                    index.callers.entry(called).or_default().push((id, block));
                    index.callees.entry((id, block)).or_default().push(called);
                }
            }
            for (block, call, _) in function.calls() {
                for (number, argument) in call.arguments.iter().enumerate() {
                    let closure = match argument {
                        Operand::Place(place) => function.type_of(place).and_then(Ty::closure),
                        Operand::Constant(text) => closure_in(text),
                    };
                    if let Some(closure) = closure.and_then(|it| program.body_of(it)) {
                        index.given_to.entry(closure).or_default().push((id, block, number));
                    }
                }
            }
            index.read_statements(program, id);
        }
        index
    }

    fn read_statements(&mut self, program: &Program, id: FunctionId) {
        let function = program.function(id);
        for (_, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for (into, value) in block.assignments() {
                if let Some((made, operands)) = program.body_made(function, into, value) {
                    let into = Path::to(function, into);
                    self.makers.entry(made).or_default().push((id, into, operands.to_vec()));
                }
                value.places().chain([into]).for_each(|it| self.read_place(program, id, it));
                if let Rvalue::Made(_, operands) = value {
                    for it in operands {
                        self.read_constant(program, it);
                    }
                }
                if let Rvalue::Use(it) | Rvalue::Cast(it, _) = value {
                    self.read_constant(program, it);
                }
            }
            match &block.terminator {
                Terminator::Call(call) => {
                    for argument in &call.arguments {
                        self.read_constant(program, argument);
                        argument.place().into_iter().for_each(|it| self.read_place(program, id, it));
                    }
                    self.read_place(program, id, &call.into);
                }
                Terminator::Switch { on: Operand::Place(on), .. } => self.read_place(program, id, on),
                _ => {}
            }
        }
    }

    fn read_constant(&mut self, program: &Program, operand: &Operand) {
        if let Operand::Constant(text) = operand
            && !text.starts_with(['"', '{', '&'])
            && !text.starts_with(|it: char| it.is_ascii_digit())
        {
            self.values.extend(program.function_named(text));
        }
    }

    fn read_place(&mut self, program: &Program, id: FunctionId, place: &Place) {
        let function = program.function(id);
        let mut ty = function.body.type_of(place.local);
        for (at, projection) in place.projections.iter().enumerate() {
            match projection {
                Projection::Field(number, of) => {
                    let name = ty.bare_name();
                    let is_variant = at > 0 && matches!(place.projections[at - 1], Projection::Variant(_));
                    if !is_variant && program.knows_type(name) {
                        let upto =
                            Place { local: place.local, projections: place.projections[..=at].to_vec() };
                        let path = Path::to(function, &upto);
                        self.fields.entry((name.to_owned(), *number)).or_default().insert((id, path));
                    }
                    ty = *of;
                }
                Projection::Deref => ty = ty.pointee(),
                Projection::Variant(_) => {}
                Projection::Element => {
                    ty = ty.argument(0).unwrap_or_default();
                }
            }
        }
    }

    /// The uses of a local in a body.
    pub(super) fn uses(&self, program: &Program, id: FunctionId, local: Local) -> &[Use] {
        let all = self.uses[id.0 as usize].get_or_init(|| uses(program, id));
        all.get(&local).map_or(&[], Vec::as_slice)
    }

    /// The calls that may run a body.
    pub(crate) fn callers(&self, id: FunctionId) -> &[(FunctionId, BlockId)] {
        self.callers.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The bodies of the workspace that the call at the end of a block may run.
    pub(crate) fn callees(&self, id: FunctionId, block: BlockId) -> &[FunctionId] {
        self.callees.get(&(id, block)).map_or(&[], Vec::as_slice)
    }

    /// The bodies that make a closure or state machine, where they put it, and what they make it of.
    pub(crate) fn makers(&self, id: FunctionId) -> &[(FunctionId, Path, Vec<Operand>)] {
        self.makers.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The calls that are given a closure, and as which argument.
    pub(super) fn given_to(&self, id: FunctionId) -> &[(FunctionId, BlockId, usize)] {
        self.given_to.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The places that name a field of a struct of the workspace.
    pub(super) fn field(&self, of: &str, number: u32) -> impl Iterator<Item = &(FunctionId, Path)> {
        self.fields.get(&(of.to_owned(), number)).into_iter().flatten()
    }

    /// Whether a function is used as a value, so that it is not known who calls it.
    pub(super) fn is_value(&self, id: FunctionId) -> bool {
        self.values.contains(&id)
    }
}

/// The uses of the locals of a body.
fn uses(program: &Program, id: FunctionId) -> BTreeMap<Local, Vec<Use>> {
    let mut found: BTreeMap<Local, Vec<Use>> = BTreeMap::new();
    let mut add = |local: Local, it: Use| {
        let all = found.entry(local).or_default();
        if all.last() != Some(&it) {
            all.push(it);
        }
    };
    for (block, it) in program.function(id).blocks().filter(|(_, it)| !it.cleanup) {
        for (number, statement) in it.statements.iter().enumerate() {
            if let Statement::Assign(_, value) = statement {
                value.places().for_each(|place| add(place.local, Use::Statement(block, number)));
            }
        }
        match &it.terminator {
            Terminator::Call(call) => {
                let places = call.places();
                places.for_each(|place| add(place.local, Use::Terminator(block)));
            }
            Terminator::Switch { on: Operand::Place(on), .. } => add(on.local, Use::Terminator(block)),
            Terminator::Return => add(Local(0), Use::Terminator(block)),
            _ => {}
        }
    }
    found
}

/// The struct of the workspace and the field that a place goes through last, with the steps behind it.
pub(super) fn last_field(
    program: &Program,
    id: FunctionId,
    place: &Place,
) -> Option<(String, u32, Vec<Step>)> {
    let function = program.function(id);
    (0..place.projections.len()).rev().find_map(|at| {
        let Projection::Field(number, _) = place.projections[at] else { return None };
        if at > 0 && matches!(place.projections[at - 1], Projection::Variant(_)) {
            return None;
        }
        let upto =
            |length: usize| Place { local: place.local, projections: place.projections[..length].to_vec() };
        let before = upto(at);
        let name = function.type_of(&before)?.bare_name();
        let front = Path::to(function, &upto(at + 1)).steps.len();
        let steps = Path::to(function, place).steps;
        program.knows_type(name).then(|| (name.to_owned(), number, steps[front..].to_vec()))
    })
}
