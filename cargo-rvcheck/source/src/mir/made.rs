//! What values are made as: by which constructor or operator.

use super::{Operand, Place, Rvalue};
use crate::callee::Callee;
use crate::ty::Ty;

/// What a value is made as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Made {
    /// A tuple or an array.
    Parts,
    /// A closure, or the state machine of an async body, which captures the operands.
    Body(Ty),
    /// A struct or a variant, by its constructor.
    Value(Callee),
    /// The result of an operator.
    By(Operator),
}

macro_rules! operators {
    ($($name:ident)*) => {
        /// An operator, whether it checks for an overflow or not.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[expect(missing_docs, reason = "the names of MIR")]
        pub enum Operator {
            $($name),*
        }

        impl Operator {
            fn read(name: &str) -> Option<Operator> {
                let plain = name.strip_suffix("WithOverflow").or_else(|| name.strip_suffix("Unchecked"));
                match plain.unwrap_or(name) {
                    $(stringify!($name) => Some(Operator::$name),)*
                    _ => None,
                }
            }
        }
    };
}

operators! {
    Add Sub Mul Div Rem Offset Neg Not BitAnd BitOr BitXor Shl Shr Eq Ne Lt Le Gt Ge Cmp PtrMetadata
}

impl Operator {
    /// Whether it says which of two is less.
    pub const fn orders(self) -> bool {
        matches!(self, Operator::Lt | Operator::Le | Operator::Gt | Operator::Ge)
    }

    /// Whether it says how two compare.
    pub const fn compares(self) -> bool {
        self.orders() || matches!(self, Operator::Eq | Operator::Ne)
    }

    /// Whether it counts up or down, and which of them.
    pub const fn counts(self) -> Option<bool> {
        match self {
            Operator::Add => Some(true),
            Operator::Sub => Some(false),
            _ => None,
        }
    }
}

impl Made {
    /// What stands before the operands.
    pub(super) fn read(name: &str, operands: &[Operand]) -> Made {
        match Operator::read(name).filter(|_| !operands.is_empty()) {
            Some(operator) => Made::By(operator),
            None if name.is_empty() => Made::Parts,
            None if name.starts_with('{') => Made::Body(Ty::read(name)),
            None => Made::Value(Callee::read(name)),
        }
    }
}

impl Rvalue {
    /// The elements of the tuple or array that it is.
    pub fn elements(&self) -> Option<&[Operand]> {
        if let Rvalue::Made(Made::Parts, parts) = self { Some(parts) } else { None }
    }

    /// The place of the element of that number of the tuple that it is.
    pub fn element(&self, number: u32) -> Option<&Place> {
        self.elements()?.get(number as usize)?.place()
    }

    /// The type of the closure or state machine that it is, and what that captures.
    pub fn body(&self) -> Option<(Ty, &[Operand])> {
        if let Rvalue::Made(Made::Body(ty), parts) = self { Some((*ty, parts)) } else { None }
    }

    /// The constructor of the struct or variant that it is, and what it is given.
    pub fn constructed(&self) -> Option<(Callee, &[Operand])> {
        if let Rvalue::Made(Made::Value(by), parts) = self { Some((*by, parts)) } else { None }
    }

    /// What it has in it as that variant.
    pub fn variant(&self, name: &str) -> Option<&[Operand]> {
        self.constructed().filter(|(by, _)| by.name() == name).map(|(_, parts)| parts)
    }

    /// Whether it is an `Err` of a `Result`.
    pub fn is_error(&self) -> bool {
        self.constructed().is_some_and(|(by, _)| by.name() == "Err" && by.owner() == "Result")
    }

    /// The operator that it is the result of, and on what.
    pub fn operated(&self) -> Option<(Operator, &[Operand])> {
        if let Rvalue::Made(Made::By(operator), parts) = self { Some((*operator, parts)) } else { None }
    }

    /// The place whose opposite it is.
    pub fn negated(&self) -> Option<&Place> {
        self.operated().filter(|it| it.0 == Operator::Not)?.1.first()?.place()
    }

    /// The place whose value it is, perhaps as another type.
    pub const fn moved_from(&self) -> Option<&Place> {
        match self {
            Rvalue::Use(Operand::Place(from)) | Rvalue::Cast(Operand::Place(from), _) => Some(from),
            _ => None,
        }
    }

    /// The place whose value it is, or that it refers to.
    pub const fn alias_of(&self) -> Option<&Place> {
        if let Rvalue::Reference(of, _) = self { Some(of) } else { self.moved_from() }
    }
}
