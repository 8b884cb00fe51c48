//! The arguments of an event or proposition. Values are not asked for in a plain build.

use super::{Observe, Value};

/// The arguments of an event or proposition: one value, or a tuple of up to 16.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing that a property can speak of",
    label = "these are no arguments of an event",
    note = "arguments are one value, or a tuple of up to 16, each of a type that has `rvcheck_runtime::Observe`"
)]
pub trait Arguments {
    /// Lets `f` see their values.
    #[doc(hidden)]
    fn with(&self, f: impl FnOnce(&[Value<'_>]));
}

impl<A: Observe> Arguments for A {
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
        impl<$first: Observe, $($rest: Observe),*> Arguments for ($first, $($rest,)*) {
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
