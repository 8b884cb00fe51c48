//! Facts: what is true of the values, calls and waits of a program, each computed once.
//!
//! A rule asks facts and decides by them. [`Facts`] owns all that is computed, so that two rules that ask the same pay once.

pub mod fate;

use self::fate::Fates;
use crate::flow::Program;

/// The facts of a program.
#[derive(Debug)]
pub struct Facts<'p> {
    /// The program that they are of.
    pub program: &'p Program,
    /// What becomes of errors.
    pub(crate) fates: Fates,
}

impl<'p> Facts<'p> {
    /// The facts of that program. Each is computed when it is first asked for.
    pub fn of(program: &'p Program) -> Facts<'p> {
        Facts { program, fates: Fates::default() }
    }
}
