//! Values as numbers, by which instances are found: eight bytes are compared and hashed sooner than a value.

use rvcheck_event::id::UnitId;
use rvcheck_event::value::Value;

use crate::evaluation::engine::table::mix;
use crate::model::automaton::Mask;

/// Stands in the number of a value of which it does not tell everything.
const INEXACT: u64 = 1 << 63;

/// How many bits are for the value itself; those above tell what it is.
const WIDTH: u32 = 48;

/// The number of a value. Equal values have equal numbers; and values are equal that have equal numbers which are exact.
#[inline]
pub(super) fn code(value: &Value) -> u64 {
    match value {
        Value::Absent => 0,
        Value::Object(sort, id) => 1 << WIDTH | (*sort as u64) << 32 | u64::from(*id),
        Value::Str(id) => 3 << WIDTH | u64::from(id.0),
        Value::Group(id) => 5 << WIDTH | u64::from(id.0),
        other => code_of_rare(other),
    }
}

fn code_of_rare(value: &Value) -> u64 {
    match *value {
        Value::Absent | Value::Object(..) | Value::Str(_) | Value::Group(_) => code(value),
        Value::Bool(truth) => 2 << WIDTH | u64::from(truth),
        Value::Int(number) => match u64::try_from(number) {
            Ok(small) if small >> WIDTH == 0 => 4 << WIDTH | small,
            _ => INEXACT | number as u64,
        },
        Value::Symbol(text) => INEXACT | text.bytes().fold(1, |hash, byte| mix(hash, byte.into())),
    }
}

/// What an index is asked for: the values of some parameters, and a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key<'a> {
    by: Mask,
    unit: Option<UnitId>,
    values: &'a [Value],
    pub(super) hash: u32,
}

impl<'a> Key<'a> {
    /// The key of the parameters `by`.
    #[inline]
    pub(super) fn new(by: Mask, unit: Option<UnitId>, values: &'a [Value]) -> Key<'a> {
        let mut hash = unit.map_or(0, |unit| mix(0, u64::from(unit.0) + 1));
        for (param, value) in values.iter().enumerate() {
            if by >> param & 1 != 0 {
                hash = mix(hash, code(value));
            }
        }
        Key { by, unit, values, hash: (hash >> 32) as u32 }
    }

    /// Whether an instance of this unit, with the values of these numbers, has this key.
    #[inline]
    pub(super) fn is_of<'b>(
        &self,
        unit: UnitId,
        codes: &[u64],
        values: impl FnOnce() -> &'b [Value],
    ) -> bool {
        let mut all = 0;
        for (param, (value, known)) in self.values.iter().zip(codes).enumerate() {
            if self.by >> param & 1 != 0 {
                let code = code(value);
                if code != *known {
                    return false;
                }
                all |= code;
            }
        }
        self.unit.is_none_or(|it| it == unit) && (all & INEXACT == 0 || self.agrees(values()))
    }

    fn agrees(&self, values: &[Value]) -> bool {
        let mut pairs = self.values.iter().zip(values).enumerate();
        pairs.all(|(param, (left, right))| self.by >> param & 1 == 0 || left == right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rvcheck_event::id::StringId;
    use rvcheck_event::kind::Sort;

    #[test]
    fn numbers_that_are_exact_are_those_of_one_value() {
        let (big, far) = (1_i64 << WIDTH, i64::MIN);
        let values = [
            Value::Absent,
            Value::Object(Sort::Task, 1),
            Value::Object(Sort::Lock, 1),
            Value::Object(Sort::Lock, u32::MAX),
            Value::Int(0),
            Value::Int(1),
            Value::Int(-1),
            Value::Int(big - 1),
            Value::Int(big),
            Value::Int(far),
            Value::Int(i64::MAX),
            Value::Bool(false),
            Value::Bool(true),
            Value::Str(StringId(0)),
            Value::Str(StringId(1)),
            Value::Group(StringId(1)),
            Value::Symbol(""),
            Value::Symbol("read"),
            Value::Symbol("write"),
        ];
        for left in values {
            for right in values {
                let (one, other) = ([left], [right]);
                let key = Key::new(1, Some(UnitId(1)), &one);
                assert_eq!(
                    key.is_of(UnitId(1), &[code(&right)], || &other),
                    left == right,
                    "{left:?} {right:?}"
                );
                assert!(!key.is_of(UnitId(2), &[code(&right)], || &other));
                assert!(left != right || key.hash == Key::new(1, Some(UnitId(1)), &other).hash);
            }
        }
    }

    #[test]
    fn values_whose_numbers_collide_are_distinguished() {
        // The number of a negative one has the same bits as one that is larger.
        let (one, other) = ([Value::Int(-1)], [Value::Int(i64::MAX)]);
        assert_eq!(code(&one[0]), code(&other[0]));
        assert!(!Key::new(1, None, &one).is_of(UnitId(1), &[code(&other[0])], || &other));
    }

    #[test]
    fn only_the_parameters_that_are_asked_for_count() {
        let values = [Value::Int(1), Value::Int(2)];
        let other = [Value::Int(1), Value::Int(3)];
        let codes = [code(&other[0]), code(&other[1])];
        assert!(Key::new(1, None, &values).is_of(UnitId(7), &codes, || &other));
        assert!(!Key::new(3, None, &values).is_of(UnitId(7), &codes, || &other));
    }
}
