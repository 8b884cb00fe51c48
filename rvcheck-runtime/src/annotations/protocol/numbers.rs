//! Numbers as arguments.

use std::fmt;
use std::num::{NonZero, Saturating, Wrapping};
use std::time::Duration;

use super::{Observe, Value};

/// Numbers of 64 bits, of which greater ones become the greatest.
macro_rules! ints {
    ($($int:ty)*) => {$(
        impl Observe for $int {
            #[inline]
            fn value(&self) -> Value<'_> {
                #[allow(irrefutable_let_patterns, unused_comparisons, reason = "one text for all integers")]
                let limit = if *self < 0 { i64::MIN } else { i64::MAX };
                Value::Int(i64::try_from(*self).unwrap_or(limit))
            }
        }

        impl Observe for NonZero<$int> {
            #[inline]
            fn value(&self) -> Value<'_> {
                let Value::Int(number) = self.get().value() else { return Value::Absent };
                Value::Int(number)
            }
        }
    )*};
}

ints!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl<A: Observe> Observe for Wrapping<A> {
    #[inline]
    fn value(&self) -> Value<'_> {
        self.0.value()
    }
}

impl<A: Observe> Observe for Saturating<A> {
    #[inline]
    fn value(&self) -> Value<'_> {
        self.0.value()
    }
}

impl Observe for bool {
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Bool(*self)
    }
}

/// In ns.
impl Observe for Duration {
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Int(i64::try_from(self.as_nanos()).unwrap_or(i64::MAX))
    }
}

/// A number with a fraction that is equal to itself, as a text: equal numbers have equal texts, and others have others.
///
/// The text is that of `{:?}`, such as `1.5`, `2.0` and `1e20`, the shortest by which its type tells it from others. There is no
/// negative zero.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Float {
    bits: u64,
    /// It was an `f32`, whose shortest text is another.
    is_single: bool,
}

impl fmt::Debug for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = f64::from_bits(self.bits);
        if self.is_single { (number as f32).fmt(f) } else { number.fmt(f) }
    }
}

/// NaN is not equal to itself, so it is absent.
macro_rules! floats {
    ($($float:ty, $is_single:literal;)*) => {$(
        impl Observe for $float {
            #[inline]
            fn value(&self) -> Value<'_> {
                if self.is_nan() {
                    return Value::Absent;
                }
                // The sum of both zeros is the positive one.
                let bits = f64::from(*self + 0.0).to_bits();
                Value::Float(Float { bits, is_single: $is_single })
            }
        }
    )*};
}

floats! {
    f32, true;
    f64, false;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_numbers_of_64_bits() {
        let numbers: [(&dyn Observe, i64); 12] = [
            (&-3_i8, -3),
            (&u64::MAX, i64::MAX),
            (&i128::MIN, i64::MIN),
            (&u128::MAX, i64::MAX),
            (&i64::MIN, i64::MIN),
            (&7_usize, 7),
            (&NonZero::new(7_u8).unwrap(), 7),
            (&NonZero::new(u128::MAX).unwrap(), i64::MAX),
            (&Wrapping(7_i32), 7),
            (&Saturating(7_u16), 7),
            (&Duration::from_millis(3), 3_000_000),
            (&Duration::MAX, i64::MAX),
        ];
        for (number, expected) in numbers {
            assert_eq!(number.value(), Value::Int(expected));
        }
        assert_eq!(false.value(), Value::Bool(false));
        assert_eq!(Wrapping(true).value(), Value::Bool(true));
    }

    #[test]
    fn floats_are_the_texts_that_rust_would_write() {
        let text = |it: &dyn Observe| match it.value() {
            Value::Float(float) => format!("{float:?}"),
            other => panic!("{other:?}"),
        };
        let floats: [(&dyn Observe, &str); 10] = [
            (&0.1_f32, "0.1"),
            (&0.1_f64, "0.1"),
            (&f64::from(0.1_f32), "0.10000000149011612"),
            (&1.0_f32, "1.0"),
            (&-0.0_f64, "0.0"),
            (&-0.0_f32, "0.0"),
            (&1e20_f64, "1e20"),
            (&f32::MAX, "3.4028235e38"),
            (&f64::NEG_INFINITY, "-inf"),
            (&-1.234_567_890_123_456e-5_f64, "-1.234567890123456e-5"),
        ];
        for (float, expected) in floats {
            assert_eq!(text(float), expected);
        }
    }

    #[test]
    fn floats_are_equal_as_numbers_are_and_nan_is_absent() {
        assert_eq!((-0.0_f64).value(), 0.0_f64.value());
        assert_ne!(1.0_f64.value(), 1.0_f64.next_up().value());
        assert_eq!(f64::NAN.value(), Value::Absent);
        assert_eq!(f32::NAN.value(), Value::Absent);
    }
}
