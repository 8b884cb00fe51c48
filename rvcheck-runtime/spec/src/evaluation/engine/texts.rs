//! One value for each text, however the trace keeps it: as the name of a variant, or under one of several numbers.

use std::cell::RefCell;
use std::collections::HashMap;

use rvcheck_event::value::Value;

use crate::semantics::evaluate::{Operand, operand};
use crate::semantics::facts::Facts;

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts(RefCell<HashMap<Box<str>, Value>>);

impl Texts {
    /// The value that stands for this one and all that are the same; [`Value::Absent`] for a text that is not known.
    #[inline]
    pub(super) fn canonical<F: Facts + ?Sized>(&self, value: Value, facts: &F) -> Value {
        match value {
            Value::Symbol(_) | Value::Str(_) => self.text(value, facts),
            _ => value,
        }
    }

    fn text<F: Facts + ?Sized>(&self, value: Value, facts: &F) -> Value {
        let Operand::Text(text) = operand(value, facts) else { return Value::Absent };
        let mut known = self.0.borrow_mut();
        match known.get(text) {
            Some(first) => *first,
            None => {
                known.insert(text.into(), value);
                value
            }
        }
    }
}
