//! Bodies: the functions, closures, state machines, constants and statics of a crate.

use super::{Local, Operand, Place, Rvalue, Terminator};
use crate::ty::Ty;
use std::collections::BTreeMap;

/// Everything that a text of MIR holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mir {
    /// The bodies in the order of the text.
    pub bodies: Vec<Body>,
    /// The statics by the names that constants have for their addresses, such as `alloc7`.
    pub statics: BTreeMap<String, String>,
}

/// What a body is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BodyKind {
    /// A function, a closure, or the state machine of an async body.
    Function,
    /// A constant, static, or a part of a body that is evaluated beforehand.
    Constant,
}

/// One body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// The path, such as `<impl at src/lib.rs:11:1: 11:12>::flush::{closure#0}`.
    pub name: String,
    /// What it is of.
    pub kind: BodyKind,
    /// How many arguments it takes; they are the locals from 1.
    pub arguments: usize,
    /// By number: the types of the locals, `_0` being what is returned. That of a number that is not used is unknown.
    pub locals: Vec<Ty>,
    /// The names of variables, and where each is kept, if that is a place.
    pub variables: Vec<(String, Place)>,
    /// The blocks; the first is the entry.
    pub blocks: Vec<Block>,
    /// What was not understood. The blocks are incomplete then.
    pub unknown: Option<Unknown>,
}

/// A line that was not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// From 1, in the whole text.
    pub line: usize,
    /// The line.
    pub text: String,
}

/// The number of a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockId(pub u32);

/// Statements that run one after another, and what comes then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// It runs only while a panic unwinds.
    pub cleanup: bool,
    /// The statements.
    pub statements: Vec<Statement>,
    /// What comes then.
    pub terminator: Terminator,
}

impl Block {
    /// What is assigned to what, in the order of the statements.
    pub fn assignments(&self) -> impl DoubleEndedIterator<Item = (&Place, &Rvalue)> {
        self.statements.iter().filter_map(|it| match it {
            Statement::Assign(into, value) => Some((into, value)),
            _ => None,
        })
    }

    /// The places whose variants it looks at.
    pub(crate) fn looked_at(&self) -> impl DoubleEndedIterator<Item = &Place> {
        self.assignments()
            .filter_map(|(_, it)| if let Rvalue::Discriminant(of) = it { Some(of) } else { None })
    }

    /// The place whose variant the branch at its end goes by, if that is a branch by variants.
    pub(crate) fn discriminated(&self) -> Option<&Place> {
        let Terminator::Switch { on: Operand::Place(on), .. } = &self.terminator else { return None };
        self.statements.iter().rev().find_map(|it| match it {
            Statement::Assign(into, Rvalue::Discriminant(of)) if into == on => Some(of),
            _ => None,
        })
    }
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// `PLACE = RVALUE`.
    Assign(Place, Rvalue),
    /// `discriminant(PLACE) = N`: the state that a state machine is in from now on.
    State(Place, u32),
    /// One that changes no value.
    Nothing,
}

impl Body {
    /// The type of a local, as its declaration has it.
    pub fn type_of(&self, local: Local) -> Ty {
        self.locals.get(local.0 as usize).copied().unwrap_or_default()
    }

    /// The block of that number.
    pub fn block(&self, id: BlockId) -> Option<&Block> {
        self.blocks.get(id.0 as usize)
    }

    /// What people call this place: the variable that is kept there.
    pub fn variable_at(&self, place: &Place) -> Option<&str> {
        self.variables.iter().find(|(_, it)| it == place).map(|(name, _)| name.as_str())
    }
}
