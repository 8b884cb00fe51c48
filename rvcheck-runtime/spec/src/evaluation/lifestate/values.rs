//! Small numbers for the values of messages: equal values have equal numbers, however a trace keeps them.

use std::collections::HashMap;

use rvcheck_event::kind::Sort;
use rvcheck_event::value::Value;

use crate::model::automaton::Constant;
use crate::semantics::evaluate::{Operand, operand};
use crate::semantics::facts::Facts;

/// The number of a value.
pub type Number = u32;

/// The number of a value that is not known. It matches only `_`.
pub const ABSENT: Number = 0;

/// What a value is, whoever keeps it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Known {
    Int(i64),
    Bool(bool),
    Text(Box<str>),
    Object(Sort, u32),
}

/// The values that were seen, and those of the rules, which come first: constant `n` has the number `n + 1`.
#[derive(Clone, Debug, Default)]
pub struct Values {
    numbers: HashMap<Known, Number>,
    /// By value of the trace, which keeps each text under few numbers.
    cache: HashMap<Value, Number>,
    /// By number, a value of the trace. None for a constant that no message had yet, and for what was forgotten.
    seen: HashMap<Number, Value>,
    /// How many numbers there were, that of absent values included.
    count: Number,
}

impl Values {
    /// The values of the rules.
    pub fn new(constants: &[Constant]) -> Values {
        let mut values = Values { count: 1, ..Values::default() };
        for constant in constants {
            values.number_of(match constant {
                Constant::Int(number) => Known::Int(*number),
                Constant::Bool(truth) => Known::Bool(*truth),
                Constant::Text(text) => Known::Text(text.clone()),
            });
        }
        values
    }

    fn number_of(&mut self, known: Known) -> Number {
        let number = *self.numbers.entry(known).or_insert(self.count);
        if number == self.count {
            self.count += 1;
        }
        number
    }

    /// The number of a value.
    #[inline]
    pub fn number<F: Facts + ?Sized>(&mut self, value: Value, facts: &F) -> Number {
        match self.cache.get(&value) {
            Some(number) => *number,
            None => self.meet(value, facts),
        }
    }

    #[cold]
    fn meet<F: Facts + ?Sized>(&mut self, value: Value, facts: &F) -> Number {
        let known = match operand(value, facts) {
            Operand::Int(number) => Known::Int(number),
            Operand::Bool(truth) => Known::Bool(truth),
            Operand::Text(text) => Known::Text(text.into()),
            Operand::Object(sort, id) => Known::Object(sort, id),
            Operand::Absent => return ABSENT,
        };
        let number = self.number_of(known);
        self.seen.insert(number, value);
        self.cache.insert(value, number);
        number
    }

    /// The number of an object, if it has one.
    pub(crate) fn known(&self, (sort, id): (Sort, u32)) -> Option<Number> {
        self.cache.get(&Value::Object(sort, id)).copied()
    }

    /// Forgets an object. Its number is never that of another one.
    pub(crate) fn forget(&mut self, (sort, id): (Sort, u32)) {
        if let Some(number) = self.cache.remove(&Value::Object(sort, id)) {
            self.numbers.remove(&Known::Object(sort, id));
            self.seen.remove(&number);
        }
    }

    /// A value of this number.
    pub fn value(&self, number: Number) -> Value {
        self.seen.get(&number).copied().unwrap_or_default()
    }
}
