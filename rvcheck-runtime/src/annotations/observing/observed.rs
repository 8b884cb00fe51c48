//! The value of any expression, as an argument of an observed call.

use core::any::type_name;
use core::panic::Location;

use super::note_absent;
use crate::annotations::protocol::{Identified, Observe, Value};

/// The value of an expression of any type: `(&&&Observed(&it)).value()`.
#[derive(Debug)]
pub struct Observed<'a, T: ?Sized>(pub &'a T);

/// The same where nobody looks at the value: that there is none is not noted.
#[derive(Debug)]
pub struct Unasked<'a, T: ?Sized>(pub &'a T);

/// What a property can speak of. A call looks for this first.
pub trait ObservedValue<'a> {
    /// Its value.
    fn value(&self) -> Value<'a>;
}

impl<'a, T: Observe + ?Sized> ObservedValue<'a> for &&Observed<'a, T> {
    #[inline]
    fn value(&self) -> Value<'a> {
        self.0.value()
    }
}

/// There is nothing to be said of it, and nothing to be noted.
impl<'a> ObservedValue<'a> for &&Observed<'a, ()> {
    #[inline]
    fn value(&self) -> Value<'a> {
        Value::Absent
    }
}

/// Objects that the recorder can tell from others. A call looks for this then.
pub trait ObservedObject {
    /// The object.
    fn value(&self) -> Value<'static>;
}

impl<T: Identified + ?Sized> ObservedObject for &Observed<'_, T> {
    #[inline]
    fn value(&self) -> Value<'static> {
        self.0.value()
    }
}

/// Everything else. A call finds this only where the others are not there.
pub trait ObservedNothing {
    /// It is absent, which is noted once for its type.
    fn value(&self) -> Value<'static>;
}

impl<T: ?Sized> ObservedNothing for Observed<'_, T> {
    #[inline]
    #[track_caller]
    fn value(&self) -> Value<'static> {
        const WHY: &str = "is nothing that a property can speak of, so it is absent as an argument; derive or \
                           implement `Observe`, or observe a part of it";
        note_absent(type_name::<T>(), WHY, Location::caller());
        Value::Absent
    }
}

impl<'a, T: Observe + ?Sized> ObservedValue<'a> for &&Unasked<'a, T> {
    #[inline]
    fn value(&self) -> Value<'a> {
        self.0.value()
    }
}

impl<T: Identified + ?Sized> ObservedObject for &Unasked<'_, T> {
    #[inline]
    fn value(&self) -> Value<'static> {
        self.0.value()
    }
}

impl<T: ?Sized> ObservedNothing for Unasked<'_, T> {
    #[inline]
    fn value(&self) -> Value<'static> {
        Value::Absent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing that a property can speak of.
    struct Plain;

    #[test]
    #[expect(
        clippy::needless_borrow,
        reason = "the compiler tries the traits in the order of the references"
    )]
    fn what_nobody_looks_at_has_the_same_value() {
        let number = 7;
        assert_eq!((&&&Unasked(&number)).value(), (&&&Observed(&number)).value());
        assert_eq!((&&&Unasked(&number)).value(), Value::Int(7));
        assert_eq!((&&&Unasked(&Plain)).value(), Value::Absent);
        assert_eq!((&&&Unasked(&())).value(), Value::Absent);
    }
}
