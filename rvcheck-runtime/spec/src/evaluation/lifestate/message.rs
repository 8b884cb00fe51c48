//! A message as the monitors of lifestates take it.

use crate::evaluation::lifestate::values::Number;
use crate::language::lifestate::Kind;

/// A message with its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Message<'a> {
    /// What it is.
    pub kind: Kind,
    /// The library refused it.
    pub refused: bool,
    /// The place of its head among those of the model; `None` where no rule speaks of such messages.
    pub head: Option<usize>,
    /// The numbers of its values.
    pub values: &'a [Number],
}
