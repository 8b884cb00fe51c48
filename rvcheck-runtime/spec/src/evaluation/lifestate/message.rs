//! A message as the monitors of lifestates take it.

use rvcheck_event::event::Event;
use rvcheck_event::value::Value;

use crate::evaluation::lifestate::values::Number;
use crate::language::lifestate::Kind;
use crate::model::crossing::{Crossing, crossing};
use crate::semantics::facts::Facts;

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

/// The values of an event that is a message, that of the result first where it has one.
pub fn values<F: Facts + ?Sized>(event: &Event, facts: &F) -> Vec<Value> {
    match crossing(event.kind) {
        Some(crossing) => built_in_values(event, crossing).collect(),
        None => facts.arguments(event).to_vec(),
    }
}

/// The same of a built-in event.
pub(crate) fn built_in_values(event: &Event, crossing: Crossing) -> impl Iterator<Item = Value> + '_ {
    let result = crossing.kind.is_return().then(|| crossing.result.map_or(Value::Absent, Value::Symbol));
    let count = event.kind.signature().params.len();
    result.into_iter().chain((0..count).map(|it| event.argument(it)))
}
