//! What can be an argument. Values are not asked for in a plain build.

use std::borrow::Cow;

use super::object::{Object, Task};
use super::protocol::Value;

/// What an event or proposition can speak of. A type of the program's own can say what it is there:
///
/// ```
/// use rvcheck_runtime::{Argument, Value};
///
/// struct Order {
///     number: i64,
/// }
///
/// impl Argument for Order {
///     fn value(&self) -> Value<'_> {
///         Value::Int(self.number)
///     }
/// }
///
/// rvcheck_runtime::event("packed", (Order { number: 7 }, "blue"));
/// ```
pub trait Argument {
    /// The value. Only asked for where there is a recorder.
    fn value(&self) -> Value<'_>;
}

/// Numbers of 64 bits, of which greater ones become the greatest.
macro_rules! ints {
    ($($int:ty)*) => {$(
        impl Argument for $int {
            #[inline]
            fn value(&self) -> Value<'_> {
                #[allow(irrefutable_let_patterns, unused_comparisons, reason = "one text for all integers")]
                let limit = if *self < 0 { i64::MIN } else { i64::MAX };
                Value::Int(i64::try_from(*self).unwrap_or(limit))
            }
        }
    )*};
}

ints!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl Argument for bool {
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Bool(*self)
    }
}

impl Argument for str {
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Argument for String {
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Argument for Cow<'_, str> {
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Argument for Task {
    #[inline]
    fn value(&self) -> Value<'_> {
        Task::value(*self)
    }
}

impl Argument for Object {
    #[inline]
    fn value(&self) -> Value<'_> {
        self.0
    }
}

impl<A: Argument + ?Sized> Argument for &A {
    #[inline]
    fn value(&self) -> Value<'_> {
        (**self).value()
    }
}

/// Nothing is absent.
impl<A: Argument> Argument for Option<A> {
    #[inline]
    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Absent, Argument::value)
    }
}

/// The arguments of an event or proposition: one value, or a tuple of up to 16.
pub trait Arguments {
    /// Lets `f` see their values.
    #[doc(hidden)]
    fn with(&self, f: impl FnOnce(&[Value<'_>]));
}

impl<A: Argument> Arguments for A {
    #[inline]
    fn with(&self, f: impl FnOnce(&[Value<'_>])) {
        f(&[self.value()]);
    }
}

impl Arguments for () {
    #[inline]
    fn with(&self, f: impl FnOnce(&[Value<'_>])) {
        f(&[]);
    }
}

/// Tuples, from the one that is given down to those of one element.
macro_rules! tuples {
    () => {};
    ($first:ident $($rest:ident)*) => {
        impl<$first: Argument, $($rest: Argument),*> Arguments for ($first, $($rest,)*) {
            #[inline]
            fn with(&self, f: impl FnOnce(&[Value<'_>])) {
                #[allow(non_snake_case, reason = "the names are those of the types")]
                let ($first, $($rest,)*) = self;
                f(&[$first.value(), $($rest.value()),*]);
            }
        }
        tuples!($($rest)*);
    };
}

tuples!(A B C D E F G H I J K L M N O P);
